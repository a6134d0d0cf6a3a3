import { maxNeighbourDays } from '../app/neighbour-reader.ts';
import { type Explaining, readOnce } from '../app/read-once.ts';
import { addDays } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import type { Explained } from '../explain/explained.ts';
import type { Pattern } from '../explain/pattern.ts';
import { ExportSource } from '../export/export-source.ts';
import { type Manifest, reconcileSettings } from '../export/manifest.ts';
import type { Identity } from '../reconcile/identity.ts';
import type { Archive } from './archive.ts';

/** What holds in all settlements of a range of days. */
export interface PatternOfDays {
  readonly pattern: Pattern;
  readonly identity: Identity;
  /** If it was told of this day or a later one, it is known. */
  readonly since: string;
  /** The last day that it concerns. */
  readonly day: string;
}

interface Explanations {
  /** By the id of the settlement. */
  readonly explained: Map<string, Explained>;
  readonly patterns: PatternOfDays[];
}

/** A settlement is compared with those of so many days before it: about a month. */
const daysBefore = 30;

/** It is compared with fewer days if more settlements are out of balance: explaining 1,000 takes half a minute. */
const mostExplained = 1000;

interface IntactDay {
  readonly day: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Explains the settlements of these days beside those of about a month that were judged by the same settings. */
export async function explainDays(
  archive: Archive,
  days: ReadonlySet<string>,
): Promise<Explanations> {
  const found: Explanations = { explained: new Map(), patterns: [] };
  const intact = [...archive.days].flatMap(([day, { folder, manifest }]): readonly IntactDay[] =>
    manifest && archive.conditionOf(day) !== 'damaged' ? [{ day, folder, manifest }] : [],
  );
  const alike = groupedBy(intact, ({ manifest }) => manifest.settingsDigest);
  for (const all of alike.values()) {
    const folders = new Map(all.map(({ day, folder }) => [day, folder]));
    const due = all.filter(({ day }) => days.has(day));
    for (let last = due.at(-1); last !== undefined; ) {
      const from = firstDay(all, last);
      await explainInto(found, from, last, folders);
      last = due.findLast(({ day }) => day < from);
    }
  }
  return found;
}

/** The first day that is compared with the last one. */
function firstDay(days: readonly IntactDay[], last: IntactDay): string {
  let first = last.day;
  let explained = 0;
  for (const { day, manifest } of days.toReversed()) {
    if (day > last.day) continue;
    explained += manifest.counts.settlements.out_of_balance;
    const isTooMuch = explained > mostExplained && day < last.day;
    if (isTooMuch || day < addDays(last.day, -daysBefore)) break;
    first = day;
  }
  return first;
}

/** Adds the explanations of the days from one to another. If a file turns out to be damaged, there are none in this night. */
async function explainInto(
  { explained, patterns }: Explanations,
  from: string,
  { day: last, manifest }: IntactDay,
  days: ReadonlyMap<string, string>,
): Promise<void> {
  const source = new ExportSource({ days, areChecked: true });
  const settings = reconcileSettings(manifest.settings);
  const { filters } = manifest;
  const range = { from, to: addDays(last, maxNeighbourDays) };
  const explain = ({ reconciled, explained: own }: Explaining) => {
    if (own) explained.set(reconciled.settlement.id, own);
  };
  const how = { source, query: { range, filters }, settings, ahead: 1, onProgress: () => {} };
  try {
    const passes = [{ explain, explainAgain: explain }];
    const run = await readOnce(passes, { ...how, explains: true, isForVerdicts: true });
    for (const pattern of run.patterns) {
      const ids = new Set(pattern.settlementIds);
      const latest = run.settlements.findLast(({ settlement }) => ids.has(settlement.id));
      const day = latest?.settlement.date ?? last;
      const since = addDays(last, -daysBefore);
      patterns.push({ pattern, identity: settings.identity, since, day });
    }
  } catch (error) {
    if (!(error instanceof ReconError && error.failure === 'damaged')) throw error;
  } finally {
    await source.close();
  }
}
