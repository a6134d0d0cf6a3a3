import { join } from 'node:path';
import { isDayIn, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { isSameUuid } from '../base/uuid.ts';
import { formatScales } from '../config/table.ts';
import { readManifest } from '../export/check-day.ts';
import { damaged } from '../export/json-with-digest.ts';
import { readDaysInPlace } from '../export/listing.ts';
import { isWithoutDigest, type Manifest } from '../export/manifest.ts';
import { requireScope } from '../export/scope.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';
import { noDigestSentence } from '../report/export/view.ts';
import type { Flags } from './flags.ts';

export type Exported = NonNullable<Awaited<ReturnType<typeof findExport>>>;

/** The export of `--from-export`. ReconError `usage` if there is none, or other flags contradict it. */
export async function findExport(flags: Flags) {
  const { fromExport: folder } = flags;
  if (folder === undefined) return undefined;
  const scope = await requireScope(folder);
  refuseOtherFilters(flags, scope.filters, folder);
  const { days, intents, blocked } = await readDaysInPlace(folder);
  const cutShort = intents.map(({ day }) => day).filter((day) => !days.includes(day));
  return {
    folder,
    scope,
    /** The scenario, if it was made from the sandbox. */
    scenario: /^sandbox:(.*)$/s.exec(scope.host)?.[1],
    /** From its first day to its last, missing ones included; undefined if it has none. */
    period: spanOf([...days, ...blocked, ...cutShort]),
    /** Folders by day. */
    days: new Map(days.map((day) => [day, join(folder, day)])),
    /** Why days are missing, in sentences. */
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
 * The settings of an export's days in the range: the last day decides. `warnings` say if days differ.
 * ReconError `damaged` if a manifest was changed.
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

/** As flags would write them. */
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
