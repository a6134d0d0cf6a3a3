import { comparedDigests } from '../../app/close-digests.ts';
import {
  type Blocker,
  type BlockerCode,
  type CloseReport,
  type CloseVerdict,
  closeVerdict,
  forceableCodes,
  isForceable,
  toSettle,
} from '../../app/close-report.ts';
import type { ClosedRange } from '../../app/closed-range.ts';
import { isChangedSince } from '../../app/recorded-close.ts';
import { overdueToAsk } from '../../app/review.ts';
import { addDays } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import { shellWord, toml } from '../../base/texts.ts';
import {
  type ChangeReason,
  type ChangeSinceClose,
  changeOf,
  type HeaderFigure,
} from '../../books/drift.ts';
import { journalFormats } from '../../books/example-mapping.ts';
import { totalsOf } from '../../books/roll-forward.ts';
import { type CloseRecord, isForced } from '../../model/close.ts';
import { formatMinor, moneySums } from '../../money/money.ts';
import {
  confirmedSentences,
  lapsedConfirmations,
  nettedAdvice,
  nettedSentence,
  statementSentence,
  unusedRules,
} from '../bank/words.ts';
import { answerBlock } from '../common/blocks.ts';
import {
  amountsText,
  command,
  enumerate,
  firstOf,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
  sumsText,
  withoutStop,
} from '../common/phrase.ts';
import { profileTable } from '../common/rule-words.ts';
import type { Tone } from '../common/view.ts';
import { awaitedSentences, unusedMethods } from '../orders/summary.ts';
import { bookingCommand, overRange, registersOf } from './booking-command.ts';
import { answerWords, decisionWords } from './month.ts';

/** The most findings in statements that are named on standard error. */
const mostNamed = 10;

/** The texts of the report other than its tables. */
export function closeSummary(report: CloseReport) {
  const { blockers, closed, recorded } = report;
  const verdict = closeVerdict(report);
  const labels: Readonly<Record<CloseVerdict, readonly [label: string, tone: Tone]>> = {
    ready: ['READY TO CLOSE', 'good'],
    not_ready: [`NOT READY: ${againstText(blockers)}`, 'bad'],
    incomplete: ['INCOMPLETE', 'unsure'],
    closed: closedLabel(report),
  };
  const [label, tone] = labels[verdict];
  const text = present(recorded && forcedSentence(recorded), headline(report)).join(' ');
  const notes = notesOf(report);
  const against = blockers.map(
    (one) => `${present(blockerText(one), amountsText(one.amounts)).join(': ')}.`,
  );
  return {
    answer: answerBlock(label, tone, text),
    closed,
    notes,
    advice: adviceOf(report),
    /** For standard error, if the report itself is not shown. */
    conclusion: [
      `${label}. ${text}`,
      ...(recorded?.note ? [`Note: ${recorded.note}`] : []),
      ...against,
      ...(report.bank?.statements.findings ?? []).slice(0, mostNamed).map(statementSentence),
      ...closed.map(closedSentence),
      ...notes,
    ],
  };
}

/** `CLOSED BY FORCE on 2026-04-02 by Anna`. */
function closedLabel(report: CloseReport): readonly [label: string, tone: Tone] {
  const { recorded } = report;
  const { at, by } = recorded ?? { at: '', by: '' };
  const [words, tone] = answerWords[isForced(recorded) ? 'forced' : 'closed'];
  return [`${words} on ${at.slice(0, 10)} by ${by}`, isChangedSince(report) ? 'bad' : tone];
}

/** `1 TO PUT RIGHT, 29 TO DECIDE`: kinds that can only be put right, and things that a person decides. */
function againstText(blockers: readonly Blocker[]): string {
  const { toDecide, toPutRight } = toSettle(blockers);
  return present(
    toPutRight > 0 && `${grouped(toPutRight)} TO PUT RIGHT`,
    toDecide > 0 && `${grouped(toDecide)} TO DECIDE`,
  ).join(', ');
}

