import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { isAbsent, unreadable } from '../base/file-failures.ts';
import { readBlocks, readTextFile } from '../base/files.ts';
import { listFolder } from '../base/folders.ts';
import { changedSince } from './damaged.ts';
import { DaySource, type SourceHeaders } from './day-source.ts';
import { manifestName, sourceName } from './layout.ts';
import { type Manifest, type ManifestFile, parseManifest } from './manifest.ts';
import { unpack } from './unpack.ts';

/** What is wrong with a file of a day's folder. */
export interface DayProblem {
  readonly file: string;
  readonly what: 'manifest' | 'missing' | 'size' | 'sha256' | 'rows' | 'content' | 'extra';
  /** A sentence. */
  readonly message: string;
}

export interface CheckedDay {
  /** Absent where it can't be understood. */
  readonly manifest?: Manifest;
  /** By file name; none where the folder is what was written. */
  readonly problems: readonly DayProblem[];
}

/** Compares a day's folder with its manifest, down to the number of rows in each file. */
export async function checkDay(folder: string, day: string): Promise<CheckedDay> {
  const checked = await checkFiles(folder, day);
  const { manifest } = checked;
  if (!manifest) return checked;
  const problems = [...checked.problems];
  const isSound = (name: string) => problems.every(({ file }) => file !== name);
  for (const [name, { rows }] of Object.entries(manifest.files)) {
    if (!isSound(name)) continue;
    const counted = await countRows(join(folder, name));
    if (counted.rows !== rows) {
      const message = `It has ${counted.rows} rows; the manifest says ${rows}.`;
      problems.push({ file: name, what: 'rows', message });
    }
    if (name === sourceName && counted.sha256 !== manifest.contentSha256) {
      problems.push({
        file: name,
        what: 'content',
        message: 'Its contents do not match the manifest.',
      });
    }
  }
  const known = new Set([manifestName, ...Object.keys(manifest.files)]);
  for (const { name } of (await listFolder(folder)) ?? []) {
    if (known.has(name)) continue;
    const message = 'It is in the folder but not in the manifest.';
    problems.push({ file: name, what: 'extra', message });
  }
  return { manifest, problems: problems.sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

/** The same by the files' sizes and SHA-256 alone, whatever else stands in the folder. */
export async function checkFiles(folder: string, day: string): Promise<CheckedDay> {
  const read = await readManifest(folder, day);
  if ('message' in read) return { problems: [read] };
  const { files } = read;
  const names = Object.keys(files).sort();
  const problems: DayProblem[] = names.includes(sourceName)
    ? []
    : [{ file: sourceName, what: 'manifest', message: 'It is not in the manifest.' }];
  for (const name of names) {
    const expected = files[name];
    const problem = expected && (await compare(join(folder, name), expected));
    if (problem) problems.push({ file: name, ...problem });
  }
  return { manifest: read, problems };
}

/** The manifest of a day's folder, or what is wrong with it. */
export async function readManifest(folder: string, day: string): Promise<Manifest | DayProblem> {
  const problem = (message: string): DayProblem => ({
    file: manifestName,
    what: 'manifest',
    message,
  });
  const path = join(folder, manifestName);
  try {
    const file = await readTextFile(path);
    if (!file) return { file: manifestName, what: 'missing', message: 'The file is missing.' };
    const manifest = parseManifest(file.text, path);
    return manifest.day === day ? manifest : problem(`It is the manifest of ${manifest.day}.`);
  } catch (error) {
    if (error instanceof ReconError) return problem(error.message);
    throw error;
  }
}

async function compare(
  path: string,
  expected: ManifestFile,
): Promise<Omit<DayProblem, 'file'> | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const block of readBlocks(path)) {
      hash.update(block);
      bytes += block.length;
    }
  } catch (error) {
    if (isAbsent(error)) return { what: 'missing', message: 'The file is missing.' };
    throw unreadable(path, error);
  }
  if (bytes !== expected.bytes) {
    const message = `It has ${bytes} bytes; it was written with ${expected.bytes}.`;
    return { what: 'size', message };
  }
  if (hash.digest('hex') === expected.sha256) return undefined;
  return { what: 'sha256', message: changedSince };
}

const quote = 34;
const lineFeed = 10;

/** Lines of the source; of CSV the records below the header row. */
async function countRows(path: string): Promise<{ rows: number; sha256: string }> {
  const isSource = path.endsWith(sourceName);
  const hash = createHash('sha256');
  let lines = 0;
  let isQuoted = false;
  for await (const block of isSource ? unpack(path) : readBlocks(path)) {
    if (isSource) hash.update(block);
    for (const byte of block) {
      // A quote within a quoted cell is doubled, and so changes nothing.
      if (byte === quote && !isSource) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) lines += 1;
    }
  }
  return { rows: isSource ? lines : lines - 1, sha256: hash.digest('hex') };
}

/** A version of a day whose files are those that were written. */
export interface SoundVersion {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly headers: SourceHeaders;
}

/** The version of a day in its folder, or that its files have changed; undefined where there is none. */
export async function previousVersion(
  folder: string | undefined,
  day: string,
): Promise<SoundVersion | 'damaged' | undefined> {
  if (folder === undefined) return undefined;
  const { manifest, problems } = await checkFiles(folder, day);
  if (!manifest || problems.length > 0) return 'damaged';
  const { headers } = await DaySource.open(join(folder, sourceName));
  return { folder, manifest, headers };
}
