import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent, unreadable, unwritable } from './file-failures.ts';
import { flushFolder } from './folders.ts';

/** A file that only grows, for its owner alone. */
export interface JournalFile {
  /** Bytes that are on the disk. */
  readonly size: number;
  /** Resolves once the text is on the disk; where that fails, the file is as it was before. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A line of a journal without its end, and the byte that follows it. */
export interface JournalLine {
  readonly text: string;
  readonly end: number;
}

const blockSize = 65_536;
const lineFeed = 10;

/** Creates a journal's file, or empties the one that is there. */
export async function createJournalFile(path: string): Promise<JournalFile> {
  try {
    const file = await fs.open(path, 'w', 0o600);
    await flushFolder(dirname(path));
    return growing(file, path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function growing(file: fs.FileHandle, path: string): JournalFile {
  let size = 0;
  return {
    get size() {
      return size;
    },
    append: async (text) => {
      const data = Buffer.from(text);
      try {
        // By position: what a failed attempt left behind is written over.
        for (let done = 0; done < data.length; ) {
          done += (await file.write(data, done, data.length - done, size + done)).bytesWritten;
        }
        await file.datasync();
        size += data.length;
      } catch (error) {
        await file.truncate(size).catch(() => {});
        throw unwritable(path, error);
      }
    },
    close: () => file.close().catch(() => {}),
  };
}

/**
 * The whole lines of a file between two bytes; none where there is no file. What a crash left of a
 * line that was never finished is no line.
 */
export async function* readJournalLines(
  path: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<JournalLine, void, void> {
  let file: fs.FileHandle | undefined;
  try {
    file = await fs.open(path, 'r');
    let rest = Buffer.alloc(0);
    let position = from;
    for (;;) {
      const wanted = Math.min(blockSize, to - position);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, position);
      if (bytesRead === 0) return;
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      position += bytesRead;
      let start = 0;
      for (let at = rest.indexOf(lineFeed); at >= 0; at = rest.indexOf(lineFeed, start)) {
        const text = rest.toString('utf8', start, at);
        start = at + 1;
        yield { text, end: position - rest.length + start };
      }
      rest = rest.subarray(start);
    }
  } catch (error) {
    if (!isAbsent(error)) throw unreadable(path, error);
  } finally {
    await file?.close();
  }
}

/** Adds to a file, for its owner alone. `lasting`: it is on the disk when this resolves. */
export async function appendPrivately(path: string, text: string, lasting = false): Promise<void> {
  try {
    await fs.appendFile(path, text, { mode: 0o600, flush: lasting });
  } catch (error) {
    throw unwritable(path, error);
  }
}
