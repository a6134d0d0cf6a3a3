import {
  countInState,
  matchesIn,
  type OrdersReport,
  ordersVerdict,
  sumsOfState,
} from '../../app/orders-report.ts';
import { spanOf } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import {
  asideStates,
  type OrderKey,
  type OrderState,
  openOrderStates,
  orderKeys,
  waitingOrderStates,
} from '../../match/orders/order-match.ts';
import type { CountedWord, LeftOut, UnreadableLine } from '../../model/orders.ts';
import { minorUnitsOf } from '../../money/minor-units.ts';
import { reconciliationTones } from '../bank/words.ts';
import { answerBlock, facts, remark, remarks } from '../common/blocks.ts';
import { adviceForIncomplete, partialSentences } from '../common/partial-words.ts';
import {
  command,
  enumerate,
  fewOf,
  filtersText,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
  signedMoneyText,
  type Unit,
  wholeRangeText,
} from '../common/phrase.ts';
import type { Tone } from '../common/view.ts';
import { entrySentence } from '../common/words.ts';
import { incompleteness } from '../transactions/view.ts';
import { referenceNotes } from './reference-words.ts';

/** The texts of the report other than its tables. */
export function ordersSummary(report: OrdersReport) {
  const { range, until, filters, profile, mapping, files, read, matching } = report;
  const verdict = ordersVerdict(report);
  const isEmpty = verdict === 'reconciled' && matching.counted.length === 0;
  const label = isEmpty ? 'NOTHING FOUND' : verdict.replace('_', ' ').toUpperCase();
  const [text, notes] = [headline(report), notesOf(report)];
  return {
    head: [
      answerBlock(label, reconciliationTones[verdict], text),
      facts([
        ['Range', wholeRangeText(range)],
        ['Settlements', matching.months && `until ${until}`],
        ['Order files', enumerate(files)],
        ['Days of sales', fileDaysText(report)],
        ['Methods', enumerate(mapping.methods)],
        ['Matched by', enumerate(orderKeys.map((key) => orderKeyWords[key]))],
        ['Difference', 'settled - refunded - charged back - what the shop expects'],
        ['Tolerance', enumerate([...report.tolerances].map(toleranceText))],
        ['Filters', filtersText(filters)],
        ['Profile', profile],
        ['Everything read', completeness(report)],
      ]),
      ...remarks('Findings', read.findings.map(remark)),
    ],
    notes,
    advice: adviceOf(report),
    /** For standard error, if the report itself is not shown. */
    conclusion: [`${label}. ${text}`, ...read.findings.map(entrySentence), ...notes],
  };
}

function toleranceText([currency, minor]: readonly [currency: string, minor: number]): string {
  return moneyText({ currency, minor: BigInt(minor), scale: minorUnitsOf(currency) ?? 2 });
}

/** The state of an order or a row in a word or two, and its tone. */
export const orderStateWords: Readonly<Record<OrderState, readonly [words: string, tone: Tone]>> = {
  conflicting: ['conflicting', 'unsure'],
  ambiguous: ['several matches', 'unsure'],
  missing_in_settlements: ['missing', 'bad'],
  settled_twice: ['settled twice', 'bad'],
  other_currency: ['other currency', 'bad'],
  amount_differs: ['amount differs', 'bad'],
  cancelled_but_settled: ['cancelled, but settled', 'bad'],
  unpaid_but_settled: ['unpaid, but settled', 'bad'],
  refund_missing: ['refund missing', 'bad'],
  charged_back: ['charged back', 'unsure'],
  refund_unknown: ['refund unknown', 'unsure'],
  unknown_to_shop: ['unknown to the shop', 'unsure'],
  not_covered: ['outside the range', 'unsure'],
  in_transit: ['in transit', 'plain'],
  partly_settled: ['partly settled', 'plain'],
  small_difference: ['within the tolerance', 'plain'],
  accepted: ['accepted', 'plain'],
  refund_in_transit: ['refund in transit', 'plain'],
  pending: ['pending', 'plain'],
  settled: ['settled', 'good'],
  settled_in_parts: ['settled in parts', 'good'],
  refunded: ['refunded', 'good'],
  refunded_in_part: ['refunded in part', 'good'],
  cancelled: ['cancelled', 'quiet'],
  nothing_due: ['nothing due', 'quiet'],
  out_of_scope: ['other method', 'quiet'],
};

