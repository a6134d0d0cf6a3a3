import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import { formatMinor } from '../money/money.ts';
import type { FieldChange } from '../report/export/report.ts';
import type { ListedTransaction, SectionEnd } from './source-line.ts';

type Values = Readonly<Record<string, string>>;

/** What differs between two versions of a header. Of one that came or went, what it is worth. */
export function settlementChanges(before?: Settlement, after?: Settlement): readonly FieldChange[] {
  const values = before && after ? settlementValues : settlementWorth;
  return changes(before && values(before), after && values(after));
}

/** What differs between two versions of a transaction. Of one that came or went, what it is worth. */
export function transactionChanges(
  before?: ListedTransaction,
  after?: ListedTransaction,
): readonly FieldChange[] {
  const values = before && after ? transactionValues : ({ row }: ListedTransaction) => worth(row);
  return changes(before && values(before), after && values(after));
}

/** Whether the rows of a settlement, where it is pending, were read otherwise than before. */
export function readingChanges(before?: SectionEnd, after?: SectionEnd): readonly FieldChange[] {
  if (!before || !after) return [];
  return changes({ rows_read: readingText(before) }, { rows_read: readingText(after) });
}

function changes(before: Values = {}, after: Values = {}): readonly FieldChange[] {
  return Object.keys({ ...before, ...after })
    .map((field) => ({ field, before: before[field] ?? '', after: after[field] ?? '' }))
    .filter((change) => change.before !== change.after);
}

function settlementValues(one: Settlement): Values {
  return {
    ...settlementWorth(one),
    settlement_timestamp: one.timestamp,
    accounting_token: one.accountingToken,
    merchant_id: one.merchantId,
    payment_service: one.paymentService,
    currency: one.currency,
    decimal_places: String(one.scale),
    payment_references: one.paymentReferences.join(' | '),
    payment_end_to_end_ids: one.paymentEndToEndIds.join(' | '),
  };
}

function settlementWorth(one: Settlement): Values {
  return {
    settlement_status: one.status,
    transactions: String(one.transactions),
    gross: formatMinor(one.gross, one.scale),
    fees: formatMinor(one.fees, one.scale),
    tax: formatMinor(one.tax, one.scale),
    pay_in: formatMinor(one.payIn, one.scale),
  };
}

function transactionValues({ row, listed, others }: ListedTransaction): Values {
  return {
    ...rowValues(row),
    listed: String(listed),
    other_contents: others.map((other) => Object.values(rowValues(other)).join(' ')).join(' | '),
  };
}

function rowValues(one: Row): Values {
  return {
    ...worth(one),
    currency: one.currency,
    decimal_places: String(one.scale),
    state: one.state,
    transaction_type: one.type,
    payment_type: one.paymentType,
    timestamp: one.timestamp,
    charge_id: one.chargeId,
    order_id: one.orderId,
    own_settlement_id: one.settlementId,
    notes: JSON.stringify(one.notes),
  };
}

function worth({ amount, fees, tax, scale }: Row): Values {
  return {
    amount: formatMinor(amount, scale),
    fees: formatMinor(fees, scale),
    tax: formatMinor(tax, scale),
  };
}

function readingText({ unsteady, unreadable, notRead }: SectionEnd): string {
  if (notRead !== undefined) return `no: ${notRead}`;
  const reasons = [...(unsteady === undefined ? [] : [unsteady]), ...unreadable.map(recordText)];
  return reasons.length === 0 ? 'yes' : `not whole: ${reasons.join('; ')}`;
}

function recordText({ record, field, found }: SectionEnd['unreadable'][number]): string {
  return `${record} ${field} ${found}`;
}
