import { addDays, isDayIn } from '../base/calendar.ts';
import type { BridgeLine } from '../books/bridge.ts';
import type { Clearing } from '../books/clearing.ts';
import type { BooksControl, RollForward } from '../books/roll-forward.ts';
import { bankAcceptanceOf } from '../match/bank-acceptance.ts';
import type { BankMatch, BankState } from '../match/match.ts';
import type { CloseDigest, CloseRecord } from '../model/close.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { absoluteSums, type Money, moneySums } from '../money/money.ts';
import { raisesAlarm } from '../reconcile/acceptance.ts';
import type { Code } from '../reconcile/entry.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { isOverdue } from '../reconcile/when-reported.ts';
import { type BankReport, isBroken, isOpenOn, openStates } from './bank-report.ts';
import type { Decision } from './decisions.ts';

/** Everything that the report of `recon close` is made of. */
export interface CloseReport {
  readonly range: DateRange;
  readonly profile: string | undefined;
  readonly names: Names;
  /** What a suggested command needs to ask the same service again. */
  readonly flags: string;
  readonly run: ReconciledRun;
  /** Of all days since the books begin, or the last closed ones. */
  readonly bank: BankReport;
  readonly rollForward: RollForward;
  readonly bridge: readonly BridgeLine[];
  readonly clearings: readonly Clearing[];
  readonly books: readonly BooksControl[];
  /** Settlements by the end of the range that the service has not settled. */
  readonly pending: readonly Settlement[];
  readonly blockers: readonly Blocker[];
  /** The closes in force. */
  readonly closes: readonly CloseRecord[];
  /** Whether the opening is taken as 0, because nothing says what it is. */
  readonly takesZero: boolean;
  /** What people can decide. */
  readonly decisions: readonly Decision[];
  /** What explains pay-in differences, in short, by settlement id; none where it is not sought. */
  readonly causes: ReadonlyMap<string, string>;
  /** Of all that it is made from. */
  readonly digests: readonly CloseDigest[];
  /** What was added to the register by this run. */
  readonly recorded: CloseRecord | undefined;
}

/** What stands against closing that no force lifts. */
export const firmCodes = [
  'incomplete',
  'balance_break',
  'statement_gap',
  'residual',
  'check_failed',
  'statements_end',
  'not_over',
  'already_closed',
  'gap',
  'not_booked',
] as const;

/** What stands against closing until it is settled, or noted. */
export const softCodes = [
  'out_of_balance',
  'currency',
  'finding',
  ...openStates,
  'not_covered',
  'overdue',
] as const;

export type BlockerCode = (typeof firmCodes)[number] | (typeof softCodes)[number];

/** Something that stands against closing. */
export interface Blocker {
  readonly code: BlockerCode;
  readonly count: number;
  /** One for each thing that has an amount. */
  readonly amounts: readonly Money[];
  /** Of settlements, entries or accounts, the first ones. */
  readonly examples: readonly string[];
}

/** Whether a note is enough to close in spite of it. */
export function isForceable({ code }: Pick<Blocker, 'code'>): boolean {
  return softCodes.some((one) => one === code);
}

/** What the amounts of something come to by currency, with and without signs. */
export function netAndAbsoluteSums(amounts: readonly Money[]) {
  const absolutes = absoluteSums(amounts);
  return moneySums(amounts).map(({ minor: net, ...money }, at) => {
    return { ...money, net, absolute: absolutes[at]?.minor ?? 0n };
  });
}

/** All amounts that need a decision, by currency. */
export function unexplainedOf(blockers: readonly Blocker[]) {
  return netAndAbsoluteSums(blockers.filter(isForceable).flatMap(({ amounts }) => amounts));
}

