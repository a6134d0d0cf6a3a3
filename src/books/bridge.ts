import { addDays, isDayIn, spanOf } from '../base/calendar.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import { addBusinessDays, type BusinessDays } from '../match/business-days.ts';
import { Coverage } from '../match/coverage.ts';
import type { BankMatch } from '../match/match.ts';
import type { BankEntry, BankStatement, BankStatements } from '../model/bank.ts';
import type { DateRange } from '../model/source.ts';
import { rescale, sumAt } from '../money/money.ts';
import { type Clearing, clearedBy } from './clearing.ts';

/** The movement of a bank account, by what it was booked against. */
interface BridgeFigures {
  /** Closing − opening, or else the sum of the booked entries. */
  readonly movement: bigint;
  readonly cleared: bigint;
  readonly over: bigint;
  /** Charges of the bank, which reduce the money received. */
  readonly charges: bigint;
  readonly suspense: bigint;
  /** Booked to accounts by rules. */
  readonly byRule: bigint;
  /** Entries of other payers, which are not booked. */
  readonly unrelated: bigint;
}

/** A bank account in a range. Minor units at `scale`. */
export interface BridgeLine extends BridgeFigures {
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  /** The booked balances at the ends of the range; absent if statements have none. */
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  /** What the other parts leave of the movement. If not 0, something was not read or not booked. */
  readonly residual: bigint;
  /** Whether statements cover the last day, directly or by the next opening balance. */
  readonly isProven: boolean;
  /** Its booked entries, at the same scale. */
  readonly entries: readonly BridgeEntry[];
}

/** An entry of a bank account, as it counts in the figures. */
export interface BridgeEntry extends BridgeFigures {
  readonly entry: BankEntry;
}

interface BridgeInput {
  readonly range: DateRange;
  readonly statements: Pick<BankStatements, 'statements' | 'entries'>;
  readonly matches: readonly BankMatch[];
  readonly clearings: readonly Clearing[];
  readonly businessDays: BusinessDays;
}

/** The movement of each bank account and currency, from its statements, and what explains it. */
export function bridge(input: BridgeInput): readonly BridgeLine[] {
  const { range, statements: read, matches, clearings, businessDays } = input;
  const coverage = new Coverage(read.statements, businessDays);
  const accounts = groupedBy(read.statements, keyOf);
  const bookedOf = groupedBy(
    read.entries.filter(({ status }) => status === 'booked'),
    keyOf,
  );
  const clearingsOf = groupedBy(
    clearings.filter(({ date, entry }) => entry && isDayIn(range, date)),
    ({ entry }) => keyOf(entry?.entry),
  );
  const unrelatedOf = groupedBy(
    matches
      .filter(({ state }) => state === 'unrelated')
      .flatMap(({ entries, scale }) =>
        entries.map(({ entry, amount }) => ({ entry, amount, scale })),
      )
      .filter(({ entry }) => entry.status === 'booked' && isDayIn(range, entry.date)),
    ({ entry }) => keyOf(entry),
  );
  return [...accounts].map(([key, statements]): BridgeLine => {
    const [{ account = '', currency = '' } = {}] = statements;
    const booked = bookedOf.get(key) ?? [];
    const own = clearingsOf.get(key) ?? [];
    const others = unrelatedOf.get(key) ?? [];
    const all = [...statements, ...booked, ...own, ...others];
    const scale = largestOf(all.map((one) => one.scale));
    const sorted = [...statements].sort(inOrderOf(({ from, to }) => [from, to]));
    const isOpen = (day: string) => businessDays.isOpen(day, currency);
    const balanceOn = (day: string) =>
      balanceAt(day, addDays(addBusinessDays(day, 1, isOpen), -1), sorted, booked, scale);
    const opening = balanceOn(addDays(range.from, -1));
    const closing = balanceOn(range.to);
    const inRange = booked.filter(({ date }) => isDayIn(range, date));
    const movement =
      opening === undefined || closing === undefined
        ? sumAt(scale, inRange, ({ amount }) => amount)
        : closing - opening;
    const partsOf = (cleared: typeof own, left: typeof others) => ({
      cleared: sumAt(scale, cleared, (one) => clearedBy(one) - one.short),
      over: sumAt(scale, cleared, (one) => one.over),
      charges: sumAt(scale, cleared, (one) => -one.charges),
      suspense: sumAt(scale, cleared, (one) => (one.match.rule ? 0n : one.suspense)),
      byRule: sumAt(scale, cleared, (one) => (one.match.rule ? one.suspense : 0n)),
      unrelated: sumAt(scale, left, ({ amount }) => amount),
    });
    const parts = partsOf(own, others);
    const ownOf = groupedBy(own, ({ entry }) => entry?.entry.id);
    const othersOf = groupedBy(others, ({ entry }) => entry.id);
    const explained = Object.values(parts).reduce((total, one) => total + one, 0n);
    return {
      account,
      currency,
      scale,
      opening,
      closing,
      movement,
      ...parts,
      residual: movement - explained,
      isProven: coverage.covers(range.to, currency, account) || isBetweenFiles(range.to, sorted),
      entries: inRange.map((entry) => ({
        ...partsOf(ownOf.get(entry.id) ?? [], othersOf.get(entry.id) ?? []),
        entry,
        movement: rescale(entry.amount, entry.scale, scale),
      })),
    };
  });
}

/** Whether a day lies between two files without balances: exports follow on each other, and none has what is booked between. */
function isBetweenFiles(day: string, statements: readonly BankStatement[]): boolean {
  const plain = statements.filter(
    ({ opening, closing, isWhole }) => isWhole && opening === undefined && closing === undefined,
  );
  return plain.some(({ from }) => from > day) && plain.some(({ to }) => to <= day);
}

function keyOf(of: Pick<BankEntry, 'account' | 'currency'> | undefined): string {
  return of ? `${of.account} ${of.currency}` : '';
}

/**
 * The booked balance at the end of a day: the one that statements state for the latest day until then, with what
 * was booked since. A statement that begins on the next business day states it too, also if those before it are not
 * all at hand: `until` is the day before. Before the first statement, it is its opening balance.
 */
function balanceAt(
  day: string,
  until: string,
  statements: readonly BankStatement[],
  booked: readonly BankEntry[],
  scale: number,
): bigint | undefined {
  const closings = statements.map((of) => ({ of, day: of.to, minor: of.closing }));
  const openings = statements.map((of) => ({ of, day: addDays(of.from, -1), minor: of.opening }));
  const known = [
    ...openings.filter((one) => one.day <= until),
    ...closings.filter((one) => one.day <= day),
  ].filter(({ minor }) => minor !== undefined);
  const latest = spanOf(known.map((one) => one.day))?.to;
  const last = known.filter((one) => one.day === latest);
  // Where several statements end on a day, the one that no other continues.
  const isContinued = ({ of: one }: (typeof known)[number]) =>
    last.some(({ of }) => of !== one && of.opening === one.closing && of.opening !== of.closing);
  const stated = last.findLast((one) => !isContinued(one)) ?? last.at(-1) ?? openings[0];
  if (stated?.minor === undefined) return undefined;
  const since = booked.filter(({ date }) => stated.day < date && date <= day);
  const before = booked.filter(({ date }) => day < date && date <= stated.day);
  const sumOf = (entries: typeof booked) => sumAt(scale, entries, (one) => one.amount);
  return rescale(stated.minor, stated.of.scale, scale) + sumOf(since) - sumOf(before);
}
