import { join } from 'node:path';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { isNoText } from '../base/file-failures.ts';
import { readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import type { SettlementFilters } from '../model/source.ts';
import { changedSince } from './damaged.ts';
import { layout } from './layout.ts';
import { parseSealed, sealedJson } from './sealed-json.ts';

/** What the days of an export were asked with: all days of a folder answer one question. */
export interface ExportQuestion {
  /** Null where no profile is used. */
  readonly profile: string | null;
  /** The service's host; of the sandbox `sandbox:SCENARIO`. */
  readonly host: string;
  readonly filters: SettlementFilters;
}

const schema = 2;

const fields = z.object({
  schema: z.int().min(1).max(schema),
  profile: z.string().nullable(),
  host: z.string(),
  filters: z.strictObject({
    mid: z.string().exactOptional(),
    cid: z.number().exactOptional(),
    chid: z.number().exactOptional(),
  }),
});

/**
 * The question that the export in a folder answers; undefined where there is none. Never writes.
 * ReconErrors: `damaged` for one that has been altered, `usage` for one that can't be understood.
 */
export async function readQuestion(folder: string): Promise<ExportQuestion | undefined> {
  const path = join(folder, layout.question);
  const hint = 'Put the file back as it was, or export into another folder.';
  const altered = new ReconError('damaged', changedSince, { where: path, hint });
  const file = await readTextFile(path).catch((error) => {
    throw isNoText(error) ? altered : error;
  });
  if (!file) return undefined;
  const found = parseSealed(file.text);
  if (!found) throw altered;
  const result = fields.safeParse(found);
  if (!result.success) {
    throw new ReconError('usage', 'This file does not say what the export in its folder answers.', {
      where: path,
      hint: 'Use the recon that wrote it, or export into another folder.',
    });
  }
  const { profile, host, filters } = result.data;
  return { profile, host, filters };
}

/** Writes the question down, unless it is there; from then on the folder is an export. */
export async function writeQuestion(folder: string, question: ExportQuestion): Promise<void> {
  const { profile, host, filters } = question;
  const path = join(folder, layout.question);
  const text = sealedJson({ schema, profile, host, filters });
  if ((await readTextFile(path))?.text !== text) await replaceWhole(path, text);
}

/**
 * The names of the service and the profile that have changed, each as what it was and is. ReconError
 * `usage` where anything else differs, and without `rebind` where they do.
 */
export function changedNames(
  folder: string,
  was: ExportQuestion,
  is: ExportQuestion,
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
  const message = `The export in this folder answers another question: ${refused.join('; ')}.`;
  const others = 'Name another folder with --out, or ask as before';
  const hint =
    filters.length > 0
      ? `${others}.`
      : `${others}. If the same data only have another name now, add --rebind once.`;
  throw new ReconError('usage', message, { where: folder, hint });
}

type Value = string | number | null | undefined;

function differences(
  points: readonly (readonly [name: string, was: Value, is: Value])[],
): readonly string[] {
  return points
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} was ${was ?? 'none'}, is ${is ?? 'none'}`);
}
