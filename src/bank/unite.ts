import { isDayIn } from '../base/calendar.ts';
import { append, groupedBy } from '../base/lists.ts';
import { byText, cut, inOrderOf } from '../base/texts.ts';
import {
  type BankEntry,
  type BankStatement,
  isRemark,
  plainEntry,
  type StatementFinding,
} from '../model/bank.ts';
import { EntryColumns } from './entry-columns.ts';
import { type EntryOfChains, isInSeveral, overlapsOf, withoutOverlaps } from './overlap.ts';
import { contentOf as contentOfEntry, pairedUp, sureDonors, withDetailsOf } from './pairs.ts';
import { brokenBalances, type ChainedStatement, chainsOf, statementOf } from './sequence.ts';
import { isOfWholeDays, sources, type Unreadable, type WrittenStatement } from './written.ts';

/** Each entry once. The first kind in `sources` decides for a day; other kinds add details. */
export function unite(read: readonly WrittenStatement[], unreadable: readonly Unreadable[]) {
  const written = withOneNameEach(read);
  const chains = chainsOf(written);
  let booked: readonly BankEntry[] = [];
  let pending: readonly BankEntry[] = [];
  const overlapping: StatementFinding[] = [];
  for (const [rank, source] of sources.entries()) {
    const strongerSources = sources.slice(0, rank).filter(isOfWholeDays);
    const ofSource = chains.flat().filter(({ statement }) => statement.source === source);
    const { entries, findings } = distinctEntries(ofSource);
    append(overlapping, findings);
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
    entries: byDayAndAccount(entries),
    findings: [...unreadable.map(findingOf), ...once.flatMap(brokenBalances), ...overlapping].sort(
      // Files that were not read are first and remarks last, because some outputs do not show all findings.
      inOrderOf(({ code, place: { file, line } }) => {
        return [code === 'not_read' ? 0 : isRemark({ code }) ? 2 : 1, file, line];
      }),
    ),
    repeated: listed - entries.length,
  };
}

/** How many days after its announcement an entry may be booked. */
const daysToBook = 10;

const isBooked = ({ status }: BankEntry) => status === 'booked';

/** Names accounts by IBAN if known, or entries from several formats would count twice. */
function withOneNameEach(statements: readonly WrittenStatement[]): readonly WrittenStatement[] {
  const ibans = [...new Set(statements.map(({ account }) => account))].filter(isIban);
  const names = new Map<string, string>();
  return statements.map((statement) => {
    const { account: written } = statement;
    const account = names.get(written) ?? ibanOf(written, ibans);
    names.set(written, account);
    if (account === written) return statement;
    const entries = new EntryColumns();
    for (const entry of statement.entries) entries.push({ ...plainEntry(entry), account });
    return { ...statement, account, entries };
  });
}

const isIban = (account: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account);

/**
 * The only IBAN that ends with the digits of an account as the bank writes it without one: a national number, or
 * bank code and number apart, such as `37040044/532013000EUR`. The account itself if there is none.
 */
function ibanOf(account: string, ibans: readonly string[]): string {
  if (isIban(account)) return account;
  const [, bank = '', number = ''] = /^(?:(.+)[/-])?([^/-]*?)(?:[A-Z]{3})?$/.exec(account) ?? [];
  const digits = number.replace(/[^A-Z0-9]/g, '').replace(/^0+/, '');
  if (digits.length < fewestDigits && bank === '') return account;
  const fits = ibans.filter((iban) => {
    const own = iban.slice(4);
    const before = own.slice(0, own.length - digits.length);
    const isEnd = digits !== '' && own.endsWith(digits);
    return isEnd && before.replace(/0*$/, '').endsWith(bank.replace(/0*$/, ''));
  });
  return fits.length === 1 && fits[0] !== undefined ? fits[0] : account;
}

/** Shorter numbers of accounts may be the end of another one. */
const fewestDigits = 8;

/** The known entries with what those of a less reliable kind of statement add. */
function withBooked(
  known: readonly BankEntry[],
  more: readonly BankEntry[],
  stronger: readonly WrittenStatement[],
): readonly BankEntry[] {
  const pairs = pairedUp(more, known, 0);
  const donors = sureDonors(pairs);
  const isCovered = ({ account, currency, date }: BankEntry) =>
    stronger.some(
      (one) => one.account === account && one.currency === currency && isDayIn(one, date),
    );
  return [
    ...known.map((entry) => withDetailsOf(entry, donors.get(entry))),
    ...more.filter((entry) => !pairs.has(entry) && !isCovered(entry)),
  ];
}

