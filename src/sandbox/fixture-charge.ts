import { wireCharge } from './charge-document.ts';
import type { WireRecord } from './scenario.ts';

/** A charge as it is written down in fixtures/; any other charge of a row follows from its rows. */
export interface FixtureCharge {
  readonly account?: string;
  readonly status: string;
  /** Of the order, with two decimal places in every currency (doc 2.1). */
  readonly amount: number;
  /** The last event's action; `complete` where left out. */
  readonly action?: string;
  /** Summary amounts; where left out, only the order's totals aren't 0. */
  readonly summary?: WireRecord;
  /** Fields of the charge that stand as written. */
  readonly fields?: WireRecord;
}

/** Writes a charge out as it is sent; `account` has the fields of its settlements' headers. */
export function expandCharge(
  { status, amount, action = 'complete', summary = {}, fields = {} }: FixtureCharge,
  account: WireRecord,
  ids: { readonly chargeId: string; readonly orderId: string; readonly notes: unknown },
): WireRecord {
  const document = wireCharge({
    id: ids.chargeId,
    orderId: ids.orderId,
    serviceId: account['accountingToken'],
    status,
    currency: account['currencyCode'],
    amount,
    notes: ids.notes,
    summary,
    action,
  });
  return { ...document, ...fields };
}
