import { join } from 'node:path';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { isNoText } from '../base/file-failures.ts';
import { readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import { layout } from './layout.ts';
import { changedSince, parseSealed, sealedJson } from './sealed-json.ts';

const version = 2;

/** Whose data the days of an export hold: all days of a folder have one scope. */
export const scopeFields = {
  /** Null where no profile is used. */
  profile: z.string().nullable(),
  /** The service's host; of the sandbox `sandbox:SCENARIO`. */
  host: z.string(),
  filters: z.strictObject({
    mid: z.string().exactOptional(),
    cid: z.number().exactOptional(),
    chid: z.number().exactOptional(),
  }),
};

const scopeSchema = z.object({ schema: z.int().min(1).max(version), ...scopeFields });

/** Whose data an export holds. */
export type ExportScope = Readonly<Omit<z.infer<typeof scopeSchema>, 'schema'>>;

/** The scope of the export in a folder. Never writes. ReconErrors: `usage` where there is none, and as `readScope`. */
export async function scopeOf(folder: string): Promise<ExportScope> {
  const scope = await readScope(folder);
  if (scope) return scope;
  throw new ReconError('usage', 'No export in this folder.', {
    where: folder,
    hint: 'Name the folder that was given to recon export --out.',
  });
}

/**
 * The scope of the export in a folder; undefined where there is none. Never writes.
 * ReconErrors: `damaged` for one that has been altered, `usage` for one that can't be understood.
 */
export async function readScope(folder: string): Promise<ExportScope | undefined> {
  const path = join(folder, layout.scope);
  const hint = 'Restore the file, or export into another folder.';
  const altered = new ReconError('damaged', changedSince, { where: path, hint });
  const file = await readTextFile(path).catch((error) => {
    throw isNoText(error) ? altered : error;
  });
  if (!file) return undefined;
  const found = parseSealed(file.text);
  if (!found) throw altered;
  const result = scopeSchema.safeParse(found);
  if (!result.success) {
    throw new ReconError('usage', 'This file does not describe an export.', {
      where: path,
      hint: 'Use the version of recon that wrote it, or export into another folder.',
    });
  }
  const { schema, ...scope } = result.data;
  return scope;
}

/** Writes the scope of an export down, unless it is there; from then on the folder is an export. */
export async function writeScope(folder: string, scope: ExportScope): Promise<void> {
  const { profile, host, filters } = scope;
  const path = join(folder, layout.scope);
  const text = sealedJson({ schema: version, profile, host, filters });
  if ((await readTextFile(path))?.text !== text) await replaceWhole(path, text);
}

/**
 * The names of the service and the profile that have changed, each as what it was and is. ReconError
 * `usage` where anything else differs, and without `rebind` where they do.
 */
export function changedNames(
  folder: string,
  was: ExportScope,
  is: ExportScope,
  rebind: boolean,
): readonly string[] {
  const names = differences([
    ['the profile', was.profile, is.profile],
    ['the host', was.host, is.host],
  ]);
  const filters = differences([
    ['--mid', was.filters.mid?.toLowerCase(), is.filters.mid?.toLowerCase()],
    ['--cid', was.filters.cid, is.filters.cid],
    ['--chid', was.filters.chid, is.filters.chid],
  ]);
  const refused = rebind ? filters : [...names, ...filters];
  if (refused.length === 0) return names;
  const message = `This export was created with other settings: ${refused.join('; ')}.`;
  const others = 'Use another folder with --out, or the same settings as before';
  const hint =
    filters.length > 0
      ? `${others}.`
      : `${others}. If the host or profile was only renamed, add --rebind once.`;
  throw new ReconError('usage', message, { where: folder, hint });
}

type Value = string | number | null | undefined;

function differences(
  points: readonly (readonly [name: string, was: Value, is: Value])[],
): readonly string[] {
  return points
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} was ${was ?? 'not set'}, now ${is ?? 'not set'}`);
}
