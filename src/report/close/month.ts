import { acceptedIn } from '../../app/close-accepted.ts';
import {
  type CheckedStep,
  type CloseStep,
  checklistOf,
  type StepAnswer,
} from '../../app/close-checklist.ts';
import type { CloseLadder, LadderCode, LadderLine } from '../../app/close-ladder.ts';
import { type CloseReport, toSettle } from '../../app/close-report.ts';
import { shellWord } from '../../base/texts.ts';
import type { OrderState } from '../../match/orders/order-match.ts';
import type { DecisionMade, DifferenceKind } from '../../model/accepted-difference.ts';
import { decidedText, jsonReasons } from '../common/acceptance.ts';
import { type CellColumn, column, plain, section, sectionIfAny } from '../common/blocks.ts';
import { amountOf } from '../common/columns.ts';
import { jsonSums } from '../common/json.ts';
import { amountsText, command, daysFlags, grouped, present } from '../common/phrase.ts';
import type { Section, Tone } from '../common/view.ts';
import { orderStateWords } from '../orders/summary.ts';
import { bookingCommand, registersOf } from './booking-command.ts';

/** The answer of a step in the words of its own report, and its tone. */
export const answerWords: Readonly<Record<StepAnswer, readonly [words: string, tone: Tone]>> = {
  reconciled: ['RECONCILED', 'good'],
  not_reconciled: ['NOT RECONCILED', 'bad'],
  balanced: ['BALANCED', 'good'],
  out_of_balance: ['OUT OF BALANCE', 'bad'],
  pending: ['PENDING', 'plain'],
  as_agreed: ['AS AGREED', 'good'],
  overcharged: ['OVERCHARGED', 'bad'],
  not_checked: ['NOT CHECKED', 'unsure'],
  booked: ['ALL BOOKED', 'good'],
  not_booked: ['NOT ALL BOOKED', 'bad'],
  ready: ['READY TO CLOSE', 'good'],
  not_ready: ['NOT READY', 'bad'],
  closed: ['CLOSED', 'good'],
  forced: ['CLOSED BY FORCE', 'unsure'],
  incomplete: ['INCOMPLETE', 'unsure'],
};

/** What to set so that a step is done. */
const setUpWords: Readonly<Partial<Record<CloseStep, string>>> = {
  orders: 'not set up: orders and orders_csv, see recon orders --init',
  fees: 'not set up: agreed_rates, see recon fees --init',
  journal: 'not set up: booked, see recon journal --init',
};

/** The answer of a step with what was accepted of it, or what to set up for it. */
export function answerOf(one: CheckedStep): readonly [words: string, tone: Tone] {
  const { step, answer, accepted } = one;
  if (!answer) return [setUpWords[step] ?? '', 'quiet'];
  const [words, tone] = answerWords[answer];
  const isAny = accepted.length > 0;
  const said = `${grouped(accepted.length)} accepted: ${amountsText(accepted)}`;
  return [present(words, isAny && said).join(', '), tone];
}

/** What a decision is about. */
export const decisionWords: Readonly<Record<DifferenceKind, string>> = {
  pay_in: 'net pay-out',
  bank: 'received',
  unknown: 'bank entry',
  order: 'order',
  settled_with: 'settled together',
  written_off: 'written off',
  confirmed: 'confirmed',
};

/** An accepted difference as cells of a table, by title. */
export const acceptedCells = {
  date: ({ date }: DecisionMade) => date,
  what: ({ kind }: DecisionMade) => decisionWords[kind],
  id: ({ id }: DecisionMade) => id,
  amount: ({ minor, scale }: DecisionMade) => amountOf(minor, scale),
};

/** What people accepted of the range, with their reasons. */
export function acceptedSections(report: CloseReport, limit: number): readonly Section[] {
  const all = acceptedIn(report);
  const { date, what, id, amount } = acceptedCells;
  return sectionIfAny<DecisionMade>(
    `Accepted: ${grouped(all.length)}`,
    all,
    [
      column.day('Date', date),
      column.text('What', what),
      column.text('Settlement, order or entry', id),
      column.text('Currency', ({ currency }) => currency),
      column.change('Difference', amount),
    ],
    { remarks: (line) => [plain(decidedText(line), '=')], limit },
  );
}

export function jsonAccepted(one: DecisionMade) {
  const { kind, id, date, currency, scale, minor: difference } = one;
  return { kind, id, date: date || null, currency, scale, difference, ...jsonReasons(one) };
}

/** What each step of a month end answers, how many points it leaves, and the command that shows it. */
export function checklistSections(report: CloseReport): readonly Section[] {
  return sectionIfAny<CheckedStep>(
    'Checklist',
    checklistOf(report),
    [
      column.text('Step', ({ step }) => step),
      column.text('Answer', (one) => answerOf(one)[0], { unbroken: 20 }),
      column.integer('To decide', leftIn),
      column.text('Sum', ({ points }) => amountsText(points.flatMap(({ amounts }) => amounts)), {
        unbroken: 30,
      }),
    ],
    {
      toneOf: (one) => answerOf(one)[1],
      // This report shows the last one.
      remarks: ({ answer, step }) =>
        answer && step !== 'close' ? [plain(stepCommand(step, report), '>')] : [],
    },
  );
}

