import { join } from 'node:path';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import { parseJson } from '../base/json.ts';
import type { SettlementFilters } from '../model/source.ts';
import { layout } from './layout.ts';

/** What the days of an export were asked with: all days of a folder answer one question. */
export interface ExportQuestion {
  /** Null where no profile is used. */
  readonly profile: string | null;
  /** The service's host; of the sandbox `sandbox:SCENARIO`. */
  readonly host: string;
  readonly filters: SettlementFilters;
}

const schema = z.object({
  schema: z.literal(1),
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
 * ReconError `usage` for one that can't be understood.
 */
export async function readQuestion(folder: string): Promise<ExportQuestion | undefined> {
  const path = join(folder, layout.question);
  const file = await readTextFile(path);
  if (!file) return undefined;
  const result = schema.safeParse(parseJson(file.text));
  if (!result.success) {
    throw new ReconError('usage', 'This file does not say what the export in its folder answers.', {
      where: path,
      hint: 'Use the recon that wrote it, or export into another folder.',
    });
  }
  const { profile, host, filters } = result.data;
  return { profile, host, filters };
}

/** Writes the question down; from then on the folder is an export. */
export async function writeQuestion(folder: string, question: ExportQuestion): Promise<void> {
  const { profile, host, filters } = question;
  const text = JSON.stringify({ schema: 1, profile, host, filters }, null, 2);
  await replaceWhole(join(folder, layout.question), `${text}\n`);
}

/** ReconError `usage` that names what differs, if anything does. */
export function refuseOther(folder: string, was: ExportQuestion, is: ExportQuestion): void {
  const before = words(was);
  const differences = [...words(is)].flatMap(([name, now]) => {
    const then = before.get(name);
    return then === now ? [] : [`${name} was ${then ?? 'none'}, is ${now ?? 'none'}`];
  });
  if (differences.length === 0) return;
  const message = `The export in this folder answers another question: ${differences.join('; ')}.`;
  throw new ReconError('usage', message, {
    where: folder,
    hint: 'Name another folder with --out, or ask as before.',
  });
}

function words({
  profile,
  host,
  filters,
}: ExportQuestion): ReadonlyMap<string, string | undefined> {
  return new Map([
    ['the profile', profile ?? undefined],
    ['the host', host],
    ['--mid', filters.mid?.toLowerCase()],
    ['--cid', filters.cid?.toString()],
    ['--chid', filters.chid?.toString()],
  ]);
}
