import { figuresPerRow } from '../../model/row-batch.ts';
import { type Pricing, pricedRows, pricingsOf, usualPricings } from '../../reconcile/pricing.ts';
import {
  type RoundedOf,
  type Rounding,
  type RoundingEffect,
  roundingEffect,
  type Times,
  taxOnFees,
} from '../../reconcile/rounding-effect.ts';
import { figurePlaces } from '../../reconcile/row-columns.ts';
import { type RoundingRule, roundingRules } from '../../reconcile/tariffs.ts';
import { bitsOf } from '../bits.ts';
import type { CauseCandidate, Hypothesis, SeenRow } from '../candidate.ts';
import type { Case } from '../case.ts';
import { cause } from '../cause.ts';
import type { BothSides } from '../sides.ts';
import { isSame, minus, noTally, shift, type Tally, total } from '../tally.ts';

/**
 * `rounding`: the header rounds fees or tax by another rule than the rows, or totals where they round
 * each. The tariffs have to give the amount of every row that has one. Where no rule gives a small
 * difference, it may be rounding all the same.
 */
export const rounding: Hypothesis = {
  code: 'rounding',
  dependsOn: 'cells',
  work: ({ rows }) => rows.size,
  canMake: ({ count, gross, contradiction }) => count === 0 && gross === 0n && contradiction === 0n,
  *candidates(sides) {
    const { cells, subject } = sides;
    const { header, target } = subject;
    // Only the cells matter: beside another rounding, they are the same.
    const candidates = known.get(cells) ?? [...usual(sides)];
    known.set(cells, candidates);
    yield* candidates;
    const isUndone = !isSame(total(cells.map(({ sum }) => sum)), minus(header, target));
    const isTarget = ({ change }: CauseCandidate) => isSame(change, target);
    if (isUndone || rounding.canMake?.(target) === false || candidates.some(isTarget)) return;
    // Where all rows have one price, many tariffs would do: those that give the difference are told.
    const isDiffering = ({ amount }: Pricing) => isSame(target, only(amount, target[amount]));
    const isOneOfMany = pricingsIn(subject).filter(isDiffering).length >= usualPricings;
    const pricings = isOneOfMany ? pricingsIn(subject, mostPricings).filter(isDiffering) : [];
    const others = [...roundedOtherwise(sides, pricings, [])].filter(isTarget);
    yield* others;
    if (others.length === 0) yield* roundedSomehow(subject);
  },
};

const known = new WeakMap<BothSides['cells'], readonly CauseCandidate[]>();

const mostPricings = 32;

/** From how many a rule is chosen: half of all round half up, half of the others to the even. */
const choicesOf: Readonly<Record<RoundingRule, number>> = {
  half_up: 2,
  half_even: 4,
  down: 8,
  up: 8,
};

function usual(sides: BothSides): Iterable<CauseCandidate> {
  const { target } = sides.subject;
  const pricings = pricingsIn(sides.subject);
  const isBoth = target.fees !== 0n && target.tax !== 0n;
  const taxes = pricings.filter(({ base }) => isBoth && base === 'fees');
  return roundedOtherwise(sides, pricings, taxes);
}

function* roundedOtherwise(
  sides: BothSides,
  pricings: readonly Pricing[],
  taxes: readonly Pricing[],
): Iterable<CauseCandidate> {
  for (const pricing of pricings) {
    const times = timesIn(sides, pricing.amount);
    const onFees = pricing.amount === 'fees' ? taxesOn(sides.subject, pricing, taxes) : [];
    for (const of of roundedIn(pricing)) {
      for (const rule of roundingRules) {
        const candidate = roundedBy(pricing, { rule, of }, times);
        yield candidate;
        for (const { tax, effect } of onFees) {
          for (const taxRule of new Set([rule, tax.rule])) {
            const to = { rule, of, taxRule };
            yield withTax(candidate, pricing, to, effect(to, times));
          }
        }
      }
    }
  }
}

/** The taxes that are charged on all of these fees. */
function taxesOn(subject: Case, fees: Pricing, taxes: readonly Pricing[]) {
  if (taxes.length === 0) return [];
  const rows = pricedRows(subject.rows, pricedIn(subject), fees);
  return taxes.flatMap((tax) => {
    const effect = taxOnFees(rows, fees, tax);
    return effect ? [{ tax, effect }] : [];
  });
}

/**
 * What rounding may come to in so many rows, each of which is off by √(1/12) of a minor unit: more than
 * three standard deviations are rare.
 */
