import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { isAbsent, unreadable } from '../base/file-failures.ts';
import { readBlocks, readTextFile } from '../base/files.ts';
import { listFolder } from '../base/folders.ts';
import { digestOfFile, type FileDigest } from '../base/hashed-file.ts';
import { byText } from '../base/texts.ts';
import { lakeName } from '../lake/layout.ts';
import { DaySource, type SourceHeaders, unpack } from './day-source.ts';
import { manifestName, sourceName } from './layout.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { changedSince } from './sealed-json.ts';

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
  const { manifest, problems: found } = await checkFiles(folder, day);
  if (!manifest) return { problems: found };
  const problems = [...found];
  for (const [file, { rows }] of Object.entries(manifest.files)) {
    if (found.some((problem) => problem.file === file)) continue;
    const counted = await countRows(join(folder, file));
    if (counted.rows !== rows) {
      const message = `It has ${counted.rows} rows; the manifest says ${rows}.`;
      problems.push({ file, what: 'rows', message });
    }
    if (file === sourceName && counted.sha256 !== manifest.contentSha256) {
      problems.push({ file, what: 'content', message: 'Its contents do not match the manifest.' });
    }
  }
  for (const { name: file } of (await listFolder(folder)) ?? []) {
    if (file === manifestName || Object.hasOwn(manifest.files, file)) continue;
    // Tables that wait to be put into their places.
    if (file === lakeName && manifest.tables) continue;
    const message = 'It is in the folder but not in the manifest.';
    problems.push({ file, what: 'extra', message });
  }
  return { manifest, problems: problems.sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

/** The same by the files' sizes and SHA-256 alone, whatever else stands in the folder. */
export async function checkFiles(folder: string, day: string): Promise<CheckedDay> {
  const manifest = await readManifest(folder, day);
  if ('message' in manifest) return { problems: [manifest] };
  const problems: DayProblem[] = [];
  if (!Object.hasOwn(manifest.files, sourceName)) {
    problems.push({ file: sourceName, what: 'manifest', message: 'It is not in the manifest.' });
  }
  for (const [file, expected] of Object.entries(manifest.files).sort(([a], [b]) => byText(a, b))) {
    const problem = await compareFile(join(folder, file), expected);
    if (problem) problems.push({ file, ...problem });
  }
  return { manifest, problems };
}

/** The manifest of a day's folder, or what is wrong with it. */
export async function readManifest(folder: string, day: string): Promise<Manifest | DayProblem> {
  const problem = (message: string, what: DayProblem['what'] = 'manifest') => ({
    file: manifestName,
    what,
    message,
  });
  const path = join(folder, manifestName);
  try {
    const file = await readTextFile(path);
    if (!file) return problem('The file is missing.', 'missing');
    const manifest = parseManifest(file.text, path);
    return manifest.day === day ? manifest : problem(`It is the manifest of ${manifest.day}.`);
  } catch (error) {
    if (error instanceof ReconError) return problem(error.message);
    throw error;
  }
}

/** How a file differs from what was written; undefined where it doesn't. */
export async function compareFile(
  path: string,
  expected: FileDigest,
): Promise<Omit<DayProblem, 'file'> | undefined> {
  try {
    const { bytes, sha256 } = await digestOfFile(path);
    if (bytes !== expected.bytes) {
      const message = `It has ${bytes} bytes; it was written with ${expected.bytes}.`;
      return { what: 'size', message };
    }
    return sha256 === expected.sha256 ? undefined : { what: 'sha256', message: changedSince };
  } catch (error) {
    if (isAbsent(error)) return { what: 'missing', message: 'The file is missing.' };
    throw unreadable(path, error);
  }
}

const quote = 34;
const lineFeed = 10;

/** Lines of the source; of CSV the records below the header row. */
async function countRows(path: string): Promise<{ rows: number; sha256: string }> {
  const isSource = path.endsWith(sourceName);
  const hash = createHash('sha256');
  let rows = isSource ? 0 : -1;
  let isQuoted = false;
  for await (const block of isSource ? unpack(path) : readBlocks(path)) {
    hash.update(block);
    for (const byte of block) {
      // A quote within a quoted cell is doubled, and so changes nothing.
      if (byte === quote && !isSource) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) rows += 1;
    }
  }
  return { rows, sha256: hash.digest('hex') };
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
