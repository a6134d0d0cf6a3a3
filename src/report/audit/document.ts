import { jsonAccount, jsonAmount } from '../common/json.ts';
import type { Names } from '../common/report.ts';
import { measures } from '../common/words.ts';
import { jsonFeeRate } from './fee-rates.ts';
import {
  type AuditAmounts,
  type AuditFinding,
  type AuditReport,
  type AuditTotal,
  auditVerdict,
  type FoundRow,
} from './report.ts';
import { findingWords, foundSentence } from './words.ts';

/** What an audit says of itself in JSON, and its lists by name, each with the type of its lines. */
export function auditJson(report: AuditReport) {
  const { findings, totals, feeRates, names } = report;
  return {
    about: jsonAbout(report),
    lists: {
      findings: ['finding', findings.map((one) => jsonFinding(one, names))],
      totals: ['total', totals.map((total) => jsonTotal(total, names))],
      feeRates: ['fee_rate', feeRates.map(jsonFeeRate)],
    },
  } as const;
}

function jsonAbout(report: AuditReport) {
  const { settings, lakes, coverage, notChecked } = report;
  return {
    verdict: auditVerdict(report),
    folders: lakes,
    settings,
    profiles: coverage,
    notChecked,
  };
}

function jsonFinding({ code, weight, count, rows }: AuditFinding, names: Names) {
  const jsonRow = (row: FoundRow) => ({
    profile: row.profile,
    day: row.day,
    accountingToken: row.accountingToken || null,
    settlementId: row.settlementId || null,
    transactionId: row.transactionId || null,
    chargeId: row.chargeId || null,
    currency: row.currency || null,
    amount: jsonAmount(row.amount, row.decimalPlaces),
    expected: jsonAmount(row.expected, row.decimalPlaces),
    message: foundSentence(code, row, names),
  });
  return {
    code,
    weight,
    count,
    message: `${findingWords[code].title(count)}.`,
    rows: rows.map(jsonRow),
  };
}

/** As the groups of `recon settlements` have it. */
function jsonTotal(total: AuditTotal, names: Names) {
  const { profile, accountingToken, currency, decimalPlaces, settlements, transactions } = total;
  const { outOfBalance } = total;
  const amount = (minor: bigint | undefined) => jsonAmount(minor, decimalPlaces);
  const amounts = (of: (one: AuditAmounts) => bigint | undefined) =>
    Object.fromEntries(measures.map((measure) => [measure, amount(of(total[measure]))]));
  return {
    profile,
    ...jsonAccount(accountingToken, names),
    currency,
    decimalPlaces,
    settlements,
    transactions,
    reported: amounts(({ reported }) => reported),
    computed: amounts(({ computed }) => computed),
    difference: amounts(({ reported, computed }) =>
      computed === undefined ? undefined : reported - computed,
    ),
    outOfBalance: outOfBalance
      ? { net: amount(outOfBalance.net), absolute: amount(outOfBalance.absolute) }
      : null,
    pendingPayIn: amount(total.pendingPayIn),
  };
}
