import { tableOf } from '../base/lists.ts';
import type { DecisionMade } from '../model/accepted-difference.ts';
import { type CloseRecord, isForced } from '../model/close.ts';
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
import { type OrdersReport, ordersVerdict } from './orders-report.ts';

/** The steps of a month end, in order: each is the name of the command that shows it. */
export const closeSteps = ['orders', 'settlements', 'fees', 'bank', 'journal', 'close'] as const;

export type CloseStep = (typeof closeSteps)[number];

/**
 * The verdict of a step's own report; of the journal, whether the register of bookings has all entries; of the close,
 * whether it was forced.
 */
const stepAnswers = [
  ...(['reconciled', 'not_reconciled'] as const),
  ...(['balanced', 'out_of_balance', 'pending', 'incomplete'] as const),
  ...(['as_agreed', 'overcharged', 'not_checked'] as const),
  ...(['booked', 'not_booked'] as const),
  ...(['ready', 'not_ready', 'closed', 'forced'] as const),
] as const satisfies readonly Answer[];

type Answer =
  | BankVerdict
  | ReconciledRun['verdict']
  | FeesVerdict
  | CloseVerdict
  | ('booked' | 'not_booked' | 'forced');

export type StepAnswer = (typeof stepAnswers)[number];

export interface CheckedStep {
  readonly step: CloseStep;
  /** Undefined if the settings do not ask for it. */
  readonly answer: StepAnswer | undefined;
  /** What it leaves to decide. */
  readonly points: readonly Blocker[];
  /** What of it people accepted. */
  readonly accepted: readonly DecisionMade[];
}

/** The steps of a close with their answers; none for a close of before of which neither is known. */
export function checklistOf(report: CloseReport): readonly CheckedStep[] {
  const { blockers, recorded } = report;
  const kept = recorded && answersKept(recorded);
  const answers = kept ?? answersOf(report);
  if (!answers) return [];
  // Where several are unread, the first one has the point.
  const ofUnread = closeSteps.find((step) => answers[step] === 'incomplete');
  const accepted = acceptedIn(report);
  return closeSteps.map((step) => ({
    step,
    answer: answers[step],
    points: blockers.filter((one) => (stepOf(one) ?? ofUnread) === step),
    accepted: accepted.filter((one) => stepOfDecision(one) === step),
  }));
}

type Answers = Readonly<Record<CloseStep, StepAnswer | undefined>>;

/** The answers with which a close was recorded; undefined if it has none. */
function answersKept(recorded: CloseRecord): Answers | undefined {
  const { steps } = recorded;
  if (steps.length === 0) return undefined;
  const kept = (step: CloseStep) => {
    const { answer } = steps.find((one) => one.step === step) ?? {};
    return stepAnswers.find((one) => one === answer);
  };
  return { ...tableOf(closeSteps, kept), close: isForced(recorded) ? 'forced' : 'closed' };
}

function answersOf(report: CloseReport): Answers | undefined {
  const { bank, orders, fees, blockers, run, booking } = report;
  if (!bank) return undefined;
  const hasPoint = (step: CloseStep) => blockers.some((one) => stepOf(one) === step);
  return {
    orders: orders && ordersAnswer(orders, hasPoint('orders')),
    settlements: run.verdict,
    fees: fees && feesVerdict(fees),
    bank: isBankUnread(bank, report.range) ? 'incomplete' : bankAnswer(blockers),
    journal: booking ? (hasPoint('journal') ? 'not_booked' : 'booked') : undefined,
    close: isForced(report.recorded) ? 'forced' : closeVerdict(report),
  };
}

function ordersAnswer(orders: OrdersReport, hasPoint: boolean): BankVerdict {
  if (ordersVerdict(orders) === 'incomplete') return 'incomplete';
  return hasPoint ? 'not_reconciled' : 'reconciled';
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
export function stepOf({ code }: { readonly code: string }): CloseStep | undefined {
  if (code === 'incomplete') return undefined;
  if (code === 'overcharged') return 'fees';
  if (code === 'not_booked') return 'journal';
  if (code.startsWith('order_')) return 'orders';
  if (ofSettlements.includes(code)) return 'settlements';
  return ofClose.includes(code) ? 'close' : 'bank';
}

/** The step that a decision belongs to. */
function stepOfDecision({ kind }: DecisionMade): CloseStep {
  if (kind === 'order') return 'orders';
  return kind === 'pay_in' ? 'settlements' : 'bank';
}

const ofSettlements: readonly string[] = [
  'out_of_balance',
  'currency',
  'finding',
  'overdue',
] satisfies readonly BlockerCode[];
const ofClose: readonly string[] = [
  'opening_not_set',
  'check_failed',
  'not_over',
  'already_closed',
  'gap',
] satisfies readonly BlockerCode[];
