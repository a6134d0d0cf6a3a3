import { addDays, daysBetween, isBusinessDay } from '../base/calendar.ts';
import { groupedBy } from '../base/keys.ts';
import { byText, inOrderOf } from '../base/texts.ts';
import type { BankStatement, NotCheckedReason, StatementFinding } from '../model/bank.ts';
import { formatMinor, rescale } from '../money/money.ts';
import type { ChainedStatement } from './identity.ts';
import { atScale, isOfWholeDays, scaleOf, type WrittenStatement } from './written.ts';

/** Statements of one kind, account and currency, by their days and numbers. */
export function inSequence(
  statements: readonly WrittenStatement[],
): readonly (readonly WrittenStatement[])[] {
  const accountOf = ({ source, account, currency }: WrittenStatement) =>
    JSON.stringify([account, currency, source]);
  return [...groupedBy(statements, accountOf)]
    .sort(([one], [other]) => byText(one, other))
    .map(([, group]) => [...group].sort(byDaysAndNumbers));
}

const byDaysAndNumbers = inOrderOf<WrittenStatement>(({ from, to, number, place }) => [
  ...[from, to, ...(numbersOf(number) ?? [0, 0])],
  ...[number, place.file, place.line],
]);

/** Number and page, of a number such as `12`, `00012/001` or, where only pages have one, `/2`. */
function numbersOf(written: string): readonly [number: number, page: number] | undefined {
  const [, number, page = '1'] = /^(?=.)(\d{0,9})(?:\/(\d{1,9}))?$/.exec(written) ?? [];
  return number === undefined ? undefined : [Number(number), Number(page)];
}

const numberOf = ({ number }: WrittenStatement) => numbersOf(number)?.[0] ?? number;
const pageOf = ({ number }: WrittenStatement) => numbersOf(number)?.[1] ?? 1;

/** Whether a statement goes on with the balance of another, which that one has changed. */
function isBefore(one: WrittenStatement, other: WrittenStatement): boolean {
  return gapBetween(one, other)?.[0] === 0n && gapBetween(one, one)?.[0] !== 0n;
}

/**
 * Which of some statements in sequence follow on each other, and which are copies of each other. Pages of
 * one number do, whatever their balances; others where the balance goes on from the number before, or
 * under the same number.
 */
