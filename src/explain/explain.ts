import type { FailureReason } from '../base/failure-reason.ts';
import { byText } from '../base/texts.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { bitsOfAny } from './bits.ts';
import { rowCount } from './candidate.ts';
import {
  bothSidesOf,
  type Case,
  caseOf,
  type Evidence,
  type Neighbour,
  type Neighbourhood,
  type Obstacle,
} from './case.ts';
import { type Cause, type CauseCode, cause, causeText, isUsualOfRows } from './cause.ts';
import {
  type CauseOutcome,
  type Explained,
  type ExplainedCause,
  type Explanation,
  explainedRows,
  explanationsOf,
  type NotSearched,
} from './explained.ts';
import { hypotheses, rowHypotheses } from './hypotheses/index.ts';
import { balancedByOthers, carriedOver } from './hypotheses/neighbours.ts';
import { type Effort, mostRowsForThree } from './limits.ts';
import type { PatternPart } from './pattern.ts';
import { search, without } from './search.ts';
import { type CountedFit, type Fit, fitOf, SearchResults } from './search-results.ts';
import {
  type Delta,
  deltaOf as deltaByIdentity,
  type Figure,
  figuresIn,
  isNothing,
  isSame,
  minus,
  noTally,
  type Tally,
  total,
} from './tally.ts';
import { bitsOfUnknown } from './unknown.ts';

/** Settlements with more rows are not explained. */
const mostRowsExplained = 200_000;

interface ExplainOptions extends Pick<ReconcileSettings, 'identity' | 'rules'> {
  /** `thorough` for one settlement, `quick` for each of a run. */
  readonly effort: Effort;
}

export interface ReadEvidence extends Neighbourhood {
  readonly outcome: Evidence['outcome'] | { readonly notRead: FailureReason };
  /** What patterns of its range explain of it: the search is in what they leave. */
  readonly patterns?: readonly PatternPart[] | undefined;
}

/** Says why a settlement's header differs from its rows. The order of rows and neighbours does not matter. */
export function explainDifference(
  settlement: ReconciledSettlement,
  rows: RowColumns,
  { outcome, patterns = [], ...around }: ReadEvidence,
  { identity, rules, effort }: ExplainOptions,
): Explained {
  const evidence = 'notRead' in outcome ? undefined : { ...around, outcome };
  const subject = evidence && caseOf(settlement, rows, evidence, { identity, rules });
  if (subject === undefined) {
    return nothingSearched(settlement.scale, undefined, { reason: 'incomplete' });
  }
  if (rows.size > mostRowsExplained) {
    const size = { rows: rows.size, limit: mostRowsExplained, atOnce: 1 };
    const target = deltaOf(subject, subject.target);
    return nothingSearched(subject.scale, target, { reason: 'too_many_rows', ...size });
  }
  if (patterns.length > 0) return besidePatterns(subject, patterns, effort);
  if (!isSame(subject.target, noTally)) return conclude(subject, search(subject, effort));
  const found = new SearchResults(subject);
  if (settlement.serviceSays === 'out_of_balance') {
    const { status } = settlement.settlement;
    found.explain([{ cause: cause('only_the_service', { status }), choices: 1, change: noTally }]);
  }
  return conclude(subject, found);
}

/** Explains what patterns leave of a settlement, and adds them to each explanation. */
function besidePatterns(subject: Case, parts: readonly PatternPart[], effort: Effort): Explained {
  const known = fitOf(
    parts.map(({ pattern, change }) => {
      const { terms, settlements, tested, scale } = pattern;
      return { cause: cause('pattern', { terms, settlements, tested, scale }), change, choices: 1 };
    }),
  );
  const rest = without(subject, known.change);
  const isWhole = isSame(rest.target, noTally);
  const found = isWhole ? new SearchResults(rest) : search(rest, effort);
  const counted = { fit: known, candidates: 1, bits: known.bits, bitsOfOthers: Infinity };
  const own = explanationOf(subject, found, counted);
  const beside = conclude(rest, found);
  const joined = (one: Explanation): Explanation => ({
    ...one,
    codes: [...own.codes, ...one.codes],
    causes: [...own.causes, ...one.causes],
    figures: [...new Set([...own.figures, ...one.figures])],
    explained: sumOf(own.explained, one.explained),
  });
  const hypotheses = beside.hypotheses.map((one) => ('causes' in one ? joined(one) : one));
  const complete = hypotheses.filter((one): one is Explanation => one.outcome === 'explains');
  const isUnsure =
    beside.certainty === 'one_of_several' ||
    parts.some(({ pattern }) => pattern.alternatives.length > 0);
  const best = isWhole ? own : beside.best && joined(beside.best);
  return {
    ...beside,
    target: deltaOf(subject, subject.target),
    hypotheses: [...complete, own, ...hypotheses.slice(complete.length)],
    best,
    // It is at most likely, also beside a cause that is certain.
    certainty: best && (isUnsure ? 'one_of_several' : 'likely'),
    rivals: beside.rivals.map(joined),
  };
}