/** What a step leaves: things to decide, and kinds of what is to put right. */
export function leftIn({ points }: CheckedStep): number {
  const { toDecide, toPutRight } = toSettle(points);
  return toDecide + toPutRight;
}

/** The command that shows a step alone, or books. */
function stepCommand(step: CloseStep, report: CloseReport): string {
  const { range, bank } = report;
  const isOnBank = step === 'bank' || step === 'close';
  const flags = (isOnBank ? report.flagsOfAll : undefined) ?? report.flags;
  const booking = step === 'journal' && bookingCommand(report);
  if (booking) return booking;
  const paths = isOnBank ? (bank?.paths ?? []) : [];
  // Orders are judged by the same registers.
  const registers = step === 'orders' ? registersOf(report) : [];
  return command(`recon ${step}`, ...paths.map(shellWord), daysFlags(range), flags, ...registers);
}

/** The lines of a ladder, and the command whose report has the figure too. */
export const ladderWords: Readonly<Record<LadderCode, readonly [words: string, step: CloseStep]>> =
  {
    sold: ['Sold: orders due', 'orders'],
    orders: ['', 'orders'],
    settled_before: ['settled before the range', 'orders'],
    pending_rows: ['in pending settlements', 'orders'],
    settled_after: ['settled after the range', 'orders'],
    earlier_orders: ['sold before the range, settled now', 'orders'],
    later_orders: ['sold after the range, settled now', 'orders'],
    rows: [', without an order', 'orders'],
    rows_in_other_currency: ['transactions of orders in another currency', 'orders'],
    not_counted: ['transactions of types that do not count', 'orders'],
    positive_refunds: ['refunds without a minus', 'orders'],
    not_in_gross: ['in another currency than their settlement', 'settlements'],
    gross: ['In settlements: gross', 'settlements'],
    fees: ['fees', 'settlements'],
    tax: ['tax', 'settlements'],
    pay_in_difference: ['net pay-out difference', 'settlements'],
    pay_in: ['Net pay-out', 'settlements'],
    opening: ['in transit before the range', 'close'],
    changed: ['changed since the last close', 'close'],
    received: ['received', 'bank'],
    bank_charges: ['bank charges', 'bank'],
    over: ['overpaid', 'bank'],
    short: ['underpaid', 'bank'],
    in_transit: ['In transit', 'close'],
    not_booked: ['not booked', 'journal'],
    in_books: ['In the books', 'journal'],
  };

/** States of orders as lines of a ladder, where the word of a table would not be understood. */
const stateLines: Readonly<Partial<Record<OrderState, string>>> = {
  conflicting: 'conflicting lines of orders',
  ambiguous: 'several possible matches',
  missing_in_settlements: 'missing from the settlements',
  other_currency: 'settled in another currency',
  amount_differs: 'settled with another amount',
  refund_missing: 'refunds missing',
  in_transit: 'not settled yet',
  refund_in_transit: 'refunds not settled yet',
};

/** What a line of a ladder is. */
export function ladderText({ code, state }: LadderLine): string {
  return (state ? (stateLines[state] ?? orderStateWords[state][0]) : '') + ladderWords[code][0];
}

/** The report that has each line too, where there are several. */
export function shownBy(end: string): readonly CellColumn<LadderLine>[] {
  const words = ({ code }: LadderLine) => ladderWords[code][1];
  return end === 'books' ? [column.text('Report', words, { priority: 2 })] : [];
}

/** From what was sold to its end, a section a currency: what stands before a total adds up to it. */
export function ladderSections(ladders: readonly CloseLadder[], end = 'books'): readonly Section[] {
  return ladders.map(({ currency, scale, lines }) =>
    section<LadderLine>(`From the sale to the ${end}, ${currency}`, lines, [
      column.text('Step', (one) => (one.isTotal ? `= ${ladderText(one)}` : ladderText(one)), {
        unbroken: 46,
      }),
      column.integer('Count', ({ count }) => count),
      column.amount('Amount', ({ minor }) => amountOf(minor, scale)),
      ...shownBy(end),
    ]),
  );
}

export function jsonChecklist(report: CloseReport) {
  return checklistOf(report).map((one) => ({
    step: one.step,
    answer: one.answer ?? null,
    points: one.points.length,
    toDecide: toSettle(one.points).toDecide,
    accepted: one.accepted.length,
    count: one.points.reduce((sum, { count }) => sum + count, 0),
    amounts: jsonSums(one.points.flatMap(({ amounts }) => amounts)),
    codes: one.points.map(({ code }) => code),
    command: stepCommand(one.step, report),
  }));
}

export function jsonLadder({ currency, scale, lines }: CloseLadder) {
  return { currency, scale, lines: lines.map(jsonLadderLine) };
}

export function jsonLadderLine({ code, state, isTotal, count, minor: amount }: LadderLine) {
  return { code, state: state ?? null, isTotal, count: count ?? null, amount };
}
