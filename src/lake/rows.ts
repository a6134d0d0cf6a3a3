import { microsecondsOf } from '../base/calendar.ts';
import { uuidLength } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import {
  figuresPerRow,
  placesPerRow,
  type RowBatch,
  type RowKind,
  type RowTexts,
  textPlace,
} from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Money } from '../money/money.ts';
import { unreadPendings } from '../reconcile/computed.ts';
import type { Entry, Measure } from '../reconcile/entry.ts';
import { payInOf } from '../reconcile/identity.ts';
import type {
  ReconciledRun,
  ReconciledSettlement,
  ReconcileSettings,
} from '../reconcile/reconciled.ts';
import { verdictReason } from '../reconcile/verdict.ts';
import { whyNotWhole } from '../report/common/partial-words.ts';
import { sentence } from '../report/common/words.ts';
import type { findingsOf } from '../report/settlements/columns.ts';
import type { SettlementsReport } from '../report/settlements/report.ts';
import type { LakeRow, TextBytes } from './tables.ts';

/** Transactions of a settlement, each with how often the service lists it. */
export function* transactionRows(
  settlement: Settlement,
  transactions: Iterable<{ readonly row: Row; readonly listed: number }>,
): Generator<LakeRow<'transactions'>> {
  for (const { row, listed } of transactions) {
    yield transactionRow(settlement, row, {
      transaction_id: row.id,
      charge_id: row.chargeId,
      order_id: row.orderId,
      timestamp: row.timestamp,
      notes: JSON.stringify(row.notes),
      amount_minor: row.amount,
      fees_minor: row.fees,
      tax_minor: row.tax,
      listed,
    });
  }
}

/**
 * The same for transactions in columns that are listed once. Their notes are JSON already; the bytes of
 * a row are valid until the next one is asked for.
 */
export function* batchRows(
  settlement: Settlement,
  { length, kinds, figures, texts }: BatchWithTexts,
): Generator<LakeRow<'transactions'>> {
  const { page, places } = texts;
  const figure = (index: number) => BigInt(figures[index] ?? 0);
  for (let index = 0; index < length; index += 1) {
    const kind = kinds[index];
    if (!kind) throw new RangeError(`No row ${index}`);
    const place = index * placesPerRow;
    const at = (of: number) => places[place + of] ?? 0;
    const uuid = (start: number): TextBytes => ({
      view: page,
      start,
      end: start && start + uuidLength,
    });
    const timestamp = page.byteOffset + at(textPlace.timestamp);
    const first = index * figuresPerRow;
    yield transactionRow(settlement, kind, {
      transaction_id: uuid(at(textPlace.id)),
      charge_id: uuid(at(textPlace.chargeId)),
      order_id: uuid(at(textPlace.orderId)),
      timestamp: Buffer.from(
        page.buffer,
        timestamp,
        at(textPlace.timestampEnd) - at(textPlace.timestamp),
      ).toString('latin1'),
      notes: { view: page, start: at(textPlace.notes), end: at(textPlace.notesEnd) },
      amount_minor: figure(first),
      fees_minor: figure(first + 1),
      tax_minor: figure(first + 2),
      listed: 1,
    });
  }
}

type BatchWithTexts = Pick<RowBatch, 'length' | 'kinds' | 'figures'> & { readonly texts: RowTexts };
type OwnCells = Pick<
  LakeRow<'transactions'>,
  | ('transaction_id' | 'charge_id' | 'order_id' | 'notes')
  | ('amount_minor' | 'fees_minor' | 'tax_minor' | 'listed')
> & { readonly timestamp: string };

function transactionRow(
  { id, accountingToken }: Settlement,
  { settlementId, type, paymentType, state, currency, scale }: RowKind,
  own: OwnCells,
): LakeRow<'transactions'> {
  const { timestamp, amount_minor, fees_minor, tax_minor } = own;
  return {
    settlement_id: id,
    accounting_token: accountingToken,
    transaction_id: own.transaction_id,
    charge_id: own.charge_id,
    order_id: own.order_id,
    timestamp,
    time: microsecondsOf(timestamp) ?? null,
    transaction_type: type,
    payment_type: paymentType,
    state,
    currency,
    decimal_places: scale,
    amount_minor,
    fees_minor,
    tax_minor,
    amount: decimalOf(amount_minor, scale),
    fees: decimalOf(fees_minor, scale),
    tax: decimalOf(tax_minor, scale),
    listed: own.listed,
    own_settlement_id: settlementId,
    notes: own.notes,
  };
}