const longestFound = 100;
const longestColumns = 400;

function findingOf(fault: Unreadable): StatementFinding {
  const { code = 'unreadable', account = '', currency = '', place } = fault;
  const { element, found, expected, setting } = fault;
  const money = { account, currency, scale: 0, from: '', to: '', difference: undefined };
  const longest = code === 'unreadable' ? longestFound : longestColumns;
  const shown = cut(found.replace(/\s+/g, ' '), longest);
  return { code, ...money, place, element, found: shown, expected, setting };
}

const byAccountAndDay = inOrderOf<BankStatement>(({ account, currency, from, to, place }) => [
  account,
  currency,
  from,
  to,
  place.file,
  place.line,
]);

function byDayAndAccount(entries: readonly BankEntry[]): readonly BankEntry[] {
  const groups = groupedBy(entries, ({ date, account }) => `${date} ${account}`);
  const byId = (one: BankEntry, other: BankEntry) => byText(one.id, other.id);
  return [...groups]
    .sort(inOrderOf(([key]) => [key]))
    .flatMap(([, group]) => [...group].sort(byId));
}

/** Each entry once: as often as in the statement that has it most often, and once if statements overlap. */
function distinctEntries(statements: readonly ChainedStatement[]) {
  const all: Listed[] = [];
  for (const from of statements) {
    const { length } = from.statement.entries;
    for (let row = 0; row < length; row += 1) all.push({ from, row });
  }
  all.sort(byId);
  const overlaps = overlapsOf(statements);
  const entries: BankEntry[] = [];
  const inSeveral: EntryOfChains[] = [];
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && byId(all[from], all[to]) === 0) to += 1;
    const equal = all.slice(from, to);
    for (const [index, one] of withoutCopies(equal).entries()) {
      const entry = entryOf(one, index);
      if (!isBooked(entry) || !isInSeveral(entry, overlaps)) entries.push(entry);
      else inSeveral.push({ entry, chains: new Set(equal.map((other) => other.from.chain)) });
    }
  }
  const united = withoutOverlaps(inSeveral, overlaps);
  append(entries, united.entries);
  return { entries, findings: united.findings };
}

interface Listed {
  readonly from: ChainedStatement;
  readonly row: number;
}

function byId(one: Listed | undefined, other: Listed | undefined): number {
  const compare = (half: 0 | 1) => wordOf(one, half) - wordOf(other, half);
  return compare(0) || compare(1);
}

function wordOf(listed: Listed | undefined, half: 0 | 1): number {
  return listed?.from.statement.entries.idWord(listed.row, half) ?? 0;
}

/** Equal entries, without those that are copies of each other. */
function withoutCopies(equal: readonly Listed[]): readonly Listed[] {
  if (equal.length === 1) return equal;
  const chains = [...groupedBy(equal, ({ from }) => from.chain).values()].map((inChain) =>
    [...groupedBy(inChain, ({ from }) => from.link).values()].flatMap((inLink) => {
      const copies = [...groupedBy(inLink, ({ from }) => from.statement).values()];
      return fullest(copies.map(byContent));
    }),
  );
  return fullest(chains);
}

/** Equal entries, in an order that does not depend on their places. */
function byContent(entries: readonly Listed[]): readonly Listed[] {
  return entries
    .map((entry) => ({ entry, content: contentOf(entry) }))
    .sort(inOrderOf(({ content }) => [content]))
    .map(({ entry }) => entry);
}

/** The longest list, then the one with the most content, then the first. */
function fullest(lists: readonly (readonly Listed[])[]): readonly Listed[] {
  const [only = [], ...others] = lists;
  if (others.length === 0) return only;
  const [best] = lists
    .map((entries) => ({ entries, content: entries.map(contentOf).join('\n') }))
    .sort(
      inOrderOf(({ entries, content }) => {
        const { file = '', line = 0 } = entries[0] ? entryOf(entries[0]).place : {};
        return [-entries.length, -content.length, content, file, line];
      }),
    );
  return best?.entries ?? [];
}

const entryOf = ({ from, row }: Listed, repetition = 0) =>
  from.statement.entries.entry(row, repetition);

const contentOf = (listed: Listed) => contentOfEntry(entryOf(listed));
