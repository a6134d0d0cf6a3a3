import { byText } from '../base/texts.ts';
import type { AccountMapping } from '../model/account-mapping.ts';
import type { Settlement } from '../model/settlement.ts';
import { type Money, moneySums } from '../money/money.ts';
import { type AccountFor, hasTypes } from './accounts.ts';
import { type BookableSettlement, type BookedFigures, foreignRows } from './book-settlement.ts';

/** A transaction type without accounts of its own, while other types have them. */
export interface NewType {
  readonly type: string;
  readonly rows: number;
  /** By currency. */
  readonly gross: readonly Money[];
  /** The accounts to which its gross is booked. */
  readonly accounts: readonly string[];
}

interface NewTypesOptions {
  readonly apart: ReadonlyMap<string, readonly BookedFigures[]>;
  readonly mapping: AccountMapping;
  readonly accountFor: AccountFor;
  readonly onlyCurrency: string | undefined;
}

/** The types of these settlements that have no accounts of their own; none if no type has them. */
export function newTypes(
  settlements: readonly BookableSettlement[],
  { apart, mapping, accountFor, onlyCurrency }: NewTypesOptions,
): readonly NewType[] {
  if (!hasTypes(mapping)) return [];
  const found = new Map<string, { rows: number; gross: Money[]; accounts: Set<string> }>();
  for (const one of settlements) {
    const { id, accountingToken } = one.settlement;
    const leftOut = foreignRows(one, { onlyCurrency }).leftOut.map(({ gross }) => gross.currency);
    for (const { type, currency, scale, rows, gross } of apart.get(id) ?? []) {
      const isBooked = rows > 0 && !leftOut.includes(currency);
      if (!isBooked || isTypeKnown(mapping, { accountingToken, type })) continue;
      const sum = found.get(type) ?? { rows: 0, gross: [], accounts: new Set() };
      sum.rows += rows;
      sum.gross.push({ minor: gross, currency, scale });
      sum.accounts.add(accountFor('receivable', { accountingToken, currency, type }));
      found.set(type, sum);
    }
  }
  return [...found]
    .map(([type, { rows, gross, accounts }]) => {
      return { type, rows, gross: moneySums(gross), accounts: [...accounts].sort() };
    })
    .sort((one, other) => byText(one.type, other.type));
}

/** Whether a transaction type of an accounting token has accounts of its own. */
function isTypeKnown(
  { type: types = {}, token = {} }: AccountMapping,
  { accountingToken, type }: Pick<Settlement, 'accountingToken'> & { readonly type: string },
): boolean {
  return Object.hasOwn(types, type) || Object.hasOwn(token[accountingToken]?.type ?? {}, type);
}
