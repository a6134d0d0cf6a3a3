import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { ByteWriter } from './byte-writer.ts';
import { orUnwritable } from './file-failures.ts';
import { readBlocks } from './files.ts';

/** What decides whether two files are the same. */
export interface FileDigest {
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** A new file that is counted and hashed as it is written. */
export type HashedFile = Awaited<ReturnType<typeof createHashedFile>>;

const blockSize = 1 << 18;

/** Creates a file; what stands there already is an error. `shownAs` names it in errors. */
export async function createHashedFile(path: string, shownAs: string) {
  const file = await orUnwritable(shownAs, fs.open(path, 'wx', 0o640));
  const hash = createHash('sha256');
  const held = new ByteWriter(0);
  let bytes = 0;

  const flush = async () => {
    bytes += held.length;
    hash.update(held.written);
    await file.writeFile(held.written);
    held.length = 0;
  };
  return {
    /** A text must not end between the halves of a character. Writes don't overlap. */
    write: async (data: string | Uint8Array): Promise<void> => {
      if (typeof data === 'string') held.text(data);
      else held.append(data);
      if (held.length >= blockSize) await orUnwritable(shownAs, flush());
    },
    /** Flushes it to the disk; says what was written. */
    close: async (): Promise<FileDigest> => {
      await orUnwritable(
        shownAs,
        flush().then(() => file.sync()),
      );
      await orUnwritable(shownAs, file.close());
      return { bytes, sha256: hash.digest('hex') };
    },
    /** Gives up writing; what was written stays. Never fails, and does nothing after `close`. */
    abort: (): Promise<void> => file.close().catch(() => {}),
  };
}

/** What is in a file. Throws what the system says, such as `ENOENT`. */
export async function digestOfFile(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const block of readBlocks(path)) {
    hash.update(block);
    bytes += block.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