/** A settlement as it was judged. */
export function settlementRow(
  one: ReconciledSettlement,
  { names, explanations }: Pick<SettlementsReport, 'names' | 'explanations'>,
): LakeRow<'settlements'> {
  const { settlement, scale, reported, computed, difference } = one;
  const { id, accountingToken } = settlement;
  return {
    settlement_id: id,
    settlement_timestamp: settlement.timestamp,
    settlement_time: microsecondsOf(settlement.timestamp) ?? null,
    accounting_token: accountingToken,
    accounting_name: names.get(accountingToken) ?? '',
    merchant_id: settlement.merchantId,
    payment_service: settlement.paymentService,
    currency: settlement.currency,
    decimal_places: scale,
    settlement_status: settlement.status,
    service_says: one.serviceSays,
    sums_say: one.sumsSay,
    verdict: one.verdict,
    verdict_reason: verdictReason(one) ?? '',
    complete: one.complete,
    transactions_reported: BigInt(reported.transactions),
    transactions_computed: computed ? BigInt(computed.transactions) : null,
    transactions_difference: difference ? BigInt(difference.transactions) : null,
    ...amounts('gross', 'gross', one),
    ...amounts('fees', 'fees', one),
    ...amounts('tax', 'tax', one),
    ...amounts('pay_in', 'payIn', one),
    ...byRule(one),
    discrepancies: codes(one.discrepancies),
    notices: codes(one.notices),
    payment_references: JSON.stringify(settlement.paymentReferences),
    payment_end_to_end_ids: JSON.stringify(settlement.paymentEndToEndIds),
    explanation: whyNotWhole(one) || (explanations?.get(id) ?? ''),
  };
}

/** The columns of an amount. */
function amounts<Key extends string>(
  key: Key,
  measure: Measure,
  { scale, reported, computed, difference }: ReconciledSettlement,
) {
  const minor = reported[measure] ?? 0n;
  return {
    [`${key}_reported_minor`]: minor,
    [`${key}_computed_minor`]: computed?.[measure] ?? null,
    [`${key}_difference_minor`]: difference?.[measure] ?? null,
    [`${key}_reported`]: decimalOf(minor, scale),
  } as Record<`${Key}_reported_minor`, bigint> &
    Record<`${Key}_${'computed_minor' | 'difference_minor' | 'reported'}`, bigint | null>;
}

/** What all rules together add to the computed figures; what none of them tells is 0. */
function byRule({ byRule: effects, computed }: ReconciledSettlement) {
  const changes = effects.flatMap(({ change }) => change ?? []);
  const sum = (measure: Measure) =>
    changes.reduce((total, change) => total + (change[measure] ?? 0n), 0n);
  return {
    by_rule_transactions: BigInt(
      changes.reduce((total, { transactions }) => total + transactions, 0),
    ),
    by_rule_gross_minor: sum('gross'),
    by_rule_fees_minor: sum('fees'),
    by_rule_tax_minor: sum('tax'),
    by_rule_pay_in_minor: computed?.payIn === undefined ? null : sum('payIn'),
  };
}

function codes(entries: readonly Entry[]): string {
  return JSON.stringify(entries.map(({ code }) => code));
}

/** Something found in a settlement, or in the day. */
export function discrepancyRow({
  settlement,
  entry,
}: ReturnType<typeof findingsOf>[number]): LakeRow<'discrepancies'> {
  const difference = differenceIn(entry);
  return {
    settlement_id: settlement?.id ?? '',
    accounting_token: settlement?.accountingToken ?? '',
    currency: settlement?.currency ?? '',
    weight: entry.weight,
    code: entry.code,
    count: BigInt(entry.count),
    decimal_places: difference?.scale ?? null,
    difference_minor: difference?.minor ?? null,
    difference: difference ? decimalOf(difference.minor, difference.scale) : null,
    message: sentence(entry),
  };
}

/** What is reported beyond what was computed, if anything is compared. */
function differenceIn({ facts }: Entry): Pick<Money, 'minor' | 'scale'> | undefined {
  if (!('difference' in facts)) return undefined;
  const { difference } = facts;
  return typeof difference === 'number' ? { minor: BigInt(difference), scale: 0 } : difference;
}

/** A day, and how it was judged. */
export function dayRow(
  { verdict, complete, counts, transactions, settlements }: ReconciledRun,
  { identity, tolerance, ignored, rules }: DayJudgement,
): LakeRow<'days'> {
  const sign = (fees: bigint, tax: bigint) =>
    identity === 'off' ? null : Number(payInOf(identity, 0n, fees, tax));
  return {
    verdict,
    complete: complete && unreadPendings(settlements).length === 0,
    settlements_balanced: BigInt(counts.balanced),
    settlements_out_of_balance: BigInt(counts.out_of_balance),
    settlements_pending: BigInt(counts.pending),
    settlements_incomplete: BigInt(counts.incomplete),
    transactions: BigInt(transactions),
    identity,
    fees_sign: sign(1n, 0n),
    tax_sign: sign(0n, 1n),
    tolerance,
    ignored: JSON.stringify(ignored),
    rules: JSON.stringify(rules),
  };
}

type DayJudgement = Pick<ReconcileSettings, 'identity' | 'tolerance' | 'ignored' | 'rules'>;

/** By decimal places: what makes ten-thousandths of minor units. */
const factors = [10_000n, 1000n, 100n, 10n, 1n];

/** Ten-thousandths; null where there are more decimal places, since it would be rounded. */
function decimalOf(minor: bigint, scale: number): bigint | null {
  const factor = factors[scale];
  return factor === undefined ? null : minor * factor;
}
