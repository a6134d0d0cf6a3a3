import type { Names } from '../../model/settlement.ts';
import { rateOf, rateScale } from '../../money/rate.ts';
import { type Parts, type SplitName, withCurrency } from '../../reconcile/split.ts';
import { type CellColumn, column } from '../common/blocks.ts';
import { type Amount, amountOf, type Column, field } from '../common/columns.ts';
import { enumerate } from '../common/phrase.ts';

/** Fees in per cent of gross; undefined without an amount, or where a rate would be meaningless. */
export function feesPercent(
  fees: bigint | undefined,
  gross: bigint | undefined,
): Amount | undefined {
  return fees === undefined || gross === undefined
    ? undefined
    : amountOf(rateOf(fees, gross), rateScale);
}

interface Part {
  readonly by: keyof Parts;
  readonly words: string;
  readonly title: string;
  readonly key: string;
}

const partTable: Readonly<Record<SplitName, Part>> = {
  day: { by: 'date', words: 'day', title: 'Date', key: 'settlement_date' },
  month: { by: 'month', words: 'month', title: 'Month', key: 'settlement_month' },
  account: { by: 'accountingToken', words: 'account', title: 'Account', key: 'accounting_token' },
  currency: { by: 'currency', words: 'currency', title: 'Currency', key: 'currency' },
  type: { by: 'type', words: 'type', title: 'Type', key: 'transaction_type' },
  payment: { by: 'paymentType', words: 'payment type', title: 'Payment type', key: 'payment_type' },
};

function partsOf(splitBy: readonly SplitName[]) {
  return withCurrency(splitBy).map((name) => ({ name, ...partTable[name] }));
}

/** What totals are split by, in words: `account and currency`. */
export function partWords(splitBy: readonly SplitName[]): string {
  return enumerate(partsOf(splitBy).map(({ words }) => words));
}

/** The columns of records that say what a line of totals is about. */
export function partColumns(names: Names, splitBy: readonly SplitName[]): readonly Column<Parts>[] {
  return partsOf(splitBy).flatMap(({ name, by, key }) => {
    const text = (parts: Parts) => parts[by] ?? '';
    return name === 'account' ? field.account(names, text) : [field.text(key, text)];
  });
}

/** The first columns of a section of totals. */
export function partCells(
  names: Names,
  splitBy: readonly SplitName[],
): readonly CellColumn<Parts>[] {
  const [first] = splitBy.filter((name) => name !== 'currency');
  const tokenOfNamed = ({ accountingToken: token = '' }: Parts) => (names.has(token) ? token : '');
  return partsOf(splitBy).flatMap(({ name, by, title }) => {
    const kind = name === 'day' ? 'day' : 'text';
    const cells = column[kind]<Parts>(title, ({ [by]: text }) => {
      // Totals are about a currency alone.
      if (text === undefined) return name === first ? 'Total' : '';
      return (name === 'account' && names.get(text)) || text || '(missing)';
    });
    if (name !== 'account') return [cells];
    return [cells, column.id('Accounting token', tokenOfNamed, { priority: 10 })];
  });
}
