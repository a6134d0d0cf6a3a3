import { daysBetween } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import { type BankEntry, type EntryPart, plainEntry } from '../model/bank.ts';
import { rescale } from '../money/money.ts';
import { joinedDetails } from './details.ts';
import { plainAmount } from './entry-columns.ts';

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

/** Whether something that two entries say is the same, or nothing that they say differs. */
export function areAlike(one: BankEntry, other: BankEntry): boolean {
  const isSilent = textOf(one) === '' || textOf(other) === '';
  return isSilent || likenesses.slice(0, -1).some((areSo) => areSo(one, other));
}

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
export function pairedUp(
  entries: readonly BankEntry[],
  known: readonly BankEntry[],
  daysLater: number,
): ReadonlyMap<BankEntry, Repeated> {
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

/** The entries that describe a known one for sure, by the known one. */
export function sureDonors(pairs: ReadonlyMap<BankEntry, Repeated>) {
  return new Map(
    [...pairs].flatMap(([donor, { entry, isSure }]) => (isSure ? [[entry, donor] as const] : [])),
  );
}

/** An entry with the details of another description of it, and its parts if it has none itself. */
export function withDetailsOf(entry: BankEntry, other: BankEntry | undefined): BankEntry {
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

/** All that is said of an entry, as a text; not where it stands. */
export function contentOf(entry: BankEntry): string {
  const { id: _, place: __, ...content } = plainEntry(entry);
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
