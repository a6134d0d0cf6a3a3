import { join } from 'node:path';
import { checkFiles } from './check-day.ts';
import type { Manifest } from './manifest.ts';
import { sourceName } from './source-file.ts';
import { type SourceHeaders, SourceReader } from './source-reader.ts';

/** The version of a day that is in place. */
export interface PreviousVersion {
  readonly folder: string;
  /** Absent where its files are not those that were written. */
  readonly sound?: SoundVersion;
}

export interface SoundVersion {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly headers: SourceHeaders;
}

/** Looks at the version of a day in its folder; undefined where there is none. */
export async function previousVersion(
  folder: string | undefined,
  day: string,
): Promise<PreviousVersion | undefined> {
  if (folder === undefined) return undefined;
  const { manifest, problems } = await checkFiles(folder, day);
  if (!manifest || problems.length > 0) return { folder };
  const reader = await SourceReader.open(join(folder, sourceName));
  await reader.close();
  return { folder, sound: { folder, manifest, headers: reader.headers } };
}
