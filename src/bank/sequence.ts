import { addDays, daysBetween } from '../base/calendar.ts';
import { groupedBy } from '../base/keys.ts';
import { byText } from '../base/texts.ts';
import type { BankStatement, StatementFinding } from '../model/bank.ts';
import { rescale } from '../money/money.ts';
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

function byDaysAndNumbers(one: WrittenStatement, other: WrittenStatement): number {
  const [number, page] = numbersOf(one.number) ?? [0, 0];
  const [otherNumber, otherPage] = numbersOf(other.number) ?? [0, 0];
  return (
    byText(one.from, other.from) ||
    byText(one.to, other.to) ||
    number - otherNumber ||
    page - otherPage ||
    byText(one.number, other.number) ||
    byText(one.place.file, other.place.file) ||
    one.place.line - other.place.line
  );
}

/** Number and page, of a number such as `12` or `00012/001`. */
function numbersOf(written: string): readonly [number: number, page: number] | undefined {
  const [, number, page = '1'] = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(written) ?? [];
  return number === undefined ? undefined : [Number(number), Number(page)];
}

/**
 * Which of some statements in sequence follow on each other by number and by balance, and which are
 * copies of each other.
 */
export function chained(statements: readonly WrittenStatement[]): readonly ChainedStatement[] {
  const links = [...groupedBy(statements, linkOf).values()];
  const chains: number[] = [];
  const followed = new Set<number>();
  for (const [link, [statement]] of links.entries()) {
    const before = links.findIndex(
      ([other], index) =>
        index < link &&
        !followed.has(index) &&
        other !== undefined &&
        statement !== undefined &&
        isNextByNumber(other, statement) &&
        gapBetween(other, statement)?.[0] === 0n,
    );
    if (before >= 0) followed.add(before);
    chains.push(chains[before] ?? link);
  }
  return links.flatMap((copies, link) =>
    copies.map((statement, copy) => ({
      ...{ statement, link, chain: chains[link] ?? link },
      isCopy: copy > 0,
    })),
  );
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

/** Numbers begin again each year, and perhaps each month. */
const longestPause = 31;

function isNextByNumber(before: WrittenStatement, after: WrittenStatement): boolean {
  const [one, other] = [numbersOf(before.number), numbersOf(after.number)];
  if (!one || !other || before.to > after.to) return false;
  const isNextPage = one[0] === other[0] && one[1] + 1 === other[1];
  const isNext = one[0] + 1 === other[0] && other[1] <= 1;
  return (isNextPage || isNext) && daysBetween(before.to, after.from) <= longestPause;
}

/** Whether it begins on the day after the other one's last, or after a weekend. */
function isNextByDay(before: WrittenStatement, after: WrittenStatement): boolean {
  let day = addDays(before.to, 1);
  while (day < after.from && isWeekend(day)) day = addDays(day, 1);
  return day === after.from;
}

/** 2000-01-01 was a Saturday. */
function isWeekend(day: string): boolean {
  const sinceSaturday = ((daysBetween('2000-01-01', day) % 7) + 7) % 7;
  return sinceSaturday < 2;
}

/** A statement with its amounts at one scale. */
export function statementOf(written: WrittenStatement): BankStatement {
  const { account, currency, number, from, to, opening, closing, entries, place } = written;
  const booked = entries.filter((one) => one.status === 'booked' && one.currency === currency);
  const scale = Math.max(scaleOf(currency, [opening, closing]), ...booked.map((one) => one.scale));
  return {
    account,
    currency,
    scale,
    number,
    from,
    to,
    opening: opening && atScale(opening, scale),
    closing: closing && atScale(closing, scale),
    entries: booked.length,
    sum: booked.reduce((sum, one) => sum + rescale(one.amount, one.scale, scale), 0n),
    isWhole: isOfWholeDays(written.source) && written.isRead,
    place,
  };
}

/** Of statements in sequence, those whose balances are not what they should be. */
export function brokenBalances(
  statements: readonly WrittenStatement[],
): readonly StatementFinding[] {
  return statements.flatMap((written) => {
    const { account, currency, scale, place, opening, closing, sum } = statementOf(written);
    const found = (code: StatementFinding['code'], difference: bigint, ownScale: number) => ({
      ...{ code, account, currency, scale: ownScale, place, difference },
      ...{ element: '', found: '', expected: '' },
    });
    const missing = opening === undefined || closing === undefined ? 0n : closing - opening - sum;
    const gap = gapBefore(written, statements);
    return [
      ...(missing === 0n ? [] : [found('balance_break', missing, scale)]),
      ...(gap === undefined ? [] : [found('statement_gap', ...gap)]),
    ];
  });
}

/**
 * By how much a statement doesn't begin where the one before it ends, if none of those that may be the one
 * before ends there. By number that comes first; statements that overlap say nothing.
 */
function gapBefore(
  statement: WrittenStatement,
  statements: readonly WrittenStatement[],
): readonly [difference: bigint, scale: number] | undefined {
  // Reports of one day all begin where the day does, or where the one before ends.
  if (statement.source === 'camt.052') return undefined;
  const before = (isNext: typeof isNextByNumber) =>
    statements.filter((other) => isNext(other, statement) && gapBetween(other, statement));
  const byNumber = before(isNextByNumber);
  const [gap, ...others] = (byNumber.length > 0 ? byNumber : before(isNextByDay))
    .map((other) => gapBetween(other, statement))
    .toReversed();
  if (!gap) return undefined;
  return [gap, ...others].some((one) => one?.[0] === 0n) ? undefined : gap;
}
