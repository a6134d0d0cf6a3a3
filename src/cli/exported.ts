import { join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import { isSameUuid } from '../base/uuid.ts';
import { formatScales } from '../config/setting-values.ts';
import type { StoredSettings } from '../config/settings.ts';
import { readManifest } from '../export/check-day.ts';
import { readExportListing } from '../export/listing.ts';
import type { Manifest } from '../export/manifest.ts';
import { type ExportQuestion, readQuestion } from '../export/question.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';

/** An export that is read instead of the service. */
export interface Exported {
  readonly question: ExportQuestion;
  /** The days in place and their folders. */
  readonly days: ReadonlyMap<string, string>;
  /** Days that aren't in place, because replacing them was cut short. */
  readonly cutShort: readonly string[];
}

export interface ExportFlags extends SettlementFilters {
  /** The folder of the export. */
  readonly fromExport?: string;
  readonly sandbox?: true;
  readonly scenario?: string;
  readonly fault?: readonly string[];
  readonly dryRun?: true;
}

/** Flags that are about a service, and how they are written. */
const ofService = [
  ['sandbox', '--sandbox'],
  ['scenario', '--scenario'],
  ['fault', '--fault'],
  ['dryRun', '--dry-run'],
] as const;

/** Settings that were written down with the days of an export. */
export interface ExportedSettings extends StoredSettings {
  /** What there is to say where the days were not all judged alike. */
  readonly warning: string | undefined;
}

/**
 * The export that the flags name, if they name one. ReconError `usage` where there is none, or where
 * other flags ask for something else.
 */
export async function findExport(flags: ExportFlags): Promise<Exported | undefined> {
  const { fromExport: folder } = flags;
  if (folder === undefined) return undefined;
  for (const [flag, written] of ofService) {
    if (flags[flag] === undefined) continue;
    throw new ReconError('usage', `--from-export and ${written} are given together.`, {
      hint: 'Leave one of them out: an export is read without any service.',
    });
  }
  const question = await readQuestion(folder);
  if (!question) {
    throw new ReconError('usage', 'There is no export in this folder.', {
      where: folder,
      hint: 'Name the folder that recon export --out was given.',
    });
  }
  refuseOtherFilters(flags, question.filters, folder);
  const { days, intents } = await readExportListing(folder);
  return {
    question,
    days: new Map([...days.keys()].map((day) => [day, join(folder, day)])),
    cutShort: intents.map(({ day }) => day).filter((day) => !days.has(day)),
  };
}

function refuseOtherFilters(given: SettlementFilters, exported: SettlementFilters, folder: string) {
  for (const flag of ['mid', 'cid', 'chid'] as const) {
    const isSame = isSameUuid(String(given[flag]), String(exported[flag]));
    if (given[flag] === undefined || isSame) continue;
    const what = exported[flag] === undefined ? `without --${flag}` : `with ${exported[flag]}`;
    throw new ReconError('usage', `--${flag} is ${given[flag]}; the export was made ${what}.`, {
      where: folder,
      hint: `Leave --${flag} out, or name another export.`,
    });
  }
}

/** The dates from the first day of an export to the last; undefined where it has none. */
export function periodOf({ days }: Exported): DateRange | undefined {
  const [from, to] = [[...days.keys()][0], [...days.keys()].at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/**
 * The settings of the export that the flags name, as its days in the range (or all days) have them:
 * the last day decides. Undefined where no export is named, or a configuration file is.
 */
export async function exportedSettings(
  flags: ExportFlags & { readonly profile?: string; readonly config?: string },
  range?: DateRange,
): Promise<ExportedSettings | undefined> {
  const exported = await findExport(flags);
  if (!exported || flags.profile !== undefined || flags.config !== undefined) return undefined;
  const { question, days } = exported;
  const manifests: Manifest[] = [];
  for (const [day, folder] of days) {
    if (range && (day < range.from || range.to < day)) continue;
    const manifest = await readManifest(folder, day);
    // One that can't be read is refused when its day is.
    if (!('message' in manifest)) manifests.push(manifest);
  }
  const last = manifests.at(-1);
  return {
    origin: `export in ${flags.fromExport}`,
    profile: question.profile ?? undefined,
    names: new Map(manifests.flatMap(({ settings }) => Object.entries(settings.names))),
    preferences: last
      ? {
          identity: last.settings.identity,
          tolerance: last.settings.tolerance,
          ignore: last.settings.ignored.join(),
          expected_scales: formatScales(last.settings.expectedScales),
        }
      : {},
    warning: warningOf(manifests),
  };
}

function warningOf(manifests: readonly Manifest[]): string | undefined {
  const last = manifests.at(-1);
  const other = manifests.findLast((one) => last && judging(one) !== judging(last));
  if (!last || !other) return undefined;
  return `The days were exported with different settings, ${other.day} and ${last.day} for example; here those of ${last.day} are used for all.`;
}

function judging({ settings: { identity, tolerance, ignored, expectedScales } }: Manifest): string {
  return JSON.stringify([identity, tolerance, ignored, expectedScales]);
}

/** What a reader of an export has to know about the commands that its report suggests. */
export function exportHint(folder: string): string {
  return `To stay with this export, add --from-export ${shellWord(folder)} to suggested commands.`;
}
