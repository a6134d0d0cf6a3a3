import type { CloseReport } from '../../app/close-report.ts';
import type { Decision } from '../../app/decisions.ts';
import { numbered } from '../../app/orders-report.ts';
import {
  type Choice,
  entriesFor,
  exactlySuggestedBy,
  isOnlyAsked,
  isSuggested,
} from '../../app/review.ts';
import { groupedBy, tableOf } from '../../base/lists.ts';
import { type BankMatch, bankMatchesIn, type MatchKey } from '../../match/match.ts';
import {
  amountsCompared,
  differenceAmount,
  differenceKey,
} from '../../model/accepted-difference.ts';
import { entryPlace } from '../../model/bank.ts';
import { valueText } from '../../model/value.ts';
import {
  type DecisionColumn,
  decisionColumns,
  type WrittenDecision,
} from '../../register/decisions-file.ts';
import { bankRequest } from '../bank/request.ts';
import {
  bankStates,
  endToEndText,
  entryText,
  matchReasonWords,
  takenBackAdvice,
} from '../bank/words.ts';
import { nextFor } from '../close/words.ts';
import {
  amountsText,
  canBeCopied,
  capitalised,
  enumerate,
  firstOf,
  many,
  moneyText,
  present,
  signedMoneyText,
} from '../common/phrase.ts';
import type { View } from '../common/view.ts';
import { orderLines, orderRequest } from '../orders/order-words.ts';
import { orderStateWords } from '../orders/summary.ts';
import { decisionRecords } from './decisions.ts';
import { kindWords } from './view.ts';

/** A difference to decide, and its line of the list. */
export interface ReviewPoint {
  readonly decision: Decision;
  readonly written: WrittenDecision;
  /** Where the entries of a suggestion stand, with those that may take it back. */
  readonly places?: readonly string[] | undefined;
}

/** What is to decide, with the lines of a list that nobody has filled in. */
export function pointsOf(
  due: readonly Decision[],
  context: Parameters<typeof decisionRecords>[1],
): readonly ReviewPoint[] {
  return due.map((decision, at) => {
    const [cells = []] = decisionRecords([decision], context).rows;
    const textOf = (key: DecisionColumn) => valueText(cells[decisionColumns.indexOf(key)]);
    const written = { line: at + 2, cells: tableOf(decisionColumns, textOf) };
    const { match } = decision;
    const back = match && context.bank?.matching.takenBack.get(match);
    return { decision, written, places: back && [...match.entries, ...back].map(entryPlace) };
  });
}

/** What is to decide, how much it is, where it stands, and its likely cause: lines of text. */
export function pointLines(point: ReviewPoint, report: CloseReport): readonly string[] {
  const { decision, written } = point;
  const title = `${titleOf(decision)}: ${amountOf(decision)}`;
  const order = orderOf(decision, report);
  if (order && report.orders) {
    const next = nextFor(`order_${order.match.state}`);
    return present(title, ...orderLines(order, report.orders), next);
  }
  const { difference, match } = decision;
  const { kind, id } = differenceKey(difference);
  const { expected, received } = amountsCompared(difference);
  const text = (minor: bigint) => moneyText({ ...difference, minor });
  const { account, date, cause } = written.cells;
  const whose = kind === 'unknown' ? `bank entry ${id}` : `settlement ${id}`;
  const [, ...others] = match?.settlements.map(({ settlement }) => settlement.id) ?? [];
  const amounts =
    kind === 'pay_in'
      ? `calculated ${text(expected)}, reported ${text(received)}`
      : isSuggested(decision)
        ? suggestedText(decision)
        : `expected ${text(expected)}, received ${text(received)}`;
  return present(
    title,
    present(`${whose} of ${date}`, account).join(', '),
    others.length > 0 && `in one pay-out with ${enumerate(others)}`,
    isOnlyAsked(decision) ? nextFor('overdue') : amounts,
    ...(match ? payoutLines(match, report) : []),
    cause && (isSuggested(decision) ? `suggested: ${cause}` : cause),
    match && report.bank && takenBackAdvice(match, report.bank),
    ...entryLines(decision, report),
  );
}

/** `expected 80.00 EUR, suggested 79.00 EUR: -1.00 EUR`. */
function suggestedText({ difference, match }: Decision): string {
  const { entries = [], expected = 0n, scale = 0 } = match ?? {};
  const minor = entries.reduce((sum, { amount }) => sum + amount, 0n);
  const money = (of: bigint) => ({ currency: difference.currency, scale, minor: of });
  const off = minor !== expected && signedMoneyText(money(minor - expected));
  const texts = `expected ${moneyText(money(expected))}, suggested ${moneyText(money(minor))}`;
  return present(texts, off).join(': ');
}

