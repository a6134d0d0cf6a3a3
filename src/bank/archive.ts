import { Unzip, UnzipInflate } from 'fflate';
import { ReconError } from '../base/errors.ts';
import type { ByteReader } from './read-file.ts';

/** What an archive may hold: a small one can become large without end. */
const most = { files: 5_000, bytes: 2 ** 30 };

/** Bytes that are unpacked at once: they can become a thousand times as many. */
const stepBytes = 16_384;

/** Whether bytes begin a zip archive. */
export function isArchive(beginning: Uint8Array): boolean {
  const [first, second, third, fourth] = beginning;
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

/** Reads the files of a zip archive, as a stream. Throws ReconError `usage` for one that is damaged or too large. */
export function archiveReader(
  file: string,
  readerOf: (inner: string) => ByteReader,
  limit = most,
): ByteReader {
  let files = 0;
  let bytes = 0;
  const open = new Set<ByteReader>();
  // What readers throw must not get into the unpacking, which takes it for its own.
  const unpacked: { readonly reader: ByteReader; readonly data: Uint8Array; isLast: boolean }[] =
    [];
  const unzip = new Unzip((packed) => {
    // Folders, and what systems hide in archives.
    if (/(^|\/)(\.|__MACOSX\/)|\/$/.test(packed.name)) return;
    files++;
    const reader = readerOf(`${file}:${packed.name}`);
    open.add(reader);
    packed.ondata = (error, data, isLast) => {
      if (error) throw error;
      unpacked.push({ reader, data, isLast });
    };
    packed.start();
  });
  unzip.register(UnzipInflate);
  const push = (block: Uint8Array, isLast = false) => {
    try {
      unzip.push(block, isLast);
    } catch (error) {
      throw damaged(file, error);
    }
    for (const { reader, data, isLast } of unpacked.splice(0)) {
      bytes += data.length;
      if (files > limit.files || bytes > limit.bytes) throw tooLarge(file);
      reader.push(data);
      if (isLast && open.delete(reader)) reader.end();
    }
  };
  return {
    push: (block) => {
      for (let start = 0; start < block.length; start += stepBytes) {
        // It keeps what it can't unpack yet, and blocks are used again.
        push(block.slice(start, start + stepBytes));
      }
    },
    end: () => {
      push(new Uint8Array(), true);
      if (open.size > 0) throw damaged(file, undefined);
    },
  };
}

function damaged(where: string, reason: unknown): ReconError {
  const hint = 'Download it again. If it needs a password, unpack it first.';
  return new ReconError('usage', 'The archive is damaged, or needs a password.', {
    where,
    hint,
    reason,
  });
}

function tooLarge(where: string): ReconError {
  const message = `The archive has more than ${most.files} files or more than 1 GiB of content.`;
  return new ReconError('usage', message, { where, hint: 'Unpack it, and name the files.' });
}