interface Standing extends Pick<CloseReport, 'range' | 'run' | 'bank' | 'rollForward' | 'bridge'> {
  readonly books: readonly BooksControl[];
  /** The last day that is closed, if any is. */
  readonly closedThrough: string | undefined;
  /** Of the last close, by bank account and currency. */
  readonly closes: readonly CloseRecord[];
  /** YYYY-MM-DD, in the time zone of the profile. */
  readonly today: string;
  /** The entries that are not in the register of bookings; absent where none is set. */
  readonly notBooked: readonly string[] | undefined;
}

/** What stands against closing a range: first what no force lifts. */
export function blockersOf(standing: Standing): readonly Blocker[] {
  const found = [...firmBlockers(standing), ...softBlockers(standing)];
  return [...firmCodes, ...softCodes].flatMap((code) => found.filter((one) => one.code === code));
}

function blocker(
  code: BlockerCode,
  examples: readonly string[],
  amounts: readonly Money[] = [],
): readonly Blocker[] {
  return examples.length === 0 ? [] : [{ code, count: examples.length, amounts, examples }];
}

function firmBlockers(standing: Standing): readonly Blocker[] {
  const { range, run, bank, rollForward, bridge, books, closedThrough, closes, today } = standing;
  const { findings } = bank.statements;
  const ofCode = (code: string) =>
    findings.filter((one) => isBroken(one) && one.code === code && one.to >= range.from);
  const moneyOf = ({ difference, currency, scale }: (typeof findings)[number]) =>
    difference === undefined ? [] : { minor: difference, currency, scale };
  const unread = [
    ...run.settlements.filter((one) => one.verdict === 'incomplete').map(idOf),
    ...[...run.findings, ...bank.findings]
      .filter(({ weight }) => weight === 'incomplete')
      .map(({ code }) => code),
    ...findings.filter((one) => isOpenOn(range, one)).map(({ place }) => placeOf(place)),
  ];
  const residuals = bridge.filter(({ residual }) => residual !== 0n);
  const unproven = bridge.filter(({ isProven }) => !isProven);
  const failed = books.filter(({ inTransit, closing, items }) => {
    return inTransit !== closing || items !== closing;
  });
  // The statements begin with another balance than the last close has.
  const last = rollForward.continues ? closes.at(-1) : undefined;
  const jumps = bridge.flatMap(({ account, currency, scale, opening }) => {
    const before = last?.bankAccounts.find(
      (one) => one.account === account && one.currency === currency && one.scale === scale,
    );
    if (before?.closing === undefined || opening === undefined) return [];
    const minor = opening - before.closing;
    return minor === 0n ? [] : { account, money: { minor, currency, scale } };
  });
  const isClosed = closedThrough !== undefined && range.from <= closedThrough;
  const hasGap =
    closedThrough !== undefined && !isClosed && addDays(closedThrough, 1) !== range.from;
  return [
    ...blocker('incomplete', unread),
    ...blocker(
      'balance_break',
      ofCode('balance_break').map(({ place }) => placeOf(place)),
      ofCode('balance_break').flatMap(moneyOf),
    ),
    ...blocker(
      'statement_gap',
      [
        ...ofCode('statement_gap').map(({ place }) => placeOf(place)),
        ...jumps.map((one) => one.account),
      ],
      [...ofCode('statement_gap').flatMap(moneyOf), ...jumps.map(({ money }) => money)],
    ),
    ...blocker(
      'residual',
      residuals.map(({ account }) => account),
      residuals.map(({ residual: minor, currency, scale }) => ({ minor, currency, scale })),
    ),
    ...blocker(
      'check_failed',
      failed.map(({ currency }) => currency),
      failed.map(({ currency, scale, inTransit, closing, items }) => {
        return {
          currency,
          scale,
          minor: inTransit === closing ? items - closing : inTransit - closing,
        };
      }),
    ),
    ...blocker(
      'statements_end',
      bridge.length === 0 ? [range.to] : unproven.map(({ account }) => account),
    ),
    ...blocker('not_over', range.to >= today ? [range.to] : []),
    ...blocker('already_closed', isClosed ? [closedThrough] : []),
    ...blocker('gap', hasGap ? [closedThrough] : []),
    ...blocker('not_booked', standing.notBooked ?? []),
  ];
}

