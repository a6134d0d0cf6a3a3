import { keysOf } from '../../base/lists.ts';
import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import type {
  BankMatch,
  BankState,
  BankTotal,
  EntryShare,
  SettlementShare,
} from '../../match/match.ts';
import { type BankStatement, plainEntry, type StatementFinding } from '../../model/bank.ts';
import { jsonAcceptance } from '../common/acceptance.ts';
import { accountColumn, type CellColumn, column, sectionIfAny, uuid } from '../common/blocks.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import {
  jsonAccount,
  jsonAmount,
  jsonAmounts,
  jsonEntry,
  jsonNetAndAbsolute,
  jsonSettlementKey,
} from '../common/json.ts';
import { grouped } from '../common/phrase.ts';
import { accountName, type Names } from '../common/report.ts';
import type { Section } from '../common/view.ts';
import {
  type BankLine,
  type BankReport,
  bankLines,
  bankVerdict,
  entryTexts,
  listedMatches,
  placeText,
  type ShareFigure,
  shareFigures,
} from './report.ts';
import { bankNotes } from './summary.ts';
import {
  bankStates,
  matchKeyWords,
  matchReasonWords,
  notCheckedText,
  statementSentence,
} from './words.ts';

/** A row a settlement with its entry, or an entry alone. New columns go to the end. */
export function bankColumns({
  names,
  accepted,
}: Pick<BankReport, 'names' | 'accepted'>): readonly Column<BankLine>[] {
  return [
    field.integer('match', ({ number }) => number),
    field.text('state', ({ match }) => match.state),
    field.text('matched_by', ({ match }) => match.by),
    field.text('reason', ({ match }) => match.reason),
    field.text('accepted', ({ match }) => bankAcceptanceOf(match, accepted)?.state),
    ...settlementColumns(names),
    field.text('currency', ({ match }) => match.currency),
    field.integer('decimal_places', ({ match }) => match.scale),
    amount('expected', ofSettlement('expected')),
    amount('received', ofSettlement('received')),
    amount('difference', ofSettlement('difference')),
    field.integer('age_days', ({ match, share }) => share && match.ageDays),
    amount('match_expected', (line) => ofMatch(line)?.expected),
    amount('match_received', (line) => ofMatch(line)?.received),
    amount('match_difference', (line) => ofMatch(line)?.difference),
    ...entryCsvColumns,
  ];
}

function settlementColumns(names: Names): readonly Column<BankLine>[] {
  return [
    field.text('settlement_date', ({ share }) => share?.settlement.date),
    field.text('settlement_id', ({ share }) => share?.settlement.id),
    ...field.account<BankLine>(names, ({ share }) => share?.settlement.accountingToken ?? ''),
    field.text('merchant_id', ({ share }) => share?.settlement.merchantId),
    field.text('settlement_status', ({ share }) => share?.settlement.status),
    field.list('payment_references', ({ share }) => share?.settlement.paymentReferences ?? []),
    field.list('payment_end_to_end_ids', ({ share }) => share?.settlement.paymentEndToEndIds ?? []),
  ];
}

const entryCsvColumns: readonly Column<BankLine>[] = [
  field.text('bank_date', ({ entry }) => entry?.entry.date),
  field.text('bank_value_date', ({ entry }) => entry?.entry.valueDate),
  field.text('bank_status', ({ entry }) => entry?.entry.status),
  amount('bank_amount', ({ entry, hasEntry }) => (hasEntry ? entry?.amount : undefined)),
  field.text('bank_currency', ({ entry }) => entry?.entry.currency),
  field.text('bank_account', ({ entry }) => entry?.entry.account),
  field.list('counterparty', ({ entry }) => entryTexts(entry, 'names')),
  field.list('counterparty_account', ({ entry }) => entryTexts(entry, 'accounts')),
  field.list('bank_text', ({ entry }) => entryTexts(entry, 'texts')),
  field.text('bank_reference', ({ entry }) => entry?.entry.bankReference),
  field.text('return_reason', ({ entry }) => entry?.entry.returnReason),
  // Its number in the entry, from 1, as people count.
  field.integer('bank_part', ({ entry }) =>
    entry?.part === undefined ? undefined : entry.part + 1,
  ),
  field.text('bank_place', ({ entry }) => (entry ? placeText(entry.entry.place) : '')),
];

