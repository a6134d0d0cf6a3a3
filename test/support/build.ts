import type { Row } from '../../src/model/row.ts';
import type { Amounts, Settlement } from '../../src/model/settlement.ts';
import type { RowsOutcome } from '../../src/model/source.ts';

/** A readable UUID: the larger the number, the larger the id. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** A settlement that states all figures, as those of the service do. */
export type Stated = Settlement & Amounts & { readonly transactions: number };

/** A settlement of one row, the one that `buildRow` gives: both balance by default. */
export function buildSettlement(overrides?: Partial<Stated>): Stated;
export function buildSettlement(overrides: Partial<Settlement>): Settlement;
export function buildSettlement(overrides: Partial<Settlement> = {}): Settlement {
  return {
    id: uuid(1),
    timestamp: '2026-03-05T06:00:00Z',
    date: '2026-03-05',
    accountingToken: 'token-a',
    merchantId: 'merchant-1',
    paymentService: 'payments',
    status: 'settled',
    currency: 'EUR',
    scale: 2,
    gross: 10_00n,
    fees: 30n,
    tax: 6n,
    payIn: 9_64n,
    transactions: 1,
    paymentReferences: ['PMT-1'],
    paymentEndToEndIds: ['E2E-1'],
    ...overrides,
  };
}

export function buildRow(overrides: Partial<Row> = {}): Row {
  return {
    id: uuid(1001),
    chargeId: uuid(2001),
    orderId: uuid(3001),
    settlementId: uuid(1),
    timestamp: '2026-03-04T12:00:00Z',
    type: 'purchase',
    paymentType: 'card',
    state: 'approved',
    currency: 'EUR',
    scale: 2,
    amount: 10_00n,
    fees: 30n,
    tax: 6n,
    notes: [],
    ...overrides,
  };
}

/** Rows read whole, with nothing to remark. */
export function buildOutcome(overrides: Partial<RowsOutcome> = {}): RowsOutcome {
  return { unreadable: [], repeated: [], conflicts: [], corrections: [], ...overrides };
}
