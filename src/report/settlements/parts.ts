import { type Parts, type SplitName, withCurrency } from '../../reconcile/split.ts';
import { type CellColumn, column, uuid } from '../common/blocks.ts';
import { type Column, field } from '../common/columns.ts';
import { jsonAccount } from '../common/json.ts';
import { enumerate } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';

/** How what totals are split by is named in a sentence, above a column, and in records and JSON. */
interface Part {
  readonly of: keyof Parts;
  readonly words: string;
  readonly title: string;
  readonly key: string;
}

const partTable: Readonly<Record<SplitName, Part>> = {
  day: { of: 'date', words: 'day', title: 'Date', key: 'settlement_date' },
  month: { of: 'month', words: 'month', title: 'Month', key: 'settlement_month' },
  account: { of: 'accountingToken', words: 'account', title: 'Account', key: 'accounting_token' },
  currency: { of: 'currency', words: 'currency', title: 'Currency', key: 'currency' },
  type: { of: 'type', words: 'type', title: 'Type', key: 'transaction_type' },
  payment: { of: 'paymentType', words: 'payment type', title: 'Payment type', key: 'payment_type' },
};

function partsOf(splits: readonly SplitName[]) {
  return withCurrency(splits).map((name) => ({ name, ...partTable[name] }));
}

/** What totals are split by, in words: `accounting token and currency`. */
export function partWords(splits: readonly SplitName[]): string {
  return enumerate(partsOf(splits).map(({ words }) => words));
}

/** The columns of records that say what a line of totals is about. */
export function partColumns(names: Names, splits: readonly SplitName[]): readonly Column<Parts>[] {
  return partsOf(splits).flatMap(({ name, of, key }) => {
    const text = (parts: Parts) => parts[of] ?? '';
    return name === 'account' ? field.account(names, text) : [field.text(key, text)];
  });
}

/** What a line of totals is about, in JSON: its keys are those of records in camel case. */
export function jsonParts(parts: Parts, names: Names, splits: readonly SplitName[]): object {
  const members = partsOf(splits).map(({ name, of, key }) => {
    if (name === 'account') return jsonAccount(parts[of] ?? '', names);
    return { [key.replace(/_(.)/g, (_, letter) => letter.toUpperCase())]: parts[of] };
  });
  return Object.assign({}, ...members);
}

/** The first columns of a section of totals. */
export function partCells(
  names: Names,
  splits: readonly SplitName[],
): readonly CellColumn<Parts>[] {
  const [first] = splits.filter((name) => name !== 'currency');
  const tokenOfNamed = ({ accountingToken: token = '' }: Parts) => (names.has(token) ? token : '');
  return partsOf(splits).flatMap(({ name, of, title }) => {
    const cells = column<Parts>(1, title, 'text', ({ [of]: text }) => {
      // Totals are about a currency alone.
      if (text === undefined) return name === first ? 'Total' : '';
      return (name === 'account' && names.get(text)) || text || '(missing)';
    });
    if (name !== 'account') return [cells];
    return [cells, column(10, 'Accounting token', 'text', tokenOfNamed, uuid)];
  });
}
