import type { Entry } from '../../reconcile/entry.ts';
import type { Figures, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { jsonAmount, jsonAmountOrNull, jsonFacts } from './json-facts.ts';
import { whyNotWhole } from './partial-words.ts';
import type { Names, ReportSettings } from './report.ts';
import { sentence } from './wording.ts';

/** The version of everything in JSON. */
export const schema = 1;

/** How the settlements were judged. */
export function jsonSettings(settings: ReportSettings) {
  return {
    profile: settings.profile ?? null,
    identity: settings.identity,
    // Minor units, and as all of them a text.
    tolerance: String(settings.tolerance),
    ignored: settings.ignored,
    expectedScales: Object.fromEntries(settings.expectedScales),
    filters: settings.filters,
  };
}

/** A settlement, with its explanation where there is one, or why it wasn't read whole. */
export function jsonSettlement(item: ReconciledSettlement, names: Names, explanation = '') {
  const { settlement, scale } = item;
  return {
    settlementId: settlement.id,
    settlementDate: settlement.date,
    accountingToken: settlement.accountingToken,
    accountingName: names.get(settlement.accountingToken) ?? '',
    merchantId: settlement.merchantId,
    paymentService: settlement.paymentService,
    currency: settlement.currency,
    decimalPlaces: scale,
    settlementStatus: settlement.status,
    serviceSays: item.serviceSays,
    sumsSay: item.sumsSay,
    verdict: item.verdict,
    complete: item.complete,
    reported: jsonFigures(item.reported, scale),
    computed: item.computed === undefined ? null : jsonFigures(item.computed, scale),
    difference: item.difference === undefined ? null : jsonFigures(item.difference, scale),
    discrepancies: item.discrepancies.map((entry) => jsonEntry(entry, scale)),
    notices: item.notices.map((entry) => jsonEntry(entry, scale)),
    paymentReferences: settlement.paymentReferences,
    paymentEndToEndIds: settlement.paymentEndToEndIds,
    explanation: whyNotWhole(item) || explanation || null,
  };
}

/** Figures whose amounts are minor units at `scale`. */
export function jsonFigures({ transactions, gross, fees, tax, payIn }: Figures, scale: number) {
  return {
    transactions,
    gross: jsonAmount(gross, scale),
    fees: jsonAmount(fees, scale),
    tax: jsonAmount(tax, scale),
    payIn: jsonAmountOrNull(payIn, scale),
  };
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
