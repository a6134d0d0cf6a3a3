import type { BankMatch, BankState, EntryShare, SettlementShare } from '../../match/match.ts';
import type { BankStatement, StatementFinding } from '../../model/bank.ts';
import { jsonAmount, jsonEntry } from '../common/json.ts';
import type { Names } from '../common/report.ts';
import { entryTexts, shareDifference, shareExpected, shareReceived } from './lines.ts';
import { type BankReport, bankVerdict, isAcceptedMatch } from './report.ts';
import { bankNotes } from './summary.ts';
import { statementFindingText } from './words.ts';

/** What the report says of itself in JSON, and its lists by name, each with the type of its lines. */
export function bankJson(report: BankReport) {
  const { matching, statements, findings, names } = report;
  const matches = matching.matches.flatMap((match, index) =>
    match.state === 'unrelated' ? [] : jsonMatch(match, index + 1, report),
  );
  return {
    about: {
      range: report.range,
      profile: report.profile ?? null,
      filters: report.filters,
      verdict: bankVerdict(report),
      repeatedEntries: statements.repeated,
      findings: findings.map((entry) => jsonEntry(entry, 0)),
      notes: bankNotes(report),
    },
    lists: {
      totals: ['total', matching.totals.map((total) => jsonTotal(total, names))],
      matches: ['match', matches],
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
    accepted: isAcceptedMatch(match, accepted),
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
  const amount = (minor: bigint | undefined) => jsonAmount(minor, match.scale);
  return {
    settlementId: settlement.id,
    settlementDate: settlement.date,
    accountingToken: settlement.accountingToken,
    accountingName: names.get(settlement.accountingToken) ?? '',
    merchantId: settlement.merchantId,
    settlementStatus: settlement.status,
    paymentReferences: settlement.paymentReferences,
    paymentEndToEndIds: settlement.paymentEndToEndIds,
    expected: amount(shareExpected(match, share)),
    received: amount(shareReceived(match, share)),
    difference: amount(shareDifference(match, share)),
  };
}

function jsonBankEntry(share: EntryShare, scale: number) {
  const { entry, part, amount } = share;
  return {
    id: entry.id,
    part: part === undefined ? null : part + 1,
    account: entry.account,
    date: entry.date,
    valueDate: entry.valueDate,
    status: entry.status,
    currency: entry.currency,
    amount: jsonAmount(amount, scale),
    isReversal: entry.isReversal,
    returnReason: entry.returnReason || null,
    bankReference: entry.bankReference,
    counterparty: entryTexts(share, 'names'),
    counterpartyAccount: entryTexts(share, 'accounts'),
    endToEndIds: entryTexts(share, 'endToEndIds'),
    paymentInformationIds: entryTexts(share, 'paymentInformationIds'),
    references: entryTexts(share, 'references'),
    texts: entryTexts(share, 'texts'),
    file: entry.place.file,
    line: entry.place.line,
  };
}

function jsonTotal(total: BankReport['matching']['totals'][number], names: Names) {
  const { accountingToken, currency, scale, states } = total;
  const amount = (minor: bigint) => jsonAmount(minor, scale);
  const each = [...states].map(([state, of]): readonly [BankState, object] => [
    state,
    {
      settlements: of.settlements,
      entries: of.entries,
      expected: amount(of.expected),
      received: amount(of.received),
      difference: { net: amount(of.difference.net), absolute: amount(of.difference.absolute) },
    },
  ]);
  return {
    accountingToken: accountingToken || null,
    accountingName: names.get(accountingToken) ?? '',
    currency,
    decimalPlaces: scale,
    states: Object.fromEntries(each),
  };
}

function jsonStatement(one: BankStatement) {
  const { account, currency, scale, number, from, to, entries, place } = one;
  return {
    account,
    currency,
    decimalPlaces: scale,
    number,
    from,
    to,
    opening: jsonAmount(one.opening, scale),
    entries,
    sum: jsonAmount(one.sum, scale),
    closing: jsonAmount(one.closing, scale),
    ...place,
  };
}

function jsonFinding(finding: StatementFinding) {
  const { code, account, currency, scale, place, element, found, expected, difference } = finding;
  return {
    code,
    account: account || null,
    currency: currency || null,
    decimalPlaces: scale,
    ...place,
    element: element || null,
    found: found || null,
    expected: expected || null,
    difference: jsonAmount(difference, scale),
    message: `${statementFindingText(finding)}.`,
  };
}
