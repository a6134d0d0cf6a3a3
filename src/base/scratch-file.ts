import * as fs from 'node:fs/promises';
import { orUnwritable } from './file-failures.ts';

/** A file for what doesn't fit into memory. It has no name, and so goes with the process. */
export interface ScratchFile {
  /** Bytes written so far. */
  readonly size: number;
  append(bytes: Uint8Array): Promise<void>;
  /** Fewer bytes than `length` only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  /** Gives the space back. */
  close(): Promise<void>;
}

/** Creates one; nothing may stand at `path`, and nothing stays there. */
export async function createScratchFile(path: string): Promise<ScratchFile> {
  const file = await orUnwritable(path, fs.open(path, 'wx+', 0o600));
  await orUnwritable(path, fs.unlink(path));
  let size = 0;
  return {
    get size() {
      return size;
    },
    append: async (bytes) => {
      await orUnwritable(path, file.writeFile(bytes));
      size += bytes.length;
    },
    read: async (offset, length) => {
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await orUnwritable(
          path,
          file.read(bytes, filled, length - filled, offset + filled),
        );
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => file.close(),
  };
}
