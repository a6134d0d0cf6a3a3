import type { Group, PendingPart, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import {
  jsonAmount,
  jsonEntry,
  jsonFigures,
  jsonSettings,
  jsonSettlement,
} from '../common/json.ts';
import type { Names } from '../common/report.ts';
import { proposalText, ruleTotalText } from '../common/rule-words.ts';
import { schema } from '../common/view.ts';
import { measures } from '../common/words.ts';
import { jsonComparison, jsonFeeRates } from './fee-rates.ts';
import { settlementsNotes } from './notes.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';

/** The report as one JSON object. Others script against its keys. */
export function settlementsDocument(report: SettlementsReport): object {
  const { run, names, explanations } = report;
  const { ignored, proposedRules, ...about } = aboutTheRun(report);
  return {
    schema,
    ...about,
    groups: run.groups.map((group) => jsonGroup(group, names)),
    settlements: shownSettlements(report).map((one) =>
      jsonSettlement(one, names, explanations?.get(one.settlement.id)),
    ),
    findings: run.findings.map((entry) => jsonEntry(entry, 0)),
    ...(run.feeRates && { feeRates: jsonFeeRates(report) }),
    ignored,
    proposedRules,
    notes: settlementsNotes(report),
  };
}

/** A settlement as a line of its own, which can be written as soon as it is decided. */
export function settlementLine(one: ReconciledSettlement, names: Names, explanation?: string) {
  return { type: 'settlement', schema, ...jsonSettlement(one, names, explanation) };
}

/** The lines after the settlements. Without the last one, the summary, a stream was cut off. */
export function closingLines(report: SettlementsReport): readonly object[] {
  const { groups, findings } = report.run;
  return [
    ...findings.map((entry) => ({ type: 'finding', schema, ...jsonEntry(entry, 0) })),
    ...groups.map((group) => ({ type: 'group', schema, ...jsonGroup(group, report.names) })),
    ...jsonFeeRates(report).map((rate) => ({ type: 'feeRate', schema, ...rate })),
    { type: 'summary', schema, ...aboutTheRun(report), notes: settlementsNotes(report) },
  ];
}

function aboutTheRun(report: SettlementsReport) {
  const { run, range, settings } = report;
  const { verdict, complete, settlements, transactions, ignored } = run;
  return {
    range: range ?? null,
    settings: jsonSettings(settings),
    verdict,
    completeness: { complete, settlements: settlements.length, transactions },
    ignored: ignored.map(({ scale, difference, code, currency, settlements }) => ({
      code,
      currency,
      decimalPlaces: scale,
      settlements,
      difference: jsonTotal(difference, scale),
    })),
    proposedRules: run.proposedRules.map((one) => ({ ...one, message: proposalText(one) })),
    ...(run.feeRates && { comparison: jsonComparison(report) }),
  };
}

function jsonGroup(group: Group, names: Names) {
  const { scale, accountingToken } = group;
  const each = (pick: (measure: Group['gross']) => bigint | undefined) =>
    Object.fromEntries(measures.map((one) => [one, jsonAmount(pick(group[one]), scale)]));
  return {
    accountingToken,
    accountingName: names.get(accountingToken) ?? '',
    currency: group.currency,
    decimalPlaces: scale,
    settlements: group.settlements,
    reported: each(({ reported }) => reported),
    computed: each(({ computed }) => computed),
    difference: each(({ difference }) => difference?.net),
    differenceAbsolute: each(({ difference }) => difference?.absolute),
    outOfBalance: jsonTotal(group.outOfBalance, scale),
    pendingPayIn: jsonAmount(group.pendingPayIn, scale),
    unknownStatus: jsonPart(group.unknownStatus, scale),
    overdue: jsonPart(group.overdue, scale),
    mixedDecimalPlaces: group.mixedScales,
    accepted: {
      settlements: group.accepted.settlements,
      ...jsonTotal(group.accepted, scale),
    },
    byRule: group.byRule.map((total) => ({
      ...total,
      change: jsonFigures(total.change, scale),
      message: ruleTotalText(total, group),
    })),
  };
}

function jsonPart({ settlements, payIn }: PendingPart, scale: number) {
  return { settlements, payIn: jsonAmount(payIn, scale) };
}

function jsonTotal(total: Group['outOfBalance'], scale: number) {
  if (total === undefined) return null;
  return { net: jsonAmount(total.net, scale), absolute: jsonAmount(total.absolute, scale) };
}
