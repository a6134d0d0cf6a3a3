import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { failureCode, isAbsent, orUnwritable, unreadable } from './file-failures.ts';
import { readBlocks } from './files.ts';

/** A new file that is counted and hashed as it is written. */
export interface HashedFile {
  /** A text must not end between the halves of a character. */
  write(data: string | Uint8Array): Promise<void>;
  /** Flushes it to the disk; says what was written. */
  close(): Promise<FileDigest>;
  /** Gives up writing; what was written stays. Never fails, and does nothing after `close`. */
  abort(): Promise<void>;
}

/** What decides whether two files are the same. */
interface FileDigest {
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

const blockSize = 65_536;

/** Creates a file; what stands there already is an error. `shownAs` names it in errors. */
export async function createHashedFile(path: string, shownAs: string): Promise<HashedFile> {
  const file = await orUnwritable(shownAs, fs.open(path, 'wx', 0o640));
  const hash = createHash('sha256');
  let bytes = 0;
  let blocks: Uint8Array[] = [];
  let held = 0;
  let text = '';

  const hold = (block: Uint8Array) => {
    blocks.push(block);
    held += block.length;
  };
  const flush = async () => {
    hold(Buffer.from(text));
    text = '';
    const block = Buffer.concat(blocks);
    blocks = [];
    held = 0;
    bytes += block.length;
    hash.update(block);
    await file.writeFile(block);
  };
  return {
    write: async (data) => {
      if (typeof data === 'string') text += data;
      else {
        hold(Buffer.from(text));
        text = '';
        // A copy: whoever hands it over may use it again.
        hold(Buffer.from(data));
      }
      if (held + text.length >= blockSize) await orUnwritable(shownAs, flush());
    },
    close: async () => {
      await orUnwritable(
        shownAs,
        flush().then(() => file.sync()),
      );
      await orUnwritable(shownAs, file.close());
      return { bytes, sha256: hash.digest('hex') };
    },
    abort: () => file.close().catch(() => {}),
  };
}

/** The SHA-256 of a file, in hexadecimal digits; `undefined` where there is no file. */
export async function sha256OfFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const block of readBlocks(path)) hash.update(block);
  } catch (error) {
    if (isAbsent(error) || failureCode(error) === 'EISDIR') return undefined;
    throw unreadable(path, error);
  }
  return hash.digest('hex');
}
