import { addDays, daysBetween, isBusinessDay, isDay } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { byText, inOrderOf } from '../base/texts.ts';
import type {
  BankEntry,
  BankStatement,
  NotCheckedReason,
  StatementFinding,
} from '../model/bank.ts';
import { atScale, scaleOf } from '../money/decimal.ts';
import { type Amount, formatMinor, maxScale, rescale } from '../money/money.ts';
import type { EntryColumns } from './entry-columns.ts';
import { isNumbered, isOfClosedDays, isOfWholeDays, type WrittenStatement } from './written.ts';

/**
 * The statements of each account, currency and kind, by days and numbers, divided into chains of statements
 * that follow on each other. Those of one chain have different entries; those of several may repeat each
 * other's. `isCopy`: whether another statement of the same link comes before it.
 */
export function chainsOf(statements: readonly WrittenStatement[]) {
  const accountOf = ({ source, account, currency }: WrittenStatement) =>
    JSON.stringify([account, currency, source]);
  return [...groupedBy(statements, accountOf)]
    .sort(([one], [other]) => byText(one, other))
    .map(([, group]) => chained([...group].sort(byDaysAndNumbers)));
}

const byDaysAndNumbers = inOrderOf<WrittenStatement>(({ from, to, number, place }) => [
  from,
  to,
  ...(numbersOf(number) ?? [0, 0]),
  number,
  place.file,
  place.line,
]);

/** The number and page of `12`, `00012/001` or, if only pages are numbered, `/2`. */
function numbersOf(written: string): readonly [number: number, page: number] | undefined {
  const [, number, page = '1'] = /^(?=.)(\d{0,9})(?:\/(\d{1,9}))?$/.exec(written) ?? [];
  return number === undefined ? undefined : [Number(number), Number(page)];
}

const numberOf = ({ number }: WrittenStatement) => numbersOf(number)?.[0] ?? number;
const pageOf = ({ number }: WrittenStatement) => numbersOf(number)?.[1] ?? 1;

/** Whether the second statement continues from a balance that the first one has changed. */
function isBefore(one: WrittenStatement, other: WrittenStatement): boolean {
  return gapBetween(one, other)?.[0] === 0n && gapBetween(one, one)?.[0] !== 0n;
}

/** Pages of a number follow on each other; other statements do if the balance continues. */
function chained(statements: readonly WrittenStatement[]) {
  const links = [...groupedBy(statements, linkOf).values()];
  const firsts = links.flatMap(([first]) => first ?? []);
  const { byNumber, ofNumber } = statementsBefore(firsts);
  const before = new Map<WrittenStatement, WrittenStatement>();
  const followed = new Set<WrittenStatement>();
  const firstOf = (statement: WrittenStatement): WrittenStatement => {
    let at = statement;
    for (let one = before.get(at); one; one = before.get(at)) at = one;
    return at;
  };
  for (const first of firsts) {
    const goesOn = (other: WrittenStatement) => gapBetween(other, first)?.[0] === 0n;
    const isSameFile = ({ place }: WrittenStatement) => place.file === first.place.file;
    const candidates = [...byNumber(first).filter(goesOn), ...ofNumber(first)];
    const [one] = candidates
      .filter((other) => !followed.has(other) && firstOf(other) !== first)
      .sort(inOrderOf((other) => [goesOn(other) ? 0 : 1, isSameFile(other) ? 0 : 1]));
    if (!one) continue;
    followed.add(one);
    before.set(first, one);
  }
  const chains = new Map(firsts.map((first, link) => [first, link]));
  return links.flatMap((copies, link) => {
    const chain = chains.get(firstOf(firsts[link] as WrittenStatement)) ?? link;
    return copies.map((statement, copy) => ({ statement, link, chain, isCopy: copy > 0 }));
  });
}

/** The most days between numbered statements. */
const longestMonth = 31;

