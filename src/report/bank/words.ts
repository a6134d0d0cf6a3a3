import {
  acceptedMatches,
  type BankReport,
  type BankVerdict,
  entryTexts,
  isBroken,
  openMatches,
  payoutsIn,
  waitingStates,
} from '../../app/bank-report.ts';
import { closedRanges } from '../../app/closed-range.ts';
import { groupedBy } from '../../base/lists.ts';
import { cut } from '../../base/texts.ts';
import { calendarOf, daysCovered } from '../../match/business-days.ts';
import {
  type BankMatch,
  type BankState,
  type EntryShare,
  hasArrived,
  isPaid,
  type MatchKey,
  type MatchReason,
} from '../../match/match.ts';
import type { NotCheckedReason, Place, StatementFinding } from '../../model/bank.ts';
import { closedSentence } from '../close/words.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import {
  amountsText,
  enumerate,
  firstOf,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
  signedMoneyText,
} from '../common/phrase.ts';
import type { Remark, Tone } from '../common/view.ts';

/** The answer in a few sentences: how many pay-outs are on the statements, and what is not as it should be. */
export function bankHeadline(report: BankReport): string {
  const { earlier = [] } = report;
  const { matches } = report.matching;
  const inState = (...states: readonly BankState[]) =>
    matches.filter(({ state }) => states.includes(state));
  const due = payoutsIn(matches) - payoutsIn(inState('not_paid_yet', 'nothing_due'));
  const charged = inState('charged');
  const found = payoutsIn([...matches.filter(hasArrived), ...inState('difference')]);
  const waiting = waitingStates.flatMap((state) => {
    const count = payoutsIn(inState(state));
    return count === 0 ? [] : `${grouped(count)} ${bankStates[state][0]}`;
  });
  const open = (state: BankState) => openMatches(report, state);
  const accepted = groupedBy(acceptedMatches(report), ({ settlements }) => settlements.length > 0);
  const clause = (all: readonly BankMatch[], one: string, several: string) => {
    const count = payoutsIn(all);
    const sums = all.every(({ state }) => state === 'difference')
      ? differencesText(all)
      : sumsText(all, ({ expected }) => expected);
    return count > 0 && `${grouped(count)} ${count === 1 ? one : several}: ${sums}.`;
  };
  const uncovered = payoutsIn(inState('not_covered'));
  return present(
    due === 0
      ? 'No pay-outs are due.'
      : `${grouped(found)} of ${many(due, 'pay-out')} ${due === 1 ? 'is' : 'are'} on the bank statements.`,
    clause(open('missing_on_bank'), 'is missing', 'are missing'),
    clause(open('difference'), 'has a difference', 'have a difference'),
    clause(accepted.get(true) ?? [], 'has an accepted difference', 'have an accepted difference'),
    charged.length > 0 &&
      `${grouped(payoutsIn(charged))} arrived less bank charges: ${sumsText(charged, ({ difference = 0n }) => -difference)}.`,
    clause(open('returned'), 'was returned', 'were returned'),
    clause(open('ambiguous'), 'has several possible matches', 'have several possible matches'),
    unknownText(open('unknown_on_bank'), 'unknown to the service'),
    unknownText(accepted.get(false) ?? [], 'unknown to the service and accepted'),
    clause(open('suggested'), 'has only a suggested entry', 'have only a suggested entry'),
    clause(earlier, 'is still open from before the range', 'are still open from before the range'),
    uncovered > 0 &&
      `${grouped(uncovered)} cannot be checked: the statements do not cover ${uncovered === 1 ? 'its' : 'their'} days.`,
    waiting.length > 0 && `Waiting: ${waiting.join(', ')}.`,
  ).join(' ');
}

type Matches = readonly BankMatch[];

/** What matches come to by currency: `1,935.93 EUR`, or where signs differ, `+1.00 EUR net, 3.00 EUR absolute`. */
function sumsText(matches: Matches, minor: (match: BankMatch) => bigint, textOf = moneyText) {
  const amounts = matches.map((one) => {
    return { currency: one.currency, scale: one.scale, minor: minor(one) };
  });
  return amountsText(amounts, textOf);
}

