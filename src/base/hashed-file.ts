import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { ByteWriter } from './byte-writer.ts';
import { orUnwritable } from './file-failures.ts';
import { readBlocks } from './files.ts';

const blockSize = 1 << 18;

/** Creates a file, which must not exist, and counts and hashes its bytes. `shownAs` names it in errors. */
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
    /** Calls must not overlap or split a surrogate pair. */
    write: async (data: string | Uint8Array): Promise<void> => {
      if (typeof data === 'string') held.text(data);
      else held.append(data);
      if (held.length >= blockSize) await orUnwritable(shownAs, flush());
    },
    close: async () => {
      const written = flush().then(() => file.sync());
      await orUnwritable(shownAs, written);
      await orUnwritable(shownAs, file.close());
      return { bytes, sha256: hash.digest('hex') };
    },
    /** Stops writing; what was written stays. Never fails, and does nothing after `close`. */
    abort: (): Promise<void> => file.close().catch(() => {}),
  };
}

/** The size and hash of a file. Throws the system's error, such as `ENOENT`. */
export async function digestOfFile(path: string) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const block of readBlocks(path)) {
    hash.update(block);
    bytes += block.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
