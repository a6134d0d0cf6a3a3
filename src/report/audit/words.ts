import type { AuditCode, FoundRow } from '../../app/audit-result.ts';
import { daysBetween } from '../../base/calendar.ts';
import type { Names } from '../../model/settlement.ts';
import type { Money } from '../../money/money.ts';
import { accountName, capitalised, grouped, many, moneyText, rangeText } from '../common/phrase.ts';

interface FindingWords {
  /** `2 charges refunded more than paid`. */
  readonly title: (count: number) => string;
  /** The sentence of a row, without capital letter and full stop. */
  readonly row: (row: FoundRow, account: string) => string;
  /** The titles of its amounts. */
  readonly amount?: string;
  readonly expected?: string;
  /** What to do, in sentences that make sense on their own. */
  readonly advice?: string;
}

const differentFigures =
  'Different figures: run recon export --verify to see whether the files have changed.';

export const findingWords: Readonly<Record<AuditCode, FindingWords>> = {
  mixed_versions: {
    title: (count) => `${many(count, 'table')} with another version of a day`,
    row: ({ field, day, amount = 0n }) =>
      `the table ${field} has ${many(Number(amount), 'row')} of a version of ${day} that the table days does not have`,
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
  extra_file: {
    title: (count) => `${many(count, 'extra file')} in the tables`,
    row: ({ field, lake }) =>
      `${field} in folder ${lake} does not belong to the export; the audit does not read it, other readers may`,
    advice: 'Extra files: move them out of the tables.',
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
  differences: {
    title: (count) => `${many(count, 'difference')} other than reported − computed`,
    row: (row) =>
      `${figureWord(row)}: difference ${figure(row, row.amount)}, reported − computed ${figure(row, row.expected)}`,
    amount: 'Difference',
    expected: 'Reported − computed',
    advice: differentFigures,
  },
  verdicts: {
    title: (count) => `${many(count, 'contradiction')} between verdicts, discrepancies and figures`,
    row: (row) =>
      `${row.settlementId ? `settlement ${row.settlementId}` : row.day}: ${contradiction(row)}`,
    advice: differentFigures,
  },
  different_forms: {
    title: (count) => `${many(count, 'value')} in two forms that differ`,
    row: (row) => `settlement ${row.settlementId}${ofTransaction(row)}: ${differentForms(row)}`,
    advice: differentFigures,
  },
  unknown_settlement: {
    title: (count) => `${many(count, 'settlement')} with rows, but not in the table settlements`,
    row: ({ settlementId, day, field, amount = 0n }) =>
      `the table ${field} has ${many(Number(amount), 'row')} of settlement ${settlementId} on ${day}, ` +
      'which the table settlements does not have',
    advice: differentFigures,
  },
  day_counts: {
    title: (count) => `${many(count, 'difference')} between the table days and its settlements`,
    row: ({ field, amount, expected }) =>
      field === 'discrepancies'
        ? `${expected} codes in the table settlements, ${amount} rows in the table discrepancies`
        : `${expected} ${figureWord({ field })} in the table days, ${amount} in the table settlements`,
    amount: 'Found',
    expected: 'Expected',
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
    row: ({ change, field, before, after, ...row }) =>
      `settlement ${row.settlementId}${ofTransaction(row)}: ` +
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

/** A row of a finding, as a sentence. */
export function foundSentence(code: AuditCode, row: FoundRow, names: Names): string {
  const account = accountName(names, row.accountingToken);
  return `${capitalised(findingWords[code].row(row, account))}.`;
}

function ofTransaction({ transactionId }: Pick<FoundRow, 'transactionId'>): string {
  return transactionId && `, transaction ${transactionId}`;
}

function contradiction({ field, before, after, amount }: FoundRow): string {
  if (amount === undefined)
    return `${figureWord({ field })} is ${before}; the rest of it gives ${after}`;
  return before
    ? `the discrepancy ${before} does not follow from the figures`
    : `the discrepancy ${after} is missing`;
}

function differentForms({ before, amount, expected, ...row }: FoundRow): string {
  const word = figureWord(row);
  if (row.field === 'time') return `the time is not that of the timestamp ${before || '(empty)'}`;
  if (row.field === 'listed') return `listed ${amount} times`;
  return `${word} ${figure(row, amount)} as a decimal, ${figure(row, expected)} in minor units`;
}

function figure(
  { currency, decimalPlaces: scale, field }: Pick<FoundRow, 'currency' | 'decimalPlaces' | 'field'>,
  minor: bigint | undefined,
): string {
  if (minor === undefined) return 'none';
  if (field === 'transactions' || currency === '' || /^(decimal_places|rows_)/.test(field)) {
    return grouped(String(minor));
  }
  const money: Money = { minor, scale, currency };
  return moneyText(money);
}

export function figureWord({ field }: Pick<FoundRow, 'field'>): string {
  return field === 'pay_in' ? 'pay-in' : field.replaceAll('_', ' ');
}

/** What is not checked if the types of refunds and purchases are not set. */
export const typesNotSet =
  "Refunds were not checked: the service's document does not name the types of refunds and purchases. " +
  'Set refund_types and purchase_types in the profile, or use --refund-types and --purchase-types.';

/** What an audit does not check. */
export const notJudged: readonly string[] = [
  'Verdicts are those of the export. The audit recomputes sums and counts, and judges no settlement again.',
  'Accepted differences are not taken into account.',
  'Data at the service may have changed since the export. recon nightly reads them again.',
  'recon export --verify checks that the files are as they were written.',
];