export function chained(statements: readonly WrittenStatement[]): readonly ChainedStatement[] {
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

/** So many days a statement covers at most, where statements are numbered. */
const longestMonth = 31;

/** Finds, among statements of one account, those that may be the one before another. */
function statementsBefore(statements: readonly WrittenStatement[]) {
  const byLastDay = groupedBy(statements, ({ to }) => to);
  const sameNumber = groupedBy(statements, numberOf);
  return {
    /** Earlier pages of its number, the last one first, and what it goes on with under the same page. */
    ofNumber: (after: WrittenStatement): readonly WrittenStatement[] => {
      const isEarlier = (one: WrittenStatement) =>
        pageOf(one) < pageOf(after) || (one.number === after.number && isBefore(one, after));
      const isNear = ({ from, to }: WrittenStatement) =>
        Math.max(daysBetween(to, after.from), daysBetween(after.to, from)) <= longestMonth;
      return (sameNumber.get(numberOf(after)) ?? [])
        .filter((one) => isEarlier(one) && isNear(one))
        .sort(inOrderOf((one) => [-pageOf(one)]));
    },
    /** The page before, or the number before: numbers begin again each year, and perhaps each month. */
    byNumber: (after: WrittenStatement): readonly WrittenStatement[] => {
      const [number, page] = numbersOf(after.number) ?? [0, 0];
      const pages = (sameNumber.get(number) ?? []).filter((one) => pageOf(one) === page - 1);
      const numbers = page <= 1 ? (sameNumber.get(number - 1) ?? []) : [];
      return [...numbers, ...pages].filter(
        ({ to }) => to <= after.to && daysBetween(to, after.from) <= longestMonth,
      );
    },
    /** Those that end on the day before, or before the weekend. */
    byDay: ({ from }: WrittenStatement): readonly WrittenStatement[] => {
      const days = [addDays(from, -1)];
      while (!isBusinessDay(days.at(-1) ?? from)) days.push(addDays(from, -1 - days.length));
      return days.toReversed().flatMap((day) => byLastDay.get(day) ?? []);
    },
  };
}

/** The same for copies of a statement. */
function linkOf(written: WrittenStatement): string {
  const { number, from, to, scale, opening, closing, entries, sum } = statementOf(written);
  return [number, from, to, scale, opening, closing, entries, sum].join('|');
}

/** The opening balance of a statement − the closing one of another; undefined where one has none. */
function gapBetween(
  before: WrittenStatement,
  after: WrittenStatement,
): readonly [difference: bigint, scale: number] | undefined {
  if (!before.closing || !after.opening) return undefined;
  const scale = scaleOf(after.currency, [before.closing, after.opening]);
  return [atScale(after.opening, scale) - atScale(before.closing, scale), scale];
}

/** A statement with its amounts at one scale. */
export function statementOf(written: WrittenStatement): BankStatement {
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

/** What is wrong in statements in sequence: with their balances, and with the dates of their entries. */
export function brokenBalances(
  statements: readonly WrittenStatement[],
): readonly StatementFinding[] {
  const before = statementsBefore(statements);
  // Elsewhere numbers may be left out for other reasons.
  const areCounted = statements.some(
    (one) => one.source === 'MT940' || before.byNumber(one).length > 0,
  );
  return statements.flatMap((written, index) => {
    const { opening = 0n, closing = 0n, notChecked, ...statement } = statementOf(written);
    const { account, currency, scale: own, from, to, place, sum } = statement;
    const whose = { account, currency, from, to, place, element: '', found: '', expected: '' };
    const found = (code: Code, difference: bigint, scale: number) => {
      return { code, ...whose, difference, scale };
    };
    const ofEntry = (code: Code, said: Pick<StatementFinding, 'found' | 'place' | 'currency'>) => {
      const what = { element: 'date', expected: 'a date of the calendar', difference: undefined };
      return { code, ...whose, ...what, ...said, scale: own };
    };
    const missing = notChecked === undefined ? closing - opening - sum : 0n;
    const gap = gapBefore(written, before, areCounted ? statements[index - 1] : undefined);
    return [
      ...(missing === 0n ? [] : [found('balance_break', missing, own)]),
      ...(gap === undefined ? [] : [found('statement_gap', ...gap)]),
      ...written.undated.map(({ amount, scale, place, currency }) =>
        ofEntry('undated', { found: formatMinor(amount, scale), place, currency }),
      ),
      ...written.oddlyDated.map(({ valueDate, place, currency }) =>
        ofEntry('odd_value_date', { found: valueDate, place, currency }),
      ),
    ];
  });
}

/**
 * By how much a statement doesn't begin where the one before it ends, if none of those that may be the one
 * before ends there. By number that comes first; statements that overlap say nothing. Where numbers are
 * counted, `last`, the one right before in order, tells whether those left out have moved money.
 */
function gapBefore(
  statement: WrittenStatement,
  { byNumber, byDay }: ReturnType<typeof statementsBefore>,
  last: WrittenStatement | undefined,
): readonly [difference: bigint, scale: number] | undefined {
  // Reports of one day all begin where the day does, or where the one before ends.
  if (statement.source === 'camt.052') return undefined;
  const gapsTo = (before: readonly WrittenStatement[]) =>
    before.map((other) => gapBetween(other, statement)).filter((gap) => gap !== undefined);
  const skipped = last && leavesOut(last, statement) ? [last] : [];
  const gaps =
    [byNumber(statement), byDay(statement), skipped].map(gapsTo).find(({ length }) => length > 0) ??
    [];
  return gaps.some(([difference]) => difference === 0n) ? undefined : gaps.at(-1);
}

/** Whether numbers or pages are left out between two statements, of which a month has one at least. */
function leavesOut(before: WrittenStatement, after: WrittenStatement): boolean {
  const [one, other] = [numbersOf(before.number), numbersOf(after.number)];
  if (!one || !other || before.to > after.from) return false;
  const [numbers, pages] = [other[0] - one[0], other[1] - one[1]];
  const isLater = numbers > 0 || (numbers === 0 && pages > 0);
  return isLater && daysBetween(before.to, after.from) <= longestMonth * Math.max(1, numbers);
}
