import { dirname, join } from 'node:path';
import { lakeName, lakeTableNames, publishedTablePath, stagedTablePath } from '../lake/tables.ts';
import { discardedPath, intentPath, layout, sealedPath, supersededPath } from './layout.ts';
import type { ExportListing, Intent } from './listing.ts';

/** One step in the folder of an export, with paths relative to it. Each is idempotent. */
export type Step =
  | { readonly do: 'move'; readonly from: string; readonly to: string; readonly version: string }
  /** Renames a file if it exists, and replaces the one at `to`; makes the folder of `to`. */
  | { readonly do: 'install'; readonly from: string; readonly to: string }
  /** Deletes a file, or a folder that is not a current version. */
  | { readonly do: 'remove'; readonly path: string }
  /** Makes the names in a folder survive a power cut. */
  | { readonly do: 'flush'; readonly path: string };

type Move = Extract<Step, { do: 'move' }>;

/** The steps that an interrupted run left undone; none if nothing was interrupted. */
export function planRecovery(listing: ExportListing): Step[] {
  const finishing = listing.intents.flatMap((intent) => planReplacement(intent, listing));
  const isReplaced = new Set(listing.intents.map(({ day }) => day));
  const waiting = [...listing.days.keys()].filter((day) => !isReplaced.has(day));
  const handled = new Set(
    finishing.flatMap((step) => {
      if (step.do === 'move') return [step.from];
      return step.do === 'remove' ? [step.path] : [];
    }),
  );
  const leftovers = [...listing.building.keys(), ...listing.drafts];
  return [
    ...finishing,
    ...waiting.flatMap((day) => planTables(day, day, listing)),
    ...leftovers.filter((path) => !handled.has(path)).map(removal),
  ];
}

/** Publishes the first version of a day. One rename, so it needs no intent. */
export function planFirst(day: string, version: string, listing: ExportListing): Step[] {
  const from = sealedPath(day, version);
  return [...flushed({ do: 'move', from, to: day, version }), ...planTables(day, from, listing)];
}

/** Publishes the tables of a version that is in place already, and was built again. */
export function planTablesOnly(day: string, version: string, listing: ExportListing): Step[] {
  const built = sealedPath(day, version);
  return planTables(day, built, listing, built);
}

/** Publishes the tables of a day, from a folder that earlier steps move from `sourceNow` to `sourceThen`. */
function planTables(
  day: string,
  sourceNow: string,
  { withTables }: ExportListing,
  sourceThen = day,
): Step[] {
  if (!withTables.has(sourceNow)) return [];
  const own = join(sourceThen, lakeName);
  return [
    ...lakeTableNames.flatMap((table): Step[] => {
      const to = publishedTablePath(table, day);
      const folders = [dirname(to), dirname(dirname(to))];
      return [
        { do: 'install', from: join(sourceThen, stagedTablePath(table)), to },
        ...folders.map(flush),
      ];
    }),
    ...[lakeName, '.', own].map(flush),
    removal(own),
    flush(sourceThen),
  ];
}

/** The remaining steps of a replacement, wherever it stopped. */
export function planReplacement(intent: Intent, listing: ExportListing): Step[] {
  const { day, version, replaces, keepsReplaced, keep: historyLimit } = intent;
  const inPlace = listing.days.get(day);
  const built = sealedPath(day, version);
  const isBuilt = listing.building.get(built) === version;
  if (inPlace !== version && !(isBuilt && (inPlace === replaces || inPlace === undefined))) {
    return [...rollBack(intent, listing), ...removeIntent(day)];
  }

  const history = listing.superseded.filter((one) => one.day === day);
  const moves: Move[] = [];
  if (inPlace === replaces) {
    const number = (history.at(-1)?.number ?? 0) + 1;
    const aside = keepsReplaced ? supersededPath(day, number) : discardedPath(day, replaces);
    moves.push({ do: 'move', from: day, to: aside, version: replaces });
    if (keepsReplaced) history.push({ day, number, version: replaces });
  }
  if (inPlace !== version) moves.push({ do: 'move', from: built, to: day, version });
  const surplus = historyLimit === null ? 0 : Math.max(0, history.length - historyLimit);
  for (const one of history.slice(0, surplus)) {
    const from = supersededPath(day, one.number);
    moves.push({ do: 'move', from, to: discardedPath(day, `${one.number}`), version: one.version });
  }
  const discarded = moves.filter(({ to }) => dirname(to) === layout.building);
  return [
    ...moves.flatMap(flushed),
    // An earlier run may have stopped between a rename and its flush.
    ...[layout.superseded, layout.building, '.'].map(flush),
    ...planTables(day, inPlace === version ? day : built, listing),
    ...removeIntent(day),
    ...discarded.map(({ to }) => removal(to)),
  ];
}

/** Puts the old version back if neither it nor the new one is in place. */
function rollBack({ day, replaces }: Intent, listing: ExportListing): Step[] {
  if (listing.days.has(day)) return [];
  const discarded = discardedPath(day, replaces);
  const kept = listing.superseded.findLast((one) => one.day === day && one.version === replaces);
  const from =
    listing.building.get(discarded) === replaces
      ? discarded
      : kept && supersededPath(day, kept.number);
  return from === undefined ? [] : flushed({ do: 'move', from, to: day, version: replaces });
}

/** The new name is flushed first: a power cut may leave both names, never neither. */
function flushed(move: Move): Step[] {
  return [move, flush(dirname(move.to)), flush(dirname(move.from))];
}

function removeIntent(day: string): Step[] {
  return [removal(intentPath(day)), flush(layout.intents)];
}

function flush(path: string): Step {
  return { do: 'flush', path };
}

const removal = (path: string): Step => ({ do: 'remove', path });
