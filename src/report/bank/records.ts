import { type BankMovement, bankMovements } from '../../app/bank-movements.ts';
import {
  type BankLine,
  type BankReport,
  bankVerdict,
  entryTexts,
  listedMatches,
  type ShareFigure,
  shareFigures,
} from '../../app/bank-report.ts';
import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import type { BankMatch, BankTotal, EntryShare, SettlementShare } from '../../match/match.ts';
import { type BankStatement, plainEntry, type StatementFinding } from '../../model/bank.ts';
import type { Names } from '../../model/settlement.ts';
import { jsonAcceptance } from '../common/acceptance.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import {
  jsonAccount,
  jsonAmount,
  jsonAmounts,
  jsonEntry,
  jsonNetAndAbsolute,
  jsonSettlementKey,
} from '../common/json.ts';
import { bankSummary } from './summary.ts';
import { businessDaysText, placeText, statementSentence } from './words.ts';

/** A row a settlement with its entry, or an entry alone. New columns go to the end. */
export function bankColumns({ names, accepted }: BankReport): readonly Column<BankLine>[] {
  return [
    field.integer('match', ({ number }) => number),
    field.text('state', ({ match }) => match.state),
    field.text('matched_by', ({ match }) => match.by),
    field.text('reason', ({ match }) => match.reason),
    field.text('accepted', ({ match }) => bankAcceptanceOf(match, accepted)?.state),
    ...shareColumns(names),
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

function shareColumns(names: Names): readonly Column<BankLine>[] {
  return [
    field.text('settlement_date', ({ share }) => share?.settlement.date),
    field.text('settlement_id', ({ share }) => share?.settlement.id),
    ...field.account<BankLine>(names, ({ share }) => share?.settlement.accountingToken ?? ''),
    field.text('merchant_id', ({ share }) => share?.settlement.merchantId),
    field.text('settlement_status', ({ share }) => share?.settlement.status),
    field.list('payment_references', ({ share }) => share?.settlement.paymentReferences),
    field.list('payment_end_to_end_ids', ({ share }) => share?.settlement.paymentEndToEndIds),
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
  // Its number in the entry, from 1.
  field.integer('bank_part', ({ entry: { part } = {} }) =>
    part !== undefined ? part + 1 : undefined,
  ),
  field.text('bank_place', ({ entry }) => entry && placeText(entry.entry.place)),
];

function amount(key: string, minor: (line: BankLine) => bigint | undefined): Column<BankLine> {
  return field.amount(key, (line) => amountOf(minor(line), line.match.scale));
}

/** A figure of a settlement, on one line only: the sum of the column is then correct. */
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

/** The report in JSON: facts about it, and its lists by name, each with the type of its lines. */
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
      businessDays: businessDaysText(report),
      isEarlierKnown: report.earlier !== undefined,
      repeatedEntries: statements.repeated,
      findings: findings.map((entry) => jsonEntry(entry, 0)),
      notes: bankSummary(report).notes,
    },
    lists: {
      totals: ['total', matching.totals.map((total) => jsonTotal(total, names))],
      matches: ['match', matches.map((match, index) => jsonMatch(match, index + 1, report))],
      earlier: ['earlier', (report.earlier ?? []).map((match) => jsonMatch(match, 0, report))],
      movements: ['movement', bankMovements(report).map(jsonMovement)],
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
  const { details: _, parts: __, scale: own, place, charges, ...entry } = plainEntry(share.entry);
  return {
    ...entry,
    part: share.part === undefined ? null : share.part + 1,
    amount: jsonAmount(share.amount, scale),
    charges: charges === undefined ? null : jsonAmount(charges, own),
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

function jsonMovement({ account, currency, scale, earlierEntries, ...amounts }: BankMovement) {
  const money = { account, currency, decimalPlaces: scale };
  return { ...money, ...jsonAmounts({ ...amounts }, scale), earlierEntries };
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
