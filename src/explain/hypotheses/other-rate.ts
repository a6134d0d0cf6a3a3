import { figuresPerRow } from '../../model/row-batch.ts';
import { pricingsOf, tariffFor } from '../../reconcile/pricing.ts';
import { figurePlaces } from '../../reconcile/row-columns.ts';
import { million } from '../../reconcile/tariffs.ts';
import { bitsOfDeviation } from '../bits.ts';
import type { Hypothesis } from '../candidate.ts';
import type { Case } from '../case.ts';
import { cause } from '../cause.ts';
import { total } from '../tally.ts';
import { share } from '../unknown.ts';
import { isBeyondChance } from './rounding.ts';

/** What each may be charged on. */
const bases = { fees: ['gross', 'fees'], tax: ['fees', 'gross', 'tax'] } as const;

/** Rates are in hundredths of a percent. */
const hundredPercent = 10_000;

/** Of the gross up to 10 % in steps of 0.05 %, else whole percents: how many of either sign. */
const rates = { gross: { step: 5, most: 1_000 }, charges: { step: 100, most: hundredPercent } };
const rateChoices = 400;
/** What is rounded: the sum, what is added to each row, or each row again. */
const ways = 3;

/**
 * `other_rate`: the header charges one payment type more or less than the rows, at a rate of few
 * digits that gives the difference to the minor unit.
 */
export const otherRate: Hypothesis = {
  code: 'other_rate',
  dependsOn: 'case',
  work: ({ rows }) => rows.size,
  *candidates({ subject, cells }) {
    const { target, rows } = subject;
    const { count, gross, contradiction, fees, tax } = target;
    const isOther = count !== 0 || gross !== 0n || contradiction !== 0n;
    if (isOther) return;
    const listed = total(cells.map(({ sum }) => sum));
    // The tax on fees goes with them.
    const amount = fees === 0n ? 'tax' : 'fees';
    const rest = tax === 0n || fees === 0n ? 0n : tax - share(fees, listed.tax, listed.fees);
    const paymentTypes = [...new Set(rows.kinds.map(({ paymentType }) => paymentType))];
    for (const paymentType of paymentTypes) {
      for (const on of bases[amount]) {
        const difference = Number(target[amount]);
        const charged = chargedRows(subject, paymentType, amount, on);
        if (!isBeyondChance(target[amount], charged.length)) continue;
        const roundings = 2 * charged.length;
        if (isBeyondChance(rest, roundings)) continue;
        const { step, most } = rates[on === 'gross' ? 'gross' : 'charges'];
        const base = charged.reduce((sum, one) => sum + one.base, 0);
        const basisPoints = step * Math.round((difference * hundredPercent) / base / step);
        if (basisPoints === 0 || !(Math.abs(basisPoints) <= most)) continue;
        const more = (one: number) => (one * basisPoints) / hundredPercent;
        const inRows = charged.reduce((sum, one) => sum + rounded(more(one.base)), 0);
        const again = charged.reduce(
          (sum, one) => sum + rounded(one.exact + more(one.base)) - one.listed,
          0,
        );
        if (![rounded(more(base)), inRows, again].includes(difference)) continue;
        yield {
          cause: cause('other_rate', { paymentType, amount, on, basisPoints }),
          choices: rateChoices * ways * bases[amount].length * paymentTypes.length,
          ...(rest !== 0n && { assumed: bitsOfDeviation(rest, roundings), inLine: true }),
          change: target,
        };
      }
    }
  },
};

/** The rows of a payment type that are charged: on what, how much, and before it was rounded. */
function chargedRows(
  { rows, settlement, scale }: Case,
  paymentType: string,
  amount: 'fees' | 'tax',
  on: 'gross' | 'fees' | 'tax',
) {
  const { currency } = settlement;
  const pricing = pricingsOf(rows, { currency, scale }).find((one) => one.amount === amount);
  const figure = (row: number, name: 'gross' | 'fees' | 'tax') =>
    rows.figures[row * figuresPerRow + figurePlaces[name]] ?? 0;
  return Array.from(rows.kindNumbers).flatMap((number, row) => {
    const kind = rows.kinds[number];
    const [base, listed] = [figure(row, on), figure(row, amount)];
    const isMeant = kind?.paymentType === paymentType && kind.currency === currency;
    if (!isMeant || kind.scale !== scale || listed === 0) return [];
    const own = pricing && figure(row, pricing.base);
    const tariff = pricing && own && tariffFor(pricing, kind, Math.sign(own));
    const exact = tariff
      ? (Math.sign(listed) * (tariff.fixed + Math.abs(own) * tariff.rate)) / million
      : listed;
    return { base, listed, exact };
  });
}

/** Half up, away from zero; without the errors of binary fractions. */
function rounded(amount: number): number {
  return Math.sign(amount) * Math.floor(Math.abs(amount) + 0.5 + 1e-9);
}
