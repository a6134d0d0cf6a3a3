import { join } from 'node:path';
import { isDayIn, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { isSameUuid } from '../base/uuid.ts';
import { formatScales } from '../config/setting-values.ts';
import { readManifest } from '../export/check-day.ts';
import { readDaysInPlace } from '../export/listing.ts';
import { isWithoutDigest, type Manifest } from '../export/manifest.ts';
import { scopeOf } from '../export/scope.ts';
import { damaged } from '../export/sealed-json.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';
import { noDigestSentence } from '../report/export/words.ts';
import type { Flags } from './flags.ts';

/** An export that is read instead of the service. */
export type Exported = NonNullable<Awaited<ReturnType<typeof findExport>>>;

/**
 * The export that the flags name, if they name one. ReconError `usage` where there is none, or where
 * other flags ask for something else.
 */
export async function findExport(flags: Flags) {
  const { fromExport: folder } = flags;
  if (folder === undefined) return undefined;
  const scope = await scopeOf(folder);
  refuseOtherFilters(flags, scope.filters, folder);
  const { days, intents, blocked } = await readDaysInPlace(folder);
  const cutShort = intents.map(({ day }) => day).filter((day) => !days.includes(day));
  return {
    /** As the user named it. */
    folder,
    scope,
    /** The scenario that it was made of, if it was made of the sandbox. */
    scenario: /^sandbox:(.*)$/s.exec(scope.host)?.[1],
    /** From the first day that it has, or should have, to the last; undefined where it has none. */
    period: spanOf([...days, ...blocked, ...cutShort]),
    /** The days in place and their folders. */
    days: new Map(days.map((day) => [day, join(folder, day)])),
    /** Days that it should have, and why they can't be read: a sentence each. */
    lacking: new Map([
      ...blocked.map((day) => [day, `${day} is not included: ${notFollowed}`] as const),
      ...cutShort.map((day) => [day, `Replacing ${day} was interrupted. ${finishing}`] as const),
    ]),
  };
}

const notFollowed = 'a file or link is in the place of its folder. Links are not followed.';
const finishing = 'Run recon export again to complete it.';

function refuseOtherFilters(given: SettlementFilters, exported: SettlementFilters, folder: string) {
  for (const flag of ['mid', 'cid', 'chid'] as const) {
    const isSame = isSameUuid(String(given[flag]), String(exported[flag]));
    if (given[flag] === undefined || isSame) continue;
    const what = exported[flag] === undefined ? `without --${flag}` : `with ${exported[flag]}`;
    throw new ReconError('usage', `--${flag} is ${given[flag]}; the export was created ${what}.`, {
      where: folder,
      hint: `Remove --${flag}, or name another export.`,
    });
  }
}

/**
 * The settings of an export as its days in the range (or all days) have them: the last day decides.
 * `warnings` are sentences: that the days were not all judged alike, or not by this version of recon.
 * ReconError `damaged` for a day whose manifest has changed.
 */
export async function exportedSettings({ folder, scope, days }: Exported, range?: DateRange) {
  const manifests: Manifest[] = [];
  for (const [day, path] of days) {
    if (range && !isDayIn(range, day)) continue;
    const manifest = await readManifest(path, day);
    if ('message' in manifest) throw damaged(join(path, manifest.file), manifest.message);
    manifests.push(manifest);
  }
  const last = manifests.at(-1);
  const origin = `export in ${folder}` as const;
  const names = Object.fromEntries(
    manifests.flatMap(({ settings }) => Object.entries(settings.names)),
  );
  return {
    name: scope.profile ?? undefined,
    origin,
    chosenBy: origin,
    values: last ? { ...judgedBy(last), names: JSON.stringify(names) } : {},
    warnings: [...differently(manifests), ...unprotected(manifests)],
  };
}

/** By what a day was judged, as flags would write it. */
function judgedBy({ settings }: Manifest) {
  const { identity, tolerance, ignored, expectedScales, rules } = settings;
  return {
    identity,
    tolerance,
    ignore: ignored.join(),
    expected_scales: formatScales(expectedScales),
    rules: JSON.stringify(rules),
  };
}

function differently(manifests: readonly Manifest[]): readonly string[] {
  const judging = (one: Manifest) => JSON.stringify(judgedBy(one));
  const last = manifests.at(-1);
  const other = manifests.findLast((one) => last && judging(one) !== judging(last));
  if (!last || !other) return [];
  return [
    `The days were exported with different settings (${other.day} and ${last.day}, for example). The settings of ${last.day} are used for all.`,
  ];
}

function unprotected(manifests: readonly Manifest[]): readonly string[] {
  const days = manifests.filter(isWithoutDigest).map(({ day }) => day);
  return days.length === 0 ? [] : [noDigestSentence(days)];
}
