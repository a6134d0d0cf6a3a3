import { daysBetween, isDayIn, spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { byText, inOrderOf } from '../base/texts.ts';
import type { BusinessDays } from '../match/business-days.ts';
import type { BankMatch, BankState } from '../match/match.ts';
import {
  type Account,
  type ClearedFigures,
  type ClosedPayout,
  type CloseRecord,
  openOf,
  type PayoutAtCutOff,
  type RollForwardFigures,
} from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { largestScales, rescale } from '../money/money.ts';
import { receivableOf } from '../reconcile/computed.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { amountsBy } from '../reconcile/sums.ts';
import { type Basis, isKnown, isSingle, payoutKey, payoutsClosed } from './carried.ts';
import { type Clearing, clearedFigures, hasFigures, noFigures } from './clearing.ts';
import type { ChangeSinceClose } from './drift.ts';

/** A roll-forward: what a range did to the money in transit. */
export interface RollForward {
  readonly range: DateRange;
  /** By currency and accounting token; what several have in common stands last. */
  readonly lines: readonly RollForwardLine[];
  /** Differences from what the last close knew. */
  readonly changes: readonly ChangeSinceClose[];
  /** Whether the range begins on the day after the last close. */
  readonly continues: boolean;
  /** All pay-outs at its end, also those of which nothing is in transit. */
  readonly payouts: readonly OpenItem[];
  /** The movements of the range from in transit to suspense. */
  readonly toSuspense: readonly Clearing[];
}

export interface RollForwardLine extends Account, RollForwardFigures {}

export interface OpenItem extends ClosedPayout {
  /** Its part that is in transit. */
  readonly open: bigint;
  /** Its pay-in before the range, as the closes knew it, and what had cleared it. */
  readonly before: Pick<ClosedPayout, 'payIn'> & ClearedFigures;
  readonly ageDays: number;
  /** Days since the last due day; 0 in time. */
  readonly daysLate: number;
  /** Whether it differs from what the closes recorded. */
  readonly isChanged: boolean;
  /** By all statements that are known now, later ones too. */
  readonly state: BankState | undefined;
}

interface RollForwardInput {
  readonly range: DateRange;
  readonly basis: Basis;
  /** All that are settled, as they are now, from the first day that was closed or is in the books; gone ones with 0. */
  readonly settlements: readonly Settlement[];
  /** The settlements of closed days that differ from what the last close knew. */
  readonly changes: readonly ChangeSinceClose[];
  /** Those of the range. */
  readonly reconciled: readonly ReconciledSettlement[];
  readonly identity: IdentityName;
  readonly matches: readonly BankMatch[];
  readonly clearings: readonly Clearing[];
  readonly businessDays: BusinessDays;
}

/** How a range changed the money in transit, and the state of each pay-out at its end. */
export function rollForward(input: RollForwardInput): RollForward {
  const { range, basis, clearings } = input;
  const closed = payoutsClosed(basis);
  const units = unitsOf(input, closed);
  const payouts = payoutsAtStart(input, closed, units);
  const clear = (one: Clearing) => addClearing(payouts, one, units, basis.through);
  const isOpenDay = ({ date }: Clearing) => date > basis.through;
  for (const one of clearings.filter((one) => isOpenDay(one) && one.date < range.from)) clear(one);
  const opening = new Map(payouts);
  const inRange = clearings.filter(({ date }) => isDayIn(range, date));
  for (const one of inRange) clear(one);
  const last = basis.closes.at(-1);
  const continues = last !== undefined && daysBetween(last.to, range.from) === 1;
  const before = [...opening.values()].filter(({ date }) => date < range.from);
  const now = new Map(input.settlements.map((one) => [one.id, one]));
  const changes = continues ? input.changes : [];
  const recorded = continues ? last : undefined;
  return {
    range,
    changes,
    continues,
    lines: linesOf({ ...input, before, inRange, changes, recorded }, units),
    payouts: itemsOf(payouts, continues ? closed : opening, closed, now, input, units),
    toSuspense: inRange.filter(({ over, short }) => over !== 0n || short !== 0n),
  };
}

/** One scale for each currency: the most decimal places of any of its amounts. */
interface Units {
  /** An amount at the scale of its currency. */
  readonly at: (of: Omit<Account, 'accountingToken'>, minor: bigint) => bigint;
  readonly account: (of: Omit<Account, 'scale'>) => Account;
}

function unitsOf(input: RollForwardInput, closed: ReadonlyMap<string, PayoutAtCutOff>): Units {
  const { settlements, clearings, basis } = input;
  const computed = input.reconciled.map(({ scale, settlement }) => ({ ...settlement, scale }));
  const known = [...settlements, ...computed, ...clearings, ...basis.opening, ...closed.values()];
  const scales = largestScales(known);
  return {
    at: ({ currency, scale }, minor) => rescale(minor, scale, scales.get(currency) ?? scale),
    account: ({ accountingToken, currency }) => {
      return { accountingToken, currency, scale: scales.get(currency) ?? 0 };
    },
  };
}

/** Pay-outs as the opening, the closes and the settlements have them, before any clearing. */
function payoutsAtStart(
  { range, basis, settlements }: RollForwardInput,
  closed: ReadonlyMap<string, PayoutAtCutOff>,
  { at, account }: Units,
): Map<string, PayoutAtCutOff> {
  const listed = new Set(settlements.map(({ id }) => id));
  const openings = basis.closes.length > 0 ? [] : basis.opening;
  const lumps = openings.map((one): PayoutAtCutOff => {
    const payIn = at(one, one.minor);
    return { ...noMoves, ...account(one), settlementIds: [], date: basis.through, payIn };
  });
  const kept = [...closed.values()].filter(
    (one) => !isSingle(one) && one.settlementIds.every((id) => listed.has(id)),
  );
  const known = settlements.filter((one) => isKnown(basis, one) && one.date <= range.to);
  const single = known.map((one): PayoutAtCutOff => {
    const { id, date } = one;
    const was = closed.get(id);
    const figures = was ? movesAt(was, at) : noFigures;
    return { ...account(one), settlementIds: [id], date, payIn: at(one, one.payIn), ...figures };
  });
  const rescaled = kept.map((one) => {
    return { ...one, payIn: at(one, one.payIn), ...movesAt(one, at), ...account(one) };
  });
  return new Map([...lumps, ...rescaled, ...single].map((one) => [payoutKey(one), one]));
}

function movesAt(one: ClearedFigures & Omit<Account, 'accountingToken'>, at: Units['at']) {
  return clearedFigures((name) => at(one, one[name]));
}

/** Adds a movement to its settlement, to what several have in common, or to the opening of its account. */
function addClearing(
  payouts: Map<string, PayoutAtCutOff>,
  clearing: Clearing,
  { at, account }: Units,
  through: string,
): void {
  if (!hasFigures(clearing)) return;
  const { settlement, match } = clearing;
  const shared = settlement ? [] : match.settlements.map((one) => one.settlement);
  const settlementIds = shared.map(({ id }) => id);
  const isOwn = settlement !== undefined && payouts.has(settlement.id);
  const key = isOwn ? settlement.id : payoutKey({ ...clearing, settlementIds });
  const date = shared[0]?.date ?? through;
  const before = payouts.get(key) ?? { ...noMoves, ...account(clearing), settlementIds, date };
  const moves = movesAt(clearing, at);
  payouts.set(key, { ...before, ...clearedFigures((name) => before[name] + moves[name]) });
}

function itemsOf(
  payouts: ReadonlyMap<string, PayoutAtCutOff>,
  opening: ReadonlyMap<string, PayoutAtCutOff>,
  closed: ReadonlyMap<string, PayoutAtCutOff>,
  now: ReadonlyMap<string, Settlement>,
  { range, matches, businessDays }: RollForwardInput,
  { at }: Units,
): readonly OpenItem[] {
  const states = new Map(
    matches.flatMap((match) => match.settlements.map((one) => [one.settlement.id, match.state])),
  );
  const isChanged = (key: string, one: PayoutAtCutOff) => {
    const was = closed.get(key);
    const names = ['payIn', 'received', 'charges', 'over', 'short'] as const;
    return !was || names.some((name) => at(was, was[name]) !== one[name]);
  };
  const items = [...payouts].map(([key, one]): OpenItem => {
    const before = opening.get(key);
    const settled = one.settlementIds.flatMap((id) => now.get(id) ?? []);
    const dueUntil = spanOf(settled.map((of) => businessDays.daysDue(of).to))?.to ?? '';
    return {
      ...one,
      open: openOf(one),
      before: before ? { payIn: at(before, before.payIn), ...movesAt(before, at) } : noMoves,
      isChanged: isChanged(key, one),
      dueUntil,
      ...ageOf({ ...one, dueUntil }, range.to),
      state: states.get(one.settlementIds[0] ?? ''),
    };
  });
  return items.sort(inOrderOf(({ date, settlementIds }) => [date, ...settlementIds]));
}

/** How old and how late a pay-out is at the end of a range. */
export function ageOf({ date, dueUntil }: Pick<ClosedPayout, 'date' | 'dueUntil'>, end: string) {
  return {
    ageDays: Math.max(0, daysBetween(date, end)),
    daysLate: dueUntil === '' ? 0 : Math.max(0, daysBetween(dueUntil, end)),
  };
}

const noMoves = { payIn: 0n, ...noFigures };

interface LinesInput extends RollForwardInput, Pick<RollForward, 'changes'> {
  /** The pay-outs of earlier days at the beginning of the range, and its movements. */
  readonly before: readonly PayoutAtCutOff[];
  readonly inRange: readonly Clearing[];
  /** The close that the range continues. */
  readonly recorded: CloseRecord | undefined;
}

function linesOf(input: LinesInput, { at, account }: Units): readonly RollForwardLine[] {
  const { before, inRange, changes, recorded, settlements, range, basis } = input;
  const figures = new Map(input.reconciled.map((one) => [one.settlement.id, one]));
  const lines = new Map<string, RollForwardLine>();
  const add = (to: Omit<Account, 'scale'>, more: Partial<Omit<RollForwardLine, keyof Account>>) => {
    const key = JSON.stringify([to.accountingToken, to.currency]);
    const line = { ...(lines.get(key) ?? { ...emptyLine, ...account(to) }) };
    for (const [name, minor] of Object.entries(more)) {
      line[name as keyof typeof emptyLine] += minor;
    }
    lines.set(key, line);
  };
  if (recorded) {
    for (const one of recorded.lines) add(one, { opening: at(one, one.closing) });
    for (const one of changes) add(one, { changed: at(one, one.after.payIn - one.before.payIn) });
  } else {
    for (const one of before) add(one, { opening: openOf(one) });
  }
  for (const one of settlements.filter(({ date }) => isDayIn(range, date))) {
    const settled = at(one, one.payIn);
    const parts = countedParts(one, figures.get(one.id));
    const amounts = amountsBy((name) => at(parts, parts[name] ?? 0n));
    const { gross, fees, tax } = amounts;
    const payInDifference = settled - payInOf(input.identity, gross, fees, tax);
    add(one, { settled, ...amounts, payInDifference });
  }
  for (const one of inRange) {
    if (!hasFigures(one)) continue;
    const { received, charges, ...others } = movesAt(one, at);
    // Money of closed days for a settlement that was not settled then is no receipt of the range.
    const isReceipt = !isOfClosedDays(one, basis.through);
    add(
      one,
      isReceipt ? { received, charges, ...others } : { changed: -received - charges, ...others },
    );
  }
  return [...lines.values()]
    .map((line) => ({ ...line, closing: closingOf(line) }))
    .sort(
      (one, other) =>
        byText(one.currency, other.currency) ||
        Number(one.accountingToken === '') - Number(other.accountingToken === '') ||
        byText(one.accountingToken, other.accountingToken),
    );
}

/** Whether money that came on closed days is moved to a settlement of these days, which was not settled then. */
function isOfClosedDays({ entry, suspense, settlement }: Clearing, through: string): boolean {
  return (
    entry === undefined && suspense !== 0n && settlement !== undefined && settlement.date <= through
  );
}

const emptyLine = {
  opening: 0n,
  changed: 0n,
  ...amountsBy(() => 0n),
  payInDifference: 0n,
  settled: 0n,
  ...noFigures,
  closing: 0n,
};

/** Gross, fees and tax by the rows, or by the header if the rows were not read. */
export function countedParts(settlement: Settlement, reconciled: ReconciledSettlement | undefined) {
  const { computed, scale = settlement.scale } = reconciled ?? {};
  if (!computed) return settlement;
  return { ...settlement, ...computed, gross: receivableOf(computed), scale };
}

/** What is in transit at the end, computed from the other figures of a line. */
function closingOf(line: Omit<RollForwardFigures, 'closing'>): bigint {
  const { opening, changed, settled, received, charges, over, short } = line;
  return opening + changed + settled - received - charges + over - short;
}

export function totalsOf(lines: readonly RollForwardLine[]): readonly RollForwardLine[] {
  return [...groupedBy(lines, ({ currency }) => currency).values()].flatMap((those) => {
    const [first] = those;
    if (!first) return [];
    const total = { ...emptyLine, ...first, accountingToken: '' };
    for (const name of Object.keys(emptyLine) as (keyof typeof emptyLine)[]) {
      total[name] = those.reduce((sum, line) => sum + line[name], 0n);
    }
    return total;
  });
}