function amount(key: string, minor: (line: BankLine) => bigint | undefined): Column<BankLine> {
  return field.amount(key, (line) => amountOf(minor(line), line.match.scale));
}

/** A figure of a settlement, on one line only, so that a column can be added up. */
function ofSettlement(figure: ShareFigure) {
  return ({ match, share, hasSettlement }: BankLine) =>
    share && hasSettlement ? shareFigures(match, share)[figure] : undefined;
}

/** The amounts of a match, on its first line; none for an entry alone. */
function ofMatch({ match, isFirst, share }: BankLine) {
  if (!isFirst || !share) return undefined;
  const { expected, difference } = match;
  return { expected, difference, received: difference === undefined ? undefined : match.received };
}

/** What the report says of itself in JSON, and its lists by name, each with the type of its lines. */
export function bankJson(report: BankReport) {
  const { matching, statements, findings, names } = report;
  const matches = listedMatches(matching.matches);
  return {
    about: {
      range: report.range,
      profile: report.profile ?? null,
      filters: report.filters,
      verdict: bankVerdict(report),
      paidFrom: matching.paidFrom,
      repeatedEntries: statements.repeated,
      findings: findings.map((entry) => jsonEntry(entry, 0)),
      notes: bankNotes(report),
    },
    lists: {
      totals: ['total', matching.totals.map((total) => jsonTotal(total, names))],
      matches: ['match', matches.map((match, index) => jsonMatch(match, index + 1, report))],
      statements: ['statement', statements.statements.map(jsonStatement)],
      statementFindings: ['statementFinding', statements.findings.map(jsonFinding)],
    },
  } as const;
}

function jsonMatch(match: BankMatch, number: number, { names, accepted }: BankReport) {
  const { state, by, reason, currency, scale, settlements, entries } = match;
  const { expected, received, difference } = match;
  return {
    match: number,
    state,
    matchedBy: by ?? null,
    reason: reason ?? null,
    accepted: jsonAcceptance(bankAcceptanceOf(match, accepted)),
    currency,
    decimalPlaces: scale,
    ...jsonAmounts({ expected, received, difference }, scale),
    ageDays: match.ageDays ?? null,
    settlements: settlements.map((share) => jsonShare(match, share, names)),
    entries: entries.map((share) => jsonBankEntry(share, scale)),
  };
}

function jsonShare(match: BankMatch, share: SettlementShare, names: Names) {
  const { settlement } = share;
  return {
    ...jsonSettlementKey(settlement, names),
    merchantId: settlement.merchantId,
    status: settlement.status,
    paymentReferences: settlement.paymentReferences,
    paymentEndToEndIds: settlement.paymentEndToEndIds,
    ...jsonAmounts(shareFigures(match, share), match.scale),
  };
}

function jsonBankEntry(share: EntryShare, scale: number) {
  const { details: _, parts: __, scale: ___, place, ...entry } = plainEntry(share.entry);
  return {
    ...entry,
    part: share.part === undefined ? null : share.part + 1,
    amount: jsonAmount(share.amount, scale),
    counterparty: entryTexts(share, 'names'),
    counterpartyAccount: entryTexts(share, 'accounts'),
    endToEndIds: entryTexts(share, 'endToEndIds'),
    paymentInformationIds: entryTexts(share, 'paymentInformationIds'),
    references: entryTexts(share, 'references'),
    texts: entryTexts(share, 'texts'),
    ...place,
  };
}

function jsonTotal(total: BankTotal, names: Names) {
  const { accountingToken, currency, scale, states } = total;
  const each = [...states].map(([state, { expected, received, difference, ...counts }]) => {
    const amounts = jsonAmounts({ expected, received }, scale);
    return [state, { ...counts, ...amounts, difference: jsonNetAndAbsolute(difference, scale) }];
  });
  return {
    ...jsonAccount(accountingToken, names),
    currency,
    decimalPlaces: scale,
    states: Object.fromEntries(each),
  };
}

