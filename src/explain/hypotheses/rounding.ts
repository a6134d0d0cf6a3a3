import { figuresPerRow } from '../../model/row-batch.ts';
import type { RoundingRule } from '../../money/rate.ts';
import {
  type Pricing,
  pricingsOf,
  type Rounding,
  roundingEffect,
  type Times,
} from '../../reconcile/pricing.ts';
import { figurePlaces } from '../../reconcile/row-columns.ts';
import { roundingRules } from '../../reconcile/tariffs.ts';
import { bitsOfDeviation } from '../bits.ts';
import type { CauseCandidate, Hypothesis, SeenRow } from '../candidate.ts';
import type { BothSides, Case } from '../case.ts';
import { cause } from '../cause.ts';
import { isSame, noTally, shift, type Tally } from '../tally.ts';

type Rounded = 'fees' | 'tax';

/** `rounding` in its weakest form: fees or tax differ by at most what rounding gives in so many rows. */
const sizeOfRounding: Hypothesis = {
  code: 'rounding',
  dependsOn: 'target',
  canMake: isOnlyCharges,
  *candidates({ subject }) {
    const { target } = subject;
    if (!isOnlyCharges(target)) return;
    const amounts = (['fees', 'tax'] as const).filter((amount) => target[amount] !== 0n);
    const rows = amounts.map((amount) => roundedRows(subject, amount));
    if (amounts.some((amount, n) => isBeyondChance(target[amount], rows[n] ?? 0))) return;
    yield {
      cause: cause('rounding', { of: 'unknown', amounts, rows: Math.max(0, ...rows) }),
      choices: 1,
      assumed: amounts.reduce((sum, one, n) => sum + bitsOfDeviation(target[one], rows[n] ?? 0), 0),
      inLine: true,
      change: target,
    };
  },
};

/** `rounding` by a rule: it moves all rows in one direction, so the difference exceeds chance. */
const roundedByRule: Hypothesis = {
  code: 'rounding',
  dependsOn: 'cells',
  work: ({ rows }) => rows.size,
  canMake: isOnlyCharges,
  *candidates(sides) {
    const { cells, subject } = sides;
    // The candidates depend on the cells only, which other causes of the header do not change.
    const candidates = known.get(cells) ?? [...byRules(sides)];
    known.set(cells, candidates);
    yield* candidates;
    const isTarget = ({ change }: CauseCandidate) => isSame(change, subject.target);
    if (!isOnlyCharges(subject.target) || candidates.some(isTarget)) return;
    // With few distinct prices many tariffs fit: only those that give the difference are kept.
    yield* [...byRules(sides, mostPricings)].filter(isTarget);
  },
};

const known = new WeakMap<BothSides['cells'], readonly CauseCandidate[]>();

const mostPricings = 32;

function isOnlyCharges({ count, gross, contradiction, fees, tax }: Tally): boolean {
  return count === 0 && gross === 0n && contradiction === 0n && (fees !== 0n || tax !== 0n);
}

/** With fewer rows, one minor unit is already more than chance. */
const fewestRounded = 4;

/** Each row deviates by √(1/12) of a minor unit: more than three standard deviations are not chance. */
export function isBeyondChance(difference: bigint, rows: number): boolean {
  return 4n * difference ** 2n > 3n * BigInt(rows);
}

const rowsRounded = new WeakMap<Case['values'], Map<Rounded, number>>();

/** The number of rows whose amount was rounded: tariffs do not give it in whole minor units. */
function roundedRows(subject: Case, amount: Rounded): number {
  const { rows, values } = subject;
  const counts = rowsRounded.get(values) ?? new Map<Rounded, number>();
  rowsRounded.set(values, counts);
  const known = counts.get(amount);
  if (known !== undefined) return known;
  const place = figurePlaces[amount];
  const charged = rows.where((row) => rows.figures[row * figuresPerRow + place] !== 0).length;
  const [pricing] = pricingsIn(subject, amount);
  const whole = (pricing?.totals ?? []).reduce(
    (sum, { leftovers: [none = 0] }) => sum + Math.abs(none),
    0,
  );
  counts.set(amount, Math.max(0, charged - whole));
  return Math.max(0, charged - whole);
}

/** None for an amount that a rule of the settings already rounds. */
function pricingsIn(
  { rows, settlement, scale, rules }: Case,
  amount: Rounded,
  most?: number,
): readonly Pricing[] {
  if (rules.rounding?.some((rule) => rule.amount === amount)) return [];
  const { currency } = settlement;
  return pricingsOf(rows, { currency, scale }, most).filter((one) => one.amount === amount);
}

/** From how many a rule is chosen: half of all round half up, half of the others to the even. */
const choicesOf: Readonly<Record<RoundingRule, number>> = {
  half_up: 2,
  half_even: 4,
  down: 8,
  up: 8,
};

/** The rules that make a difference, each with the first tariffs that show it. */
function* byRules(sides: BothSides, most?: number): Iterable<CauseCandidate> {
  for (const amount of ['fees', 'tax'] as const) {
    const rows = Math.max(roundedRows(sides.subject, amount), fewestRounded);
    const times = timesIn(sides, amount);
    const known = new Set<string>();
    for (const pricing of pricingsIn(sides.subject, amount, most)) {
      for (const of of ['row', 'total'] as const) {
        for (const rule of roundingRules) {
          const candidate = roundedBy(pricing, { rule, of }, times);
          const change = candidate.change[amount];
          const text = `${rule} ${of} ${change}`;
          if (!isBeyondChance(change, rows) || known.has(text)) continue;
          known.add(text);
          yield candidate;
        }
      }
    }
  }
}

function roundedBy(pricing: Pricing, to: Rounding, times: Times): CauseCandidate {
  const { amount, base, tariffs, rule: rowsRule } = pricing;
  const { difference, beside } = roundingEffect(pricing, to, times);
  return {
    cause: cause('rounding', { amount, base, tariffs, rowsRule, ...to }),
    choices: choicesOf[to.rule],
    change: { ...noTally, [amount]: difference },
    beside: (row) => ({ ...row.change, [amount]: beside(row.kind, ...charged(row, pricing)) }),
  };
}

function charged({ reported, listed }: SeenRow, { amount, base }: Pricing) {
  const of = (row: Tally) => ({ base: row[base], value: row[amount] });
  return [of(reported), of(listed)] as const;
}

/** How often the header has the rows of each kind: 0 if left out, −1 with the opposite sign. */
function timesIn({ cells, subject }: BothSides, amount: Rounded): Times {
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

export const roundings: readonly Hypothesis[] = [sizeOfRounding, roundedByRule];
