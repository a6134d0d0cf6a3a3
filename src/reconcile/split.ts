import { groupedBy } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import type { Settlement } from '../model/settlement.ts';

/** What totals can be split by. Only rows have a type and a payment type. */
export const splitNames = ['day', 'month', 'account', 'currency', 'type', 'payment'] as const;

export type SplitName = (typeof splitNames)[number];

export interface RowGroup
  extends Readonly<Pick<Settlement, 'date' | 'accountingToken' | 'currency'>> {
  readonly type: string;
  readonly paymentType: string;
}

/** What settlements or rows have in common: only the parts by which they are split. */
export type Parts = Partial<RowGroup> & {
  /** Of the settlement date: `2026-03`. */
  readonly month?: string;
};

type Divisible = Pick<RowGroup, 'date' | 'accountingToken' | 'currency'> & Partial<RowGroup>;

const partOf: Readonly<Record<SplitName, (one: Divisible) => Parts>> = {
  day: ({ date }) => ({ date }),
  month: ({ date }) => ({ month: date.slice(0, 7) }),
  account: ({ accountingToken }) => ({ accountingToken }),
  currency: ({ currency }) => ({ currency }),
  type: ({ type = '' }) => ({ type }),
  payment: ({ paymentType = '' }) => ({ paymentType }),
};

/** Adds the currency as the last split if it is missing: currencies are never added up. */
export function withCurrency(names: readonly SplitName[]): readonly SplitName[] {
  return [...new Set([...names, 'currency' as const])];
}

/** The parts of a settlement or row by `names`, in this order, with the currency. */
export function partsBy(names: readonly SplitName[]): (one: Divisible) => Parts {
  return (one) => Object.assign({}, ...withCurrency(names).map((name) => partOf[name](one)));
}

/** Whether a split needs rows, because headers do not have the amounts. */
export function isOfRows(names: readonly SplitName[]): boolean {
  return names.includes('type') || names.includes('payment');
}

/** Groups things with the same parts, sorted by the first part, then the next ones. */
export function splitBy<Thing, Common extends object>(
  things: readonly Thing[],
  partsOf: (thing: Thing) => Common,
): readonly (readonly [parts: Common, things: readonly Thing[]])[] {
  const textsOf = (parts: Common): readonly string[] => Object.values(parts);
  const groups = groupedBy(things, (thing) => JSON.stringify(textsOf(partsOf(thing))));
  return [...groups.values()]
    .flatMap((all) => all.slice(0, 1).map((first) => [partsOf(first), all] as const))
    .sort(inOrderOf(([parts]) => textsOf(parts)));
}