function statementsBefore(statements: readonly WrittenStatement[]) {
  const byLastDay = groupedBy(statements, ({ to }) => to);
  const sameNumber = groupedBy(statements, numberOf);
  return {
    /** Earlier pages, the last one first, and those that it continues under the same page. */
    ofNumber: (after: WrittenStatement): readonly WrittenStatement[] => {
      const isEarlier = (one: WrittenStatement) =>
        pageOf(one) < pageOf(after) || (one.number === after.number && isBefore(one, after));
      const isNear = ({ from, to }: WrittenStatement) =>
        Math.max(daysBetween(to, after.from), daysBetween(after.to, from)) <= longestMonth;
      return (sameNumber.get(numberOf(after)) ?? [])
        .filter((one) => isEarlier(one) && isNear(one))
        .sort(inOrderOf((one) => [-pageOf(one)]));
    },
    /** The page or number before. Numbers restart each year, at some banks each month. */
    byNumber: (after: WrittenStatement): readonly WrittenStatement[] => {
      const [number, page] = numbersOf(after.number) ?? [0, 0];
      const pages = (sameNumber.get(number) ?? []).filter((one) => pageOf(one) === page - 1);
      const numbers = page <= 1 ? (sameNumber.get(number - 1) ?? []) : [];
      return [...numbers, ...pages].filter(
        (one) =>
          one.to <= after.to &&
          daysBetween(one.to, after.from) <= longestMonth &&
          !isInside(one, after) &&
          !isInside(after, one),
      );
    },
    /** Statements that end on the day before, or before the weekend. */
    byDay: ({ from }: WrittenStatement): readonly WrittenStatement[] => {
      const days = [addDays(from, -1)];
      while (!isBusinessDay(days.at(-1) ?? from)) days.push(addDays(from, -1 - days.length));
      return days.toReversed().flatMap((day) => byLastDay.get(day) ?? []);
    },
  };
}

export type ChainedStatement = ReturnType<typeof chainsOf>[number][number];

/** The balance of a statement at the end of a day; undefined if the statement was not checked. */
export function balancesOf(written: WrittenStatement): (day: string) => Amount | undefined {
  let sums: ReadonlyMap<string, bigint> | undefined;
  return (day) => {
    const { opening, closing, notChecked, sum, scale } = statementOf(written);
    if (opening === undefined || notChecked || closing !== opening + sum) return undefined;
    sums ??= bookedByDay(written, scale);
    let minor = opening;
    for (const [date, booked] of sums) if (date <= day) minor += booked;
    return { minor, scale };
  };
}

function bookedByDay({ entries, currency }: WrittenStatement, scale: number) {
  const sums = new Map<string, bigint>();
  for (const one of entries) {
    if (one.status !== 'booked' || one.currency !== currency) continue;
    const before = sums.get(one.date) ?? 0n;
    sums.set(one.date, before + rescale(one.amount, one.scale, scale));
  }
  return sums;
}

/** Whether the days of a statement lie in those of another, longer one. */
function isInside(inner: WrittenStatement, outer: WrittenStatement): boolean {
  const isLonger = outer.from !== inner.from || outer.to !== inner.to;
  return isLonger && outer.from <= inner.from && inner.to <= outer.to;
}

/** Whether one of two statements goes on where the other ends, as pages of one day do. */
function follow(one: WrittenStatement, other: WrittenStatement): boolean {
  return isBefore(one, other) || isBefore(other, one);
}

/** How far the balances of a statement are from those of the statement around it; undefined if they agree. */
function breakInside(inner: WrittenStatement, outer: WrittenStatement): Amount | undefined {
  const [own, around] = [statementOf(inner), statementOf(outer)];
  const scale = Math.max(own.scale, around.scale);
  const balanceOn = balancesOf(outer);
  const ends = [
    [addDays(inner.from, -1), own.opening],
    [inner.to, own.closing],
  ] as const;
  for (const [day, stated] of ends) {
    const expected = balanceOn(day);
    if (stated === undefined || !expected) continue;
    const minor =
      rescale(stated, own.scale, scale) - rescale(expected.minor, expected.scale, scale);
    const isOff = minor !== 0n && !passes(outer, { minor: stated, scale: own.scale });
    if (isOff) return { minor, scale };
  }
  return undefined;
}