/** Patterns are of settlements that state all figures. */
function sumOf(a: Delta, b: Delta): Delta {
  const { count = 0, gross = 0n, fees = 0n, tax = 0n, payIn } = a;
  return {
    count: count + (b.count ?? 0),
    gross: gross + (b.gross ?? 0n),
    fees: fees + (b.fees ?? 0n),
    tax: tax + (b.tax ?? 0n),
    payIn: payIn + b.payIn,
  };
}

/** A change as it is shown: without what is not stated. */
function deltaOf(
  { identity, payInBy, isCountStated, isGrossStated, isTaxStated }: Case,
  change: Tally,
): Delta {
  const { count, gross, fees, tax, payIn } = deltaByIdentity(identity, change);
  const isWhole = payInBy === undefined;
  return {
    count: isCountStated ? count : undefined,
    gross: isWhole && isGrossStated ? gross : undefined,
    fees: isWhole ? fees : undefined,
    tax: isWhole && isTaxStated ? tax : undefined,
    payIn,
  };
}

/** The figures that a change is about; of one amount, the pay-in. */
function shownFigures({ payInBy }: Case, change: Tally): readonly Figure[] {
  const figures = figuresIn(change);
  return payInBy === undefined
    ? figures
    : figures.map((figure) => (figure === 'gross' ? 'payIn' : figure));
}

/** Whether something differs and neighbours may still explain it, or explain it better. */
export function isOpen({ target, certainty }: Explained): boolean {
  return target !== undefined && !isNothing(target) && certainty !== 'certain';
}

/** Ranks those that make up for a settlement with what was found before; its own rows are no longer needed. */
export function withCounterparts(
  explained: Explained,
  settled: ReconciledSettlement,
  neighbours: readonly Neighbour[],
  settings: Pick<ReconcileSettings, 'identity' | 'rules'>,
): Explained {
  const outcome = { repeated: [], conflicts: [] };
  const subject = caseOf(settled, new RowColumns(), { neighbours, outcome }, settings);
  if (subject === undefined) return explained;
  const found = new SearchResults(subject);
  for (const { candidates } of [carriedOver, balancedByOthers]) {
    for (const candidate of candidates(bothSidesOf(subject))) found.try(candidate);
  }
  const counterparts = explanationsOf(conclude(subject, found), 'explains');
  if (counterparts.length === 0) return explained;
  // Those with as many bits are in an order that the search does not give.
  const textOf = ({ causes }: Explanation) => causes.map(({ cause }) => causeText(cause)).join();
  const complete = [...explanationsOf(explained, 'explains'), ...counterparts].sort(
    (a, b) => a.bits - b.bits || byText(textOf(a), textOf(b)),
  );
  const others = explained.hypotheses.filter(
    ({ outcome, codes: [code] }) => outcome !== 'explains' && code !== 'neighbour',
  );
  return {
    ...explained,
    hypotheses: [...complete, ...others],
    ...standingOf(explained.bitsOfUnknown, complete),
    residual: complete[0]?.residual,
  };
}

const codes: readonly CauseCode[] = [
  ...new Set<CauseCode>([
    ...[...rowHypotheses, ...hypotheses].map(({ code }) => code),
    'only_the_service',
  ]),
];

/** Puts what was found in order: what explains all, what explains some, and the rest. */
function conclude(subject: Case, found: SearchResults): Explained {
  const complete = found.complete.ranked();
  const codesOf = ({ fit }: CountedFit) => fit.causes.map(({ code }) => code);
  const explaining = complete.map(codesOf);
  // A code of a complete explanation is not repeated as a partial one.
  const partial = found.partial
    .ranked()
    .filter((one) => !explaining.some((all) => codesOf(one).every((code) => all.includes(code))))
    .filter(({ fit }, place, all) => {
      const isSameCode = ({ fit: other }: CountedFit) =>
        other.causes[0]?.code === fit.causes[0]?.code;
      return all.findIndex(isSameCode) === place;
    });
  const told = [...complete, ...partial].map((one) => explanationOf(subject, found, one));
  const unknown = bitsOfUnknown(subject);
  const standing = standingOf(unknown, told.slice(0, complete.length));
  const target = deltaOf(subject, subject.target);
  return {
    scale: subject.scale,
    target,
    hypotheses: [...told, ...others(subject, found, told)],
    bitsOfUnknown: unknown,
    ...standing,
    residual: standing.best?.residual ?? target,
    pairObstacles: found.pairObstacles,
  };
}

