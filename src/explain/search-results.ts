import { byText } from '../base/texts.ts';
import { magnitude } from '../money/money.ts';
import { bitsOfAny, bitsOfChoice, toHundredths } from './bits.ts';
import { type CauseCandidate, miscount } from './candidate.ts';
import type { Case, Obstacle } from './case.ts';
import { type Cause, type CauseCode, causeText, isUsualOfRows, priorOf } from './cause.ts';
import { amountFigures, figuresAccountedFor, isSame, noTally, type Tally, total } from './tally.ts';

/** Causes that together explain the difference, or a part of it. */
export interface Fit {
  /** Ordered by the text of the cause, then by id. */
  readonly parts: readonly CauseCandidate[];
  /** The distinct causes: several rows with the same cause are one. */
  readonly causes: readonly Cause[];
  readonly change: Tally;
  /** The length of its description: how rare its causes are, and from how many they were chosen. */
  readonly bits: number;
  /** Whether it assumes amounts, and whether all of these are in line with the rows. */
  readonly assumes: boolean;
  readonly inLine: boolean;
  /** Its causes as a text, without the ids of rows. */
  readonly text: string;
  /** The ids of its chosen rows, to order fits with the same text. */
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
  // The cause counts once, and its set of rows is one of all sets of that size.
  return priorOf(cause) + furtherRow * (rows - 1) + bitsOfChoice(rows, choices) + assumed;
}

/** The bits for a further cause: two at once are rarer than chance. */
const furtherCause = 2;

/** The bits for a further row of the same cause: a second one is rather likely. */
const furtherRow = 2;

/** The shortest first, then by code and id. */
function byLength(a: Fit, b: Fit): number {
  return a.bits - b.bits || byText(a.text, b.text) || byText(a.ids, b.ids);
}

function chosenId({ rows }: CauseCandidate): string {
  if (rows?.of === 'row') return rows.columns.id(rows.index);
  if (rows?.of === 'list') return rows.rows.map(({ id }) => id).sort()[0] ?? '';
  return '';
}

/** Fits that differ only in their rows: the shown one, and how many there are. */
export interface CountedFit {
  readonly fit: Fit;
  readonly candidates: number;
  /** The length of the statement that it is one of them. */
  readonly bits: number;
  /** The length of the statement that it is one of the others; infinite if there are none. */
  readonly bitsOfOthers: number;
}

/** Keeps the shortest fit of each text, and how many there are. */
class FitCounts {
  readonly #byText = new Map<string, Counts>();

  /** Adds a fit, which stands for so many candidates. */
  add(fit: Fit, figures: number, candidates: number): void {
    const text = `${figures} ${fit.text}`;
    const known = this.#byText.get(text);
    if (known === undefined) {
      this.#byText.set(text, { figures, fit, byBits: new Map([[fit.bits, candidates]]) });
      return;
    }
    const order = byLength(fit, known.fit);
    // The same fit can be found twice: two causes of the header, undone in either order.
    if (order === 0) return;
    known.byBits.set(fit.bits, (known.byBits.get(fit.bits) ?? 0) + candidates);
    if (order < 0) known.fit = fit;
  }

  /** Those that explain the most figures first, then the shortest. */
  ranked(): readonly CountedFit[] {
    return [...this.#byText.values()]
      .map((counts) => ({ ...counts, ...countedFit(counts) }))
      .sort((a, b) => b.figures - a.figures || a.bits - b.bits || byLength(a.fit, b.fit));
  }
}

interface Counts {
  readonly figures: number;
  fit: Fit;
  readonly byBits: Map<number, number>;
}

function countedFit({ fit, byBits }: Counts): CountedFit {
  const candidates = [...byBits.values()].reduce((sum, count) => sum + count, 0);
  const others = [...byBits].map(
    ([bits, count]) => [bits, bits === fit.bits ? count - 1 : count] as const,
  );
  return { fit, candidates, bits: bitsOfAny(byBits), bitsOfOthers: bitsOfAny(others) };
}

export class SearchResults {
  readonly complete = new FitCounts();
  /** How many candidates were tried, by the code of each tested hypothesis; each row once. */
  readonly tried = new Map<CauseCode, number>();
  readonly obstacles: { readonly code: CauseCode; readonly obstacle: Obstacle }[] = [];
  /** Why not all pairs of causes were tried. */
  readonly pairObstacles: Obstacle[] = [];
  readonly partial = new FitCounts();
  readonly #subject: Case;

  constructor(subject: Case) {
    this.#subject = subject;
  }

  /** Lists a code as tested, even without any candidate. */
  test(code: CauseCode): void {
    this.count(code, 0);
  }

  count(code: CauseCode, candidates: number): void {
    this.tried.set(code, (this.tried.get(code) ?? 0) + candidates);
  }

  /** Tries a candidate alone, which stands for so many alike; false if it makes no difference. */
  try(candidate: CauseCandidate, alike = 1): boolean {
    const { cause, change, isSecond } = candidate;
    if (isSame(change, noTally)) return false;
    if (!isSecond) this.count(cause.code, alike);
    const { target } = this.#subject;
    const figures = figuresAccountedFor(target, change);
    if (isSame(change, target)) {
      this.explain([candidate], alike);
      return true;
    }
    const miscounted = miscountedBeside(candidate, target);
    if (miscounted !== 0) this.explain([candidate, miscount(miscounted)], alike);
    if (figures > 0) this.partial.add(fitOf([candidate]), figures, alike);
    return true;
  }

  /** Adds candidates that leave nothing; they stand for so many sets, which differ in their rows. */
  explain(candidates: readonly CauseCandidate[], sets = 1): void {
    const fit = fitOf(candidates);
    if (fit.causes.length === 1 || isSound(fit, this.#subject.target)) {
      this.complete.add(fit, 0, sets);
    }
  }

  addObstacle(code: CauseCode, obstacle: Obstacle): void {
    const isKnown = this.obstacles.some(
      (known) => known.code === code && known.obstacle.reason === obstacle.reason,
    );
    if (!isKnown) this.obstacles.push({ code, obstacle });
  }
}

/** By how much the count is wrong if a candidate leaves nothing else; else 0. */
function miscountedBeside({ change }: CauseCandidate, target: Tally): number {
  if (target.count === 0 || change.count === 0) return 0;
  const isAll = isSame({ ...change, count: target.count }, target);
  return isAll ? target.count - change.count : 0;
}

/**
 * Whether several causes make a sound explanation: none undoes what another does to an amount or assumes
 * twice the difference, and nothing is rounded twice or left out both with its count and without.
 */
function isSound({ parts, causes }: Fit, target: Tally): boolean {
  const isUndone = amountFigures.some(
    (figure) => target[figure] === 0n && parts.some(({ change }) => change[figure] !== 0n),
  );
  const isTooMuch = parts.some(
    ({ assumed, change }) =>
      assumed !== undefined &&
      amountFigures.some((figure) => magnitude(change[figure]) > 2n * magnitude(target[figure])),
  );
  // A neighbour with a difference of the same sign has no part in what must be assumed then.
  const isOpposed = parts.some(
    ({ cause: { code }, change }) =>
      code === 'neighbour' && amountFigures.some((figure) => change[figure] * target[figure] < 0n),
  );
  const isMadeUp = isOpposed && parts.some(({ assumed }) => assumed !== undefined);
  const once = causes.flatMap(({ code }) =>
    code === 'rounding' || isUsualOfRows(code) ? code : [],
  );
  return !isUndone && !isTooMuch && !isMadeUp && new Set(once).size === once.length;
}
