/** Encoded records, one after the other with a comma between them, so that a page is a copy of bytes. */
export interface Encoded {
  readonly bytes: Buffer;
  /** Where each record begins; at last, where the next one would. */
  readonly starts: Float64Array;
}

/** Which headers are listed: of the first `listed` settlements, those of the days. */
interface Listing {
  readonly listed: number;
  /** Minor units by which gross and pay-in are higher than the rows add up to. */
  readonly imbalance: number;
  readonly startDate: string;
  readonly endDate: string;
}

/** Made-up settlements, and their rows. */
export interface Shop {
  headers(listing: Listing): Encoded;
  rows(settlementId: string): Encoded;
}

/** Minor units. */
interface Amounts {
  readonly amount: number;
  readonly fees: number;
  readonly tax: number;
}

export function createShop(settlements: number, rows: number): Shop {
  const nothing = encode([]);
  const lists = new Map<string, Encoded>();
  const sums: Amounts[] = [];
  for (let number = 0; number < settlements; number += 1) {
    const id = uuid(1, number, 0);
    const sum = { amount: 0, fees: 0, tax: 0 };
    const records = Array.from({ length: rows }, (_, row) => {
      const amount = 1_000 + ((number * 7 + row * 13) % 9_000);
      const fees = Math.floor(amount / 50);
      const tax = Math.floor(fees / 5);
      sum.amount += amount;
      sum.fees += fees;
      sum.tax += tax;
      return rowRecord(id, number, row, { amount, fees, tax });
    });
    lists.set(id, encode(records));
    sums.push(sum);
  }
  return {
    headers: ({ listed, imbalance, startDate, endDate }) =>
      encode(
        sums.slice(0, listed).flatMap((sum, number) => {
          const date = dateOf(number);
          const amounts = { ...sum, amount: sum.amount + imbalance };
          return startDate <= date && date <= endDate ? [headerRecord(number, rows, amounts)] : [];
        }),
      ),
    rows: (settlementId) => lists.get(settlementId) ?? nothing,
  };
}

/** The JSON text of the records of a page. */
export function pageOf({ bytes, starts }: Encoded, offset: number, limit: number): Buffer {
  const last = starts.length - 1;
  const from = Math.min(offset, last);
  const to = Math.min(offset + limit, last);
  const end = (starts[to] ?? 0) - 1;
  return from === to ? Buffer.alloc(0) : bytes.subarray(starts[from], end);
}

/** In the order of the document (doc 2.8). */
function rowRecord(settlementId: string, number: number, row: number, amounts: Amounts): string {
  return JSON.stringify({
    chargeId: uuid(2, number, row),
    transactionId: uuid(3, number, row),
    timestamp: `${dateOf(number)}T${String(row % 24).padStart(2, '0')}:11:12Z`,
    transactionType: 'purchase',
    paymentType: 'card',
    ...amounts,
    decimalPlaces: '2',
    currencyCode: 'EUR',
    state: 'approved',
    orderId: uuid(4, number, row),
    notes: [
      { key: 'merchant_order_ref', value: `ORD-${number}-${row}` },
      { key: 'merchant_customer_ref', value: `CUST-${row}` },
    ],
    settlementId,
  });
}

/** In the order of the document (doc 2.7). */
function headerRecord(
  number: number,
  totalTransactions: number,
  { amount: amountGross, fees, tax }: Amounts,
): string {
  return JSON.stringify({
    settlementId: uuid(1, number, 0),
    paymentService: 'cards',
    merchantId: 'M-1',
    accountingToken: uuid(5, number % 3, 0),
    settlementStatus: 'settled',
    settlementDate: `${dateOf(number)}T04:00:00Z`,
    amountGross,
    fees,
    tax,
    currencyCode: 'EUR',
    amountPayIn: amountGross - fees - tax,
    decimalPlaces: 2,
    paymentEndToEndIds: [],
    paymentReferences: [],
    totalTransactions,
  });
}

function dateOf(number: number): string {
  return `2026-03-${String(1 + (number % 28)).padStart(2, '0')}`;
}

function encode(records: readonly string[]): Encoded {
  const starts = new Float64Array(records.length + 1);
  const bytes = Buffer.from(records.map((record) => `${record},`).join(''));
  // All is ASCII: a character is a byte.
  for (const [at, record] of records.entries()) {
    starts[at + 1] = (starts[at] ?? 0) + record.length + 1;
  }
  return { bytes, starts };
}

/** Another one for each pair of numbers, always the same, with digits that look random. */
function uuid(kind: number, one: number, other: number): string {
  // The first and the last word are whole in it.
  const words = [mix(other), mix(kind + other), mix(one + kind + other), mix(one)];
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

/** Spreads a number over 32 bits, one to one (finaliser of MurmurHash3). */
function mix(number: number): number {
  let hash = (number + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
