import { bitsOfAny } from './bits.ts';
import { rowCount } from './candidate.ts';
import type { Case, Obstacle } from './case.ts';
import { type Cause, type CauseCode, causeText, isUsualOfRows } from './cause.ts';
import {
  type Explained,
  type ExplainedCause,
  type Explanation,
  explainedRows,
  type Hypothesised,
  type NotSearched,
} from './explained.ts';
import type { Fit } from './fit.ts';
import { hypotheses, rowHypotheses } from './hypotheses/index.ts';
import { mostRowsForThree } from './limits.ts';
import type { CountedFit, SearchResults } from './search-results.ts';
import { type Delta, deltaOf, figuresIn, isSame, minus, noTally, total } from './tally.ts';
import { bitsOfUnknown } from './unknown.ts';

const codes: readonly CauseCode[] = [
  ...new Set<CauseCode>([
    ...[...rowHypotheses, ...hypotheses].map(({ code }) => code),
    'only_the_service',
  ]),
];

/** Puts what was found in order: what explains all, what explains some, and the rest. */
export function conclude(subject: Case, found: SearchResults): Explained {
  const complete = found.complete.ranked();
  const codesOf = ({ fit }: CountedFit) => fit.causes.map(({ code }) => code);
  const explaining = complete.map(codesOf);
  // A code that explains all, alone or with another, isn't told again for explaining some.
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
  const target = deltaOf(subject.identity, subject.target);
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
  const { identity, target } = subject;
  const residual = minus(target, fit.change);
  const left = figuresIn(residual);
  const codes = fit.causes.map(({ code }) => code);
  return {
    outcome: left.length === 0 ? 'explains' : 'partly',
    codes,
    causes: fit.causes.map((cause) => explainedCause(subject, fit, cause)),
    figures: figuresIn(target).filter((figure) => !left.includes(figure)),
    explained: deltaOf(identity, fit.change),
    residual: deltaOf(identity, residual),
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
    explained: deltaOf(subject.identity, total(own.map(({ change }) => change))),
    rows: {
      count: own.reduce((sum, part) => sum + rowCount(part), 0),
      examples: explainedRows(subject, own),
    },
  };
}

/** What was ruled out, and what could not be searched. Where nothing differs, nothing was. */
function others(
  subject: Case,
  found: SearchResults,
  told: readonly Explanation[],
): readonly Hypothesised[] {
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

/** By so many bits the best explanation is ahead of all others together. */
const margins = { certain: 10, likely: 4 } as const;

/** The first of the complete explanations, and where it stands among the others and the unknown one. */
export function standingOf(
  bitsOfUnknown: number,
  [best, ...others]: readonly Explanation[],
): Pick<Explained, 'best' | 'certainty' | 'mayBeChance' | 'rivals'> {
  if (best === undefined) {
    return { best, certainty: undefined, mayBeChance: false, rivals: [] };
  }
  const { bits: own, ofOthers } = best.lengths;
  const against = [bitsOfUnknown, ofOthers, ...others.map((other) => other.bits)];
  const margin = bitsOfAny(against.map((bits) => [bits, 1])) - own;
  // What no row shows is never certain, and no more than possible if it is unlike the rows. How the
  // service rounds is no more than likely by one settlement.
  const isCertain =
    margin >= margins.certain && !best.assumesAmounts && !best.codes.includes('rounding');
  const isLikely = margin >= margins.likely && (!best.assumesAmounts || best.inLine);
  return {
    best,
    certainty: isCertain ? 'certain' : isLikely ? 'likely' : 'one_of_several',
    mayBeChance: bitsOfUnknown - own < (best.namesRow ? margins.certain : 0),
    rivals: others.filter((other) => other.bits - best.bits < margins.certain),
  };
}
