import { groupedBy } from '../base/keys.ts';
import { byText } from '../base/texts.ts';
import type { RowGroup } from './row-totals.ts';

/** What totals can be split by. Only rows have a type and a payment type. */
export const splitNames = ['day', 'month', 'account', 'currency', 'type', 'payment'] as const;

export type SplitName = (typeof splitNames)[number];

/** What settlements or rows have in common; only what they are split by is there. */
export type Parts = Partial<RowGroup> & {
  /** Of the settlement date: `2026-03`. */
  readonly month?: string;
};

/** What settlements have of it, and rows. */
type Divisible = Pick<RowGroup, 'date' | 'accountingToken' | 'currency'> & Partial<RowGroup>;

const partOf: Readonly<Record<SplitName, (one: Divisible) => Parts>> = {
  day: ({ date }) => ({ date }),
  month: ({ date }) => ({ month: date.slice(0, 7) }),
  account: ({ accountingToken }) => ({ accountingToken }),
  currency: ({ currency }) => ({ currency }),
  type: ({ type = '' }) => ({ type }),
  payment: ({ paymentType = '' }) => ({ paymentType }),
};

/** Amounts of two currencies are never added: so the currency comes last, unless it is named. */
export function withCurrency(names: readonly SplitName[]): readonly SplitName[] {
  return [...new Set([...names, 'currency' as const])];
}

/** What totals split by `names` are about, in this order, and the currency. */
export function partsBy(names: readonly SplitName[]): (one: Divisible) => Parts {
  return (one) => Object.assign({}, ...withCurrency(names).map((name) => partOf[name](one)));
}

/** Whether only the rows can be split so: headers have no such amounts. */
export function isOfRows(names: readonly SplitName[]): boolean {
  return names.includes('type') || names.includes('payment');
}

/** Things that have the same parts, sorted by the first part, then the next ones. */
export function splitBy<Thing, Common extends object>(
  things: readonly Thing[],
  partsOf: (thing: Thing) => Common,
): readonly (readonly [parts: Common, things: readonly Thing[]])[] {
  const textsOf = (parts: Common): readonly string[] => Object.values(parts);
  const groups = groupedBy(things, (thing) => JSON.stringify(textsOf(partsOf(thing))));
  return [...groups.values()]
    .flatMap((all) => all.slice(0, 1).map((first) => [partsOf(first), all] as const))
    .sort(([a], [b]) => byTexts(textsOf(a), textsOf(b)));
}

/** Lists of the same length, by the first of their texts that differ. */
function byTexts(one: readonly string[], other: readonly string[]): number {
  return one.reduce((order, text, at) => order || byText(text, other[at] ?? ''), 0);
}