/** `Forced, with this left to decide: 1 pay-out is not on the statements, +196.40 EUR.` */
export function forcedSentence({ forced }: Pick<CloseRecord, 'forced'>): string {
  const texts = forced.map((one) => present(pointText(one), sumsText(one.sums)).join(', '));
  return texts.length === 0 ? '' : `Forced, with this left to decide: ${texts.join('; ')}.`;
}

/** The points that a close was forced over, for JSON. */
export function jsonPoints({ forced }: CloseRecord) {
  return forced.map(({ code, count, sums: amounts }) => {
    return { code, count, amounts, message: pointText({ code, count }) };
  });
}

/** A point of a record in words; its code, if another version of recon knew it. */
function pointText({ code, count }: Pick<Blocker, 'count'> & { readonly code: string }) {
  const known = forceableCodes.find((one) => one === code);
  return known ? blockerText({ code: known, count }) : code;
}

/** What is in transit at the end, and what the bridge leaves unexplained, in a few sentences. */
function headline({ rollForward, bridge, range }: CloseReport): string {
  const closing = totalsOf(rollForward.lines).map(({ closing: minor, scale, currency }) =>
    moneyText({ minor, scale, currency }),
  );
  const residuals = moneySums(bridge.map(({ residual: minor, ...one }) => ({ ...one, minor })));
  const are = residuals.every(({ minor }) => minor === 0n) ? 'are' : 'are not';
  return present(
    closing.length === 0
      ? `Nothing is in transit at the end of ${range.to}.`
      : `In transit at the end of ${range.to}: ${enumerate(closing)}.`,
    residuals.length > 0 &&
      `The bank statements ${are} explained: ${enumerate(residuals.map(moneyText))} unexplained.`,
  ).join(' ');
}

/** The reasons against closing, for one thing and for several. */
const blockerWords: Readonly<Record<BlockerCode, readonly [one: string, several: string]>> = {
  incomplete: ['not fully read', 'not fully read'],
  balance_break: ['statement does not balance', 'statements do not balance'],
  statement_gap: ['gap between statements', 'gaps between statements'],
  residual: ['bank account is not fully explained', 'bank accounts are not fully explained'],
  check_failed: ['check of what is in transit fails', 'checks of what is in transit fail'],
  statements_end: [
    'bank account without a proven balance on the last day',
    'bank accounts without a proven balance on the last day',
  ],
  not_over: ['day is not over', 'days are not over'],
  already_closed: ['day is closed already', 'days are closed already'],
  gap: [
    'day between the last close and the range is left out',
    'days between the last close and the range are left out',
  ],
  not_booked: [
    'entry is not in the register of bookings',
    'entries are not in the register of bookings',
  ],
  out_of_balance: ['settlement is out of balance', 'settlements are out of balance'],
  currency: ['transaction in another currency', 'transactions in another currency'],
  finding: ['finding', 'findings'],
  missing_on_bank: ['pay-out is not on the statements', 'pay-outs are not on the statements'],
  difference: ['pay-out has a difference', 'pay-outs have a difference'],
  returned: ['pay-out was returned', 'pay-outs were returned'],
  ambiguous: ['pay-out has several possible entries', 'pay-outs have several possible entries'],
  unknown_on_bank: [
    'bank entry is unknown to the service',
    'bank entries are unknown to the service',
  ],
  suggested: ['pay-out has only a suggested entry', 'pay-outs have only a suggested entry'],
  not_covered: [
    'pay-out falls on days without a statement',
    'pay-outs fall on days without a statement',
  ],
  overdue: ['settlement is overdue', 'settlements are overdue'],
  opening_not_set: [
    'account has money of pay-outs before the books, and no opening amount',
    'accounts have money of pay-outs before the books, and no opening amount',
  ],
  order_conflicting: ['order has conflicting lines', 'orders have conflicting lines'],
  order_ambiguous: ['order has several possible matches', 'orders have several possible matches'],
  order_missing_in_settlements: [
    'order is missing from the settlements',
    'orders are missing from the settlements',
  ],
  order_settled_twice: ['order is settled twice', 'orders are settled twice'],
  order_other_currency: [
    'order is settled in another currency',
    'orders are settled in other currencies',
  ],
  order_amount_differs: [
    'order is settled with another amount',
    'orders are settled with other amounts',
  ],
  order_cancelled_but_settled: [
    'order is cancelled, but settled',
    'orders are cancelled, but settled',
  ],
  order_unpaid_but_settled: ['order is unpaid, but settled', 'orders are unpaid, but settled'],
  order_refund_missing: ['refund of an order is missing', 'refunds of orders are missing'],
  overcharged: ['transaction costs more than agreed', 'transactions cost more than agreed'],
};

