import { isDayIn } from '../base/calendar.ts';
import { cut, inOrderOf } from '../base/texts.ts';
import type { BankEntry, BankStatement, BankStatements, StatementFinding } from '../model/bank.ts';
import { withOneNameEach } from './accounts.ts';
import { distinctEntries } from './identity.ts';
import { pairedUp, withDetailsOf } from './repeats.ts';
import { brokenBalances, chained, inSequence, statementOf } from './sequence.ts';
import { isOfWholeDays, sources, type Unreadable, type WrittenStatement } from './written.ts';

/**
 * All statements together, each entry once, whatever the order of the files. The money of a day of an
 * account comes from the kind of statement that is named first among `sources`: what others say of that
 * day only adds to what is known of its entries.
 */
export function unite(
  read: readonly WrittenStatement[],
  unreadable: readonly Unreadable[],
): BankStatements {
  const written = withOneNameEach(read);
  const chains = inSequence(written).map(chained);
  let booked: readonly BankEntry[] = [];
  let pending: readonly BankEntry[] = [];
  for (const [rank, source] of sources.entries()) {
    const strongerSources = sources.slice(0, rank).filter(isOfWholeDays);
    const ofSource = chains.flat().filter(({ statement }) => statement.source === source);
    const entries = distinctEntries(ofSource);
    const stronger = written.filter((one) => one.isRead && strongerSources.includes(one.source));
    booked = withBooked(booked, entries.filter(isBooked), stronger);
    const coming = entries.filter((entry) => !isBooked(entry));
    const known = pairedUp(coming, pending, daysToBook);
    pending = [...pending, ...coming.filter((entry) => !known.has(entry))];
  }
  const announced = pairedUp(pending, booked, daysToBook);
  const entries = [...booked, ...pending.filter((entry) => !announced.has(entry))];
  const once = chains.map((all) => all.flatMap((one) => (one.isCopy ? [] : one.statement)));
  const listed = written.reduce((sum, statement) => sum + statement.entries.length, 0);
  return {
    statements: once.flat().map(statementOf).sort(byAccountAndDay),
    entries: entries.sort(byDayAndAccount),
    findings: [...unreadable.map(findingOf), ...once.flatMap(brokenBalances)].sort(
      // Remarks come last, since not all are shown everywhere.
      inOrderOf(({ code, place }) => [Number(code === 'odd_value_date'), place.file, place.line]),
    ),
    repeated: listed - entries.length,
  };
}

/** How many days later an entry may be booked that was announced. */
const daysToBook = 10;

const isBooked = ({ status }: BankEntry) => status === 'booked';

/** What is known, and what entries of a weaker kind of statement add to it. */
function withBooked(
  known: readonly BankEntry[],
  more: readonly BankEntry[],
  stronger: readonly WrittenStatement[],
): readonly BankEntry[] {
  const pairs = pairedUp(more, known, 0);
  const donors = new Map(
    [...pairs].flatMap(([donor, { entry, isSure }]) => (isSure ? [[entry, donor] as const] : [])),
  );
  const isCovered = ({ account, currency, date }: BankEntry) =>
    stronger.some(
      (one) => one.account === account && one.currency === currency && isDayIn(one, date),
    );
  return [
    ...known.map((entry) => withDetailsOf(entry, donors.get(entry))),
    ...more.filter((entry) => !pairs.has(entry) && !isCovered(entry)),
  ];
}

/** Nobody reads more characters of what can't be read. */
const longestFound = 100;

function findingOf(fault: Unreadable): StatementFinding {
  const { account = '', currency = '', place, element, found, expected } = fault;
  const money = { account, currency, scale: 0, from: '', to: '', difference: undefined };
  const shown = cut(found.replace(/\s+/g, ' '), longestFound);
  return { code: 'unreadable', ...money, place, element, found: shown, expected };
}

const byAccountAndDay = inOrderOf<BankStatement>(({ account, currency, from, to, place }) => [
  ...[account, currency, from, to],
  ...[place.file, place.line],
]);

const byDayAndAccount = inOrderOf<BankEntry>(({ date, account, id }) => [date, account, id]);
