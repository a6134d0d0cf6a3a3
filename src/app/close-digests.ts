import { isDayIn } from '../base/calendar.ts';
import { DigestSum } from '../base/digest-sum.ts';
import { groupedBy } from '../base/lists.ts';
import type { AcceptedLine } from '../model/accepted-difference.ts';
import type { BankEntry } from '../model/bank.ts';
import type { CloseDigest } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { formatMinor } from '../money/money.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';

/** The forms in which digests are made; a change of what goes into one is a new form. */
const forms = {
  settings: 'settings/1',
  headers: 'headers/1',
  rows: 'rows/1',
  entries: 'entries/1',
  accepted: 'accepted/1',
  batch: 'batch/1',
} as const;

/** A digest of some records, each by the values that count. */
export function closeDigest(
  of: string,
  kind: keyof typeof forms,
  records: Iterable<readonly unknown[]>,
): CloseDigest {
  const sum = new DigestSum();
  for (const values of records) sum.add(JSON.stringify(values, withoutBigints));
  return { of, form: forms[kind], digest: sum.text };
}

const withoutBigints = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

/** Headers, by what they say. */
export function headersDigest(settlements: readonly Settlement[]): CloseDigest {
  return closeDigest(
    'headers',
    'headers',
    settlements.map((one) => {
      const { id, date, accountingToken, status, currency, scale, transactions } = one;
      const amounts = [one.gross, one.fees, one.tax, one.payIn];
      return [id, date, accountingToken, status, currency, scale, transactions, ...amounts];
    }),
  );
}

/** Adds the rows of a settlement. */
export function addRows(sum: DigestSum, settlementId: string, rows: RowColumns): void {
  for (let row = 0; row < rows.size; row += 1) {
    const { currency, scale, state, type } = rows.kind(row);
    const amounts = [rows.amount(row), rows.fees(row), rows.tax(row)].map(String);
    // With a function for bigints, the text of a row takes twice as long.
    sum.add(JSON.stringify([settlementId, rows.id(row), currency, scale, state, type, ...amounts]));
  }
}

/** The digest of all rows that were added. */
export function rowsDigest(sum: DigestSum): CloseDigest {
  return { of: 'rows', form: forms.rows, digest: sum.text };
}

/** The booked entries of each bank account in a range, by what every format says of them. */
export function entriesDigests(
  entries: readonly BankEntry[],
  range: DateRange,
): readonly CloseDigest[] {
  const booked = entries.filter(({ status, date }) => status === 'booked' && isDayIn(range, date));
  const byAccount = groupedBy(booked, ({ account, currency }) => `${account} ${currency}`);
  return [...byAccount].map(([account, own]) =>
    closeDigest(
      `statement ${account}`,
      'entries',
      own.map(({ date, amount, scale }) => [date, formatMinor(amount, scale)]),
    ),
  );
}

/** The lines of the register of accepted differences. */
export function acceptedDigest(lines: Iterable<AcceptedLine>): CloseDigest {
  return closeDigest(
    'accepted',
    'accepted',
    Array.from(lines, (line) => [line]),
  );
}

/** How a digest compares with the one that a close recorded. */
export type DigestState = 'same' | 'changed' | 'not_comparable';

/** Compares digests of the same things; what only one side has is changed. */
export function comparedDigests(
  before: readonly CloseDigest[],
  now: readonly CloseDigest[],
): ReadonlyMap<string, DigestState> {
  const current = new Map(now.map((one) => [one.of, one]));
  const names = new Set([...before, ...now].map(({ of }) => of));
  return new Map(
    [...names].map((of): [string, DigestState] => {
      const [was, is] = [before.find((one) => one.of === of), current.get(of)];
      if (was && is && was.form !== is.form) return [of, 'not_comparable'];
      return [of, was?.digest === is?.digest ? 'same' : 'changed'];
    }),
  );
}
