import type { Settlement } from '../../model/settlement.ts';
import { formatMinor, type Money, rescale } from '../../money/money.ts';
import type { Entry } from '../../reconcile/entry.ts';
import type { Figures, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { jsonAcceptance } from './acceptance.ts';
import { whyNotWhole } from './partial-words.ts';
import type { Names, ReportSettings } from './report.ts';
import { effectText } from './rule-words.ts';
import { schema, type Views } from './view.ts';
import { measures, sentence } from './words.ts';

/**
 * An amount of an object whose `decimalPlaces` is `scale`: exact as text, and exact as an integer;
 * null where there is none.
 */
export function jsonAmount(minor: bigint | undefined, scale: number) {
  return minor === undefined ? null : { amount: formatMinor(minor, scale), minor: String(minor) };
}

/**
 * Facts as JSON values, whatever their shape. Amounts are brought to the decimal places of the
 * object they stand in, so that its minor units can be compared with each other.
 */
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
    Object.entries(value).map(([key, item]) => [key, jsonFacts(item, scale)]),
  );
}

function isMoney(value: object): value is Money {
  return 'minor' in value && typeof value.minor === 'bigint' && 'scale' in value;
}

/** A report in JSON: what it says of itself, and its lists by name, each with the type of its lines. */
interface JsonReport {
  readonly about: object;
  readonly lists: Readonly<Record<string, readonly [type: string, items: readonly object[]]>>;
}

/** The two forms of JSON: one object, and a line for each item of its lists, then the summary. */
export function jsonViews(report: () => JsonReport): Pick<Views, 'document' | 'lines'> {
  return {
    document: () => {
      const { about, lists } = report();
      const items = Object.entries(lists).map(([name, [, list]]) => [name, list]);
      return { schema, ...about, ...Object.fromEntries(items) };
    },
    lines: () => {
      const { about, lists } = report();
      const lines = Object.values(lists).flatMap(([type, list]) =>
        list.map((item) => ({ type, schema, ...item })),
      );
      return [...lines, { type: 'summary', schema, ...about }];
    },
  };
}

/** How the settlements were judged. */
export function jsonSettings(settings: ReportSettings) {
  return {
    profile: settings.profile ?? null,
    identity: settings.identity,
    // Minor units, and as all of them a text.
    tolerance: String(settings.tolerance),
    ignored: settings.ignored,
    expectedScales: Object.fromEntries(settings.expectedScales),
    rules: settings.rules,
    filters: settings.filters,
  };
}

/** Whose money it is: the accounting token, and the name that the user gave it. */
export function jsonAccount(accountingToken: string, names: Names) {
  return { accountingToken, accountingName: names.get(accountingToken) ?? '' };
}

/** Which settlement it is. */
export function jsonSettlementKey({ id, date, accountingToken }: Settlement, names: Names) {
  return { settlementId: id, settlementDate: date, ...jsonAccount(accountingToken, names) };
}

/** A settlement, with its explanation where there is one, or why it wasn't read whole. */
export function jsonSettlement(item: ReconciledSettlement, names: Names, explanation = '') {
  const { settlement, scale } = item;
  return {
    ...jsonSettlementKey(settlement, names),
    merchantId: settlement.merchantId,
    paymentService: settlement.paymentService,
    currency: settlement.currency,
    decimalPlaces: scale,
    settlementStatus: settlement.status,
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
    explanation: whyNotWhole(item) || explanation || null,
    accepted: jsonAcceptance(item.acceptance),
    byRule: item.byRule.map((effect) => ({
      ...effect,
      change: jsonFigures(effect.change, scale),
      message: effectText(effect, { scale, currency: settlement.currency }),
    })),
  };
}

/** Figures whose amounts are minor units at `scale`; null where there are none. */
export function jsonFigures(figures: Figures | undefined, scale: number) {
  if (figures === undefined) return null;
  const amounts = measures.map((measure) => [measure, jsonAmount(figures[measure], scale)]);
  return { transactions: figures.transactions, ...Object.fromEntries(amounts) };
}

/** Something that was found; its facts have the decimal places of the object it stands in. */
export function jsonEntry(entry: Entry, scale: number) {
  return {
    code: entry.code,
    weight: entry.weight,
    message: sentence(entry),
    count: entry.count,
    facts: jsonFacts(entry.facts, scale),
  };
}
