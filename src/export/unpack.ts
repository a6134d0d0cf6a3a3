import { createGunzip } from 'node:zlib';
import { isAbsent } from '../base/file-failures.ts';
import { readThrough } from '../base/files.ts';
import { damaged } from './damaged.ts';

/** A line is at most about as long as the largest answer that a row can have come in. */
const longestLine = 32 * 1024 * 1024;

/** The text of a compressed file, as it is unpacked. Throws ReconError `damaged` where it can't be. */
export async function* unpack(path: string): AsyncGenerator<Buffer, void, void> {
  try {
    // It unpacks to about ten times its size.
    const chunkSize = (blockBytes: number) => Math.min(1 << 18, 64 + 16 * blockBytes);
    yield* readThrough(path, (bytes) => createGunzip({ chunkSize: chunkSize(bytes) }));
  } catch (error) {
    if (isAbsent(error)) throw damaged(path, 'The file is missing.', error);
    const why = error instanceof Error ? error.message : String(error);
    throw damaged(path, `The file cannot be unpacked: ${why}.`, error);
  }
}

/** The lines of a compressed file, in batches, without their line breaks. Errors as with `unpack`. */
export async function* unpackLines(path: string): AsyncGenerator<readonly string[], void, void> {
  const decode = utf8Decoder(path);
  let rest = '';
  for await (const chunk of unpack(path)) {
    // What has come of a line is only put together: searching it again for each chunk would take long.
    const [first = '', ...others] = decode(chunk).split('\n');
    rest += first;
    if (rest.length > longestLine) throw damaged(path, 'A line of the file is too long.');
    const last = others.pop();
    if (last === undefined) continue;
    yield [rest, ...others];
    rest = last;
  }
  if (rest !== '') throw damaged(path, 'The file ends in the middle of a line.');
}

function utf8Decoder(path: string): (chunk: Buffer) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw damaged(path, 'The file is not UTF-8 text.', error);
    }
  };
}