/** A count of orders in a state: `1 is missing`, `2 are missing`. */
const orderStatePhrases: Readonly<
  Partial<Record<OrderState, readonly [one: string, several: string]>>
> = {
  conflicting: ['has conflicting lines', 'have conflicting lines'],
  ambiguous: ['has several possible matches', 'have several possible matches'],
  missing_in_settlements: ['is missing', 'are missing'],
  settled_twice: ['is settled twice', 'are settled twice'],
  other_currency: ['is settled in another currency', 'are settled in other currencies'],
  amount_differs: ['has another amount', 'have other amounts'],
  cancelled_but_settled: ['is cancelled, but settled', 'are cancelled, but settled'],
  unpaid_but_settled: ['is unpaid, but settled', 'are unpaid, but settled'],
  refund_missing: ['lacks a refund', 'lack refunds'],
  charged_back: ['is charged back', 'are charged back'],
  refund_unknown: ['has a refund unknown to the shop', 'have refunds unknown to the shop'],
  small_difference: ['is within the tolerance', 'are within the tolerance'],
  accepted: ['is accepted', 'are accepted'],
};

/** What a row and its order have in common. */
const orderKeyWords: Readonly<Record<OrderKey, string>> = {
  reference: 'reference',
  charge_id: 'charge',
  charge_of_row: 'charge of another transaction',
  order_id_of_row: 'order id of another transaction',
};

/** What is wrong in a line, and where, without the contents of the line. */
export function unreadableLineText({ place, column, expected, keys }: UnreadableLine): string {
  const look = keys.length > 0 ? `; in orders_csv, look at ${enumerate(keys)}` : '';
  return `${place.file}:${place.line}: ${column} cannot be read: expected ${expected}${look}`;
}

const decidedStates = ['small_difference', 'accepted'] as const;

/** The answer in a few sentences: how many orders are settled, and what is wrong. */
function headline(report: OrdersReport): string {
  const { ladders } = report.matching;
  const total = (count: 'payable' | 'paid' | 'paidWithoutRow') =>
    ladders.reduce((sum, one) => sum + one[count], 0);
  const due = total('payable');
  const withoutRow = total('paidWithoutRow');
  const counts = [...openOrderStates, ...asideStates, ...decidedStates].map((state) => {
    const count = countInState(report, state, false);
    const phrase = orderStatePhrases[state]?.[count === 1 ? 0 : 1];
    const sums = sumsOfState(report, state, false);
    const differences = sumsText(sums, ({ settled, due }) => settled - due);
    return count > 0 && phrase && `${grouped(count)} ${phrase}: ${differences}.`;
  });
  const unknown = sumsText(sumsOfState(report, 'unknown_to_shop'), settledOf, moneyText);
  const rows = countInState(report, 'unknown_to_shop');
  const waiting = waitingOrderStates.flatMap((state) => {
    const count = countInState(report, state);
    return count === 0 ? [] : `${grouped(count)} ${orderStateWords[state][0]}`;
  });
  return present(
    due === 0
      ? 'No orders are due.'
      : `${grouped(total('paid'))} of ${many(due, 'order')} ${due === 1 ? 'is' : 'are'} settled.`,
    withoutRow > 0 &&
      `${grouped(withoutRow)} of them only without a transaction whose type does not count.`,
    ...counts,
    rows > 0 && `${many(rows, 'purchase is', 'purchases are')} unknown to the shop: ${unknown}.`,
    notCovered(report),
    waiting.length > 0 && `Waiting: ${waiting.join(', ')}.`,
    ...awaitedSentences(report),
  ).join(' ');
}