/** Whether a statement has a balance after one of its entries: others may begin or end within a day. */
function passes(written: WrittenStatement, { minor, scale }: Amount): boolean {
  const { opening = 0n, scale: own } = statementOf(written);
  let balance = rescale(opening, own, maxScale);
  const sought = rescale(minor, scale, maxScale);
  if (balance === sought) return true;
  for (const one of written.entries) {
    if (one.status !== 'booked' || one.currency !== written.currency) continue;
    balance += rescale(one.amount, one.scale, maxScale);
    if (balance === sought) return true;
  }
  return false;
}

/** A text that copies of a statement share. */
function linkOf(written: WrittenStatement): string {
  const { number, from, to, scale, opening, closing, entries, sum } = statementOf(written);
  return [number, from, to, scale, opening, closing, entries, sum].join('|');
}

/** The opening balance of `after` − the closing one of `before`; undefined if one is missing. */
function gapBetween(
  before: WrittenStatement,
  after: WrittenStatement,
): readonly [difference: bigint, scale: number] | undefined {
  if (!before.closing || !after.opening) return undefined;
  const scale = scaleOf(after.currency, [before.closing, after.opening]);
  return [atScale(after.opening, scale) - atScale(before.closing, scale), scale];
}

/** Cached, because the balances of a long statement are asked for on each day that others cover. */
const statements = new WeakMap<WrittenStatement, BankStatement>();

/** A statement with its amounts at one scale. */
export function statementOf(written: WrittenStatement): BankStatement {
  const known = statements.get(written) ?? addedUp(written);
  statements.set(written, known);
  return known;
}

function addedUp(written: WrittenStatement): BankStatement {
  const { account, currency, number, from, to, opening, closing, undated, place } = written;
  const kinds = [...written.entries.kinds, ...undated].filter((one) => one.status === 'booked');
  const own = kinds.filter((one) => one.currency === currency);
  const scale = scaleOf(currency, [opening, closing, ...own]);
  let [entries, sum] = [0, 0n];
  for (const list of [written.entries, undated]) {
    for (const one of list) {
      if (one.status !== 'booked' || one.currency !== currency) continue;
      entries += 1;
      sum += rescale(one.amount, one.scale, scale);
    }
  }
  return {
    format: written.source,
    setting: written.setting,
    account,
    currency,
    scale,
    number,
    from,
    to,
    opening: opening && atScale(opening, scale),
    closing: closing && atScale(closing, scale),
    entries,
    sum,
    isWhole: isOfWholeDays(written.source) && written.isRead && own.every((one) => one.date !== ''),
    notChecked: whyNotChecked(written, own.length < kinds.length),
    place,
  };
}

function whyNotChecked(
  { source, isRead, opening, closing, hasOtherCurrencies }: WrittenStatement,
  hasOtherEntries: boolean,
): NotCheckedReason | undefined {
  if (source === 'camt.054') return 'notification';
  if (!isRead) return 'partly_read';
  if (hasOtherCurrencies) return 'other_currency';
  if (!opening) return closing ? 'no_opening_balance' : 'no_balances';
  if (!closing) return 'no_closing_balance';
  return hasOtherEntries ? 'other_currency' : undefined;
}

type Code = StatementFinding['code'];

