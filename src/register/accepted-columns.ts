import {
  type AcceptedBankDifference,
  type AcceptedDifference,
  type AcceptedLine,
  differenceAccepted,
  isBankDifference,
} from '../model/accepted-difference.ts';
import { formatMinor } from '../money/money.ts';

interface RegisterColumn {
  readonly key: string;
  readonly kind: 'text' | 'integer' | 'amount';
  readonly value: (line: AcceptedLine) => string;
}

export const sides = ['reported', 'computed'] as const;

const amounts = [
  ['gross', 'gross'],
  ['fees', 'fees'],
  ['tax', 'tax'],
  ['pay_in', 'payIn'],
] as const;

/** What a settlement's figures were; empty in the line of a bank difference. */
export const acceptedFigureColumns: readonly RegisterColumn[] = [
  ...sides.map((side) =>
    ofSettlement(`transactions_${side}`, 'integer', (line) => String(line[side].transactions)),
  ),
  ...amounts.flatMap(([key, measure]) =>
    sides.map((side) =>
      ofSettlement(`${key}_${side}`, 'amount', (line) =>
        formatMinor(line[side][measure], line.scale),
      ),
    ),
  ),
  ofSettlement('pay_in_difference', 'amount', (line) =>
    formatMinor(differenceAccepted(line), line.scale),
  ),
  ofSettlement('codes', 'text', (line) => line.codes.join(' | ')),
];

/** What a bank difference was; empty in the lines of others. */
export const acceptedBankColumns: readonly RegisterColumn[] = [
  ofBank('bank_expected', (line) => line.expected),
  ofBank('bank_received', (line) => line.received),
  ofBank('bank_difference', differenceAccepted),
];

/** The columns that a register always has. */
export const firstColumns: readonly RegisterColumn[] = [
  { key: 'settlement_date', kind: 'text', value: (line) => line.settlementDate },
  { key: 'settlement_id', kind: 'text', value: (line) => line.settlementId },
  { key: 'accounting_token', kind: 'text', value: (line) => line.accountingToken },
  { key: 'currency', kind: 'text', value: (line) => line.currency },
  { key: 'decimal_places', kind: 'integer', value: (line) => String(line.scale) },
  ...acceptedFigureColumns,
  { key: 'accepted_reason', kind: 'text', value: (line) => line.reason },
  { key: 'accepted_by', kind: 'text', value: (line) => line.by },
  { key: 'accepted_on', kind: 'text', value: (line) => line.on },
  { key: 'accepted_until', kind: 'text', value: (line) => line.until ?? '' },
];

/** The columns of a new register: those of the settlements report have its names. New ones go to the end. */
export const registerColumns: readonly RegisterColumn[] = [
  ...firstColumns,
  { key: 'books_account', kind: 'text', value: (line) => line.account },
  ...acceptedBankColumns,
];

function ofSettlement(
  key: string,
  kind: RegisterColumn['kind'],
  value: (line: AcceptedDifference) => string,
): RegisterColumn {
  return { key, kind, value: (line) => (isBankDifference(line) ? '' : value(line)) };
}

function ofBank(key: string, minor: (line: AcceptedBankDifference) => bigint): RegisterColumn {
  const value = (line: AcceptedLine) =>
    isBankDifference(line) ? formatMinor(minor(line), line.scale) : '';
  return { key, kind: 'amount', value };
}