/** How far settlements are listed, where orders may be in later ones. */
export function awaitedSentences({ matching }: OrdersReport): readonly string[] {
  const waiting = matching.inState('in_transit').map((number) => matching.match(number));
  const early = waiting.filter(({ reason }) => reason === 'not_listed_yet');
  const groups = groupedBy(early, ({ account, currency }) => `${account} ${currency}`);
  return [...groups].map(([key, orders]) => {
    const currency = orders[0]?.currency;
    const listed = matching.newest.get(key);
    const days = spanOf(orders.flatMap(({ documents }) => documents.map((one) => one.paidDay)));
    const newest = listed
      ? `The newest settlement listed in ${currency} is of ${listed}`
      : `No settlement in ${currency} is listed of these days`;
    return `${newest}; ${many(orders.length, 'order')} of ${days ? rangeText(days) : ''} may be in later ones.`;
  });
}

/** Sums by currency: `-212.40 EUR`. */
function sumsText<Sum extends Unit>(
  sums: readonly Sum[],
  minorOf: (sum: Sum) => bigint,
  textOf = signedMoneyText,
): string {
  const texts = sums.map((one) =>
    textOf({ scale: one.scale, currency: one.currency, minor: minorOf(one) }),
  );
  return enumerate(texts);
}

const settledOf = ({ settled }: { readonly settled: bigint }) => settled;

/** Amounts that the range or the files do not cover. */
function notCovered(report: OrdersReport) {
  const orders = countInState(report, 'not_covered', false);
  const count = countInState(report, 'not_covered', true);
  const amounts = sumsText(sumsOfState(report, 'not_covered', true), settledOf);
  return present(
    orders > 0 && `${many(orders, 'order is', 'orders are')} outside the range.`,
    count > 0 &&
      `${many(count, 'transaction belongs', 'transactions belong')} to older or newer orders: ${amounts}.`,
  ).join(' ');
}

function completeness({ read, orders, matching }: OrdersReport): string {
  const all = `${many(matching.orders, 'order')}, ${many(read.settlements, 'settlement')}, ${many(read.transactions, 'transaction')}`;
  const lines = orders.unreadableLines;
  const reasons = present(
    incompleteness(read),
    lines > 0 && `${many(lines, 'line')} of the order files cannot be read`,
  );
  return reasons.length === 0 ? `yes: ${all}` : `NO: ${reasons.join('; ')}`;
}

/** `2026-03-01 to 2026-03-31, in Europe/Madrid`. */
function fileDaysText({ orders: { days, gaps }, timeZone }: OrdersReport): string {
  if (!days) return 'none';
  const without = gaps.length > 0 && `no sales on ${fewOf(gaps.map(rangeText))}`;
  return present(`${rangeText(days)}, in ${timeZone}`, without).join('; ');
}

const mostNamed = 10;

/** Notes on the figures, each a sentence. */
function notesOf(report: OrdersReport) {
  const { read, orders, types: asked, mapping, matching } = report;
  const { leftOut } = orders;
  const types = matching.unnamedTypes;
  const areSigns = Object.values(asked).every((list) => list.length === 0);
  const left = matching.ladders.filter(({ rows }) => rows.notCounted.count > 0);
  return present(
    ...partialSentences(read.partial),
    ...referenceNotes(report),
    ...orders.unreadable.slice(0, mostNamed).map((one) => `${unreadableLineText(one)}.`),
    leftOutText(leftOut),
    leftOut.sheets.length > 0 && `Not read: ${enumerate(leftOut.sheets)}.`,
    areSigns &&
      'No types are set: positive transactions count as purchases, negative ones as refunds, chargebacks too.',
    mapping.methods.length === 0 && 'Orders of all methods count.',
    ...unusedMethods(report),
    !mapping.status &&
      !mapping.cancelled_at &&
      'The files do not say which orders are unpaid or cancelled, so all of them count.',
    !mapping.refunded &&
      !orders.hasRefundLines &&
      'The files have no refunds: those in the settlements are unknown to the shop.',
    left.length > 0 &&
      `Transactions that do not count, by a rule or by their type: ${sumsText(left, ({ rows }) => rows.notCounted.minor, moneyText)}.`,
    types.length > 0 && `Types that do not count: ${fewOf(types.map(typeText))}.`,
    orders.paidWords.length > 0 &&
      `Words of ${mapping.status} that count as paid: ${enumerate(orders.paidWords.map(countedWordText))}.`,
  );
}