function differencesText(matches: readonly BankMatch[]): string {
  const known = matches.filter(({ difference }) => difference !== undefined);
  const others = payoutsIn(matches) - payoutsIn(known);
  return present(
    sumsText(known, ({ difference = 0n }) => difference, signedMoneyText),
    others > 0 && `${grouped(others)} in another currency`,
  ).join('; ');
}

function unknownText(matches: readonly BankMatch[], what: string) {
  const is = many(matches.length, 'entry is', 'entries are');
  const amountOf = ({ entries }: BankMatch) => entries.reduce((sum, one) => sum + one.amount, 0n);
  const sums = sumsText(matches, amountOf);
  return matches.length > 0 && `${is} ${what}: ${sums}.`;
}

/** `2 statements, 2026-03-01 to 2026-03-31`. */
export function statementDays({ statements: { statements } }: BankReport): string {
  const span = daysCovered(statements);
  return present(many(statements.length, 'statement'), span && rangeText(span)).join(', ');
}

/** `EUR by TARGET; JPY from Monday to Friday, without 1 holiday`: what due days go by. */
export function businessDaysText({ matching, businessDays }: BankReport): string {
  const currencies = new Set(matching.matches.map(({ currency }) => currency));
  const calendars = [...currencies].sort().map((currency) => {
    const count = businessDays.holidaysOf(currency);
    const calendar = calendarOf(currency) === 'target' ? 'by TARGET' : 'from Monday to Friday';
    return `${currency} ${calendar}${count > 0 ? `, without ${many(count, 'holiday')}` : ''}`;
  });
  return calendars.join('; ');
}

/** What a reader has to know beside the figures, each a sentence. */
export function bankNotes(report: BankReport): readonly string[] {
  const { matching, statements, filters, conflicting, lacksDaysAround } = report;
  const { earlier, closes, range } = report;
  const isFromMiddle = (daysCovered(statements.statements)?.from ?? '9') <= range.from;
  const { matches } = matching;
  const settled = matches.flatMap(({ settlements }) =>
    settlements.map(({ settlement }) => settlement).filter(isPaid),
  );
  const unchecked = statements.statements.flatMap(({ notChecked }) => notChecked ?? []);
  const why = [...new Set(unchecked)].map(notCheckedText);
  const others = matches.filter(({ state }) => state === 'unrelated').length;
  const hasUnknown = matches.some(({ state }) => state === 'unknown_on_bank');
  const currencies = new Set(statements.statements.map(({ currency }) => currency));
  const without = new Set(
    matches.flatMap(({ state, currency }) =>
      state === 'not_covered' && !currencies.has(currency) ? currency : [],
    ),
  );
  return present(
    earlier === undefined &&
      closes !== undefined &&
      isFromMiddle &&
      'What was in transit before the range is not known: set books_from in the profile, or record closes.',
    ...closedRanges(closes ?? [], range, settled).map(closedSentence),
    without.size > 0 && `No statement in ${enumerate([...without].sort())}.`,
    unchecked.length > 0 &&
      `The balances of ${many(unchecked.length, 'statement')} were not checked: ${enumerate(why)}.`,
    others > 0 &&
      `${many(others, 'entry does not', 'entries do not')} come from the service and ${others === 1 ? 'is' : 'are'} not listed.`,
    conflicting.length > 0 &&
      `${many(conflicting.length, 'settlement is', 'settlements are')} listed with conflicting headers; one of them was used: ${firstOf(conflicting)}.`,
    statements.repeated > 0 &&
      `${many(statements.repeated, 'entry', 'entries')} repeated in other files, counted once.`,
    hasUnknown &&
      Object.keys(filters).length > 0 &&
      'Settlements were filtered, so an unknown entry may belong to another merchant.',
    hasUnknown &&
      lacksDaysAround &&
      'The export does not contain all days before and after the range, so an unknown entry may belong to one of them.',
    hasUnknown &&
      matching.paidFrom.length === 0 &&
      'The accounts that the service pays from are not known, so an unknown entry may come from anyone.',
  );
}

