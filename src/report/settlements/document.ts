import type {
  Group,
  GroupMeasure,
  IgnoredTotal,
  NetAndAbsolute,
  ReconciledSettlement,
} from '../../reconcile/reconciled.ts';
import {
  jsonAmount,
  jsonAmountOrNull,
  jsonEntry,
  jsonSettings,
  jsonSettlement,
} from '../common/json.ts';
import type { Names } from '../common/report.ts';
import { schema } from '../common/view.ts';
import { measures } from '../common/words.ts';
import { settlementsNotes } from './notes.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';

/** The report as one JSON object. Others script against its keys. */
export function settlementsDocument(report: SettlementsReport): object {
  const { groups, findings } = report.run;
  const { ignored, ...about } = aboutTheRun(report);
  return {
    schema,
    ...about,
    groups: groups.map((group) => jsonGroup(group, report.names)),
    settlements: shownSettlements(report).map((item) =>
      jsonSettlement(item, report.names, report.explanations?.get(item.settlement.id)),
    ),
    findings: findings.map((entry) => jsonEntry(entry, 0)),
    ignored,
    notes: settlementsNotes(report),
  };
}

/** A settlement as a line of its own, which can be written as soon as it is decided. */
export function settlementReportLine(
  settlement: ReconciledSettlement,
  names: Names,
  explanation?: string,
): object {
  return { type: 'settlement', schema, ...jsonSettlement(settlement, names, explanation) };
}

/** The lines after the settlements. Without the last one, the summary, a stream was cut off. */
export function closingLines(report: SettlementsReport): readonly object[] {
  const { groups, findings } = report.run;
  return [
    ...findings.map((entry) => ({ type: 'finding', schema, ...jsonEntry(entry, 0) })),
    ...groups.map((group) => ({ type: 'group', schema, ...jsonGroup(group, report.names) })),
    { type: 'summary', schema, ...aboutTheRun(report), notes: settlementsNotes(report) },
  ];
}

function aboutTheRun({ run, range, settings }: SettlementsReport) {
  return {
    range: range ?? null,
    settings: jsonSettings(settings),
    verdict: run.verdict,
    completeness: {
      complete: run.complete,
      settlements: run.settlements.length,
      transactions: run.transactions,
    },
    ignored: run.ignored.map(jsonIgnored),
  };
}

function jsonIgnored({ code, currency, scale, settlements, difference }: IgnoredTotal) {
  return {
    code,
    currency,
    decimalPlaces: scale,
    settlements,
    difference: difference === undefined ? null : jsonTotal(difference, scale),
  };
}

function jsonGroup(group: Group, names: Names) {
  const { scale } = group;
  const each = (pick: (measure: GroupMeasure) => bigint | undefined) =>
    Object.fromEntries(
      measures.map((measure) => [measure, jsonAmountOrNull(pick(group[measure]), scale)]),
    );
  return {
    accountingToken: group.accountingToken,
    accountingName: names.get(group.accountingToken) ?? '',
    currency: group.currency,
    decimalPlaces: scale,
    settlements: group.settlements,
    reported: each(({ reported }) => reported),
    computed: each(({ computed }) => computed),
    difference: each(({ difference }) => difference?.net),
    differenceAbsolute: each(({ difference }) => difference?.absolute),
    outOfBalance: group.outOfBalance === undefined ? null : jsonTotal(group.outOfBalance, scale),
    pendingPayIn: jsonAmount(group.pendingPayIn, scale),
    mixedDecimalPlaces: group.mixedScales,
  };
}

function jsonTotal({ net, absolute }: NetAndAbsolute, scale: number) {
  return { net: jsonAmount(net, scale), absolute: jsonAmount(absolute, scale) };
}