/** The result if nothing could be searched. */
function nothingSearched(scale: number, target: Delta | undefined, obstacle: Obstacle): Explained {
  return {
    scale,
    target,
    hypotheses: codes.map((code) => notSearched(code, obstacle)),
    bitsOfUnknown: Infinity,
    ...standingOf(Infinity, []),
    residual: target,
    pairObstacles: [obstacle],
  };
}

function explanationOf(
  subject: Case,
  found: SearchResults,
  { fit, candidates, bits, bitsOfOthers }: CountedFit,
): Explanation {
  const { target } = subject;
  const residual = minus(target, fit.change);
  const left = shownFigures(subject, residual);
  const codes = fit.causes.map(({ code }) => code);
  return {
    outcome: left.length === 0 ? 'explains' : 'partly',
    codes,
    causes: fit.causes.map((cause) => explainedCause(subject, fit, cause)),
    figures: shownFigures(subject, target).filter((figure) => !left.includes(figure)),
    explained: deltaOf(subject, fit.change),
    residual: deltaOf(subject, residual),
    candidates,
    tried: [...new Set(codes)].reduce((sum, code) => sum + (found.tried.get(code) ?? 0), 0),
    bits,
    lengths: { bits: fit.bits, ofOthers: bitsOfOthers },
    namesRow: fit.parts.some(({ rows }) => rows?.of === 'row'),
    assumesAmounts: fit.assumes,
    inLine: fit.inLine,
  };
}

function explainedCause(subject: Case, { parts }: Fit, cause: Cause): ExplainedCause {
  const own = parts.filter((part) => causeText(part.cause) === causeText(cause));
  return {
    cause,
    explained: deltaOf(subject, total(own.map(({ change }) => change))),
    rows: {
      count: own.reduce((sum, part) => sum + rowCount(part), 0),
      examples: explainedRows(subject, own),
    },
  };
}

/** What was ruled out, and what could not be searched; neither if nothing differs. */
function others(
  subject: Case,
  found: SearchResults,
  told: readonly Explanation[],
): readonly CauseOutcome[] {
  if (isSame(subject.target, noTally)) return [];
  const explaining = new Set(told.flatMap((one) => one.codes));
  const rows = subject.rows.size;
  return codes.flatMap((code) => {
    const obstacles = found.obstacles.flatMap((one) => (one.code === code ? [one.obstacle] : []));
    const tooMany =
      isUsualOfRows(code) && rows > mostRowsForThree
        ? [{ reason: 'too_many_rows', rows, limit: mostRowsForThree, atOnce: 3 } as const]
        : [];
    const tried = found.tried.get(code) ?? 0;
    const isTried = obstacles.length === 0 || found.tried.has(code);
    const isRuledOut = isTried && !explaining.has(code);
    return [
      ...[...obstacles, ...tooMany].map((obstacle) => notSearched(code, obstacle)),
      ...(isRuledOut ? [{ outcome: 'ruled_out', codes: [code], tried } as const] : []),
    ];
  });
}

function notSearched(code: CauseCode, obstacle: Obstacle): NotSearched {
  return { outcome: 'not_searched', codes: [code], obstacle };
}

/** Bits by which the best explanation must lead all others together. */
const margins = { certain: 10, likely: 4 } as const;

/** The first complete explanation, compared with the others and with an unknown cause. */
function standingOf(
  bitsOfUnknown: number,
  [best, ...others]: readonly Explanation[],
): Pick<Explained, 'best' | 'certainty' | 'mayBeChance' | 'rivals'> {
  if (best === undefined) {
    return { best, certainty: undefined, mayBeChance: false, rivals: [] };
  }
  const { bits: own, ofOthers } = best.lengths;
  const against = [bitsOfUnknown, ofOthers, ...others.map((other) => other.bits)];
  const margin = bitsOfAny(against.map((bits) => [bits, 1])) - own;
  // Amounts that no row shows are never certain, and only possible if they are unlike those of the rows.
  // One settlement makes a rule of rounding at most likely.
  // Where the number of rows is not stated, a row that the files lack may be equal to the one counted twice.
  const mayBeTwin = best.explained.count === undefined && best.codes.includes('row_counted_twice');
  const isCertain =
    margin >= margins.certain &&
    !best.assumesAmounts &&
    !best.codes.includes('rounding') &&
    !mayBeTwin;
  const isLikely = margin >= margins.likely && (!best.assumesAmounts || best.inLine);
  return {
    best,
    certainty: isCertain ? 'certain' : isLikely ? 'likely' : 'one_of_several',
    mayBeChance: bitsOfUnknown - own < (best.namesRow ? margins.certain : 0),
    rivals: others.filter((other) => other.bits - best.bits < margins.certain),
  };
}
