import { groupedBy } from '../../base/lists.ts';
import type { AgreedRate } from '../../model/agreed-rates.ts';
import { addMoney, type Money, maxScale, rescale } from '../../money/money.ts';
import { type CheckedFees, excess, type FeeDifference } from './check-fees.ts';
import { feesBy } from './price.ts';

/**
 * Why rows cost more than agreed: their percentage; the fixed part, if the same is added to every row; their
 * rounding, if no row has more than one minor unit; a fee that was to be returned; tax that follows from
 * these; tax that is wrong in itself.
 */
export const feeCauses = [
  ...(['fee_rate', 'fixed_part', 'rounding', 'kept', 'tax_on_fees', 'tax'] as const),
] as const;
type FeeCause = (typeof feeCauses)[number];

/** What was charged too much at a rate, by cause; without causes that have nothing. */
export interface RateClaim {
  readonly rate: AgreedRate;
  readonly rows: number;
  readonly causes: ReadonlyMap<FeeCause, Money>;
  readonly causeOf: (row: FeeDifference) => FeeCause;
}

/** The rates at which rows cost more than agreed, by cause. */
export function rateClaims({ differences, lines }: CheckedFees): readonly RateClaim[] {
  const over = differences.filter((one) => one.claim > 0n);
  return [...groupedBy(over, ({ rate }) => rate)].map(([rate, own]) => {
    const isKept = ({ amount }: FeeDifference) => amount < 0n && rate.sign === 'returned';
    const dear = own.filter(({ fee, agreedFee }) => fee > agreedFee);
    const rows = lines.reduce((sum, line) => sum + (line.rate === rate ? line.rows : 0), 0);
    const kept = dear.filter(isKept);
    const usual = causeOfFees(
      dear.filter((one) => !isKept(one)),
      rows - kept.length,
    );
    const causes = new Map<FeeCause, Money>();
    const add = (cause: FeeCause, { line }: FeeDifference, minor: bigint) => {
      const { scale, currency } = line;
      const known = causes.get(cause) ?? { minor: 0n, scale, currency };
      if (minor !== 0n) causes.set(cause, addMoney(known, { minor, scale, currency }));
    };
    const causeOf = (one: FeeDifference): FeeCause => {
      if (one.fee <= one.agreedFee) return 'tax';
      return isKept(one) ? 'kept' : usual;
    };
    for (const one of own) {
      const tax = one.agreedTax === undefined ? 0n : excess(one.tax, one.agreedTax);
      const onFees = tax - wrongTax(one, tax);
      add(causeOf(one), one, one.claim - tax);
      add('tax_on_fees', one, onFees);
      add('tax', one, tax - onFees);
    }
    return { rate, rows: own.length, causes, causeOf };
  });
}

function causeOfFees(rows: readonly FeeDifference[], all: number): FeeCause {
  const [first] = rows;
  if (!first || rows.every(({ fee, agreedFee }) => fee - agreedFee <= 1n)) return 'rounding';
  const worth = (one: FeeDifference) => rescale(one.fee - one.agreedFee, one.line.scale, maxScale);
  const isSame = rows.length === all && rows.every((one) => worth(one) === worth(first));
  // Of one amount, a percentage and a fixed part look alike.
  return isSame && rows.some(({ amount }) => amount !== first.amount) ? 'fixed_part' : 'fee_rate';
}

/** How much of a tax that is too high does not follow from the fee. */
function wrongTax({ rate, fee, tax, line }: FeeDifference, taxOver: bigint): bigint {
  if (!rate.tax) return 0n;
  const form = { sign: 'returned', round: 'sum', rounding: rate.tax.rounding } as const;
  const wrong = excess(tax, feesBy({ percent: rate.tax.percent }, form, line.scale)(fee).high);
  return wrong < taxOver ? wrong : taxOver;
}