/** What is set as paid by the service and stands in no line: perhaps mistyped, and then its orders are not due. */
export function unusedMethods({ orders, mapping }: OrdersReport): readonly string[] {
  const found = orders.methods;
  const unused = mapping.methods.filter((method) => !found.has(method)).map((one) => `"${one}"`);
  return unused.length === 0
    ? []
    : [`No order has the method ${fewOf(unused)}: check methods of orders_csv.`];
}

function unreadableAdvice(lines: readonly UnreadableLine[]): string {
  const keys = [...new Set(lines.flatMap((one) => one.keys))];
  const change = keys.length > 0 ? `change ${enumerate(keys)} in orders_csv, or ` : '';
  return `Lines that cannot be read: ${change}export the orders again.`;
}

/** `Left out by only: 3 lines, of 99.00 EUR.` */
function leftOutText({ lines, unreadable, sums }: LeftOut): string | false {
  const sum = sums.length > 0 && `of ${sumsText(sums, ({ minor }) => minor, moneyText)}`;
  const unknown = unreadable > 0 && `${grouped(unreadable)} cannot be read`;
  const parts = present(many(lines, 'line'), sum, unknown);
  return lines > 0 && `Left out by only: ${parts.join(', ')}.`;
}

const countedWordText = ({ word, lines }: CountedWord) => `${word || 'empty'} (${grouped(lines)})`;

/** `chargeback (1 row, -50.00 EUR)`. */
function typeText({ type, rows, ...money }: OrdersReport['matching']['unnamedTypes'][number]) {
  return `${type || 'without a name'} (${many(rows, 'transaction')}, ${moneyText(money)})`;
}

/** What to do next, each a sentence. */
function adviceOf(report: OrdersReport): readonly string[] {
  const { read, orders, flags } = report;
  const has = (state: OrderState) => countInState(report, state) > 0;
  const [missing] = matchesIn(report, ['missing_in_settlements'], 1);
  const chargeId = missing?.match.documents.find((one) => one.chargeId !== '')?.chargeId;
  return present(
    ...adviceForIncomplete(read.findings, ['Run the command again: not everything was read.']),
    orders.unreadableLines > 0 && unreadableAdvice(orders.unreadable),
    chargeId
      ? `Missing: ${command('recon charge', chargeId, '--settlements', flags)}`
      : missing &&
          (report.fit.joined > 0
            ? 'Missing: ask the service for the payment by its reference.'
            : 'Missing: no order has a transaction. Look at order and note in orders_csv first.'),
    ...twiceAdvice(report),
    report.matching.unnamedTypes.length > 0 &&
      'Types that do not count: name them in purchase_types, refund_types or chargeback_types.',
    has('refund_missing') && 'Refund missing: check that it was made at the service.',
    has('not_covered') && 'Not covered: add older order files, or use a longer range.',
  );
}

/** Refunds are advised only if all was read; a refund that the shop knows may be that of the other payment. */
function twiceAdvice(report: OrdersReport): readonly string[] {
  const { matching, read, until: last, lastDay } = report;
  const twice = matching.inState('settled_twice').map((number) => matching.match(number));
  const isOfShop = (one: (typeof twice)[number]) => (one.refundedByShop ?? 0n) !== 0n;
  const open = twice.filter(({ refunded }) => refunded === 0n);
  const begun = twice.filter(({ refunded }) => refunded !== 0n);
  const [asked, partly] = [begun.filter(isOfShop), begun.filter((one) => !isOfShop(one))];
  const namesOf = (some: typeof twice) => fewOf(some.map(({ reference }) => reference));
  const until = `no refund of ${namesOf(open)} was found up to ${last}`;
  const first = last < lastDay ? 'look for a later one, then ' : '';
  return present(
    open.length > 0 && read.complete && `Settled twice: ${until}: ${first}refund the customer.`,
    partly.length > 0 &&
      read.complete &&
      `Settled twice, refunded in part: no other refund of ${namesOf(partly)} was found up to ${last}: ${first}refund the rest.`,
    asked.length > 0 &&
      `Settled twice, with refunds: ask the shop whether it booked the refunds of ${namesOf(asked)} on the wrong payment.`,
  );
}
