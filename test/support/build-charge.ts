import type { Charge } from '../../src/model/charge.ts';
import type { Money } from '../../src/money/money.ts';
import { uuid } from './build.ts';

/** An amount of a charge: two decimal places. */
export function cents(minor: bigint, currency = 'EUR'): Money {
  return { minor, scale: 2, currency };
}

/** A settled charge of 10.00 EUR, that of the row which `buildRow` gives. */
export function buildCharge(
  overrides: Partial<Omit<Charge, 'summary'>> = {},
  summary: Partial<Charge['summary']> = {},
): Charge {
  return {
    id: uuid(2001),
    status: 'settled',
    order: {
      id: uuid(3001),
      serviceId: 'token-a',
      reference: 'my order',
      details: [],
      currency: 'EUR',
      amount: cents(10_00n),
    },
    summary: {
      originalOrderTotal: cents(10_00n),
      currentOrderTotal: cents(10_00n),
      completed: cents(10_00n),
      refunded: cents(0n),
      settled: cents(10_00n),
      canceled: cents(0n),
      disputed: cents(0n),
      reconciled: cents(0n),
      reversed: cents(0n),
      outOfBalance: [],
      outOfBalanceOther: [],
      ...summary,
    },
    event: { number: 4, action: 'complete', source: 'api', status: 'settled' },
    errorMessage: '',
    payments: [],
    responses: [],
    ...overrides,
  };
}
