import { byText } from '../base/texts.ts';
import { bitsOfChoice, toHundredths } from './bits.ts';
import type { CauseCandidate } from './candidate.ts';
import { type Cause, causeText } from './cause.ts';
import { furtherCause, furtherRow, priorOf } from './prior.ts';
import { type Tally, total } from './tally.ts';

/** One or more candidates that together make a difference. */
export interface Fit {
  /** In a fixed order, whatever the order in which they were found. */
  readonly parts: readonly CauseCandidate[];
  /** One for each cause: rows of the same kind are one cause, with several rows. */
  readonly causes: readonly Cause[];
  readonly change: Tally;
  /** The length of its description: how rare its causes are, and from how many they were chosen. */
  readonly bits: number;
  /** Whether it takes amounts as they come, and whether all of these are in line with the rows. */
  readonly assumes: boolean;
  readonly inLine: boolean;
  /** What it says, but for the ids of rows. */
  readonly text: string;
  /** The ids of its rows that were chosen, to order fits that say the same. */
  readonly ids: string;
}

export function fitOf(candidates: readonly CauseCandidate[]): Fit {
  const named = candidates
    .map((candidate) => ({ candidate, text: causeText(candidate.cause), id: chosenId(candidate) }))
    .sort((a, b) => byText(a.text, b.text) || byText(a.id, b.id));
  const parts = named.map(({ candidate }) => candidate);
  const assumed = parts.filter((part) => part.assumed !== undefined);
  const distinct = named.filter(({ text }, index) => text !== named[index - 1]?.text);
  return {
    parts,
    causes: distinct.map(({ candidate }) => candidate.cause),
    change: total(parts.map(({ change }) => change)),
    bits: toHundredths(
      distinct.reduce(
        (sum, { candidate, text }) => {
          const rows = named.filter((other) => other.text === text).length;
          return sum + bitsOfCause(candidate, rows);
        },
        furtherCause * (distinct.length - 1),
      ),
    ),
    assumes: assumed.length > 0,
    inLine: assumed.length > 0 && assumed.every(({ inLine }) => inLine === true),
    text: named.map(({ text }) => text).join(' + '),
    ids: named.map(({ id }) => id).join(' '),
  };
}

function bitsOfCause({ cause, choices, assumed = 0 }: CauseCandidate, rows: number): number {
  // The cause is said once; of its rows, one of the sets of so many is chosen.
  return priorOf(cause) + furtherRow * (rows - 1) + bitsOfChoice(rows, choices) + assumed;
}

/** The shortest first; what is left is settled by code and id. */
export function byLength(a: Fit, b: Fit): number {
  return a.bits - b.bits || byText(a.text, b.text) || byText(a.ids, b.ids);
}

function chosenId({ rows }: CauseCandidate): string {
  if (rows?.of === 'row') return rows.columns.id(rows.index);
  if (rows?.of === 'list') return rows.rows.map(({ id }) => id).sort()[0] ?? '';
  return '';
}
