import type { AuditCode, FoundRow } from '../../app/audit-result.ts';
import { daysBetween } from '../../base/calendar.ts';
import type { Names } from '../../model/settlement.ts';
import type { Money } from '../../money/money.ts';
import { capitalised, grouped, many, moneyText, rangeText } from '../common/phrase.ts';
import { accountName } from '../common/report.ts';

interface FindingWords {
  /** `2 charges refunded more than paid`. */
  readonly title: (count: number) => string;
  /** What a row says by itself, but for its capital letter and its full stop. */
  readonly row: (row: FoundRow, account: string) => string;
  /** The titles of its amounts. */
  readonly amount?: string;
  readonly expected?: string;
  /** What to do, in whole sentences that say about what. */
  readonly advice?: string;
}

const differentFigures =
  'Different figures: run recon export --verify to see whether the files have changed.';

export const findingWords: Readonly<Record<AuditCode, FindingWords>> = {
  mixed_versions: {
    title: (count) => `${many(count, 'table')} with another version of a day`,
    row: ({ field, day }) =>
      `the table ${field} has a version of ${day} that the table days does not have`,
    advice:
      'Mixed versions: the next recon export or recon nightly into this folder completes these days.',
  },
  missing_day: {
    title: (count) => many(count, 'range of missing days', 'ranges of missing days'),
    row: ({ day, lastDay }) =>
      `${many(daysBetween(day, lastDay) + 1, 'day')} missing: ${rangeText({ from: day, to: lastDay })}`,
    advice:
      'Missing days: if they were exported without Parquet, run recon export --parquet --existing. If not, export them.',
  },
  incomplete_day: {
    title: (count) => `${many(count, 'day')} published incomplete`,
    row: ({ day }) => `${day} was published incomplete`,
    advice: 'Incomplete days: run recon export or recon nightly for them again.',
  },
  conflicting_day: {
    title: (count) =>
      many(count, 'day that differs between two folders', 'days that differ between two folders'),
    row: ({ day, lake, firstLake }) =>
      `${day} differs between folders ${firstLake} and ${lake}; only folder ${firstLake} is read`,
    advice:
      'Days that differ: use a profile of its own for each export, or audit the folders one by one.',
  },
  sums: {
    title: (count) =>
      many(count, 'figure that does not match its rows', 'figures that do not match their rows'),
    row: (row) =>
      `${figureWord(row)}: ${figure(row, row.expected)} in the export, ${figure(row, row.amount)} from the rows`,
    amount: 'From the rows',
    expected: 'In the export',
    advice: differentFigures,
  },
  day_counts: {
    title: (count) =>
      many(
        count,
        'number of settlements that does not match the table days',
        'numbers of settlements that do not match the table days',
      ),
    row: ({ field, amount, expected }) =>
      `${expected} ${figureWord({ field })} in the table days, ${amount} in the table settlements`,
    amount: 'Settlements',
    expected: 'In the table days',
    advice: differentFigures,
  },
  repeated_transaction: {
    title: (count) =>
      `${many(count, 'transaction')} in two settlements, on two days or in two profiles`,
    row: (row) =>
      `transaction ${row.transactionId} is listed more than once, here with ${figure(row, row.amount)} in settlement ${row.settlementId} of ${row.day}`,
    amount: 'Amount',
  },
  repeated_settlement: {
    title: (count) => `${many(count, 'settlement')} on two days or in two profiles`,
    row: (row) =>
      `settlement ${row.settlementId} is listed more than once, here on ${row.day} with a pay-in of ${figure(row, row.amount)}`,
    amount: 'Reported pay-in',
    advice:
      'Settlements on two days: the service may have moved them. Run recon nightly to read both days again.',
  },
  over_refunded: {
    title: (count) => `${many(count, 'charge')} refunded more than paid`,
    row: (row) =>
      `charge ${row.chargeId}: paid ${figure(row, row.expected)}, refunded ${figure(row, row.amount)}`,
    amount: 'Refunded',
    expected: 'Paid',
  },
  refund_without_purchase: {
    title: (count) => `${many(count, 'refund')} without a purchase`,
    row: (row) =>
      `refund ${row.transactionId} of ${figure(row, row.amount)}: no purchase of charge ${row.chargeId} found`,
    amount: 'Amount',
    advice: 'Refunds without a purchase: the purchase may be older than the first day.',
  },
  missing_type: {
    title: (count) =>
      many(
        count,
        'list of types that no transaction has',
        'lists of types that no transaction has',
      ),
    row: ({ field }) => `no transaction has one of the ${figureWord({ field })}`,
    advice:
      'Types that no transaction has: write them as the service does. Upper and lower case matter.',
  },
  changed_after_settled: {
    title: (count) => `${many(count, 'value')} changed after the settlement was settled`,
    row: ({ settlementId, transactionId, change, field, before, after }) =>
      `settlement ${settlementId}${transactionId && `, transaction ${transactionId}`}: ` +
      `${change.replaceAll('_', ' ')}, ${figureWord({ field })} from ${before || 'none'} to ${after || 'none'}`,
  },
  never_settled: {
    title: (count) => `${many(count, 'settlement')} pending for too long`,
    row: (row) =>
      `settlement ${row.settlementId} of ${row.day} was ${row.field} when it was exported: pay-in ${figure(row, row.amount)}`,
    amount: 'Reported pay-in',
    advice:
      'Pending settlements are shown as of their export. Run recon nightly to read them again.',
  },
  silent_account: {
    title: (count) => `${many(count, 'account')} without new settlements`,
    row: ({ day, days, longestBefore }, account) =>
      `account ${account}: last settlement on ${day}, ${many(days, 'exported day')} without one ` +
      `(longest before: ${many(longestBefore, 'day')})`,
  },
  repeated_day: {
    title: (count) => `${many(count, 'day')} in two folders`,
    row: ({ day, lake, firstLake }) =>
      `${day} has the same data in folders ${firstLake} and ${lake}; folder ${firstLake} is read`,
  },
};

/** What a row behind a finding says, as a sentence. */
export function foundSentence(code: AuditCode, row: FoundRow, names: Names): string {
  const account = accountName(names, row.accountingToken);
  return `${capitalised(findingWords[code].row(row, account))}.`;
}

function figure({ currency, decimalPlaces: scale, field }: FoundRow, minor = 0n): string {
  if (field === 'transactions') return grouped(String(minor));
  const money: Money = { minor, scale, currency };
  return moneyText(money);
}

/** Which figure a row is about. */
export function figureWord({ field }: Pick<FoundRow, 'field'>): string {
  return field === 'pay_in' ? 'pay-in' : field.replaceAll('_', ' ');
}

/** What is not looked for without knowing which types are refunds and purchases. */
export const withoutTypes =
  "Refunds were not checked: the service's document does not name the types of refunds and purchases. " +
  'Set refund_types and purchase_types in the profile, or use --refund-types and --purchase-types.';

/** What an audit takes as it is. */
export const notJudged: readonly string[] = [
  'Verdicts are those of the export. The audit recomputes sums and counts, and judges no settlement again.',
  'Accepted differences are not taken into account.',
  'Data at the service may have changed since the export. recon nightly reads them again.',
  'recon export --verify checks that the files are as they were written.',
];
