import { rangesOf } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import type { DateRange, SettlementFilters } from '../../model/source.ts';
import { formatMinor, type Money } from '../../money/money.ts';
import type { NetAndAbsolute } from '../../reconcile/reconciled.ts';

/** `1 row`, `2,000 rows`. */
export function many(count: number, one: string, several = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : several}`;
}

/** A number or an amount as people read it, with its thousands set apart: `1,960`, `-1,980.51`. */
export function grouped(figure: number | string): string {
  // `toLocaleString` loads the data of all languages first, a tenth of the time of a short run.
  return String(figure).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',');
}

/** The texts that there are: those without their condition, and empty ones, go. */
export function present(...texts: readonly (string | false | undefined)[]): readonly string[] {
  return texts.flatMap((text) => text || []);
}

/** `a and b`, `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items.slice(-1).join('')}`;
}

const namedInFull = 3;

/** The first few of `total` things by name, the rest by number. Without a total they are all. */
export function firstOf(examples: readonly string[], total = examples.length): string {
  const named = examples.slice(0, namedInFull);
  const rest = total - named.length;
  return enumerate(rest > 0 ? [...named, `${rest} more`] : named);
}

/** The first examples by name, and `others` for the rest, which nobody counted. */
export function fewOf(examples: readonly string[]): string {
  const named = examples.slice(0, namedInFull);
  return enumerate(named.length < examples.length ? [...named, 'others'] : named);
}

/**
 * The first few of each kind of things, in their order, and how many more of which kind there are.
 * Those of no kind are all among the few.
 */
export function fewOfEach<Thing>(
  things: readonly Thing[],
  kindOf: (thing: Thing) => string | undefined,
) {
  const kinds = groupedBy(things, kindOf);
  const isShown = new Set([...kinds.values()].flatMap((all) => all.slice(0, namedInFull)));
  const more = [...kinds].flatMap(([kind, all]) =>
    kind !== undefined && all.length > namedInFull
      ? [{ kind, count: all.length - namedInFull }]
      : [],
  );
  return { few: things.filter((thing) => kindOf(thing) === undefined || isShown.has(thing)), more };
}

/** `mid 4711 and cid 3`. */
export function filtersText(filters: SettlementFilters): string {
  return enumerate(Object.entries(filters).map(([name, value]) => `${name} ${value}`));
}

/** A sentence as part of another one: without its full stop. */
export function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `-1234.56`, for a cell of a table or a record; an amount that isn't there is an empty cell, never a zero. */
export function amountText(minor: bigint | undefined, scale: number): string {
  return minor === undefined ? '' : formatMinor(minor, scale);
}

/** `+12.34`, `-12.34`, `0.00`: a difference shows its direction in both directions. */
export function signedText(minor: bigint | undefined, scale: number): string {
  return (minor !== undefined && minor > 0n ? '+' : '') + amountText(minor, scale);
}

/** How amounts are to be read. */
export type AmountForm = Pick<Money, 'scale' | 'currency'>;

/** `-14.00 EUR net, 26.00 EUR absolute`. */
export function netAndAbsoluteText(sums: NetAndAbsolute, currency: string, scale: number): string {
  const absolute = moneyText({ minor: sums.absolute, scale, currency });
  return `${signedMoneyText({ minor: sums.net, scale, currency })} net, ${absolute} absolute`;
}

/** `-12.34`, whatever its currency; empty where there is no amount. */
export function digitsOf(money: Money | undefined): string {
  return money ? formatMinor(money.minor, money.scale) : '';
}

/** `+12.34`, `-12.34`, `0.00`, whatever its currency. */
export function signedDigitsOf({ minor, scale }: Money): string {
  return signedText(minor, scale);
}

/** `1,234.56 EUR`: an amount in a sentence. */
export function moneyText(money: Money): string {
  return `${grouped(digitsOf(money))} ${money.currency}`;
}

/** `+1,234.56 EUR`, `0.00 EUR`: a difference in a sentence. */
export function signedMoneyText(money: Money): string {
  return `${grouped(signedDigitsOf(money))} ${money.currency}`;
}

/** `2026-03-04 to 2026-03-07`, or the one day that it is. */
export function rangeText({ from, to }: DateRange): string {
  return from === to ? from : `${from} to ${to}`;
}

/** The range of a report: `2026-03-04 to 2026-03-07 (inclusive)`; a single day has both ends too. */
export function wholeRangeText({ from, to }: DateRange): string {
  return `${from} to ${to} (inclusive)`;
}

/** The first few of the days, as ranges: `2026-03-04 to 2026-03-07 and 2026-03-12`. */
export function daysText(days: readonly string[]): string {
  return fewOf(rangesOf(days).map(rangeText));
}
