import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import type { BankMatch, BankTotal, EntryShare, SettlementShare } from '../../match/match.ts';
import type { BankStatement, StatementFinding } from '../../model/bank.ts';
import { jsonAcceptance } from '../common/acceptance.ts';
import { jsonAmount, jsonEntry, jsonSettlementKey } from '../common/json.ts';
import type { Names } from '../common/report.ts';
import { entryTexts, listedMatches, shareFigures } from './lines.ts';
import { bankNotes } from './notes.ts';
import { type BankReport, bankVerdict } from './report.ts';
import { statementSentence } from './words.ts';

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
      statementFindings: ['statement_finding', statements.findings.map(jsonFinding)],
    },
  } as const;
}

function jsonMatch(match: BankMatch, number: number, { names, accepted }: BankReport) {
  const { state, by, reason, currency, scale, settlements, entries } = match;
  return {
    match: number,
    state,
    matchedBy: by ?? null,
    reason: reason ?? null,
    accepted: jsonAcceptance(bankAcceptanceOf(match, accepted)),
    currency,
    decimalPlaces: scale,
    expected: jsonAmount(match.expected, scale),
    received: jsonAmount(match.received, scale),
    difference: jsonAmount(match.difference, scale),
    ageDays: match.ageDays ?? null,
    settlements: settlements.map((share) => jsonShare(match, share, names)),
    entries: entries.map((share) => jsonBankEntry(share, scale)),
  };
}

function jsonShare(match: BankMatch, share: SettlementShare, names: Names) {
  const { settlement } = share;
  const { expected, received, difference } = shareFigures(match, share);
  return {
    ...jsonSettlementKey(settlement, names),
    merchantId: settlement.merchantId,
    settlementStatus: settlement.status,
    paymentReferences: settlement.paymentReferences,
    paymentEndToEndIds: settlement.paymentEndToEndIds,
    expected: jsonAmount(expected, match.scale),
    received: jsonAmount(received, match.scale),
    difference: jsonAmount(difference, match.scale),
  };
}

function jsonBankEntry(share: EntryShare, scale: number) {
  const { details: _, parts: __, scale: ___, place, ...entry } = share.entry;
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
  const amount = (minor: bigint) => jsonAmount(minor, scale);
  const each = [...states].map(([state, { expected, received, difference, ...counts }]) => {
    const off = { net: amount(difference.net), absolute: amount(difference.absolute) };
    const amounts = { expected: amount(expected), received: amount(received), difference: off };
    return [state, { ...counts, ...amounts }];
  });
  return {
    accountingToken: accountingToken || null,
    accountingName: names.get(accountingToken) ?? '',
    currency,
    decimalPlaces: scale,
    states: Object.fromEntries(each),
  };
}

function jsonStatement(statement: BankStatement) {
  const { scale, opening, sum, closing, notChecked, place, ...one } = statement;
  const checked = { checked: notChecked === undefined, not_checked_because: notChecked ?? null };
  const amount = (minor: bigint | undefined) => jsonAmount(minor, scale);
  const balances = { opening: amount(opening), sum: amount(sum), closing: amount(closing) };
  return { ...one, decimalPlaces: scale, ...balances, ...checked, ...place };
}

function jsonFinding(finding: StatementFinding) {
  const { scale, place, difference, ...one } = finding;
  const message = statementSentence(finding);
  const off = jsonAmount(difference, scale);
  return { ...one, decimalPlaces: scale, difference: off, ...place, message };
}
