import type { ReportSettings } from '../../app/settlements-report.ts';
import { keysOf, tableOf } from '../../base/lists.ts';
import type { Names, Settlement } from '../../model/settlement.ts';
import type { Value } from '../../model/value.ts';
import { formatMinor, type Money, netAndAbsoluteSums, rescale } from '../../money/money.ts';
import type { Figures } from '../../reconcile/computed.ts';
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
export function jsonAmount(minor: bigint | undefined, scale: number) {
  return minor === undefined ? null : { amount: formatMinor(minor, scale), minor: String(minor) };
}

type Amounts<Name extends string> = Readonly<Record<Name, bigint | undefined>>;

/** These amounts of an object, by their names. */
export function jsonAmounts<Name extends string>(amounts: Amounts<Name>, scale: number) {
  return tableOf(keysOf(amounts), (name) => jsonAmount(amounts[name], scale));
}

/** Each of the four amounts of an object, by its name. */
export function jsonMeasures(minor: (measure: Measure) => bigint | undefined, scale: number) {
  return tableOf(measures, (measure) => jsonAmount(minor(measure), scale));
}

/** Sums with and without their signs; null if undefined. */
export function jsonNetAndAbsolute(sums: NetAndAbsolute | undefined, scale: number) {
  return sums ? jsonAmounts({ net: sums.net, absolute: sums.absolute }, scale) : null;
}

/** Sums by currency, with and without their signs. */
export function jsonSums(amounts: readonly Money[]) {
  return netAndAbsoluteSums(amounts).map(jsonSum);
}

export function jsonSum(one: ReturnType<typeof netAndAbsoluteSums>[number]) {
  return {
    currency: one.currency,
    decimalPlaces: one.scale,
    ...jsonNetAndAbsolute(one, one.scale),
  };
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
  if (isMoney(value)) {
    const shared = Math.max(value.scale, scale);
    const minor = rescale(value.minor, value.scale, shared);
    return { ...jsonAmount(minor, shared), currency: value.currency };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === 'settlementId' ? ['settlement', { id: item }] : [key, jsonFacts(item, scale)],
    ),
  );
}

function isMoney(value: object): value is Money {
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
      const items = Object.entries(lists).map(([name, [, list]]) => [name, list]);
      return { schema, ...about, ...Object.fromEntries(items) };
    },
    *lines() {
      const { about, lists } = report();
      for (const [type, list] of Object.values(lists)) {
        for (const item of list) yield { type, schema, ...item };
      }
      yield { type: 'summary', schema, ...about };
    },
  };
}

export function jsonSettings(settings: ReportSettings) {
  return {
    profile: settings.profile ?? null,
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
  const accountingName = names.get(accountingToken) ?? null;
  return { accountingToken: accountingToken || null, accountingName };
}

type Keys = Pick<Settlement, 'id'> & Partial<Settlement>;

/** The first fields of every object that is a settlement. */
export function jsonSettlementKey({ id, date, accountingToken = '' }: Keys, names: Names) {
  return { id, date: date ?? null, ...jsonAccount(accountingToken, names) };
}

/** A settlement, with its explanation, or why it was not fully read. */
export function jsonSettlement(item: ReconciledSettlement, names: Names, explanation = '') {
  const { settlement, scale } = item;
  return {
    ...jsonSettlementKey(settlement, names),
    merchantId: settlement.merchantId,
    paymentService: settlement.paymentService,
    currency: settlement.currency,
    decimalPlaces: scale,
    status: settlement.status,
    serviceSays: item.serviceSays,
    sumsSay: item.sumsSay,
    verdict: item.verdict,
    verdictReason: verdictReason(item) ?? null,
    complete: item.complete,
    reported: jsonFigures(item.reported, scale),
    computed: jsonFigures(item.computed, scale),
    difference: jsonFigures(item.difference, scale),
    discrepancies: item.discrepancies.map((entry) => jsonEntry(entry, scale)),
    notices: item.notices.map((entry) => jsonEntry(entry, scale)),
    paymentReferences: settlement.paymentReferences,
    paymentEndToEndIds: settlement.paymentEndToEndIds,
    explanation: notFullyReadText(item) || explanation || null,
    accepted: jsonAcceptance(item.acceptance),
    byRule: item.byRule.map((effect) => ({
      ...effect,
      change: jsonFigures(effect.change, scale),
      message: effectText(effect, { scale, currency: settlement.currency }),
    })),
  };
}

/** Figures whose amounts are minor units at `scale`; null if undefined. */
export function jsonFigures(figures: Figures | undefined, scale: number) {
  if (figures === undefined) return null;
  return { transactions: figures.transactions, ...jsonMeasures((one) => figures[one], scale) };
}

/** A finding; its facts have the decimal places of the object that holds it. */
export function jsonEntry(entry: Entry, scale: number) {
  return {
    code: entry.code,
    weight: entry.weight,
    message: entryClause(entry),
    count: entry.count,
    facts: jsonFacts(entry.facts, scale),
  };
}
