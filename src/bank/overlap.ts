import { addDays, daysOf } from '../base/calendar.ts';
import { append, groupedBy } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import type { BankEntry, StatementFinding } from '../model/bank.ts';
import { type Amount, formatMinor, maxScale, rescale } from '../money/money.ts';
import { areAlike, contentOf, pairedUp, sureDonors, withDetailsOf } from './pairs.ts';
import { balancesOf, type ChainedStatement } from './sequence.ts';
import { isOfClosedDays } from './written.ts';

/** An entry, and the chains of statements that list it. */
export interface EntryOfChains {
  readonly entry: BankEntry;
  readonly chains: ReadonlySet<number>;
}

/** A statement on one of its days, with its balance at the end of a day. */
interface Covering {
  readonly chain: number;
  readonly balanceOn: ReturnType<typeof balancesOf>;
}

/** What covers a day, by account, currency and day; in the order of the chains. */
type Overlaps = ReadonlyMap<string, readonly Covering[]>;

type OnDay = Pick<BankEntry, 'account' | 'currency' | 'date'>;

const keyOf = ({ account, currency, date }: OnDay) => JSON.stringify([account, currency, date]);

/** The days that statements of several chains cover: each of them lists all that was booked on these days. */
export function overlapsOf(statements: readonly ChainedStatement[]): Overlaps {
  const whole = statements.filter(
    ({ statement: { source, from }, isCopy }) => isOfClosedDays(source) && !isCopy && from !== '',
  );
  const accounts = groupedBy(whole, ({ statement: { account, currency } }) =>
    JSON.stringify([account, currency]),
  );
  const overlaps = new Map<string, Covering[]>();
  for (const group of accounts.values()) {
    if (new Set(group.map(({ chain }) => chain)).size === 1) continue;
    for (const { chain, statement } of group) {
      const covering = { chain, balanceOn: balancesOf(statement) };
      for (const date of daysOf(statement)) {
        const key = keyOf({ ...statement, date });
        const others = overlaps.get(key);
        if (others) others.push(covering);
        else overlaps.set(key, [covering]);
      }
    }
  }
  for (const [key, covering] of overlaps) {
    if (covering.every(({ chain }) => chain === covering[0]?.chain)) overlaps.delete(key);
  }
  return overlaps;
}

/** Whether a day of an entry is covered by statements of several chains. */
export function isInSeveral(entry: OnDay, overlaps: Overlaps): boolean {
  return overlaps.size > 0 && overlaps.has(keyOf(entry));
}

/**
 * The entries of days that several chains cover, each once however the chains describe it, and a finding for each
 * pair of which this is doubtful. Where chains state the same balances before and after a day, they list the same
 * money of that day.
 */
export function withoutOverlaps(listed: readonly EntryOfChains[], overlaps: Overlaps) {
  const entries: BankEntry[] = [];
  const findings: StatementFinding[] = [];
  for (const [key, ofDay] of groupedBy(listed, ({ entry }) => keyOf(entry))) {
    const covering = groupedBy(overlaps.get(key) ?? [], ({ chain }) => chain);
    // Some banks list an entry in a statement of other days.
    const elsewhere = ofDay.filter((one) => ![...one.chains].some((chain) => covering.has(chain)));
    append(
      entries,
      elsewhere.map(({ entry }) => entry),
    );
    const chains = [...covering].map(([chain, statements]) => {
      const own = ofDay.filter((one) => one.chains.has(chain)).map(({ entry }) => entry);
      return { statements, own, content: own.map(contentOf).sort().join('\n') };
    });
    // The order of the files must not decide.
    chains.sort(inOrderOf(({ own, content }) => [-own.length, -content.length, content]));
    const day = ofDay[0]?.entry.date ?? '';
    const known = new Map<BankEntry, BankEntry>();
    for (const { own, statements } of chains) {
      const listedHere = new Set(own);
      const added = own.filter((entry) => !known.has(entry));
      const before = [...known.keys()].filter((entry) => !listedHere.has(entry));
      const pairs = pairedUp(added, before, 0);
      for (const [entry, donor] of sureDonors(pairs)) {
        known.set(entry, withDetailsOf(known.get(entry) ?? entry, donor));
      }
      const [base] = chains;
      if (base && known.size > 0 && areSame(base.statements, statements, day)) continue;
      for (const entry of added) {
        const other = pairs.get(entry)?.entry;
        if (!other) known.set(entry, entry);
        else if (!areAlike(entry, other)) findings.push(overlapOf(entry, other));
      }
    }
    append(entries, known.values());
  }
  return { entries, findings };
}

/** Whether two chains state the same balances before and after a day. */
function areSame(ones: readonly Covering[], others: readonly Covering[], day: string): boolean {
  const areEqual = (one: Amount | undefined, other: Amount | undefined) =>
    one !== undefined &&
    other !== undefined &&
    rescale(one.minor, one.scale, maxScale) === rescale(other.minor, other.scale, maxScale);
  const before = addDays(day, -1);
  return (
    areEqual(ones[0]?.balanceOn(before), others[0]?.balanceOn(before)) &&
    areEqual(ones.at(-1)?.balanceOn(day), others.at(-1)?.balanceOn(day))
  );
}

function overlapOf(entry: BankEntry, { place: { file, line } }: BankEntry): StatementFinding {
  const { account, currency, scale, date, amount, place } = entry;
  return {
    code: 'overlap',
    account,
    currency,
    scale,
    place,
    from: date,
    to: date,
    element: `${file}:${line}`,
    found: formatMinor(amount, scale),
    expected: '',
    difference: undefined,
  };
}