const idOf = ({ settlement }: ReconciledSettlement) => settlement.id;
const placeOf = ({ file, line }: { readonly file: string; readonly line: number }) =>
  `${file}:${line}`;

function softBlockers({ run, bank, range }: Standing): readonly Blocker[] {
  const off = run.settlements.filter(raisesAlarm);
  const overdue = run.settlements.filter(isOverdue);
  const ofRun = run.findings.filter(({ weight }) => weight === 'discrepancy');
  const isBad: readonly BankState[] = [...openStates, 'not_covered'];
  const open = decisionsOnBank({ bank, range });
  return [
    ...blocker('out_of_balance', off.map(idOf), off.flatMap(payInDifferenceOf)),
    ...currencyBlocker(off),
    ...blocker(
      'finding',
      ofRun.map(({ code }) => code),
    ),
    ...isBad.flatMap((state) => {
      const those = open.filter((one) => one.state === state);
      const ids = those.flatMap(({ settlements, entries }) =>
        settlements.length > 0
          ? settlements.map(({ settlement }) => settlement.id)
          : entries.map(({ entry }) => entry.id),
      );
      return blocker(state as BlockerCode, ids, those.map(amountOf));
    }),
    ...blocker(
      'overdue',
      overdue.map(idOf),
      overdue.map(({ settlement: { payIn: minor, scale, currency } }) => ({
        minor,
        scale,
        currency,
      })),
    ),
  ];
}

function payInDifferenceOf({ difference, scale, settlement }: ReconciledSettlement) {
  const minor = difference?.payIn;
  return minor === undefined || minor === 0n ? [] : { minor, scale, currency: settlement.currency };
}

function currencyBlocker(all: readonly ReconciledSettlement[]): readonly Blocker[] {
  const code: Code = 'currency';
  const found = all.flatMap(({ settlement, discrepancies }) =>
    discrepancies.flatMap((one) => (one.code === code ? { settlement, one } : [])),
  );
  if (found.length === 0) return [];
  return [
    {
      code,
      count: found.reduce((sum, { one }) => sum + one.count, 0),
      amounts: found.flatMap(({ one }) => one.facts.totals.map(({ gross }) => gross)),
      examples: found.map(({ settlement }) => settlement.id),
    },
  ];
}

/** What the bank has of pay-outs by the end of a range that needs a decision. */
export function decisionsOnBank({
  bank: { matching, accepted },
  range,
}: Pick<CloseReport, 'bank' | 'range'>): readonly BankMatch[] {
  const states: readonly BankState[] = [...openStates, 'not_covered'];
  return matching.matches.filter((match) => {
    const { state, settlements, entries } = match;
    const isOf =
      settlements.length > 0
        ? settlements.some(({ settlement }) => settlement.date <= range.to)
        : entries.some(({ entry }) => isDayIn(range, entry.date));
    if (!isOf || !states.includes(state)) return false;
    return bankAcceptanceOf(match, accepted)?.state !== 'accepted';
  });
}

/** The difference of a match, or else what is expected of it or came to it. */
function amountOf({ difference, expected, received, entries, currency, scale }: BankMatch): Money {
  const came = entries.reduce((sum, one) => sum + one.amount, 0n);
  const whole = expected === 0n ? received || came : expected;
  return { minor: difference ?? whole, currency, scale };
}

/** How a range stands: `incomplete` where not all was read. */
export type CloseVerdict = 'ready' | 'not_ready' | 'incomplete' | 'closed' | 'reopened';

/** The verdict. What was recorded by this run stands, whatever it was forced over. */
export function closeVerdict({ blockers, recorded }: CloseReport): CloseVerdict {
  if (recorded) return recorded.reopens === undefined ? 'closed' : 'reopened';
  if (blockers.some(({ code }) => code === 'incomplete')) return 'incomplete';
  return blockers.length === 0 ? 'ready' : 'not_ready';
}
