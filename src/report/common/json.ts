import type { ReportSettings } from '../../app/settlements-report.ts';
import { reasonText } from '../../base/failure-reason.ts';
import { tableOf } from '../../base/lists.ts';
import type { Names, Settlement } from '../../model/settlement.ts';
import type { Value } from '../../model/value.ts';
import { formatMinor, type Money, netAndAbsoluteSums, rescale } from '../../money/money.ts';
import { allStated, type Figures } from '../../reconcile/computed.ts';
import type { Entry, Measure } from '../../reconcile/entry.ts';
import type { NetAndAbsolute } from '../../reconcile/groups.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { jsonAcceptance } from './acceptance.ts';
import type { Column } from './columns.ts';
import { notFullyReadText } from './partial-words.ts';
import { effectText } from './rule-words.ts';
import { schema, type Views } from './view.ts';
import { entryClause, measures } from './words.ts';

/** An amount as exact text and in minor units; null if undefined. */
function jsonAmount(minor: bigint | undefined, scale: number) {
  return minor === undefined ? null : { amount: formatMinor(minor, scale), minor: String(minor) };
}

/** A measure of four amounts, by its name. */
export function jsonMeasures(minor: (measure: Measure) => bigint | undefined) {
  return tableOf(measures, minor);
}

/** Sums with and without their signs, and nothing else of them. */
export function jsonNetAndAbsolute(sums: NetAndAbsolute | undefined) {
  return sums && { net: sums.net, absolute: sums.absolute };
}

/** An amount with its currency first. */
export function jsonSum({ currency, minor, scale }: Money) {
  return { currency, decimalPlaces: scale, ...jsonAmount(minor, scale) };
}

/** Sums by currency, with and without their signs. */
export function jsonSums(amounts: readonly Money[]) {
  return netAndAbsoluteSums(amounts).map(({ currency, scale, net, absolute }) => {
    return { currency, scale, net, absolute };
  });
}

/**
 * A record in JSON, written as it is: minor units become an amount at the record's own scale, or that of the
 * record that holds it; `scale` is `decimalPlaces`; undefined is null.
 */
function jsonItem(value: unknown, scale?: number): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') {
    return scale === undefined ? String(value) : jsonAmount(value, scale);
  }
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => jsonItem(item, scale));
  return jsonRecord(value, scale);
}

/** The same for an object. */
export function jsonRecord(record: object, scale?: number): object {
  if (isAmount(record)) {
    const { minor, scale: own, ...others } = record;
    return { ...jsonAmount(minor, own), ...others };
  }
  const { scale: own, decimalPlaces = own ?? scale } = record as Partial<Record<string, number>>;
  return Object.fromEntries(
    Object.entries(record).map(([key, item]) => [
      key === 'scale' ? 'decimalPlaces' : key,
      jsonItem(item, decimalPlaces),
    ]),
  );
}

/** Makes objects of the values of columns: keys in camel case, null for undefined, amounts with their minor units. */
export function jsonObject<Row>(columns: readonly Column<Row>[]): (row: Row) => object {
  const members = columns.map(({ key, value }) => [camelCase(key), value] as const);
  return (row) => Object.fromEntries(members.map(([key, value]) => [key, jsonValue(value(row))]));
}

/** `settlementDate` of `settlement_date`. */
export function camelCase(key: string): string {
  return key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function jsonValue(value: Value) {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return value ?? null;
  return 'minor' in value ? jsonAmount(value.minor, value.scale) : value;
}

/** Facts of any shape as JSON, with `settlement: { id }` for a `settlementId`. Amounts get at least `scale` decimal places. */
export function jsonFacts(value: unknown, scale: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => jsonFacts(item, scale));
  if (isAmount(value)) {
    const shared = Math.max(value.scale, scale);
    const minor = rescale(value.minor, value.scale, shared);
    return { ...jsonAmount(minor, shared), currency: value.currency };
  }
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    members.map(([key, item]) =>
      key === 'settlementId' ? ['settlement', { id: item }] : [key, jsonFacts(item, scale)],
    ),
  );
}

