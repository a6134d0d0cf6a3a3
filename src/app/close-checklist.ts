import { type AcceptedLine, differenceKey } from '../model/accepted-difference.ts';
import { isForced } from '../model/close.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { type BankVerdict, isBankUnread, openStates } from './bank-report.ts';
import { acceptedIn } from './close-accepted.ts';
import {
  type Blocker,
  type BlockerCode,
  type CloseReport,
  type CloseVerdict,
  closeVerdict,
} from './close-report.ts';
import { type FeesVerdict, feesVerdict } from './fees-report.ts';
import { ordersVerdict } from './orders-report.ts';

/** The steps of a month end, in order: each is the name of the command that shows it. */
export const closeSteps = ['orders', 'settlements', 'fees', 'bank', 'journal', 'close'] as const;

export type CloseStep = (typeof closeSteps)[number];

/**
 * The verdict of a step's own report; of the journal, whether the register of bookings has all entries; of the close,
 * whether it was forced.
 */
export type StepAnswer =
  | BankVerdict
  | ReconciledRun['verdict']
  | FeesVerdict
  | CloseVerdict
  | ('booked' | 'not_booked' | 'forced');

export interface CheckedStep {
  readonly step: CloseStep;
  /** Undefined if the settings do not ask for it. */
  readonly answer: StepAnswer | undefined;
  /** What it leaves to decide. */
  readonly points: readonly Blocker[];
  /** What of it people accepted. */
  readonly accepted: readonly AcceptedLine[];
}

/** The steps of a close with their answers; none for a close of before, which was not read again. */
export function checklistOf(report: CloseReport): readonly CheckedStep[] {
  const { bank, orders, fees, blockers, run, booking } = report;
  if (!bank) return [];
  const hasPoint = (step: CloseStep) => blockers.some((one) => stepOf(one) === step);
  const answers: Readonly<Record<CloseStep, StepAnswer | undefined>> = {
    orders: orders && (hasPoint('orders') ? 'not_reconciled' : 'reconciled'),
    settlements: run.verdict,
    fees: fees && feesVerdict(fees),
    bank: bankAnswer(blockers),
    journal: booking ? (hasPoint('journal') ? 'not_booked' : 'booked') : undefined,
    close: isForced(report.recorded) ? 'forced' : closeVerdict(report),
  };
  const unread = new Set<CloseStep>([
    ...(orders && ordersVerdict(orders) === 'incomplete' ? (['orders'] as const) : []),
    ...(isBankUnread(bank, report.range) ? (['bank'] as const) : []),
  ]);
  // Where several are unread, the first one has the point.
  const ofUnread = closeSteps.find((step) => unread.has(step) || answers[step] === 'incomplete');
  const accepted = acceptedIn(report);
  return closeSteps.map((step) => ({
    step,
    answer: unread.has(step) ? 'incomplete' : answers[step],
    points: blockers.filter((one) => (stepOf(one) ?? ofUnread) === step),
    accepted: accepted.filter((one) => stepOfAccepted(one) === step),
  }));
}

/** The answer of the bank: unknown entries alone do not change it, as in its own report. */
function bankAnswer(blockers: readonly Blocker[]): BankVerdict {
  const deciding: readonly string[] = [
    ...openStates.filter((state) => state !== 'unknown_on_bank'),
    ...['balance_break', 'statement_gap'],
  ];
  return blockers.some(({ code }) => deciding.includes(code)) ? 'not_reconciled' : 'reconciled';
}

/** The step that a point belongs to; undefined for what was not read. */
function stepOf({ code }: Pick<Blocker, 'code'>): CloseStep | undefined {
  if (code === 'incomplete') return undefined;
  if (code === 'overcharged') return 'fees';
  if (code === 'not_booked') return 'journal';
  if (code.startsWith('order_')) return 'orders';
  if (ofSettlements.includes(code)) return 'settlements';
  return ofClose.includes(code) ? 'close' : 'bank';
}

/** The step that an accepted difference belongs to. */
function stepOfAccepted(line: AcceptedLine): CloseStep {
  const { kind } = differenceKey(line);
  if (kind === 'order') return 'orders';
  return kind === 'pay_in' ? 'settlements' : 'bank';
}

const ofSettlements: readonly BlockerCode[] = ['out_of_balance', 'currency', 'finding', 'overdue'];
const ofClose: readonly BlockerCode[] = ['check_failed', 'not_over', 'already_closed', 'gap'];