/** What to do about it, as sentences; where a command does it, that follows. */
const blockerNexts: Readonly<Record<BlockerCode, string>> = {
  incomplete: 'See the findings. Run the command again, or correct what could not be read.',
  balance_break: 'Request the statement from the bank again.',
  statement_gap: 'Add the statements in between.',
  residual: 'Add the missing statements. If none is missing, report it as a defect of recon.',
  check_failed: 'Run the command again. If it still fails, report it as a defect of recon.',
  statements_end: 'Add the statement of the last day, or the next one.',
  not_over: 'Wait until the last day is over.',
  already_closed: 'Use a later range.',
  gap: 'Begin on the day after the last close.',
  not_booked: 'Book them.',
  out_of_balance: 'See why.',
  currency: 'Ask the service what it paid for it.',
  finding: 'See them.',
  missing_on_bank: 'Ask the service for the payment by its end-to-end id.',
  difference: 'Ask the service or the bank, or accept it.',
  returned: 'Check the account number that the service pays to.',
  ambiguous: 'Compare the entries, and confirm the right one: see recon review.',
  unknown_on_bank: 'Ask the service what it paid.',
  suggested: 'Compare the entries, and confirm them: see recon review.',
  not_covered: 'Add the statements of these days and accounts.',
  overdue: 'Ask the service when it will settle.',
  opening_not_set: 'See what was in transit; with --write, it is added to the profile.',
  order_conflicting: 'Correct the order file.',
  order_ambiguous: 'Correct the references in the order file.',
  order_missing_in_settlements: 'Ask the service for the payment by its reference.',
  order_settled_twice: 'Look for a later refund, or refund the customer.',
  order_other_currency: 'Ask the service what it paid for it.',
  order_amount_differs: 'Compare the order in the shop. Accept what is settled.',
  order_cancelled_but_settled: 'Refund the customer, or correct the order in the shop.',
  order_unpaid_but_settled: 'Correct the order in the shop.',
  order_refund_missing: 'Check that the refund was made at the service.',
  overcharged: 'Claim them: see recon fees.',
};

/** What to do about what has a code; empty for other codes. */
export function nextFor(code: string): string {
  const known = forceableCodes.find((one) => one === code);
  return known ? blockerNexts[known] : '';
}

const blockerCommands: Readonly<Partial<Record<BlockerCode, string>>> = {
  out_of_balance: 'recon explain',
  finding: 'recon settlements',
};

const formatToChoose = `Book them; in place of FORMAT, write what your books import (${journalFormats.join(', ')}).`;

/** What to do about a point: `See why: recon explain --from 2026-03-01 --to 2026-03-31`. */
export function blockerNext({ code }: Blocker, report: CloseReport): string {
  const words = blockerCommands[code];
  const own = {
    not_booked: bookingCommand,
    opening_not_set: () => `${commandOver('close', report)} --init`,
  };
  const line = Object.hasOwn(own, code)
    ? own[code as keyof typeof own](report)
    : words && overRange(words, report.range, report.flags);
  const isChosen = code !== 'not_booked' || report.booking?.format !== undefined;
  const sentence = isChosen ? blockerNexts[code] : formatToChoose;
  return line ? `${withoutStop(sentence)}: ${line}` : sentence;
}

