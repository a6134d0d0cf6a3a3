import { type Parts, type SplitName, withCurrency } from '../../reconcile/split.ts';
import { type CellColumn, column, uuid } from '../common/blocks.ts';
import { type Column, field } from '../common/columns.ts';
import { jsonAccount } from '../common/json.ts';
import { enumerate } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';

/** How what totals are split by is named in a sentence and above a column; its columns in records; its keys in JSON. */
interface Part {
  readonly words: string;
  readonly title: string;
  readonly columns: (names: Names) => readonly Column<Parts>[];
  readonly json: (parts: Parts, names: Names) => object;
  /** As a screen shows it; undefined in totals, which are about a currency alone. */
  readonly shown: (parts: Parts, names: Names) => string | undefined;
}

const partTable: Readonly<Record<SplitName, Part>> = {
  day: {
    words: 'day',
    title: 'Date',
    columns: () => [field.text('settlement_date', ({ date = '' }) => date)],
    json: ({ date }) => ({ settlementDate: date }),
    shown: ({ date }) => date,
  },
  month: {
    words: 'month',
    title: 'Month',
    columns: () => [field.text('settlement_month', ({ month = '' }) => month)],
    json: ({ month }) => ({ settlementMonth: month }),
    shown: ({ month }) => month,
  },
  account: {
    words: 'account',
    title: 'Account',
    columns: (names) => field.account(names, ({ accountingToken = '' }) => accountingToken),
    json: ({ accountingToken = '' }, names) => ({
      ...jsonAccount(accountingToken, names),
    }),
    shown: ({ accountingToken: token }, names) => token && (names.get(token) ?? token),
  },
  currency: {
    words: 'currency',
    title: 'Currency',
    columns: () => [field.text('currency', ({ currency = '' }) => currency)],
    json: ({ currency }) => ({ currency }),
    shown: ({ currency }) => currency,
  },
  type: {
    words: 'type',
    title: 'Type',
    columns: () => [field.text('transaction_type', ({ type = '' }) => type)],
    json: ({ type }) => ({ transactionType: type }),
    shown: ({ type }) => type,
  },
  payment: {
    words: 'payment type',
    title: 'Payment type',
    columns: () => [field.text('payment_type', ({ paymentType = '' }) => paymentType)],
    json: ({ paymentType }) => ({ paymentType }),
    shown: ({ paymentType }) => paymentType,
  },
};

/** What totals are split by, in words: `accounting token and currency`. */
export function partWords(splits: readonly SplitName[]): string {
  return enumerate(withCurrency(splits).map((name) => partTable[name].words));
}

/** The columns of records that say what a line of totals is about. */
export function partColumns(names: Names, splits: readonly SplitName[]): readonly Column<Parts>[] {
  return withCurrency(splits).flatMap((name) => partTable[name].columns(names));
}

/** What a line of totals is about, in JSON. */
export function jsonParts(parts: Parts, names: Names, splits: readonly SplitName[]): object {
  return Object.assign(
    {},
    ...withCurrency(splits).map((name) => partTable[name].json(parts, names)),
  );
}

/** The first columns of a section of totals. */
export function partCells(
  names: Names,
  splits: readonly SplitName[],
): readonly CellColumn<Parts>[] {
  const [first] = splits.filter((name) => name !== 'currency');
  const tokenOfNamed = ({ accountingToken: token = '' }: Parts) => (names.has(token) ? token : '');
  return withCurrency(splits).flatMap((name) => {
    const { title, shown } = partTable[name];
    const cells = column<Parts>(1, title, 'text', (line) => {
      const text = shown(line, names);
      if (text === undefined) return name === first ? 'Total' : '';
      return text || '(missing)';
    });
    if (name !== 'account') return [cells];
    return [cells, column(10, 'Accounting token', 'text', tokenOfNamed, uuid)];
  });
}
