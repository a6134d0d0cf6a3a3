import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { lakeName, lakeTableNames, partPath, waitingPath } from '../lake/layout.ts';
import { discardedPath, intentPath, layout, sealedPath, supersededPath } from './layout.ts';
import type { ExportListing } from './listing.ts';
import { parseSealed, sealedJson } from './sealed-json.ts';

const newest = 2;
const version = z.string().regex(/^([0-9a-f]{64}|none)$/);
const intentSchema = z.object({
  schema: z.int().min(1).max(newest),
  day: z.string(),
  /** The version that is to be in place. */
  version,
  /** The version that it replaces. */
  replaces: version,
  /** Whether the replaced version is kept as a superseded one. */
  keepsReplaced: z.boolean(),
  /** How many superseded versions of the day stay; null: all. */
  keep: z.number().nullable(),
});

/** A replacement under way: written down before the first step, removed after the last. */
export type Intent = Readonly<Omit<z.infer<typeof intentSchema>, 'schema'>>;

/** An intent as it is written down. */
export function intentText(intent: Intent): string {
  return sealedJson({ schema: newest, ...intent });
}

/** ReconError `output` for a text that is no intent for the day, or was altered: nobody guesses one. */
export function parseIntent(text: string, path: string, ofDay: string): Intent {
  const { data } = intentSchema.safeParse(parseSealed(text));
  if (data?.day === ofDay) return data;
  throw new ReconError('output', 'The record of a day being replaced cannot be read.', {
    where: path,
    hint: 'Use the version of recon that wrote this file, or remove it; the day is then exported again.',
  });
}

/** One thing to do in the folder of an export, with paths relative to it. Twice does no more than once. */
export type Step =
  /** Renames a folder, where it is this version that lies there. */
  | { readonly do: 'move'; readonly from: string; readonly to: string; readonly version: string }
  /** Renames a file, if it is there, over the one that it replaces; makes the folder that it goes to. */
  | { readonly do: 'place'; readonly from: string; readonly to: string }
  /** Deletes a file, or a folder that is in no day's place. */
  | { readonly do: 'remove'; readonly path: string }
  /** Makes the names in a folder last through a power cut. */
  | { readonly do: 'flush'; readonly path: string };

type Move = Extract<Step, { do: 'move' }>;

/** What is left to do in a folder of which this is the listing; nothing where nothing was cut short. */
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

/** Puts a sealed version into its day's place, where nothing is. One rename: it needs no intent. */
export function planFirst(day: string, version: string, listing: ExportListing): Step[] {
  const from = sealedPath(day, version);
  return [...flushed({ do: 'move', from, to: day, version }), ...planTables(day, from, listing)];
}

/** Puts the tables of a version into their places that is in its own already, and was built again. */
export function planSame(day: string, version: string, listing: ExportListing): Step[] {
  const built = sealedPath(day, version);
  return planTables(day, built, listing, built);
}

/**
 * Puts the tables of a day into their places: those of the folder that is at `path` now, and at `from`
 * by then.
 */
function planTables(day: string, path: string, { withTables }: ExportListing, from = day): Step[] {
  if (!withTables.has(path)) return [];
  const own = join(from, lakeName);
  return [
    ...lakeTableNames.flatMap((table): Step[] => {
      const to = partPath(table, day);
      const folders = [dirname(to), dirname(dirname(to))];
      return [{ do: 'place', from: join(from, waitingPath(table)), to }, ...folders.map(flush)];
    }),
    // The new names are flushed before the old ones' absence, as with days.
    ...[lakeName, '.', own].map(flush),
    removal(own),
    flush(from),
  ];
}

/** What is left to do of a replacement, wherever it stopped. */
export function planReplacement(intent: Intent, listing: ExportListing): Step[] {
  const { day, version, replaces, keepsReplaced, keep } = intent;
  const inPlace = listing.days.get(day);
  const built = sealedPath(day, version);
  const isBuilt = listing.building.get(built) === version;
  if (inPlace !== version && !(isBuilt && (inPlace === replaces || inPlace === undefined))) {
    return [...comeBack(intent, listing), ...forget(day)];
  }

  const kept = listing.superseded.filter((one) => one.day === day);
  const moves: Move[] = [];
  if (inPlace === replaces) {
    const number = (kept.at(-1)?.number ?? 0) + 1;
    const aside = keepsReplaced ? supersededPath(day, number) : discardedPath(day, replaces);
    moves.push({ do: 'move', from: day, to: aside, version: replaces });
    if (keepsReplaced) kept.push({ day, number, version: replaces });
  }
  if (inPlace !== version) moves.push({ do: 'move', from: built, to: day, version });
  for (const one of kept.slice(0, keep === null ? 0 : Math.max(0, kept.length - keep))) {
    const from = supersededPath(day, one.number);
    moves.push({ do: 'move', from, to: discardedPath(day, `${one.number}`), version: one.version });
  }
  const discarded = moves.filter(({ to }) => dirname(to) === layout.building);
  return [
    ...moves.flatMap(flushed),
    // Where the run before was stopped between a rename and its flush, this one does it.
    ...[layout.superseded, layout.building, '.'].map(flush),
    ...planTables(day, inPlace === version ? day : built, listing),
    ...forget(day),
    ...discarded.map(({ to }) => removal(to)),
  ];
}

/** Where neither the new version nor the old one can be found in the day's place: back to the old one. */
function comeBack({ day, replaces }: Intent, listing: ExportListing): Step[] {
  if (listing.days.has(day)) return [];
  const discarded = discardedPath(day, replaces);
  const kept = listing.superseded.findLast((one) => one.day === day && one.version === replaces);
  const from =
    listing.building.get(discarded) === replaces
      ? discarded
      : kept && supersededPath(day, kept.number);
  return from === undefined ? [] : flushed({ do: 'move', from, to: day, version: replaces });
}

/** The new name is flushed before the old one's absence: a power cut may show both, never neither. */
function flushed(move: Move): Step[] {
  return [move, flush(dirname(move.to)), flush(dirname(move.from))];
}

function forget(day: string): Step[] {
  return [removal(intentPath(day)), flush(layout.intents)];
}

function flush(path: string): Step {
  return { do: 'flush', path };
}

function removal(path: string): Step {
  return { do: 'remove', path };
}
