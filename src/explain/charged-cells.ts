import { amountsOfRow, type Case } from './case.ts';
import type { RoundingRule } from './cause.ts';
import { cellKey } from './cells.ts';
import { type Charged, type FoundRate, findRates } from './find-rate.ts';
import { roundedProduct, roundingRules } from './rounding-rules.ts';

/** What may be charged on what. */
const relations = [
  { amount: 'fees', base: 'gross' },
  { amount: 'tax', base: 'fees' },
  { amount: 'tax', base: 'gross' },
] as const;

type Relation = (typeof relations)[number];

/** The rows of a cell that are charged: their sums as listed, and as each rule rounds them. */
export interface ChargedCell {
  base: bigint;
  value: bigint;
  readonly rounded: Record<RoundingRule, bigint>;
}

/** Fees or tax that are a rate of something in all rows that have them. */
export interface Charge extends FoundRate {
  readonly amount: Relation['amount'];
  readonly base: Relation['base'];
  readonly cells: ReadonlyMap<string, ChargedCell>;
}

const known = new WeakMap<Case, readonly Charge[]>();

/** All charges that the rows show; found once for each case. */
export function chargesOf(subject: Case): readonly Charge[] {
  const charges = known.get(subject) ?? findAll(subject);
  known.set(subject, charges);
  return charges;
}

/** Tax on fees that are a rate of the gross is one of the gross as well: the first will do. */
function findAll(subject: Case): readonly Charge[] {
  const found: Charge[] = [];
  for (const relation of relations) {
    if (found.some(({ amount }) => amount === relation.amount)) continue;
    found.push(...findCharges(subject, relation));
  }
  return found;
}

interface ChargedRow extends Charged {
  readonly cell: string;
}

function findCharges(subject: Case, relation: Relation): readonly Charge[] {
  const rows = chargedRows(subject, relation);
  return findRates(rows).map((found) => ({ ...relation, ...found, cells: sumUp(rows, found) }));
}

/** Rows without the amount, or without anything it could be charged on, are not rounded. */
function chargedRows(subject: Case, { amount, base }: Relation): readonly ChargedRow[] {
  const rows: ChargedRow[] = [];
  for (let index = 0; index < subject.rows.size; index++) {
    const amounts = amountsOfRow(subject, index);
    if (amounts[amount] === 0n || amounts[base] === 0n) continue;
    const cell = cellKey(subject.rows, index);
    rows.push({ base: amounts[base], value: amounts[amount], cell });
  }
  return rows;
}

function sumUp(rows: readonly ChargedRow[], { rate }: FoundRate) {
  const cells = new Map<string, ChargedCell>();
  for (const { base, value, cell } of rows) {
    const sums = cells.get(cell) ?? noCharge();
    cells.set(cell, sums);
    sums.base += base;
    sums.value += value;
    for (const rule of roundingRules) sums.rounded[rule] += roundedProduct(base, rate, rule);
  }
  return cells;
}

function noCharge(): ChargedCell {
  return { base: 0n, value: 0n, rounded: { up: 0n, down: 0n, half_up: 0n, half_even: 0n } };
}
