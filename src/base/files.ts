import { createReadStream, lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline, type Transform } from 'node:stream';
import { ReconError } from './errors.ts';
import {
  failureCode,
  isAbsent,
  noFile,
  orUnwritable,
  unreadable,
  unwritable,
} from './file-failures.ts';
import { flushFolder, makeFolders, removeLeftovers, writeNew } from './folders.ts';

export interface TextFile {
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  readonly mode: number;
  readonly owner: number;
}

/** A file being written: not seen before `commit`, and gone after `abort`. */
interface OutputFile {
  write(piece: string | Uint8Array): Promise<void>;
  commit(): Promise<void>;
  /** Never fails, and does nothing after `commit`. */
  abort(): Promise<void>;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Bytes of a text that is held whole: a device such as /dev/zero never ends. */
const longestText = 256 * 1024 * 1024;

/** Reads a UTF-8 text file; `undefined` if there is none. One that `isKept` is no pipe or device: it is to be replaced. */
export async function readTextFile(
  path: string,
  { isKept = false } = {},
): Promise<TextFile | undefined> {
  try {
    const found = statSync(path);
    if (isKept && !found.isFile() && !found.isDirectory()) throw noFile();
    const bytes = readAtOnce(path, found) ?? (await wholeOf(readBlocks(path), path));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const hasByteOrderMark = bytes.subarray(0, 3).equals(byteOrderMark);
    return { text, hasByteOrderMark, mode: found.mode, owner: found.uid };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw unreadable(path, error);
  }
}

/** The text of a file that belongs to the program, by its path from `module`; the build puts it beside. */
export async function readProgramText(path: string, module: string): Promise<string> {
  const whole = decodeURIComponent(new URL(path, module).pathname);
  const file = await readTextFile(whole);
  if (!file) throw new Error(`${whole} is missing`);
  return file.text;
}

/** The bytes of a file; `undefined` if there is none, or something else, such as a pipe. */
export async function fileSize(path: string): Promise<number | undefined> {
  const found = await fs.stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

/**
 * Opens a file for writing under a temporary name, renamed at `commit`. A symbolic link stays, and its
 * target is replaced. A device or a named pipe is written directly. Reports hold merchants' references:
 * only owner and group may read a new file (a secret one: only the owner); a replaced one keeps its permissions.
 */
export async function openOutputFile(path: string, { secret = false } = {}): Promise<OutputFile> {
  try {
    const place = await placeFor(path);
    if (place === undefined) return await openDirectly(path);
    return await openBeside(path, secret ? { ...place, mode: 0o600 } : place);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Writes a file as `openOutputFile` does; if `work` fails, nothing is written. */
export async function writeOutputFile<Result>(
  path: string,
  work: (write: OutputFile['write']) => Promise<Result>,
  options?: { secret?: boolean },
): Promise<Result> {
  const file = await openOutputFile(path, options);
  try {
    const result = await work(file.write);
    await file.commit();
    return result;
  } finally {
    await file.abort();
  }
}

export interface FileDraft {
  readonly draft: string;
  readonly place: string;
}

/** Writes a file but leaves it under its temporary name. Throws ReconError `output`, also for a device. */
export async function writeDraft(path: string, contents: string | Uint8Array): Promise<FileDraft> {
  try {
    const place = await placeFor(path);
    if (place === undefined) {
      const hint = 'Name a file.';
      throw new ReconError('output', 'The output must be a file.', { where: path, hint });
    }
    const file = await openBeside(path, place, 'part');
    await file.write(contents);
    return { draft: await file.close(), place: place.path };
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function placeFor(path: string): Promise<Place | undefined> {
  const existing = await fs.stat(path).catch((error: unknown) => {
    if (failureCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (existing?.isDirectory() || /[\\/]$/.test(path)) {
    const hint = 'Name a file inside it.';
    throw new ReconError('output', 'The output path is a folder.', { where: path, hint });
  }
  if (isWrittenDirectly(path, existing)) return undefined;
  // A rename would replace a file that its owner has made read-only.
  if (existing) await fs.access(path, fs.constants.W_OK);
  const place = await placeBehindLinks(path, existing);
  return { path: place, mode: existing && existing.mode & 0o777 };
}

interface Place {
  readonly path: string;
  readonly mode: number | undefined;
}

/** Writes a new file that only its owner may read, and missing folders; `false` if something is there. */
export async function createPrivateFile(path: string, text: string): Promise<boolean> {
  const writing = inFolder(path, () => writeNew(path, text, 0o600));
  return orUnwritable(path, writing);
}

/** Adds a line to a file that only its owner may read. */
export async function appendPrivateLine(path: string, line: string): Promise<void> {
  await orUnwritable(path, fs.appendFile(path, `${line}\n`, { mode: 0o600 }));
}

/** Moves a file, and makes the new folder for its owner alone if missing; `false` if there is no such file. */
export async function moveFile(from: string, to: string): Promise<boolean> {
  try {
    await inFolder(to, () => fs.rename(from, to));
    return true;
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return false;
    throw unwritable(to, error);
  }
}

/** Copies a file to a new name. Throws ReconError `output`. */
export async function copyFile(from: string, to: string): Promise<void> {
  await orUnwritable(to, fs.copyFile(from, to, fs.constants.COPYFILE_EXCL));
}

async function inFolder<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw error;
  }
  await makeFolders(dirname(path), 0o700);
  return work();
}

/** The target of a link, or else the path itself. */
export async function behindLink(path: string): Promise<string> {
  const link = await fs.readlink(path).catch(() => undefined);
  return link === undefined ? path : placeBehindLinks(path, undefined).catch(() => path);
}

/** Whether two paths lead to one file that is there. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all(
    [path, other].map((each) => fs.stat(each).catch(() => undefined)),
  );
  return one?.isFile() === true && one.ino === two?.ino && one.dev === two.dev;
}

/** The size and last change of a file, as a text; empty if there is none. */
export async function sizeAndTime(path: string): Promise<string> {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size} ${mtimeMs}`;
  } catch (error) {
    if (isAbsent(error)) return '';
    throw unreadable(path, error);
  }
}

/** Whether a file, a folder or a link is at a path. */
export async function isThere(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => undefined)) !== undefined;
}

async function openDirectly(path: string): Promise<OutputFile> {
  // Appending: standard output may be a log file, reached through /dev/stdout.
  const file = await fs.open(path, 'a');
  return {
    write: (piece) => orUnwritable(path, file.writeFile(piece)),
    commit: () => orUnwritable(path, file.close()),
    abort: () => file.close().catch(() => {}),
  };
}

/** `close` leaves the file under its temporary name, and returns that; a `part` is not taken for a leftover. */
async function openBeside(
  path: string,
  { path: place, mode }: Place,
  kind: 'tmp' | 'part' = 'tmp',
) {
  const folder = dirname(place);
  const temporary = join(folder, `.recon-${crypto.randomUUID()}.${kind}`);
  const file = await fs.open(temporary, 'wx', mode ?? 0o640);
  let pending: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  const abort = async () => {
    if (isOver) return;
    isOver = true;
    await file.close().catch(() => {});
    await fs.rm(temporary, { force: true }).catch(() => {});
  };
  const orAbort = <Result>(work: Promise<Result>) =>
    work.catch(async (error: unknown) => {
      await abort();
      throw unwritable(path, error);
    });
  const flush = () => {
    const pieces = Buffer.concat(pending);
    pending = [];
    size = 0;
    return file.writeFile(pieces);
  };
  const close = async () => {
    await flush();
    // The umask may have narrowed the mode; if that cannot be undone, narrower is safe.
    if (mode !== undefined) await file.chmod(mode).catch(() => {});
    await file.sync();
    await file.close();
    return temporary;
  };
  const finish = async () => {
    await close();
    await fs.rename(temporary, place);
    isOver = true;
    await flushFolder(folder).catch(() => {});
    await removeLeftovers(place);
  };
  return {
    write: async (piece: string | Uint8Array) => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      pending.push(bytes);
      size += bytes.length;
      if (size >= 524_288) await orAbort(flush());
    },
    commit: () => orAbort(finish()),
    abort,
    close: () => orAbort(close()),
  };
}

function isWrittenDirectly(path: string, existing: Stats | undefined): boolean {
  const isStream = /^\/(dev\/(stdout|stderr|fd\/)|proc\/)/.test(resolve(path));
  return isStream || (existing !== undefined && !existing.isFile());
}

/** The end of a chain of links; there need not be a file yet. */
async function placeBehindLinks(path: string, existing: Stats | undefined): Promise<string> {
  if (existing) return fs.realpath(path);
  const place = join(await fs.realpath(dirname(path)), basename(path));
  const link = await fs.readlink(place).catch(() => undefined);
  return link === undefined ? place : placeBehindLinks(resolve(dirname(place), link), undefined);
}

const blockSize = 256 * 1024;

/**
 * A small file as one block; undefined for a larger one, and for a pipe, which may keep its readers waiting.
 * Synchronous: the thread pool takes several times as long. Throws the system's error, such as `ENOENT`,
 * and one like it for a named pipe.
 */
function readAtOnce(path: string, found = statSync(path)): Buffer | undefined {
  // Opening a named pipe waits for its writer, and neither a signal nor the time limit would end that.
  if (found.isFIFO() && lstatSync(path).isFIFO()) throw noFile();
  return found.isFile() && found.size <= blockSize ? readFileSync(path) : undefined;
}

/** The bytes of a file that is held whole. ReconError `configuration` if it is too large for that. */
export async function wholeOf(given: AsyncIterable<Uint8Array>, path: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let size = 0;
  for await (const block of given) {
    size += block.length;
    if (size > longestText) {
      const hint = 'Check that it is the right file.';
      const message = 'The file is larger than 256 MiB.';
      throw new ReconError('configuration', message, { where: path, hint });
    }
    blocks.push(Buffer.from(block));
  }
  return Buffer.concat(blocks);
}

/** Reads a file in blocks, each valid until the next one. Throws the system's error, such as `ENOENT`. */
export async function* readBlocks(path: string): AsyncGenerator<Buffer, void, void> {
  const whole = readAtOnce(path);
  if (whole) {
    if (whole.length > 0) yield whole;
    return;
  }
  const file = await fs.open(path);
  try {
    const block = Buffer.allocUnsafe(blockSize);
    for (;;) {
      const { bytesRead } = await file.read(block, 0, block.length);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Reads a file through a transformation. Throws the system's and the transformation's errors. */
export async function* readThrough<Piece = Buffer>(
  path: string,
  transformation: (blockBytes: number) => Transform,
): AsyncGenerator<Piece, void, void> {
  const whole = readAtOnce(path);
  const highWaterMark = whole ? whole.length + 1 : blockSize;
  const through = transformation(highWaterMark);
  if (whole) through.end(whole);
  else pipeline(createReadStream(path, { highWaterMark }), through, () => {});
  yield* through;
}

/** Creates a file without a name, which goes with the process, for what does not fit into memory. */
export async function createScratchFile(path: string) {
  const file = await orUnwritable(path, fs.open(path, 'wx+', 0o600));
  await orUnwritable(path, fs.unlink(path));
  let size = 0;
  return {
    get size() {
      return size;
    },
    append: async (bytes: Uint8Array) => {
      await orUnwritable(path, file.writeFile(bytes));
      size += bytes.length;
    },
    /** Fewer bytes than `length` only at the end of the file. */
    read: async (offset: number, length: number) => {
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const reading = file.read(bytes, filled, length - filled, offset + filled);
        const { bytesRead } = await orUnwritable(path, reading);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => file.close(),
  };
}