function isAmount(value: object): value is Money {
  return 'minor' in value && typeof value.minor === 'bigint' && 'scale' in value;
}

interface JsonReport {
  readonly about: object;
  readonly lists: Readonly<Record<string, readonly [type: string, items: Iterable<object>]>>;
}

/** The report as one document, and as a line for each item of its lists, then the summary. */
export function jsonViews(report: () => JsonReport): Pick<Views, 'document' | 'lines'> {
  return {
    document: () => {
      const { about, lists } = report();
      const items = Object.entries(lists).map(([name, [, list]]) => [
        name,
        Array.from(list, (item) => jsonRecord(item)),
      ]);
      return { schema, ...jsonRecord(about), ...Object.fromEntries(items) };
    },
    *lines() {
      const { about, lists } = report();
      for (const [type, list] of Object.values(lists)) {
        for (const item of list) yield { type, schema, ...jsonRecord(item) };
      }
      yield { type: 'summary', schema, ...jsonRecord(about) };
    },
  };
}

export function jsonSettings(settings: ReportSettings) {
  return {
    profile: settings.profile,
    identity: settings.identity,
    // In minor units.
    tolerance: String(settings.tolerance),
    ignored: settings.ignored,
    expectedScales: Object.fromEntries(settings.expectedScales),
    rules: settings.rules,
    filters: settings.filters,
  };
}

/** The accounting token, and the name that the user gave it, or null. */
export function jsonAccount(accountingToken: string, names: Names) {
  return { accountingToken: accountingToken || null, accountingName: names.get(accountingToken) };
}

type Keys = Pick<Settlement, 'id'> & Partial<Settlement>;

/** The first fields of every object that is a settlement. */
export function jsonSettlementKey({ id, date, accountingToken = '' }: Keys, names: Names) {
  return { id, date, ...jsonAccount(accountingToken, names) };
}

/** A settlement, with its explanation, or why it was not fully read. */
export function jsonSettlement(item: ReconciledSettlement, names: Names, explanation = '') {
  const { settlement, scale } = item;
  return {
    ...jsonSettlementKey(settlement, names),
    merchantId: settlement.merchantId,
    paymentService: settlement.paymentService,
    currency: settlement.currency,
    scale,
    status: settlement.status,
    serviceSays: item.serviceSays,
    sumsSay: item.sumsSay,
    verdict: item.verdict,
    verdictReason: verdictReason(item),
    complete: item.complete,
    // What the verdict rests on, if not on all figures.
    ...(!allStated(item.reported) && { restsOn: statedFigures(item.reported) }),
    reported: jsonFigures(item.reported),
    computed: jsonFigures(item.computed),
    difference: jsonFigures(item.difference),
    discrepancies: item.discrepancies.map((entry) => jsonEntry(entry, scale)),
    notices: item.notices.map((entry) => jsonEntry(entry, scale)),
    paymentReferences: settlement.paymentReferences,
    paymentEndToEndIds: settlement.paymentEndToEndIds,
    explanation: notFullyReadText(item) || explanation || null,
    accepted: jsonAcceptance(item.acceptance),
    byRule: item.byRule.map((effect) => ({
      ...effect,
      change: jsonFigures(effect.change),
      message: effectText(effect, { scale, currency: settlement.currency }),
    })),
  };
}

function statedFigures(reported: Figures): readonly string[] {
  return (['gross', 'fees', 'tax', 'payIn', 'transactions'] as const).filter(
    (name) => reported[name] !== undefined,
  );
}

/** The figures of a record, in minor units. */
export function jsonFigures(figures: Figures | undefined) {
  return figures && { transactions: figures.transactions, ...jsonMeasures((one) => figures[one]) };
}

/** A finding; its facts have the decimal places of the object that holds it. */
export function jsonEntry(entry: Entry, scale: number) {
  return {
    code: entry.code,
    weight: entry.weight,
    message: entryClause(entry),
    count: entry.count,
    facts:
      entry.code === 'not_read'
        ? { reason: reasonText(entry.facts.reason) }
        : jsonFacts(entry.facts, scale),
  };
}