const mostEntries = 3;

/** When the money is due, and by which ids the service names it. */
function payoutLines(match: BankMatch, { bank }: CloseReport): readonly string[] {
  const own = match.settlements.map(({ settlement }) => settlement);
  const due = own.map((one) => bank?.businessDays.daysDue(one).to ?? '').sort();
  const references = own.flatMap(({ paymentReferences }) => paymentReferences);
  const ids = present(
    endToEndText(own),
    references.length > 0 && `payment reference ${firstOf(references.map((one) => `"${one}"`))}`,
  );
  return present(own.length > 0 && present(`due by ${due.at(-1)}`, ...ids).join(', '));
}

/** The entries that may be the money of a pay-out without one. */
function entryLines(decision: Decision, { bank }: CloseReport): readonly string[] {
  const { match } = decision;
  const isAlone = match && match.settlements.length > 0 && match.entries.length === 0;
  if (!bank || !isAlone) return [];
  const isIn = match.expected > 0n;
  const found = entriesFor(decision, bankMatchesIn(bank.matching)).filter(
    ({ share: { amount } }) => amount > 0n === isIn,
  );
  const texts = found
    .slice(0, mostEntries)
    .map(({ share, scale }) => `- ${entryText(share, scale)}`);
  return texts.length === 0 ? [] : ['The nearest entries without a pay-out:', ...texts];
}

/** `Pay-out, not on the statements`. */
function titleOf(decision: Decision): string {
  const { difference, match, codes } = decision;
  const { kind, id } = differenceKey(difference);
  if (isOnlyAsked(decision)) return 'Overdue, pending at the service';
  if (kind === 'order') {
    const words = Object.entries(orderStateWords).find(([state]) => codes.includes(state));
    return present(`Order ${id}`, words?.[1][0]).join(', ');
  }
  if (!match) return capitalised(kindWords[kind]);
  const { state, reason } = match;
  if (kind === 'unknown') return 'Bank entry, unknown to the service';
  const side = differenceAmount(difference) > 0n ? 'overpaid' : 'underpaid';
  const words = state === 'difference' ? side : bankStates[state][0];
  return `Pay-out, ${reason ? matchReasonWords[reason] : words}`;
}

/** Received - expected, as the close has it: what has not arrived has a minus. */
function amountOf({ difference }: Decision): string {
  return signedMoneyText({ ...difference, minor: differenceAmount(difference) });
}

function orderOf({ order }: Decision, { orders }: CloseReport) {
  return order === undefined || !orders ? undefined : numbered(order, orders.matching.match(order));
}

/** `Pay-out, not on the statements: -3,059.32 EUR, settlement 52ce…`. */
function pointText({ decision }: ReviewPoint): string {
  const { kind, id } = differenceKey(decision.difference);
  const whose = kind === 'unknown' ? `bank entry ${id}` : `settlement ${id}`;
  const text = `${titleOf(decision)}: ${amountOf(decision)}`;
  return kind === 'order' ? text : `${text}, ${whose}`;
}

/** `accept: Bank entry, …: "charges of the bank"`: a line of the list, as it is decided. */
export function reviewedText(point: ReviewPoint): string {
  const { decision, reason, by } = point.written.cells;
  const why = present(reason && `"${reason}"`, by && `by ${by}`).join(' ');
  return present(`${decision}: ${pointText(point)}`, why).join('; ');
}

/** What a choice does with a point. */
export function choiceText(choice: Choice, { decision, places }: ReviewPoint): string {
  const { difference, match } = decision;
  const { kind } = differenceKey(difference);
  if (choice === 'settled_with') return 'settled together with another settlement';
  if (choice === 'confirmed') {
    if (places) return 'confirm: these entries are its money, by their places';
    return isSuggested(decision)
      ? 'confirm: this entry is its money'
      : 'confirm another entry as its money, by its place';
  }
  if (choice === 'written_off') {
    const minor = match ? match.expected - match.received : 0n;
    return `write off ${moneyText({ ...difference, ...match, minor })}: it never comes`;
  }
  const { received, difference: off } = amountsCompared(difference);
  if (kind === 'order') {
    return `accept it as settled with ${moneyText({ ...difference, minor: received })}`;
  }
  if (kind === 'unknown') return 'accept it: it belongs to no pay-out';
  if (off === 0n) return 'accept it as it is';
  return `accept the difference, as long as it stays ${amountOf(decision)}`;
}

