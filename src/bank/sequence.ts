import { addDays, daysBetween, isBusinessDay } from '../base/calendar.ts';
import { groupedBy } from '../base/keys.ts';
import { byText, inOrderOf } from '../base/texts.ts';
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

const byDaysAndNumbers = inOrderOf<WrittenStatement>(({ from, to, number, place }) => [
  ...[from, to, ...(numbersOf(number) ?? [0, 0])],
  ...[number, place.file, place.line],
]);

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
  const firsts = links.flatMap(([first]) => first ?? []);
  const { byNumber } = statementsBefore(firsts);
  const chains = new Map<WrittenStatement, number>();
  const followed = new Set<WrittenStatement>();
  for (const [link, first] of firsts.entries()) {
    const before = byNumber(first).find(
      (other) => chains.has(other) && !followed.has(other) && gapBetween(other, first)?.[0] === 0n,
    );
    if (before) followed.add(before);
    chains.set(first, (before && chains.get(before)) ?? link);
  }
  return links.flatMap((copies, link) =>
    copies.map((statement, copy) => {
      const chain = chains.get(firsts[link] ?? statement) ?? link;
      return { statement, link, chain, isCopy: copy > 0 };
    }),
  );
}

/** Finds, among statements of one account, those that may be the one before another. */
function statementsBefore(statements: readonly WrittenStatement[]) {
  const pageOf = (number: number, page: number) => `${number}/${page}`;
  const numbered = statements.flatMap((statement) => {
    const numbers = numbersOf(statement.number);
    return numbers ? [{ statement, number: numbers[0], page: pageOf(...numbers) }] : [];
  });
  const byNumber = groupedBy(numbered, ({ number }) => number);
  const byPage = groupedBy(numbered, ({ page }) => page);
  const byLastDay = groupedBy(statements, ({ to }) => to);
  return {
    /** The page before, or the number before: numbers begin again each year, and perhaps each month. */
    byNumber: (after: WrittenStatement): readonly WrittenStatement[] => {
      const [number, page] = numbersOf(after.number) ?? [0, 0];
      const pages = byPage.get(pageOf(number, page - 1)) ?? [];
      const numbers = page <= 1 ? (byNumber.get(number - 1) ?? []) : [];
      return [...numbers, ...pages]
        .map(({ statement }) => statement)
        .filter(({ to }) => to <= after.to && daysBetween(to, after.from) <= 31);
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
  const { account, currency, number, from, to, opening, closing, entries, place } = written;
  const booked = entries.filter((one) => one.status === 'booked' && one.currency === currency);
  const scale = scaleOf(currency, [opening, closing, ...booked]);
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
  const before = statementsBefore(statements);
  return statements.flatMap((written) => {
    const { account, currency, scale: own, place, opening, closing, sum } = statementOf(written);
    const found = (code: StatementFinding['code'], difference: bigint, scale: number) => ({
      ...{ code, account, currency, scale, place, difference },
      ...{ element: '', found: '', expected: '' },
    });
    const missing = opening === undefined || closing === undefined ? 0n : closing - opening - sum;
    const gap = gapBefore(written, before);
    return [
      ...(missing === 0n ? [] : [found('balance_break', missing, own)]),
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
  { byNumber, byDay }: ReturnType<typeof statementsBefore>,
): readonly [difference: bigint, scale: number] | undefined {
  // Reports of one day all begin where the day does, or where the one before ends.
  if (statement.source === 'camt.052') return undefined;
  const gapsTo = (before: readonly WrittenStatement[]) =>
    before.map((other) => gapBetween(other, statement)).filter((gap) => gap !== undefined);
  const numbered = gapsTo(byNumber(statement));
  const gaps = numbered.length > 0 ? numbered : gapsTo(byDay(statement));
  return gaps.some(([difference]) => difference === 0n) ? undefined : gaps.at(-1);
}
