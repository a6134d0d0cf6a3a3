import { ReconError } from '../base/errors.ts';
import { largestOf } from '../base/lists.ts';
import { enumerate } from '../base/texts.ts';
import { type BankMatch, type EntryShare, entryKey, isExplained } from '../match/match.ts';
import type { DecidedPayout } from '../model/accepted-difference.ts';
import { type BankEntry, entryPlace, placeText } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import { sumAt } from '../money/money.ts';

/** The days of the entries that are named by their places or ids. */
export function daysNamed(
  names: readonly string[],
  entries: readonly BankEntry[],
): readonly string[] {
  const whole = names.map((name) => name.replace(/#\d+$/, ''));
  const named = entries.filter((entry) => {
    const share = { entry, part: undefined, amount: entry.amount };
    return whole.some((one) => isNamed(one, share));
  });
  return named.map(({ date }) => date);
}

/**
 * The named entries as the money of a settlement; without a name, those that are suggested for it, and then for all of
 * its batch. A ReconError says why they cannot be.
 */
export function confirmedAs(
  settlement: Settlement,
  own: BankMatch,
  names: readonly string[],
  matches: readonly BankMatch[],
): Pick<DecidedPayout, 'scale' | 'expected' | 'received' | 'confirmed'> | ReconError {
  const { id, currency } = settlement;
  const isSuggested = own.state === 'suggested';
  if (names.length === 0 && !isSuggested) {
    const message = `No single entry is suggested for settlement ${id}.`;
    return refused(message, 'Name the one that is meant by its place, as recon bank shows it.');
  }
  const suggested = own.entries.map((share) => ({ share, match: own }));
  const money: Named[] = names.length === 0 ? suggested : [];
  for (const name of names) {
    const found = entryNamed(name, own, matches);
    if (found instanceof ReconError) return found;
    const isTwice = money.some(({ share }) => entryKey(share) === entryKey(found.share));
    if (!isTwice) money.push(found);
  }
  const keys = new Set(money.map(({ share }) => entryKey(share)));
  const isAll = keys.size === own.entries.length && own.entries.every((e) => keys.has(entryKey(e)));
  const batch = isSuggested && isAll ? own.settlements.map((one) => one.settlement) : [settlement];
  const foreign = money.find(({ share }) => share.entry.currency !== currency);
  if (foreign) {
    const { entry } = foreign.share;
    const message = `${placeText(entry.place)} is in ${entry.currency}, settlement ${id} in ${currency}.`;
    return refused(message, 'Check the place and the id.');
  }
  const amounts = money.map(({ share: { amount }, match: { scale } }) => ({ amount, scale }));
  const scale = largestOf([...batch, ...amounts].map((one) => one.scale));
  const dates = money.map(({ share }) => share.entry.date).sort();
  return {
    scale,
    expected: sumAt(scale, batch, ({ payIn }) => payIn),
    received: sumAt(scale, amounts, ({ amount }) => amount),
    confirmed: {
      entryIds: [...keys],
      places: money.map(({ share }) => entryPlace(share)),
      bookingDate: dates.at(-1) ?? '',
      others: batch.filter((one) => one !== settlement).map((one) => one.id),
    },
  };
}

interface Named {
  readonly share: EntryShare;
  readonly match: BankMatch;
}

/** The entry at a place, or with an id: of several, the one that may be the match's own. */
function entryNamed(name: string, own: BankMatch, matches: readonly BankMatch[]) {
  const all = matches.flatMap((match) =>
    match.entries.filter((share) => isNamed(name, share)).map((share) => ({ share, match })),
  );
  const likely = all.filter(({ match }) => match === own);
  const [one, ...others] = likely.length > 0 ? likely : all;
  if (!one) {
    const hint = 'Use a place as recon bank shows it, such as march.csv:12.';
    return refused(`No bank entry was found at ${name}.`, hint);
  }
  if (others.length > 0) {
    const hint = `Use the id of one, such as ${entryKey(one.share)}; --format csv shows them.`;
    return refused(`${others.length + 1} bank entries stand at ${name}.`, hint);
  }
  if (one.share.entry.status !== 'booked') {
    const hint = 'Wait for the statement with the booked entry.';
    return refused(`${name} is announced by the bank, but not booked yet.`, hint);
  }
  if (one.match === own || !isExplained(one.match)) return one;
  const ids = one.match.settlements.map(({ settlement }) => settlement.id);
  const message = `${name} is the money of settlement ${enumerate(ids)}.`;
  return refused(message, 'An entry counts for one pay-out, or for one batch.');
}

/** By its place or its id, or those of the entry that it is a part of. A file may be named without its folder. */
function isNamed(name: string, share: EntryShare): boolean {
  const { id, place } = share.entry;
  const places = [entryPlace(share), placeText(place)];
  const isEndOf = (text: string) => text.endsWith(`/${name}`) || text.endsWith(`:${name}`);
  return (
    [entryKey(share), id, ...places].includes(name) || (name.includes(':') && places.some(isEndOf))
  );
}

/** Why something cannot be decided so. */
export function refused(message: string, hint: string): ReconError {
  return new ReconError('usage', message, { hint });
}
