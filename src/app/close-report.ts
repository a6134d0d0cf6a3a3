import { addDays, isDayIn } from '../base/calendar.ts';
import { tableOf } from '../base/lists.ts';
import type { BridgeLine } from '../books/bridge.ts';
import type { Clearing } from '../books/clearing.ts';
import type { BooksControl } from '../books/control.ts';
import type { RollForward } from '../books/roll-forward.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import type { BankMatch } from '../match/match.ts';
import type { StatementFinding } from '../model/bank.ts';
import type { CloseDigest, CloseRecord } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Money } from '../money/money.ts';
import { raisesAlarm } from '../reconcile/acceptance.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { isOverdue } from '../reconcile/when-reported.ts';
import { type BankReport, isOpenOn, openStates } from './bank-report.ts';
import type { Decision } from './decisions.ts';

export interface CloseReport extends Pick<BankReport, 'range' | 'profile' | 'names' | 'flags'> {
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
  readonly closes: readonly CloseRecord[];
  /** Whether the opening is taken as 0, because nothing says what it is. */
  readonly takesZero: boolean;
  readonly decisions: readonly Decision[];
  /** What explains pay-in differences, in short, by settlement id; none where it is not sought. */
  readonly causes: ReadonlyMap<string, string>;
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

/** What stands against closing unless it is forced, with a note. */
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

/** Whether a close can be forced in spite of it. */
export function isForceable({ code }: Pick<Blocker, 'code'>): boolean {
  return softCodes.some((one) => one === code);
}

/** All amounts that need a decision. */
export function unexplainedAmounts(blockers: readonly Blocker[]): readonly Money[] {
  return blockers.filter(isForceable).flatMap(({ amounts }) => amounts);
}

interface Standing
  extends Pick<CloseReport, 'range' | 'run' | 'bank' | 'rollForward' | 'bridge' | 'books'> {
  readonly closedThrough: string | undefined;
  /** Those that end before the range. */
  readonly closes: readonly CloseRecord[];
  /** YYYY-MM-DD, in the time zone of the profile. */
  readonly today: string;
  /** The entries that are not in the register of bookings; absent where none is set. */
  readonly notBooked: readonly string[] | undefined;
}

/** What stands against closing a range: first what no force lifts. */
export function blockersOf(standing: Standing): readonly Blocker[] {
  const found = { ...firmFaults(standing), ...softFaults(standing) };
  return [...firmCodes, ...softCodes].flatMap((code) => {
    const own = found[code] ?? [];
    if (own.length === 0) return [];
    const count = own.reduce((sum, one) => sum + (one.count ?? 1), 0);
    const amounts = own.flatMap((one) => one.amounts ?? []);
    return { code, count, amounts, examples: own.map(({ example }) => example) };
  });
}

/** One thing, or several of one example. */
interface Fault {
  readonly example: string;
  readonly count?: number;
  readonly amounts?: readonly Money[];
}

type Faults = Readonly<Partial<Record<BlockerCode, readonly Fault[]>>>;

const named = (example: string): Fault => ({ example });

function firmFaults(standing: Standing): Faults {
  const { range, bridge, books, closedThrough, today, notBooked = [] } = standing;
  const failed = books.filter(({ inTransit, closing, items }) => {
    return inTransit !== closing || items !== closing;
  });
  const unproven = bridge.filter(({ isProven }) => !isProven).map(({ account }) => account);
  const isClosed = closedThrough !== undefined && range.from <= closedThrough;
  const hasGap =
    closedThrough !== undefined && !isClosed && addDays(closedThrough, 1) !== range.from;
  return {
    incomplete: unreadIn(standing).map(named),
    balance_break: brokenStatements(standing, 'balance_break'),
    statement_gap: [...brokenStatements(standing, 'statement_gap'), ...jumpsSinceClose(standing)],
    residual: bridge.flatMap(({ account: example, residual: minor, currency, scale }) =>
      minor === 0n ? [] : { example, amounts: [{ minor, currency, scale }] },
    ),
    check_failed: failed.map(({ currency, scale, inTransit, closing, items }) => {
      const minor = (inTransit === closing ? items : inTransit) - closing;
      return { example: currency, amounts: [{ minor, currency, scale }] };
    }),
    statements_end: (bridge.length === 0 ? [range.to] : unproven).map(named),
    not_over: range.to >= today ? [named(range.to)] : [],
    already_closed: isClosed ? [named(closedThrough)] : [],
    gap: hasGap ? [named(closedThrough)] : [],
    not_booked: notBooked.map(named),
  };
}

function unreadIn({ range, run, bank }: Standing): readonly string[] {
  const unread = run.settlements.filter(({ verdict }) => verdict === 'incomplete');
  const findings = [...run.findings, ...bank.findings];
  return [
    ...unread.map(({ settlement }) => settlement.id),
    ...findings.filter(({ weight }) => weight === 'incomplete').map(({ code }) => code),
    ...bank.statements.findings.filter((one) => isOpenOn(range, one)).map(placeOf),
  ];
}

function brokenStatements({ range, bank }: Standing, code: BlockerCode): readonly Fault[] {
  const broken = bank.statements.findings.filter(
    (one) => one.code === code && one.to >= range.from,
  );
  return broken.map((one) => {
    const { difference: minor, currency, scale } = one;
    const amounts = minor === undefined ? [] : [{ minor, currency, scale }];
    return { example: placeOf(one), amounts };
  });
}

/** The bank accounts whose statements begin with another balance than the last close recorded. */
function jumpsSinceClose({ rollForward, bridge, closes }: Standing): readonly Fault[] {
  const last = rollForward.continues ? closes.at(-1) : undefined;
  return bridge.flatMap(({ account, currency, scale, opening }) => {
    const closed = last?.bankAccounts.find(
      (one) => one.account === account && one.currency === currency && one.scale === scale,
    );
    if (closed?.closing === undefined || opening === undefined) return [];
    const minor = opening - closed.closing;
    return minor === 0n ? [] : { example: account, amounts: [{ minor, currency, scale }] };
  });
}

function placeOf({ place: { file, line } }: StatementFinding): string {
  return `${file}:${line}`;
}

function softFaults(standing: Standing): Faults {
  const { run } = standing;
  const off = run.settlements.filter(raisesAlarm);
  const open = decisionsOnBank(standing);
  return {
    out_of_balance: off.map(({ settlement: { id, currency }, scale, difference }) => {
      const minor = difference?.payIn ?? 0n;
      return { example: id, amounts: minor === 0n ? [] : [{ minor, scale, currency }] };
    }),
    currency: off.flatMap(({ settlement: { id }, discrepancies }) =>
      discrepancies.flatMap(({ code, count, facts }) => {
        if (code !== 'currency') return [];
        return { example: id, count, amounts: facts.totals.map(({ gross }) => gross) };
      }),
    ),
    finding: run.findings.flatMap(({ weight, code }) =>
      weight === 'discrepancy' ? named(code) : [],
    ),
    ...tableOf(undecidedStates, (state) =>
      open.filter((one) => one.state === state).flatMap(faultsOnBank),
    ),
    overdue: run.settlements.filter(isOverdue).map(({ settlement }) => {
      const { id, payIn: minor, scale, currency } = settlement;
      return { example: id, amounts: [{ minor, scale, currency }] };
    }),
  };
}

/** The settlements of a match, or else its entries; the first one has the amount of the match. */
function faultsOnBank(match: BankMatch): readonly Fault[] {
  const { settlements, entries } = match;
  const ids =
    settlements.length > 0
      ? settlements.map(({ settlement }) => settlement.id)
      : entries.map(({ entry }) => entry.id);
  return ids.map((example, at) => ({ example, amounts: at === 0 ? [amountOf(match)] : [] }));
}

const undecidedStates = [...openStates, 'not_covered'] as const;

/** The matches by the end of a range that need a decision. */
export function decisionsOnBank({
  bank: { matching, accepted },
  range,
}: Pick<CloseReport, 'bank' | 'range'>): readonly BankMatch[] {
  return matching.matches.filter((match) => {
    const { state, settlements, entries } = match;
    const isOf =
      settlements.length > 0
        ? settlements.some(({ settlement }) => settlement.date <= range.to)
        : entries.some(({ entry }) => isDayIn(range, entry.date));
    const isOpen = !acceptingLine(match, accepted);
    return isOf && isOpen && undecidedStates.some((one) => one === state);
  });
}

function amountOf({ difference, expected, received, entries, currency, scale }: BankMatch): Money {
  const came = entries.reduce((sum, one) => sum + one.amount, 0n);
  const whole = expected === 0n ? received || came : expected;
  return { minor: difference ?? whole, currency, scale };
}

/** How a range stands: `incomplete` where not all was read. */
export type CloseVerdict = 'ready' | 'not_ready' | 'incomplete' | 'closed';

/** The verdict. What was recorded by this run stands, whatever it was forced over. */
export function closeVerdict({ blockers, recorded }: CloseReport): CloseVerdict {
  if (recorded) return 'closed';
  if (blockers.some(({ code }) => code === 'incomplete')) return 'incomplete';
  return blockers.length === 0 ? 'ready' : 'not_ready';
}
