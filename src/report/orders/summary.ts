import {
  countInState,
  matchesIn,
  type OrdersReport,
  ordersVerdict,
  sumsOfState,
} from '../../app/orders-report.ts';
import {
  asideStates,
  openOrderStates,
  waitingOrderStates,
} from '../../match/orders/order-match.ts';
import { adviceForIncomplete, partialSentences } from '../common/partial-words.ts';
import {
  capitalised,
  command,
  enumerate,
  fewOf,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
  signedMoneyText,
} from '../common/phrase.ts';
import { entrySentence } from '../common/words.ts';
import { incompleteness } from '../transactions/view.ts';
import { orderStatePhrases, orderStateWords, unreadableLineText } from './words.ts';

/** The answer in a few words. */
export function ordersLabel(report: OrdersReport): string {
  const verdict = ordersVerdict(report);
  if (verdict === 'reconciled' && report.matching.size === 0) return 'NOTHING FOUND';
  return verdict.replace('_', ' ').toUpperCase();
}

/** The answer in a few sentences: how many orders are settled, and what is not as it should be. */
export function ordersHeadline(report: OrdersReport): string {
  const { ladders } = report.matching;
  const total = (count: 'payable' | 'paid') => ladders.reduce((sum, one) => sum + one[count], 0);
  const due = total('payable');
  const told = [...openOrderStates, ...asideStates].map((state) => {
    const count = countInState(report, state, false);
    const phrase = orderStatePhrases[state]?.[count === 1 ? 0 : 1];
    return count > 0 && phrase && `${grouped(count)} ${phrase}: ${differencesOf(report, state)}.`;
  });
  const unknown = sumsOfState(report, 'unknown_to_shop');
  const rows = countInState(report, 'unknown_to_shop');
  const waiting = waitingOrderStates.flatMap((state) => {
    const count = countInState(report, state);
    return count === 0 ? [] : `${grouped(count)} ${orderStateWords[state][0]}`;
  });
  return present(
    due === 0
      ? 'No orders are due.'
      : `${grouped(total('paid'))} of ${many(due, 'order')} ${due === 1 ? 'is' : 'are'} settled.`,
    ...told,
    rows > 0 &&
      `${many(rows, 'purchase is', 'purchases are')} unknown to the shop: ${enumerate(
        unknown.map(({ settled, ...unit }) => moneyText({ ...unit, minor: settled })),
      )}.`,
    notCovered(report),
    waiting.length > 0 && `Waiting: ${waiting.join(', ')}.`,
  ).join(' ');
}

/** The differences of a state by currency: `-212.40 EUR`. */
function differencesOf(report: OrdersReport, state: Parameters<typeof sumsOfState>[1]): string {
  const sums = sumsOfState(report, state, false);
  return enumerate(
    sums.map(({ settled, due, ...unit }) => signedMoneyText({ ...unit, minor: settled - due })),
  );
}

/** What the range or the files do not cover, so that no money hides. */
function notCovered(report: OrdersReport) {
  const orders = countInState(report, 'not_covered', false);
  const rows = sumsOfState(report, 'not_covered', true);
  const count = countInState(report, 'not_covered', true);
  const amounts = rows.map(({ settled, ...unit }) => signedMoneyText({ ...unit, minor: settled }));
  return present(
    orders > 0 && `${many(orders, 'order is', 'orders are')} not covered by the range.`,
    count > 0 &&
      `${many(count, 'row belongs', 'rows belong')} to older or newer orders: ${enumerate(amounts)}.`,
  ).join(' ');
}

/** Whether everything was read, in words. */
export function ordersCompleteness({ read, orders, matching }: OrdersReport): string {
  const all = `${many(matching.orders, 'order')}, ${many(read.settlements, 'settlement')}, ${many(read.transactions, 'transaction')}`;
  const lines = orders.unreadableLines;
  const reasons = present(
    incompleteness(read),
    lines > 0 && `${many(lines, 'line')} of the order files cannot be read`,
  );
  return reasons.length === 0 ? `yes: ${all}` : `NO: ${reasons.join('; ')}`;
}

/** `2026-03-01 to 2026-03-31, in Europe/Madrid`. */
export function fileDaysText({ orders: { days, gaps }, timeZone }: OrdersReport): string {
  if (!days) return 'none';
  const without = gaps.length > 0 && `no sales on ${fewOf(gaps.map(rangeText))}`;
  return present(`${rangeText(days)}, in ${timeZone}`, without).join('; ');
}

/** What `recon orders` comes to, for those who do not see the report. */
export function ordersConclusion(report: OrdersReport): readonly string[] {
  return [
    `${ordersLabel(report)}. ${ordersHeadline(report)}`,
    ...report.read.findings.map(entrySentence),
    ...ordersNotes(report),
  ];
}

const mostNamed = 10;

/** What a reader has to know beside the figures, each a sentence. */
export function ordersNotes({ read, orders, types, mapping, matching }: OrdersReport) {
  const areSigns = Object.values(types).every((list) => list.length === 0);
  const left = matching.ladders.filter(({ rows }) => rows.notCounted.count > 0);
  return present(
    ...partialSentences(read.partial),
    ...orders.unreadable
      .slice(0, mostNamed)
      .map((one) => `${capitalised(unreadableLineText(one))}.`),
    areSigns &&
      'No types are set: positive rows count as purchases, negative ones as refunds, chargebacks too.',
    mapping.methods.length === 0 && 'Orders of all methods count.',
    left.length > 0 &&
      `Rows that do not count, by a rule or by their type: ${enumerate(
        left.map(({ rows, ...unit }) => moneyText({ ...unit, minor: rows.notCounted.minor })),
      )}.`,
  );
}

/** What to do next, each a sentence. */
export function ordersAdvice(report: OrdersReport): readonly string[] {
  const { read, orders, flags } = report;
  const has = (state: Parameters<typeof countInState>[1]) => countInState(report, state) > 0;
  const [missing] = matchesIn(report, ['missing_in_settlements'], 1);
  const chargeId = missing?.match.documents.find((one) => one.chargeId !== '')?.chargeId;
  return present(
    ...adviceForIncomplete(read.findings, ['Run the command again: not everything was read.']),
    orders.unreadableLines > 0 && 'Lines that cannot be read: export the orders again.',
    chargeId
      ? `Missing: ${command('recon charge', chargeId, '--settlements', flags)}`
      : missing && 'Missing: ask the service for the payment by its reference.',
    has('settled_twice') && 'Settled twice: refund the customer.',
    has('refund_missing') && 'Refund missing: check that it was made at the service.',
    has('not_covered') && 'Not covered: add older order files, or use a longer range.',
  );
}
