import type { ScenarioSettlement } from '../../../src/sandbox/scenario.ts';

/** Whose settlements they are, and in what currency. */
export interface Account {
  readonly token: string;
  readonly currency: string;
  readonly scale: number;
}

interface Row {
  readonly id: string;
  readonly amount: number;
  readonly fees: number;
  readonly tax: number;
}

type Status = 'settled' | 'pending_settlement' | 'validated' | 'settled_out_of_balance';

/** A settlement as the service tells it at one time. */
export interface Settlement {
  readonly id: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly account: Account;
  readonly status: Status;
  /** By how much gross and pay-in of its header are more than its rows come to. */
  readonly off: number;
  readonly rows: readonly Row[];
  /** What of it nobody can read. */
  readonly broken?: 'row' | 'header' | undefined;
  /** Its header alone is known: a pending settlement is filed even where its rows could not be read. */
  readonly hasHeaderOnly?: boolean;
}

/** What is to be thought of it; nobody can say of one that can't be read. */
export function verdictOf({ status, off }: Settlement): 'pending' | 'out_of_balance' | 'balanced' {
  if (status === 'pending_settlement' || status === 'validated') return 'pending';
  return off !== 0 || status === 'settled_out_of_balance' ? 'out_of_balance' : 'balanced';
}

/** Gross, fees, tax, pay-in and count of its header. */
function headerFigures({ rows, off }: Settlement): readonly number[] {
  const sum = (field: 'amount' | 'fees' | 'tax') =>
    rows.reduce((total, row) => total + row[field], 0);
  const [gross, fees, tax] = [sum('amount') + off, sum('fees'), sum('tax')];
  return [gross, fees, tax, gross - fees - tax, rows.length];
}

/** All that it says, as a text: two of the same text are the same. */
export function textOf(one: Settlement): string {
  const header = [one.id, one.day, one.account.token, one.account.currency, one.status];
  const rows = one.rows.map(({ id, amount, fees, tax }) => [id, amount, fees, tax].join(' '));
  const first = [...header, ...headerFigures(one)].join(' ');
  return one.hasHeaderOnly ? first : [first, ...rows.sort()].join('\n');
}

/** The records of the wire (doc 2.7, 2.8). */
export function wireOf(one: Settlement): ScenarioSettlement {
  const { id, day, account, status, rows, broken } = one;
  const [amountGross, fees, tax, amountPayIn, totalTransactions] = headerFigures(one);
  const isPaid = status.startsWith('settled');
  return {
    header: {
      settlementId: id,
      accountingToken: account.token,
      merchantId: 'M-1001',
      paymentService: 'cards',
      currencyCode: account.currency,
      decimalPlaces: account.scale,
      settlementStatus: status,
      settlementDate: `${day}T04:30:00Z`,
      amountGross: broken === 'header' ? null : amountGross,
      fees,
      tax,
      amountPayIn,
      totalTransactions,
      paymentEndToEndIds: isPaid ? [`E2E-${id.slice(0, 8)}`] : [],
      paymentReferences: isPaid ? [`PMT-${id.slice(0, 8)}`] : [],
    },
    rows: rows.map((row, index) => ({
      transactionId: row.id,
      chargeId: row.id.replace('-4000-', '-4c00-'),
      orderId: row.id.replace('-4000-', '-4d00-'),
      timestamp: `${day}T01:00:00Z`,
      transactionType: 'purchase',
      paymentType: 'card',
      state: 'approved',
      amount: broken === 'row' && index === 0 ? null : row.amount,
      fees: row.fees,
      tax: row.tax,
      decimalPlaces: String(account.scale),
      currencyCode: account.currency,
      settlementId: id,
      notes: [],
    })),
  };
}
