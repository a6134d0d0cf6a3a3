import { rateOf, rateScale, rateText } from '../../money/rate.ts';
import { column, sectionIfAny } from '../common/blocks.ts';
import { jsonAmount } from '../common/json.ts';
import { amountText, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import type { AuditFeeRate, AuditReport } from './report.ts';

/**
 * The fee rate of each payment type and month, beside that of the month before, the first `most`; nothing
 * without rows.
 */
export function auditFeeRates({ feeRates }: AuditReport, most?: number): readonly Section[] {
  const rows = feeRates.map((one, index) => ({
    ...one,
    change: changeOf(one, feeRates[index - 1]),
  }));
  type Row = (typeof rows)[number];
  return sectionIfAny<Row>(
    'Fee rates by payment type and month',
    rows,
    [
      column(3, 'Profile', 'text', ({ profile }) => profile),
      column(1, 'Payment type', 'text', ({ paymentType }) => paymentType),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(1, 'Month', 'text', ({ month }) => month),
      column(4, 'Rows', 'integer', ({ transactions }) => String(transactions)),
      column(2, 'Gross', 'amount', (one) => amountText(one.gross, one.decimalPlaces)),
      column(2, 'Fees', 'amount', (one) => amountText(one.fees, one.decimalPlaces)),
      column(1, 'Fee rate %', 'amount', ({ fees, gross }) => rateText(rateOf(fees, gross))),
      column(1, 'Change', 'amount', ({ change }) => signedText(change, rateScale)),
    ],
    { most },
  );
}

/** By how much a rate is more than that of the line before, if that is of the same payment type. */
function changeOf(one: AuditFeeRate, before: AuditFeeRate | undefined): bigint | undefined {
  const isSame =
    before?.profile === one.profile &&
    before.paymentType === one.paymentType &&
    before.currency === one.currency;
  const rate = rateOf(one.fees, one.gross);
  const earlier = isSame ? rateOf(before.fees, before.gross) : undefined;
  return rate === undefined || earlier === undefined ? undefined : rate - earlier;
}

export function jsonFeeRate(one: AuditFeeRate) {
  const { profile, month, paymentType, currency, decimalPlaces, transactions, gross, fees } = one;
  return {
    profile,
    month,
    paymentType,
    currency,
    decimalPlaces,
    transactions,
    gross: jsonAmount(gross, decimalPlaces),
    fees: jsonAmount(fees, decimalPlaces),
    feeRatePercent: rateText(rateOf(fees, gross)) || null,
  };
}
