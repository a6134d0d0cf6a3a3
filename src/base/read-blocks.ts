import { createReadStream } from 'node:fs';

const blockSize = 256 * 1024;

/** Reads a file block by block. Throws what the system says, such as `ENOENT`. */
export async function* readBlocks(path: string): AsyncGenerator<Buffer, void, void> {
  for await (const block of createReadStream(path, { highWaterMark: blockSize })) yield block;
}