/** The findings about statements in sequence: their balances, and the dates of their entries. */
export function brokenBalances(statements: readonly WrittenStatement[]) {
  const before = statementsBefore(statements);
  // Otherwise numbers may be missing for other reasons.
  const areCounted = statements.some(
    (one) => isNumbered(one.source) || before.byNumber(one).length > 0,
  );
  return statements.flatMap((written, index) => {
    const { opening = 0n, closing = 0n, notChecked, ...statement } = statementOf(written);
    const { account, currency, scale: own, from, to, place, sum } = statement;
    const whose = { account, currency, from, to, place, element: '', found: '', expected: '' };
    const found = (code: Code, difference: bigint, scale: number) => ({
      ...whose,
      code,
      difference,
      scale,
    });
    const ofEntry = (code: Code, said: Pick<StatementFinding, 'found' | 'place' | 'currency'>) => {
      const what = { element: 'date', expected: 'a date of the calendar', difference: undefined };
      return { code, ...whose, ...what, ...said, scale: own };
    };
    const { breaks = [] } = written;
    const isOff = notChecked === undefined && closing - opening !== sum && breaks.length === 0;
    const [inside] = statements.flatMap((outer) =>
      isOfClosedDays(outer.source) && isInside(written, outer) && !follow(outer, written)
        ? [breakInside(written, outer)].filter((one) => one !== undefined)
        : [],
    );
    const gap = gapBefore(written, before, areCounted ? statements[index - 1] : undefined);
    return [
      ...(isOff ? [found('balance_break', closing - opening - sum, own)] : []),
      ...breaks.map(({ difference: { digits, scale }, place: row }) => {
        return { ...found('balance_break', digits, scale), place: row };
      }),
      ...(inside === undefined ? [] : [found('overlap_break', inside.minor, inside.scale)]),
      ...(gap === undefined ? [] : [found('statement_gap', ...gap)]),
      ...written.undated.map(({ amount, scale, place, currency }) =>
        ofEntry('undated', { found: formatMinor(amount, scale), place, currency }),
      ),
      ...withUnlikelyDates(written.entries).map(({ valueDate, place, currency }) =>
        ofEntry('odd_value_date', { found: valueDate, place, currency }),
      ),
    ];
  });
}

function withUnlikelyDates(entries: EntryColumns): readonly BankEntry[] {
  const isOdd = ({ date, valueDate }: Pick<BankEntry, 'date' | 'valueDate'>) =>
    valueDate !== '' && valueDate !== date && !isDay(valueDate);
  return entries.kinds.some(isOdd) ? [...entries].filter(isOdd) : [];
}

/**
 * The gap to the statement before, if none of those that may precede it ends with its opening balance. The
 * number decides before the day. `last` is the previous statement in order, if numbers are counted: it shows
 * whether missing statements have moved money.
 */
function gapBefore(
  statement: WrittenStatement,
  { byNumber, byDay }: ReturnType<typeof statementsBefore>,
  last: WrittenStatement | undefined,
): readonly [difference: bigint, scale: number] | undefined {
  // Reports of one day may all start with the opening balance of the day, so they show no gap.
  if (statement.source === 'camt.052') return undefined;
  const gapsTo = (before: readonly WrittenStatement[]) =>
    before.map((other) => gapBetween(other, statement)).filter((gap) => gap !== undefined);
  const skipped = last && skipsNumbers(last, statement) ? [last] : [];
  const gaps =
    [byNumber(statement), byDay(statement), skipped].map(gapsTo).find(({ length }) => length > 0) ??
    [];
  return gaps.some(([difference]) => difference === 0n) ? undefined : gaps.at(-1);
}

/** Whether numbers or pages are missing between two statements; a month has at least one. */
function skipsNumbers(before: WrittenStatement, after: WrittenStatement): boolean {
  const [one, other] = [numbersOf(before.number), numbersOf(after.number)];
  if (!one || !other || before.to > after.from) return false;
  const [numbers, pages] = [other[0] - one[0], other[1] - one[1]];
  const isLater = numbers > 0 || (numbers === 0 && pages > 0);
  return isLater && daysBetween(before.to, after.from) <= longestMonth * Math.max(1, numbers);
}