function jsonStatement(statement: BankStatement) {
  const { scale, opening, sum, closing, notChecked, place, ...one } = statement;
  const checked = { checked: notChecked === undefined, notCheckedBecause: notChecked ?? null };
  const balances = jsonAmounts({ opening, sum, closing }, scale);
  return { ...one, decimalPlaces: scale, ...balances, ...checked, ...place };
}

function jsonFinding(finding: StatementFinding) {
  const { scale, place, difference, ...one } = finding;
  const message = statementSentence(finding);
  const off = jsonAmount(difference, scale);
  return { ...one, decimalPlaces: scale, difference: off, ...place, message };
}

type Cells = CellColumn<BankLine>;

export const stateColumn: Cells = {
  ...column(1, 'State', 'text', ({ match }) => bankStates[match.state][0]),
  filters: true,
};

/** Which pay-out it is. */
export function payoutColumns(names: Names): readonly Cells[] {
  const token = ({ share }: BankLine) => share?.settlement.accountingToken ?? '';
  return [
    column(1, 'Date', 'day', ({ share }) => share?.settlement.date ?? ''),
    column(1, 'Settlement', 'text', ({ share }) => share?.settlement.id ?? ''),
    { ...accountColumn(names, 4, token), filters: true },
    column(1, 'Currency', 'text', ({ match }) => match.currency),
  ];
}

/** What a pay-out should be, and what the bank has of it; `priority` is that of the amounts beside the difference. */
export function payoutFigures(priority: number): readonly Cells[] {
  const amount = (title: string, figure: ShareFigure) =>
    column<BankLine>(priority, title, 'amount', ({ match, share }) =>
      amountOf(share && shareFigures(match, share)[figure], match.scale),
    );
  return [
    amount('Expected', 'expected'),
    amount('Received', 'received'),
    column(1, 'Difference', 'difference', ({ match, share }) =>
      amountOf(share && shareFigures(match, share).difference, match.scale),
    ),
  ];
}

/** How long the money is not there. */
export const ageColumn: Cells = column(
  1,
  'Days',
  'integer',
  ({ match: { difference, ageDays } }) => (difference === undefined ? ageDays : undefined),
);

const byColumn: Cells = column(1, 'By', 'text', ({ match: { by } }) =>
  by ? matchKeyWords[by] : '',
);

const bookingDate = (title: string): Cells =>
  column(1, title, 'day', ({ entry }) => entry?.entry.date);

/** What is said of a bank entry. */
export const entryColumns: readonly Cells[] = [
  bookingDate('Date'),
  column(3, 'Bank account', 'text', ({ entry }) => entry?.entry.account ?? '', uuid),
  column(1, 'Currency', 'text', ({ entry }) => entry?.entry.currency ?? ''),
  column(1, 'Amount', 'amount', ({ entry, match }) => amountOf(entry?.amount, match.scale)),
  column(1, 'Other side', 'text', ({ entry }) => entryTexts(entry, 'names').join(', ')),
  column(2, 'Text', 'text', ({ entry }) => entryTexts(entry, 'texts').join(' '), 35),
  column(4, 'Place', 'text', ({ entry }) => (entry ? placeText(entry.entry.place) : ''), uuid),
];

const numberColumn: Cells = column(1, 'Match', 'integer', ({ number }) => number);

/** All pay-outs, a row each, to be sorted and filtered, `limit` at the limit; none where there are none. */
export function payoutList({ matching, names }: BankReport, limit: number): readonly Section[] {
  const lines = [...bankLines(matching.matches)].filter(({ hasSettlement }) => hasSettlement);
  const columns: readonly Cells[] = [
    stateColumn,
    ...payoutColumns(names),
    ...payoutFigures(1),
    byColumn,
    bookingDate('Booking date'),
    column(1, 'Reason', 'text', ({ match: { reason } }) =>
      reason ? matchReasonWords[reason] : '',
    ),
    ageColumn,
    column(1, 'End-to-end id', 'text', ({ share }) =>
      (share?.settlement.paymentEndToEndIds ?? []).join(' | '),
    ),
    numberColumn,
  ];
  return list('All pay-outs', lines, columns, limit);
}

