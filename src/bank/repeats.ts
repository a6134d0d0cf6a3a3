import { daysBetween } from '../base/calendar.ts';
import { groupedBy } from '../base/keys.ts';
import { inOrderOf } from '../base/texts.ts';
import { type BankEntry, type EntryPart, plainEntry } from '../model/bank.ts';
import { rescale } from '../money/money.ts';
import { plainAmount } from './entry-columns.ts';
import { joinedDetails } from './written.ts';

/** What two entries of the same money have in common if one repeats the other, the surest first. */
const likenesses: readonly ((one: BankEntry, other: BankEntry) => boolean)[] = [
  (one, other) => one.bankReference !== '' && one.bankReference === other.bankReference,
  (one, other) => {
    const ids = new Set(idsOf(other));
    return idsOf(one).some((id) => ids.has(id));
  },
  (one, other) => textOf(one) !== '' && textOf(one) === textOf(other),
  // Nothing says that they are two payments.
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

/** An entry that another one repeats or announces. */
interface Repeated {
  readonly entry: BankEntry;
  /** Whether it can be no other one, so that what is said of one is said of the other. */
  readonly isSure: boolean;
}

/**
 * Finds for entries those that they repeat or announce: of the same account, currency and amount, on the
 * day or up to so many days later. Each stands for one at most; the order of neither list matters.
 */
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
  const knownByMoney = groupedBy(inOrder(known), moneyOf);
  for (const [money, repeats] of groupedBy(inOrder(entries), moneyOf)) {
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

function inOrder(entries: readonly BankEntry[]): readonly BankEntry[] {
  return [...entries].sort(inOrderOf(({ date, id }) => [date, id]));
}

/** An entry with what another description of it says beyond its own: parts only if it has none. */
export function withDetailsOf(entry: BankEntry, other: BankEntry | undefined): BankEntry {
  if (!other) return entry;
  const details = joinedDetails([entry.details, other.details]);
  if (entry.parts.length > 0 || other.parts.length === 0) return { ...plainEntry(entry), details };
  const scale = Math.max(entry.scale, other.scale);
  const parts = other.parts.map((part): EntryPart => {
    const { amount } = part;
    return { ...part, amount: amount && rescale(amount, other.scale, scale) };
  });
  const amount = rescale(entry.amount, entry.scale, scale);
  return { ...plainEntry(entry), scale, amount, details, parts };
}
