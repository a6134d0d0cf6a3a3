import type { Case } from './case.ts';
import { type Cause, type CauseCode, causeText } from './cause.ts';
import { type Delta, isNothing, minus, noDelta, plus } from './delta.ts';
import type { Obstacle } from './evidence.ts';
import type { Explained, ExplainedCause, Explanation, NotSearched, RuledOut } from './explained.ts';
import { explainedRows } from './explained-rows.ts';
import { differingFigures } from './figures.ts';
import { compareSimplicity, type Fit, fitsAnything, rowCount } from './fit.ts';
import { hypotheses, rowHypotheses } from './hypotheses/index.ts';
import { mostRowsForThree, mostRowsForTwo } from './limits.ts';
import type { CountedFit, SearchResults } from './search-results.ts';

/** Every code once, in the order of the hypotheses. */
const codes: readonly CauseCode[] = [
  ...new Set<CauseCode>([
    ...[...rowHypotheses, ...hypotheses].map(({ code }) => code),
    'only_the_service',
  ]),
];

/** Puts what was found in order: what explains all, what explains some, and the rest. */
export function conclude(subject: Case, found: SearchResults): Explained {
  const complete = found.complete.ranked();
  const explanations = complete.map((one) => explanationOf(subject, found, one));
  const partial = found.partial().map((one) => explanationOf(subject, found, one));
  const shown = [...explanations, ...partial.filter((one) => !isAmong(one, explanations))];
  const [best] = explanations;
  const [first] = complete;
  return {
    scale: subject.scale,
    target: subject.target,
    hypotheses: [...shown, ...others(subject, found, shown)],
    best,
    equals: complete.filter(({ fit }) => first && compareSimplicity(fit, first.fit) === 0).length,
    residual: best?.residual ?? subject.target,
    pairObstacles: found.pairObstacles,
  };
}

/** What is said where nothing could be searched, and why. */
export function nothingSearched(
  scale: number,
  target: Delta | undefined,
  obstacle: Obstacle,
): Explained {
  return {
    scale,
    target,
    hypotheses: codes.map((code) => notSearched(code, obstacle)),
    best: undefined,
    equals: 0,
    residual: target,
    pairObstacles: [obstacle],
  };
}

function explanationOf(
  subject: Case,
  found: SearchResults,
  { fit, candidates }: CountedFit,
): Explanation {
  const { identity, target } = subject;
  const residual = minus(target, fit.delta);
  const left = differingFigures(identity, residual);
  const distinct = [...new Set(fit.causes.map(({ code }) => code))];
  return {
    outcome: isNothing(residual) ? 'explains' : 'partly',
    codes: fit.causes.map(({ code }) => code),
    causes: fit.causes.map((cause) => explainedCause(subject, fit, cause)),
    figures: differingFigures(identity, target).filter((figure) => !left.includes(figure)),
    explained: fit.delta,
    residual,
    candidates,
    tried: distinct.reduce((sum, code) => sum + (found.tried.get(code) ?? 0), 0),
    free: fit.free,
    fitsAnything: fitsAnything(fit),
  };
}

function explainedCause(subject: Case, { parts }: Fit, cause: Cause): ExplainedCause {
  const own = parts.filter((part) => causeText(part.cause) === causeText(cause));
  return {
    cause,
    explained: own.reduce((sum, { delta }) => plus(sum, delta), noDelta),
    rows: {
      count: own.reduce((sum, part) => sum + rowCount(part), 0),
      examples: explainedRows(subject, own),
    },
  };
}

/** A code that explains all, alone or with another, isn't told again for explaining some. */
function isAmong(partial: Explanation, explanations: readonly Explanation[]): boolean {
  return explanations.some((one) => partial.codes.every((code) => one.codes.includes(code)));
}

function* othersOf(code: CauseCode, subject: Case, found: SearchResults, isShown: boolean) {
  const obstacles = found.obstacles.filter((one) => one.code === code);
  for (const { obstacle } of obstacles) yield notSearched(code, obstacle);
  if (code === 'row_not_counted' || code === 'row_counted_twice') {
    for (const [atOnce, limit] of [[2, mostRowsForTwo] as const, [3, mostRowsForThree] as const]) {
      const rows = subject.rows.size;
      if (rows > limit) yield notSearched(code, { reason: 'too_many_rows', rows, limit, atOnce });
    }
  }
  const isTried = obstacles.length === 0 || found.tried.has(code);
  if (isShown || !isTried) return;
  yield {
    outcome: 'ruled_out',
    codes: [code],
    tried: found.tried.get(code) ?? 0,
  } satisfies RuledOut;
}

/** What was ruled out, and what could not be searched. Where nothing differs, nothing was. */
function others(subject: Case, found: SearchResults, shown: readonly Explanation[]) {
  if (isNothing(subject.target)) return [];
  const explaining = new Set(shown.flatMap((one) => one.codes));
  return codes.flatMap((code) => [...othersOf(code, subject, found, explaining.has(code))]);
}

function notSearched(code: CauseCode, obstacle: Obstacle): NotSearched {
  return { outcome: 'not_searched', codes: [code], obstacle };
}