/** Where a pay-out or an entry stands, in a word or two, and how that is meant. */
export const bankStates: Readonly<Record<BankState, readonly [words: string, tone: Tone]>> = {
  matched: ['matched', 'good'],
  charged: ['less charges', 'good'],
  difference: ['difference', 'bad'],
  returned: ['returned', 'bad'],
  suggested: ['suggested', 'unsure'],
  ambiguous: ['several possible', 'unsure'],
  missing_on_bank: ['missing', 'bad'],
  in_transit: ['in transit', 'plain'],
  not_covered: ['not covered', 'unsure'],
  pending_on_bank: ['announced', 'plain'],
  not_paid_yet: ['pending', 'plain'],
  nothing_due: ['nothing due', 'plain'],
  unknown_on_bank: ['unknown', 'bad'],
  unrelated: ['unrelated', 'quiet'],
};

/** What a pay-out and an entry have in common. */
export const matchKeyWords: Readonly<Record<MatchKey, string>> = {
  end_to_end_id: 'end-to-end id',
  payment_information_id: 'payment reference',
  reference: 'id in a reference field',
  text: 'id in the text',
  text_start: 'start of the id in the text',
  amount_and_date: 'amount and date',
  sum: 'sum of amounts',
};

export const matchReasonWords: Readonly<Record<MatchReason, string>> = {
  paid_twice: 'paid twice',
  other_currency: 'paid in another currency',
  returned: 'returned by the bank',
  same_amount: 'several with the same amount',
  same_key: 'several with the same id',
  several_sums: 'several sums give this amount',
};

/** What is wrong in a statement, and where. Without a full stop, so that it fits in a list. */
function statementFindingText(finding: StatementFinding): string {
  const { code, account, currency, scale, place, element, found, expected, difference } = finding;
  const of = `account ${account}`;
  const minor = difference ?? 0n;
  const off = ` (difference ${signedMoneyText({ minor, scale, currency })})`;
  const texts: Readonly<Record<StatementFinding['code'], string>> = {
    unreadable: `${element || 'this'} cannot be read: found ${found || 'nothing'}, expected ${expected}`,
    undated: `${of}: an entry of ${found} ${currency} has neither a booking date nor a value date, so it is not matched or booked`,
    odd_value_date: `${of}: the value date ${found} does not exist; the booking date counts`,
    balance_break: `${of}: the opening balance and the entries do not add up to the closing balance${off}`,
    statement_gap: `${of}: the opening balance is not the closing balance of the previous statement${off}`,
  };
  return `${placeText(place)}: ${texts[code]}`;
}

export function statementRemark(finding: StatementFinding): Remark {
  const tone = finding.code === 'odd_value_date' ? plain : isBroken(finding) ? alarm : unsure;
  return tone(statementFindingText(finding));
}

/** `march.xml:120`. */
export function placeText({ file, line }: Place): string {
  return `${file}:${line}`;
}

/** Why balances were not checked. */
export function notCheckedText(reason: NotCheckedReason): string {
  return reason.replaceAll('_', ' ');
}

/** The same as a sentence. */
export function statementSentence(finding: StatementFinding): string {
  return `${statementFindingText(finding)}.`;
}

/** `2026-03-05, 408.70 EUR from Example Payments, "E2E-1" (march.xml:120)`. */
export function entryText(share: EntryShare, scale: number): string {
  return `${share.entry.date}, ${paymentText(share, scale)}`;
}

/** The same without its day. */
export function paymentText(share: EntryShare, scale: number): string {
  const { entry, part, amount } = share;
  const [name] = entryTexts(share, 'names');
  const text = cut(entryTexts(share, 'texts').join(' '), longestText);
  const money = moneyText({ minor: amount, scale, currency: entry.currency });
  const what = present(
    money,
    name && `${amount < 0n ? 'to' : 'from'} ${name}`,
    entry.isReversal && '(reversal)',
    part !== undefined && `(part ${part + 1} of an entry)`,
  ).join(' ');
  const returned = entry.returnReason && `returned: ${entry.returnReason}`;
  const said = present(what, returned, text && `"${text}"`).join(', ');
  return `${said} (${placeText(entry.place)})`;
}

const longestText = 60;

/** How a verdict on pay-outs or orders is meant. */
export const reconciliationTones: Readonly<Record<BankVerdict, Tone>> = {
  reconciled: 'good',
  not_reconciled: 'bad',
  incomplete: 'unsure',
};