/** All bank entries, or the parts of them that belong to a match, as above. */
export function entryList({ matching }: BankReport, limit: number): readonly Section[] {
  const lines = [...bankLines(matching.matches)].filter(({ hasEntry }) => hasEntry);
  const columns: readonly Cells[] = [
    stateColumn,
    ...entryColumns,
    byColumn,
    column(1, 'Settlement', 'text', ({ match }) =>
      match.settlements.map(({ settlement }) => settlement.id).join(' | '),
    ),
    numberColumn,
  ];
  return list('Bank entries', lines, columns, limit);
}

function list(title: string, lines: readonly BankLine[], columns: readonly Cells[], limit: number) {
  const toneOf = ({ match }: BankLine) => bankStates[match.state][1];
  return sectionIfAny(`${title}: ${grouped(lines.length)}`, lines, columns, { limit, toneOf });
}

const paidStates: readonly BankState[] = ['matched', 'difference', 'returned'];
const entryStates: readonly BankState[] = ['unknown_on_bank', 'unrelated'];

function linesOf({ states, ...whose }: BankTotal) {
  return keysOf(bankStates).flatMap((state) => {
    const of = states.get(state);
    if (!of) return [];
    const [isPaid, isEntry] = [paidStates, entryStates].map((all) => all.includes(state));
    const { settlements, entries, expected, received, difference } = of;
    return {
      ...{ ...whose, state, settlements, entries },
      expected: isEntry ? undefined : expected,
      received: isPaid || isEntry ? received : undefined,
      difference: isPaid ? difference : undefined,
    };
  });
}

type TotalLine = ReturnType<typeof linesOf>[number];

/** What pay-outs and entries come to by account, currency and state; entries without a pay-out last. */
export function totalSections({ matching, names }: BankReport, limit?: number): readonly Section[] {
  const lines = matching.totals.flatMap(linesOf);
  const isOfEntries = ({ accountingToken }: TotalLine) => accountingToken === '';
  const amount = (priority: number, title: string, of: (line: TotalLine) => bigint | undefined) =>
    column<TotalLine>(priority, title, 'amount', (line) => amountOf(of(line), line.scale));
  return sectionIfAny<TotalLine>(
    'Totals by account and currency',
    [...lines.filter((one) => !isOfEntries(one)), ...lines.filter(isOfEntries)],
    [
      column(1, 'Account', 'text', ({ accountingToken: token }) =>
        token === '' ? 'no pay-out' : accountName(names, token),
      ),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(1, 'State', 'text', ({ state }) => bankStates[state][0]),
      column(1, 'Pay-outs', 'integer', ({ settlements }) => settlements),
      column(4, 'Entries', 'integer', ({ entries }) => entries),
      amount(2, 'Expected', ({ expected }) => expected),
      amount(3, 'Received', ({ received }) => received),
      column(2, 'Net difference', 'difference', ({ difference, scale }) =>
        amountOf(difference?.net, scale),
      ),
      amount(5, 'Absolute difference', ({ difference }) => difference?.absolute),
    ],
    { limit },
  );
}

function checkedText({ notChecked, opening = 0n, sum, closing = 0n }: BankStatement): string {
  if (notChecked) return `not checked: ${notCheckedText(notChecked)}`;
  return opening + sum === closing ? 'checked' : 'checked: do not add up';
}

/** The statements that were read, with their balances. */
export function statementSections(
  { statements: { statements } }: BankReport,
  limit?: number,
): readonly Section[] {
  const amount = (title: string, minor: (one: BankStatement) => bigint | undefined) =>
    column<BankStatement>(3, title, 'amount', (one) => amountOf(minor(one), one.scale));
  return sectionIfAny<BankStatement>(
    'Statements',
    statements,
    [
      column(1, 'Bank account', 'text', ({ account }) => account, uuid),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(4, 'Number', 'text', ({ number }) => number),
      column(1, 'First day', 'day', ({ from }) => from),
      column(1, 'Last day', 'day', ({ to }) => to),
      column(2, 'Entries', 'integer', ({ entries }) => entries),
      column(1, 'Balances', 'text', checkedText),
      amount('Opening balance', ({ opening }) => opening),
      amount('Sum of entries', ({ sum }) => sum),
      amount('Closing balance', ({ closing }) => closing),
      column(5, 'Place', 'text', ({ place }) => placeText(place), uuid),
    ],
    { limit },
  );
}
