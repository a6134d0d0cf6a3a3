import { type Certainty, type Claim, type Claims, isAlike, isNamed } from './claim.ts';
import type { Planted } from './planted.ts';

export type Outcome = 'right' | 'found' | 'nothing' | 'wrong';

export interface Judgement {
  readonly outcome: Outcome;
  /** Of the first claim, if there is one. */
  readonly certainty: Certainty | undefined;
  /** Whether an uncertain claim shows the truth among its rivals. */
  readonly isShown: boolean;
}

/** Judges the claims about one settlement, by the rule in the README of this folder. */
export function judge(
  { claims, rivals }: Claims,
  planted: readonly Planted[],
  figuresOf: (id: string) => string,
): Judgement {
  const [first] = claims;
  if (!first) return { outcome: 'nothing', certainty: undefined, isShown: false };
  const { certainty } = first;
  const isOpen = certainty !== 'certain';
  const isShown = isOpen && claims.slice(1, 1 + rivals).some((claim) => isTrue(claim, planted));
  const isRival =
    (isShown && isSameEffect(first, planted, figuresOf)) ||
    (isOpen && first.choices > 1 && isTwin(first, planted, figuresOf));
  if (isTrue(first, planted) || isRival) return { outcome: 'right', certainty, isShown };
  const isFound = claims.some((claim) => isTrue(claim, planted));
  return { outcome: isFound ? 'found' : 'wrong', certainty, isShown };
}

/** Whether a claim names the kind, the rows and the facts of each cause planted, and no other. */
function isTrue(claim: Claim, planted: readonly Planted[]): boolean {
  return (
    hasKinds(claim.kinds, planted, isNamed) &&
    hasRows(claim, planted) &&
    planted.every((one) => hasFacts(claim, one))
  );
}

/** Whether each cause has a claim of its own, of the right kind. */
function hasKinds(
  kinds: readonly string[],
  planted: readonly Planted[],
  isOf: (kind: string, claimed: string) => boolean,
): boolean {
  if (kinds.length !== planted.length) return false;
  const [one, ...others] = planted;
  if (!one) return true;
  return kinds.some((claimed, at) => {
    const left = kinds.toSpliced(at, 1);
    return isOf(one.kind, claimed) && hasKinds(left, others, isOf);
  });
}

function hasRows({ rows, rowCount }: Claim, planted: readonly Planted[]): boolean {
  const needed = new Set(planted.flatMap((one) => one.rows ?? []).map(({ id }) => id));
  const about = planted.flatMap((one) => one.about ?? []).map(({ id }) => id);
  const allowed = new Set([...needed, ...about]);
  if (!rows.every((id) => allowed.has(id))) return false;
  // Long lists are cut.
  if (rowCount > rows.length) return rowCount >= needed.size && rowCount <= allowed.size;
  return [...needed].every((id) => rows.includes(id));
}

function hasFacts(claim: Claim, { kind, facts = [], rounding, isSmall = true }: Planted): boolean {
  if (claim.certainty === 'certain' && kind === 'amount') return false;
  if (!facts.every((values) => values.some(claim.says))) return false;
  if (kind !== 'noise' && !rounding) return true;
  const [rule, ...more] = claim.roundings;
  if (more.length > 0) return false;
  // Without a rule, it is claimed to be of the size of rounding.
  if (!rule) return isSmall;
  if (!rounding || rule.amount !== rounding.amount || rule.of !== rounding.of) return false;
  const [planted = '', ...same] = rounding.rounds;
  return rule.round === planted || (claim.certainty !== 'certain' && same.includes(rule.round));
}

/** Whether the claim concerns rows with the figures of those planted, in a way that has the same effect. */
function isSameEffect(
  claim: Claim,
  planted: readonly Planted[],
  figuresOf: (id: string) => string,
): boolean {
  return hasKinds(claim.kinds, planted, isAlike) && hasSameFigures(claim, planted, figuresOf);
}

/** Whether the claim is the one planted, with other rows of the same figures. */
function isTwin(
  claim: Claim,
  planted: readonly Planted[],
  figuresOf: (id: string) => string,
): boolean {
  const isOfKind = hasKinds(claim.kinds, planted, isNamed);
  return (
    isOfKind &&
    hasSameFigures(claim, planted, figuresOf) &&
    planted.every((one) => hasFacts(claim, one))
  );
}

function hasSameFigures(
  { rows, rowCount }: Claim,
  planted: readonly Planted[],
  figuresOf: (id: string) => string,
): boolean {
  const needed = planted.flatMap((one) => one.rows ?? one.about ?? []);
  if (rowCount === 0 || needed.length === 0) return true;
  const left = needed.map(({ id }) => figuresOf(id));
  const isMet = rows.every((id) => {
    const at = left.indexOf(figuresOf(id));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return isMet && rowCount === needed.length;
}