function* roundedSomehow(subject: Case): Iterable<CauseCandidate> {
  const { target } = subject;
  const { figures } = subject.rows;
  const amounts = (['fees', 'tax'] as const).filter((amount) => target[amount] !== 0n);
  if (amounts.some((amount) => isNeverRounded(subject, amount))) return;
  const place = figurePlaces[amounts[0] ?? 'fees'];
  let rows = 0;
  for (let at = place; at < figures.length; at += figuresPerRow) if (figures[at] !== 0) rows += 1;
  if (amounts.some((amount) => 4n * target[amount] ** 2n > 3n * BigInt(rows))) return;
  yield {
    cause: cause('rounding', { of: 'unknown', amounts, rows }),
    choices: 1,
    assumed: amounts.reduce((sum, amount) => sum + bitsOf(target[amount]), 0),
    change: target,
  };
}

/** Whether tariffs give whole minor units for each row that is charged: then nothing was left to round. */
function isNeverRounded(subject: Case, amount: 'fees' | 'tax'): boolean {
  const pricings = pricingsIn(subject).filter((one) => one.amount === amount);
  const all = subject.header[amount] - subject.target[amount];
  const isExact = ({ totals }: Pricing) =>
    totals.every(({ leftovers: [, ...beyond] }) => beyond.every((rows) => rows === 0)) &&
    totals.reduce((sum, { listed }) => sum + listed, 0n) === all;
  return pricings.length > 0 && pricings.every(isExact);
}

/** An amount that is rounded by a rule already is not rounded another way as well. */
function pricingsIn(subject: Case, most?: number): readonly Pricing[] {
  const isRuled = ({ amount }: Pricing) =>
    subject.rules.rounding?.some((rule) => rule.amount === amount);
  return pricingsOf(subject.rows, pricedIn(subject), most).filter((one) => !isRuled(one));
}

function pricedIn({ settlement, scale }: Case) {
  return { currency: settlement.currency, scale };
}

/** What a header may round where there are several: a total for each is one way more. */
function roundedIn({ kinds, totals }: Pricing): readonly RoundedOf[] {
  const priced = kinds.filter((_, kind) => totals[kind]?.leftovers.some((rows) => rows !== 0));
  const hasSeveral = (trait: 'paymentType' | 'type') =>
    new Set(priced.map((kind) => kind[trait])).size > 1;
  return [
    'row',
    'total',
    ...(hasSeveral('paymentType') ? (['payment_type'] as const) : []),
    ...(hasSeveral('type') ? (['type'] as const) : []),
  ];
}

function roundedBy(pricing: Pricing, to: Rounding, times: Times): CauseCandidate {
  const { amount, base, tariffs, rule: rowsRule } = pricing;
  const { difference, beside } = roundingEffect(pricing, to, times);
  return {
    cause: cause('rounding', { amount, base, tariffs, rowsRule, ...to }),
    choices: pricing.choices * choicesOf[to.rule],
    change: only(amount, difference),
    beside: (row) => ({ ...row.change, [amount]: beside(row.kind, ...charged(row, pricing)) }),
  };
}

/** The same where the header's tax is charged on its own fees. */
function withTax(
  candidate: CauseCandidate,
  fees: Pricing,
  to: Rounding & { readonly taxRule: RoundingRule },
  { difference, beside }: RoundingEffect,
): CauseCandidate {
  const { base, tariffs, rule: rowsRule } = fees;
  return {
    cause: cause('rounding', { amount: 'fees', base, tariffs, rowsRule, ...to }),
    // As in the rows, or on its own fees by either rule.
    choices: candidate.choices * 3,
    change: { ...candidate.change, tax: difference },
    beside: (row) => ({
      ...(candidate.beside?.(row) ?? row.change),
      tax: beside(row.kind, ...charged(row, fees)),
    }),
  };
}

function only(amount: 'fees' | 'tax', minor: bigint): Tally {
  return { ...noTally, [amount]: minor };
}

/** What the header has of a row, and what is listed. */
function charged({ reported, listed }: SeenRow, { amount, base }: Pricing) {
  const of = (row: Tally) => ({ base: row[base], value: row[amount] });
  return [of(reported), of(listed)] as const;
}

/** How often the header has the rows of each kind: some may be left out, some with the other sign. */
function timesIn({ cells, subject }: BothSides, amount: 'fees' | 'tax'): Times {
  const byKind = new Map<number, bigint>();
  for (const { kinds, listed, scale, sum: seen } of cells) {
    const asListed = shift(listed, subject.scale - scale)?.[amount] ?? 0n;
    for (const kind of kinds) byKind.set(kind, signOf(seen[amount], asListed));
  }
  return (kind) => byKind.get(kind) ?? 0n;
}

function signOf(seen: bigint, listed: bigint): bigint {
  if (listed === 0n) return 1n;
  if (seen === 0n) return 0n;
  return seen === -listed ? -1n : 1n;
}