/** `6 settlements are out of balance`; of days, which: `1 day is not over: 2026-03-31`. */
export function blockerText({
  code,
  count,
  items = [],
}: Pick<Blocker, 'code' | 'count'> & Partial<Pick<Blocker, 'items'>>): string {
  const [one, several] = blockerWords[code];
  const text = `${grouped(count)} ${count === 1 ? one : several}`;
  const days = items.map(({ id }) => id);
  return ofDays.includes(code) ? `${text}: ${firstOf(days)}` : text;
}

const ofDays: readonly BlockerCode[] = ['not_over', 'already_closed', 'gap'];

export const changeWords: Readonly<Record<ChangeReason, string>> = {
  restated: 'changed by the service',
  late: 'settled later',
  gone: 'no longer listed as settled',
};

/** Notes on the figures, each a sentence. */
function notesOf(report: CloseReport): readonly string[] {
  const { takesZero, rollForward, closes, range } = report;
  return present(
    ...(report.orders ? awaitedSentences(report.orders) : []),
    ...(report.orders ? unusedMethods(report.orders) : []),
    ...(report.bank?.matching.netted ?? []).map(nettedSentence),
    ...(report.bank ? confirmedSentences(report.bank, range) : []),
    ...(report.bank ? lapsedConfirmations(report.bank) : []),
    ...(report.bank ? unusedRules(report.bank) : []),
    ...otherDigests(report),
    isShownAgain(report) && asOfToday,
    takesZero && 'The opening is taken as 0, because books_from is not set in the profile.',
    !rollForward.continues &&
      closes.some(({ to }) => to < range.from) &&
      'The range does not begin on the day after the last close.',
  );
}

/** Whether a close of before is shown, not one that this run recorded. */
function isShownAgain({ closes, recorded }: CloseReport): boolean {
  return recorded !== undefined && closes.includes(recorded);
}

const asOfToday =
  'As of today, because the register does not keep them: settlements out of balance with their causes, single bank entries, orders, fees, and what is to decide.';

/** The data of a close of the same range that has changed since. */
function otherDigests({ closes, range, digests }: CloseReport): readonly string[] {
  const record = closes.find(({ from, to }) => from === range.from && to === range.to);
  const { changed, notComparable } = comparedDigests(record?.digests ?? digests, digests);
  return present(
    changed.length > 0 && `Changed since the close: ${enumerate(changed)}.`,
    notComparable.length > 0 &&
      `Cannot be compared with the close, because another version made it: ${enumerate(notComparable)}.`,
  );
}

/** A command over the range, with the statements and the registers that the command line names. */
function commandOver(name: string, report: CloseReport): string {
  const paths = (report.bank?.paths ?? []).map(shellWord);
  const words = command(`recon ${name}`, ...paths);
  return overRange(words, report.range, report.flags, ...registersOf(report));
}

/** What was in transit when the books begin, as part of a configuration file. */
export function openingTable({ blockers }: CloseReport, begin: string, profile: string): string {
  const { items = [] } = blockers.find(({ code }) => code === 'opening_not_set') ?? {};
  const amounts = items.flatMap(({ id, amounts: [money] }) =>
    money
      ? `opening.${toml(id)}.${money.currency} = ${toml(formatMinor(money.minor, money.scale))}`
      : [],
  );
  return [
    '# The first day of the books, and what was in transit before: the pay-outs of earlier days that',
    '# the statements have since then. Check it against the books of before.',
    `[${profileTable(profile)}.books_from]`,
    `day = ${toml(begin)}`,
    ...amounts,
    '',
  ].join('\n');
}

