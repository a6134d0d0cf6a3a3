import { formatMinor } from '../../money/money.ts';
import { column, section } from '../common/blocks.ts';
import { jsonAmount } from '../common/json.ts';
import { amountText, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import type { AuditFeeRate, AuditReport } from './report.ts';

/** Decimal places of a rate in per cent. */
const places = 3;

/** The fee rate of each payment type and month, beside that of the month before; nothing without rows. */
export function feeRateSections({ feeRates }: AuditReport): readonly Section[] {
  if (feeRates.length === 0) return [];
  const rows = feeRates.map((one, index) => ({
    ...one,
    before: sameKind(one, feeRates[index - 1]),
  }));
  type Row = (typeof rows)[number];
  return [
    section<Row>('Fee rates by payment type and month', rows, [
      column(3, 'Profile', 'text', ({ profile }) => profile),
      column(1, 'Payment type', 'text', ({ paymentType }) => paymentType),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(1, 'Month', 'text', ({ month }) => month),
      column(4, 'Rows', 'integer', ({ transactions }) => String(transactions)),
      column(2, 'Gross', 'amount', (one) => amountText(one.gross, one.decimalPlaces)),
      column(2, 'Fees', 'amount', (one) => amountText(one.fees, one.decimalPlaces)),
      column(1, 'Fee rate %', 'amount', (one) => amountText(rateOf(one), places)),
      column(1, 'Change', 'amount', (one) => signedText(changeOf(one, one.before), places)),
    ]),
  ];
}

/** Whether the line before is of the same payment type: they are sorted by month last. */
function sameKind(one: AuditFeeRate, other: AuditFeeRate | undefined): AuditFeeRate | undefined {
  const isSame =
    other?.profile === one.profile &&
    other.paymentType === one.paymentType &&
    other.currency === one.currency;
  return isSame ? other : undefined;
}

function changeOf(one: AuditFeeRate, before: AuditFeeRate | undefined): bigint | undefined {
  const [rate, earlier] = [rateOf(one), before && rateOf(before)];
  return rate === undefined || earlier === undefined ? undefined : rate - earlier;
}

/** Fees by gross in thousandths of a per cent, half up; undefined where there is no gross. */
function rateOf({ gross, fees }: AuditFeeRate): bigint | undefined {
  if (gross === 0n) return undefined;
  const sign = gross < 0n ? -1n : 1n;
  const [above, below] = [fees * sign * 10n ** BigInt(places + 2) * 2n, gross * sign * 2n];
  const shifted = above + below / 2n;
  const whole = shifted / below;
  // BigInt division cuts towards zero; a rate below zero is to go down.
  return shifted < 0n && whole * below !== shifted ? whole - 1n : whole;
}

export function jsonFeeRate(one: AuditFeeRate) {
  const { profile, month, paymentType, currency, decimalPlaces, transactions } = one;
  const rate = rateOf(one);
  return {
    profile,
    month,
    paymentType,
    currency,
    decimalPlaces,
    transactions,
    gross: jsonAmount(one.gross, decimalPlaces),
    fees: jsonAmount(one.fees, decimalPlaces),
    feeRatePercent: rate === undefined ? null : formatMinor(rate, places),
  };
}
