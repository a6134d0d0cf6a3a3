import { unreadPendings } from '../../reconcile/computed.ts';
import type {
  GroupMeasure,
  NetAndAbsolute,
  PendingPart,
  ReconciledSettlement,
} from '../../reconcile/reconciled.ts';
import { isOfRows, type Parts } from '../../reconcile/split.ts';
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
import { jsonBankTotal, jsonOnBank, type OnBank } from './on-bank.ts';
import { jsonParts } from './parts.ts';
import {
  feesPercent,
  isByAccount,
  type Line,
  linesOf,
  type RowLine,
  rowLinesOf,
  type SettlementsReport,
  shownSettlements,
  splitsOf,
} from './report.ts';

/** The report as one JSON object. Others script against its keys. */
export function settlementsDocument(report: SettlementsReport): object {
  const { run, names, explanations } = report;
  const { ignored, proposedRules, ...about } = aboutTheRun(report);
  return {
    schema,
    ...about,
    groups: jsonLines(report),
    settlements: shownSettlements(report).map((one) => ({
      ...jsonSettlement(one, names, explanations?.get(one.settlement.id)),
      ...jsonOnBank(report.bank, one),
    })),
    findings: run.findings.map((entry) => jsonEntry(entry, 0)),
    ...(run.feeRates && { feeRates: jsonFeeRates(report) }),
    ignored,
    proposedRules,
    notes: settlementsNotes(report),
  };
}

/** A settlement as a line of its own, which can be written as soon as it is decided. */
export function settlementLine(
  one: ReconciledSettlement,
  names: Names,
  explanation?: string,
  bank?: OnBank,
) {
  const told = { ...jsonSettlement(one, names, explanation), ...jsonOnBank(bank, one) };
  return { type: 'settlement', schema, ...told };
}

/** The lines after the settlements. Without the last one, the summary, a stream was cut off. */
export function closingLines(report: SettlementsReport): readonly object[] {
  return [
    ...report.run.findings.map((entry) => ({ type: 'finding', schema, ...jsonEntry(entry, 0) })),
    ...jsonLines(report).map((line) => ({ type: 'group', schema, ...line })),
    ...jsonFeeRates(report).map((rate) => ({ type: 'feeRate', schema, ...rate })),
    { type: 'summary', schema, ...aboutTheRun(report), notes: settlementsNotes(report) },
  ];
}

function aboutTheRun(report: SettlementsReport) {
  const { run, range, settings } = report;
  const { verdict, complete, settlements, transactions, ignored } = run;
  const unread = unreadPendings(settlements);
  return {
    range: range ?? null,
    settings: jsonSettings(settings),
    verdict,
    completeness: {
      complete: complete && unread.length === 0,
      settlements: settlements.length,
      transactions,
      unread,
    },
    ignored: ignored.map(({ scale, difference, code, currency, settlements }) => ({
      code,
      currency,
      decimalPlaces: scale,
      settlements,
      difference: jsonTotal(difference, scale),
    })),
    proposedRules: run.proposedRules.map((one) => ({ ...one, message: proposalText(one) })),
    ...(run.feeRates && { comparison: jsonComparison(report) }),
    ...jsonBankTotal(report.bank),
  };
}

function jsonLines(report: SettlementsReport): readonly object[] {
  const splits = splitsOf(report);
  const partsOf = (line: Parts) => jsonParts(line, report.names, splits);
  return isOfRows(splits)
    ? rowLinesOf(report).map((line) => ({ ...partsOf(line), ...jsonRowLine(line) }))
    : linesOf(report).map((line) => ({
        ...partsOf(line),
        ...jsonLine(line),
        ...(isByAccount(splits) ? {} : { feesPercent: jsonRates(line) }),
      }));
}

function jsonRowLine(line: RowLine) {
  return {
    decimalPlaces: line.scale,
    computed: jsonFigures(line, line.scale),
    feesPercent: { computed: feesPercent(line.fees, line.gross) || null },
  };
}

function jsonRates({ fees, gross }: Line) {
  return {
    reported: feesPercent(fees.reported, gross.reported) || null,
    computed: feesPercent(fees.computed, gross.computed) || null,
  };
}

function jsonLine(line: Line) {
  const { scale } = line;
  const each = (pick: (measure: GroupMeasure) => bigint | undefined) =>
    Object.fromEntries(measures.map((one) => [one, jsonAmount(pick(line[one]), scale)]));
  return {
    decimalPlaces: scale,
    settlements: line.settlements,
    reported: each(({ reported }) => reported),
    computed: each(({ computed }) => computed),
    difference: each(({ difference }) => difference?.net),
    differenceAbsolute: each(({ difference }) => difference?.absolute),
    outOfBalance: jsonTotal(line.outOfBalance, scale),
    pendingPayIn: jsonAmount(line.pendingPayIn, scale),
    unknownStatus: jsonPart(line.unknownStatus, scale),
    overdue: jsonPart(line.overdue, scale),
    mixedDecimalPlaces: line.mixedScales,
    accepted: {
      settlements: line.accepted.settlements,
      ...jsonTotal(line.accepted, scale),
    },
    byRule: line.byRule.map((total) => ({
      ...total,
      change: jsonFigures(total.change, scale),
      message: ruleTotalText(total, line),
    })),
  };
}

function jsonPart({ settlements, payIn }: PendingPart, scale: number) {
  return { settlements, payIn: jsonAmount(payIn, scale) };
}

function jsonTotal(total: NetAndAbsolute | undefined, scale: number) {
  if (total === undefined) return null;
  return { net: jsonAmount(total.net, scale), absolute: jsonAmount(total.absolute, scale) };
}