/** What points have in common that one answer may be for. */
export function likeness({ decision, written: { cells }, places = [] }: ReviewPoint): string {
  const { difference, codes, match } = decision;
  const { kind } = differenceKey(difference);
  const [entry] = match?.entries ?? [];
  const { names = [], texts = [] } = entry?.entry.details ?? {};
  const ofEntry = names[0] ?? texts.join(' ').replaceAll(/\d+/g, '');
  const isMore = differenceAmount(difference) > 0n;
  const own = kind === 'pay_in' ? cells.cause : kind === 'unknown' ? ofEntry : match?.by;
  return [kind, ...codes, match?.state, own, isMore, ...places].join('\n');
}

/** By what a suggestion is sure enough to confirm many at once. */
const sureWords: Readonly<Partial<Record<MatchKey, string>>> = {
  amount_and_date: 'one entry agrees in amount and date, but does not name its ids',
  short_id: 'one entry agrees in amount and names an id that is too short to count alone',
};

/** Suggestions of the same sure kind, and what they have in common; only where there are several. */
export function sureGroups(points: readonly ReviewPoint[]) {
  const sure = points.filter(({ places }) => !places);
  const groups = [...groupedBy(sure, ({ decision }) => exactlySuggestedBy(decision))];
  return groups.flatMap(([key, own]) => {
    const words = key && sureWords[key];
    return words && own.length > 1
      ? [{ points: own, title: `${many(own.length, 'pay-out')}: for each, ${words}.` }]
      : [];
  });
}

/** The sums of points by account and currency, and each of them: lines of text. */
export function groupLines(points: readonly ReviewPoint[]): readonly string[] {
  const groups = groupedBy(points, ({ written: { cells } }) =>
    present(cells.account, cells.currency).join(', '),
  );
  return [...groups].flatMap(([account, own]) => {
    const isOfSuggestions = own.every(({ decision }) => isSuggested(decision));
    const amounts = own.map(({ decision: { difference } }) => {
      const { expected, difference: off } = amountsCompared(difference);
      return { ...difference, minor: isOfSuggestions ? expected : off };
    });
    const sums = amountsText(amounts, isOfSuggestions ? moneyText : signedMoneyText);
    return [
      `${account}: ${many(own.length, isOfSuggestions ? 'pay-out' : 'point')}, ${sums}`,
      ...own.map((one) => `- ${memberText(one)}`),
    ];
  });
}

/** `3d279a78 of 2026-03-13, 3,059.32 EUR: 2026-03-16, 3,059.32 EUR from … (march.csv:12)`. */
function memberText({ decision }: ReviewPoint): string {
  const { difference, match } = decision;
  const { id, date, kind } = differenceKey(difference);
  const short = canBeCopied(id) ? id.slice(0, 8) : id;
  const of = `${kind === 'order' ? 'order ' : ''}${short} of ${date}`;
  if (!isSuggested(decision) || !match) return `${of}, ${amountOf(decision)}`;
  const entries = match.entries.map((share) => entryText(share, match.scale));
  const { expected: minor } = amountsCompared(difference);
  return `${of}, ${moneyText({ ...difference, minor })}: ${enumerate(entries)}`;
}

/** The settlement that can be explained, if any. */
export function explainable({ decision: { difference } }: ReviewPoint): string | undefined {
  const { kind, id } = differenceKey(difference);
  return ['pay_in', 'bank'].includes(kind) && canBeCopied(id) ? id : undefined;
}

/** States of orders that the shop itself has to put right. */
const ofShop: readonly string[] = ['conflicting', 'ambiguous', 'unpaid_but_settled'];

/** What can be written to the provider about a point: its file and text, or the settlement whose case it is. */
export function requestFor(
  point: ReviewPoint,
  report: CloseReport,
): { readonly path: string; readonly text?: View } | undefined {
  const { decision } = point;
  const { kind, id } = differenceKey(decision.difference);
  const named = id.slice(0, 8);
  const order = orderOf(decision, report);
  if (order) {
    const path = `order-${id.replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, '')}.md`;
    return ofShop.includes(order.match.state) ? undefined : { path, text: orderRequest(order) };
  }
  const text = bankRequest(decision, report);
  if (text) return { path: `${kind === 'unknown' ? 'entry' : 'payout'}-${named}.md`, text };
  return explainable(point) === undefined ? undefined : { path: `case-${named}.md` };
}