/** What to do next, each sentence once. */
function adviceOf(report: CloseReport): readonly string[] {
  const { blockers, range, flags, flagsOfAll = flags } = report;
  const verdict = closeVerdict(report);
  const { bank, decisions } = report;
  const paths = (bank?.paths ?? []).map(shellWord);
  const registers = registersOf(report);
  const over = (name: string, own = flags) => commandOver(name, { ...report, flags: own });
  const list = shellWord(report.list ?? 'decisions.csv');
  const close = over('close', flagsOfAll);
  // Taken with the close, it has the whole month: the register has no single entries.
  const name = `close-${range.to.slice(0, 7)}`;
  const paper = ` --output ${name}.xlsx --output ${name}.html`;
  const review = command(over('review'), report.list && `--decisions ${list}`);
  const canBeForced = verdict === 'not_ready' && blockers.every(isForceable);
  const accept = command(
    `recon accept --from ${list}`,
    flags,
    ...paths.map((path) => `--bank ${path}`),
    ...registers.filter((one) => one.startsWith('--accepted')),
  );
  const asked = decisions.length + overdueToAsk(report.run).length;
  return present(
    asked > 0 &&
      `To decide ${asked === 1 ? 'it' : `these ${grouped(asked)}`} one by one: ${review}`,
    decisions.length > 0 &&
      (report.list === undefined
        ? `To decide them in a list: ${over('close')} --decisions ${list}, fill it in, then: ${accept}`
        : `Fill in ${list}, then: ${accept}`),
    bank && nettedAdvice(bank),
    verdict === 'ready' && `To record the close: ${close} --record --by NAME${paper}`,
    canBeForced &&
      `To close in spite of it: ${close} --record --by NAME --force --note "WHY"${paper}`,
    verdict === 'closed' && `For a workbook and a page to sign: ${close}${paper}`,
  );
}

export const reopenedText = (record: CloseRecord) => closedText(record, 'reopened');

/** `2026-03-01 to 2026-03-31 was closed on 2026-04-03 by Anna`. */
export function closedText({ from, to, at, by }: CloseRecord, what = 'closed'): string {
  return `${rangeText({ from, to })} was ${what} on ${at.slice(0, 10)} by ${by}`;
}

/** Says that a range was closed, and what has changed since, each a sentence. */
export function closedSentence({ record, changes, posted, undecided }: ClosedRange): string {
  const since = [...groupedBy(changes, ({ reason }) => reason)].map(([reason, those]) => {
    const ids = those.length === 1 ? '' : ` (${firstOf(those.map((one) => one.settlementId))})`;
    const what = `${many(those.length, 'settlement')} ${sinceWords[reason]}${ids}`;
    return present(what, ...changedFigures(those)).join(', ');
  });
  const isPosted = changes.every(({ settlementId }) => posted.has(settlementId));
  const when = `${isPosted ? 'posted' : 'to be posted'} on ${addDays(record.to, 1)}`;
  const gone = undecided.map(({ kind, id }) => `${decisionWords[kind]} ${id}`);
  const what = present(
    since.length > 0 && `${enumerate(since)} (${when})`,
    gone.length > 0 &&
      `${many(gone.length, 'decision')} no longer in the register as recorded (${firstOf(gone)})`,
  );
  return `${closedText(record)}; since then: ${what.join('; ') || 'nothing has changed in its settlements'}.`;
}

/** The change of the pay-ins and, of settlements that were settled before too, of other figures: `fees -2.00 EUR`. */
function changedFigures(changes: readonly ChangeSinceClose[]): readonly string[] {
  const sums = (name: HeaderFigure) =>
    amountsText(
      changes.flatMap(({ currency, scale, ...one }) => {
        const minor = changeOf(one, name);
        return minor ? { minor, scale, currency } : [];
      }),
    );
  const isRestated = changes.every(({ reason }) => reason === 'restated');
  const others = (['gross', 'fees', 'tax'] as const).flatMap((name) => {
    const text = isRestated ? sums(name) : '';
    return text === '' ? [] : `${name} ${text}`;
  });
  return present(sums('payIn'), ...others);
}

const sinceWords = { ...changeWords, restated: 'changed' };
