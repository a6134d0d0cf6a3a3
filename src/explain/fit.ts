import { byText } from '../base/texts.ts';
import { byConstruction, type CauseCandidate } from './candidate.ts';
import { type Cause, causeKind, causeText } from './cause.ts';
import { type Tally, total } from './tally.ts';

/** One or more candidates that together make a difference. */
export interface Fit {
  /** In a fixed order, whatever the order in which they were found. */
  readonly parts: readonly CauseCandidate[];
  /** One for each cause: rows of the same kind are one cause, with several rows. */
  readonly causes: readonly Cause[];
  readonly change: Tally;
  readonly free: number;
  /** How many rows it names. */
  readonly rows: number;
  /** What it says, but for the ids of rows. */
  readonly text: string;
  /** Fits of the same kind are told as one, with their number. */
  readonly kind: string;
  /** The ids of its rows that were chosen, to order fits that say the same. */
  readonly ids: string;
}

export function fitOf(candidates: readonly CauseCandidate[]): Fit {
  const named = candidates
    .map((candidate) => ({ candidate, text: causeText(candidate.cause), id: chosenId(candidate) }))
    .sort((a, b) => byText(a.text, b.text) || byText(a.id, b.id));
  const parts = named.map(({ candidate }) => candidate);
  const distinct = named.filter(({ text }, index) => text !== named[index - 1]?.text);
  return {
    parts,
    causes: distinct.map(({ candidate }) => candidate.cause),
    change: total(parts.map(({ change }) => change)),
    // Of several rows of one cause, each is a choice more; what the cause chose, it chose once.
    free: distinct.reduce((sum, { candidate }) => sum + candidate.free - 1, named.length),
    rows: parts.reduce((sum, part) => sum + rowCount(part), 0),
    text: named.map(({ text }) => text).join(' + '),
    kind: named.map(({ candidate }) => causeKind(candidate.cause)).join(' + '),
    ids: named.map(({ id }) => id).join(' '),
  };
}

/** Whether a fit says anything: one that fits whatever the difference is comes last. */
export function fitsAnything({ free }: Fit): boolean {
  return free >= byConstruction;
}

/** The simplest first: fewest choices, causes and rows; what is left is settled by code and id. */
export function bySimplicity(a: Fit, b: Fit): number {
  return compareSimplicity(a, b) || byText(a.text, b.text) || byText(a.ids, b.ids);
}

/** 0 where neither is simpler: then the data don't decide between them. */
export function compareSimplicity(a: Fit, b: Fit): number {
  return a.free - b.free || a.causes.length - b.causes.length || a.rows - b.rows;
}

/** How many rows a candidate is about. */
export function rowCount({ rows }: CauseCandidate): number {
  if (rows === undefined) return 0;
  if (rows.of === 'row') return 1;
  return rows.of === 'group' ? rows.count : rows.rows.length;
}

function chosenId({ rows }: CauseCandidate): string {
  if (rows?.of === 'row') return rows.columns.id(rows.index);
  if (rows?.of === 'list') return rows.rows.map(({ id }) => id).sort()[0] ?? '';
  return '';
}
