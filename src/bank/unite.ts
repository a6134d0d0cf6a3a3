import { daysBetween, isDayIn } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { byText, cut, inOrderOf } from '../base/texts.ts';
import {
  type BankEntry,
  type BankStatement,
  type EntryPart,
  plainEntry,
  type StatementFinding,
} from '../model/bank.ts';
import { rescale } from '../money/money.ts';
import { joinedDetails } from './details.ts';
import { EntryColumns, plainAmount } from './entry-columns.ts';
import { brokenBalances, chainsOf, statementOf } from './sequence.ts';
import { isOfWholeDays, sources, type Unreadable, type WrittenStatement } from './written.ts';

/** Each entry once. The first kind in `sources` decides for a day; other kinds add details. */
export function unite(read: readonly WrittenStatement[], unreadable: readonly Unreadable[]) {
  const written = withOneNameEach(read);
  const chains = chainsOf(written);
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
    entries: byDayAndAccount(entries),
    findings: [...unreadable.map(findingOf), ...once.flatMap(brokenBalances)].sort(
      // Remarks are last, because some outputs do not show all findings.
      inOrderOf(({ code, place }) => [Number(code === 'odd_value_date'), place.file, place.line]),
    ),
    repeated: listed - entries.length,
  };
}

/** How many days after its announcement an entry may be booked. */
const daysToBook = 10;

const isBooked = ({ status }: BankEntry) => status === 'booked';

/** Bank code and number of a German account in MT940; its IBAN has the same digits. */
const germanNumber = /^(\d{8})\/(\d{1,10})(?:[A-Z]{3})?$/;

/** Names German accounts by IBAN if known, or entries from MT940 and camt would count twice. */
function withOneNameEach(statements: readonly WrittenStatement[]): readonly WrittenStatement[] {
  const ibans = new Map(
    statements
      .filter(({ account }) => /^DE\d{20}$/.test(account))
      .map(({ account }) => [account.slice(4), account]),
  );
  return statements.map((statement) => {
    const [, bank = '', number = ''] = germanNumber.exec(statement.account) ?? [];
    const account = ibans.get(bank + number.padStart(10, '0'));
    if (account === undefined) return statement;
    const entries = new EntryColumns();
    for (const entry of statement.entries) entries.push({ ...plainEntry(entry), account });
    return { ...statement, account, entries };
  });
}

/** The known entries with what those of a less reliable kind of statement add. */
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

const longestFound = 100;

function findingOf(fault: Unreadable): StatementFinding {
  const { account = '', currency = '', place, element, found, expected } = fault;
  const money = { account, currency, scale: 0, from: '', to: '', difference: undefined };
  const shown = cut(found.replace(/\s+/g, ' '), longestFound);
  return { code: 'unreadable', ...money, place, element, found: shown, expected };
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

/** Each entry once: as often as in the statement that has it most often. */
function distinctEntries(statements: readonly ChainedStatement[]): readonly BankEntry[] {
  const all: Listed[] = [];
  for (const from of statements) {
    const { length } = from.statement.entries;
    for (let row = 0; row < length; row += 1) all.push({ from, row });
  }
  all.sort(byId);
  const found: BankEntry[] = [];
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && byId(all[from], all[to]) === 0) to += 1;
    const once = withoutCopies(all.slice(from, to));
    for (const [index, one] of once.entries()) found.push(entryOf(one, index));
  }
  return found;
}

type ChainedStatement = ReturnType<typeof chainsOf>[number][number];

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

function contentOf(listed: Listed): string {
  const { id: _, place: __, ...entry } = plainEntry(entryOf(listed));
  return JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** How an entry resembles another of the same amount that it repeats, the most certain first. */
const likenesses: readonly ((one: BankEntry, other: BankEntry) => boolean)[] = [
  (one, other) => one.bankReference !== '' && one.bankReference === other.bankReference,
  (one, other) => {
    const ids = new Set(idsOf(other));
    return idsOf(one).some((id) => ids.has(id));
  },
  (one, other) => textOf(one) !== '' && textOf(one) === textOf(other),
  // Nothing shows that they are two payments.
  (one, other) =>
    (one.date === other.date || one.date === other.valueDate) &&
    (idsOf(one).length === 0 || idsOf(other).length === 0),
];

function idsOf({ details, parts }: BankEntry): readonly string[] {
  return [details, ...parts].flatMap(({ endToEndIds }) => endToEndIds);
}

function textOf({ details }: BankEntry): string {
  return details.texts.join('').replace(/\s/g, '').toUpperCase();
}

interface Repeated {
  readonly entry: BankEntry;
  /** Whether no other pair is possible, so the details of one are those of the other. */
  readonly isSure: boolean;
}

/** Pairs entries with the known ones that they repeat or announce, for any order of the lists. */
function pairedUp(entries: readonly BankEntry[], known: readonly BankEntry[], daysLater: number) {
  if (entries.length === 0 || known.length === 0) return new Map();
  const isNear = (one: BankEntry, { date, valueDate }: BankEntry) => {
    if (daysLater === 0) return one.date === date || one.date === valueDate;
    const days = daysBetween(one.date, date);
    return days >= -daysLater && days <= daysLater;
  };
  const pairs = new Map<BankEntry, Repeated>();
  const taken = new Set<BankEntry>();
  const knownByMoney = groupedBy(byDateThenId(known), moneyOf);
  for (const [money, repeats] of groupedBy(byDateThenId(entries), moneyOf)) {
    for (const areAlike of likenesses) {
      const open = repeats.filter((one) => !pairs.has(one));
      const free = (knownByMoney.get(money) ?? []).filter((other) => !taken.has(other));
      const fits = (one: BankEntry, other: BankEntry) => isNear(one, other) && areAlike(one, other);
      for (const one of open) {
        const candidates = free.filter((other) => fits(one, other));
        const entry = candidates.find((other) => !taken.has(other));
        if (!entry) continue;
        const rivals = open.filter((other) => fits(other, entry));
        pairs.set(one, { entry, isSure: candidates.length === 1 && rivals.length === 1 });
        taken.add(entry);
      }
    }
  }
  return pairs;
}

function moneyOf(entry: BankEntry): string {
  return JSON.stringify([entry.account, entry.currency, plainAmount(entry)]);
}

function byDateThenId(entries: readonly BankEntry[]): readonly BankEntry[] {
  return [...entries].sort(inOrderOf(({ date, id }) => [date, id]));
}

/** An entry with the details of another description of it, and its parts if it has none itself. */
function withDetailsOf(entry: BankEntry, other: BankEntry | undefined): BankEntry {
  if (!other) return entry;
  const details = joinedDetails([entry.details, other.details]);
  const scale = Math.max(entry.scale, other.scale);
  const at = (minor: bigint | undefined, from: number) => minor && rescale(minor, from, scale);
  const amount = rescale(entry.amount, entry.scale, scale);
  const charges = at(entry.charges, entry.scale) ?? at(other.charges, other.scale);
  const from = entry.parts.length > 0 ? entry : other;
  const parts = from.parts.map((part): EntryPart => {
    return { ...part, amount: at(part.amount, from.scale), charges: at(part.charges, from.scale) };
  });
  return { ...plainEntry(entry), scale, amount, charges, details, parts };
}
