import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCharge } from '../../src/api/charge-answer.ts';
import { decodeHeader, decodeRow, isUnreadable } from '../../src/api/records.ts';
import { RequestFailure } from '../../src/base/errors.ts';
import { keysOf } from '../../src/base/lists.ts';
import { type Charge, summaryAmounts } from '../../src/model/charge.ts';
import { uuid } from '../support/build.ts';
import { answerOf, recordsIn } from './answer.ts';
import { rawCharge, rawHeader, rawRow } from './raw.ts';

// From the text of an answer to a record: the whole way, as a page or a charge takes it.

/** The JSON of a record in which one field has the value of a text. */
function withField(record: object, field: string, json: string): string {
  const { [field]: _, ...others } = record as Record<string, unknown>;
  return `${JSON.stringify(others).slice(0, -1)},${JSON.stringify(field)}: ${json}}`;
}

function pageOf(record: string): readonly unknown[] {
  return recordsIn(answerOf(`{"status":{"code":"0"},"data":[${record}]}`));
}

const chargeFields: Readonly<Record<string, string>> = {
  originalOrderTotal: 'original_order_total',
  currentOrderTotal: 'current_order_total',
  completed: 'completed_amount',
  refunded: 'refunded_amount',
  settled: 'settled_amount',
  canceled: 'canceled_amount',
  disputed: 'disputed_amount',
  reconciled: 'reconciled_amount',
  reversed: 'reversed_amount',
};

/** The charge in a text; undefined where it is refused, as a failure with a policy and a cause. */
function chargeOf(text: string): Charge | undefined {
  try {
    return readCharge(answerOf(text), uuid(2001));
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    expect(error.policy).toMatch(/^(retry|rate_limit|new_credential|give_up)$/);
    expect(error.failure).toMatch(/^(service|not_found|authentication)$/);
    return undefined;
  }
}

/** How an amount is read where these digits stand for it; undefined where the record isn't read. */
const readers: Readonly<Record<string, (json: string) => bigint | undefined>> = {
  'a header': (json) => {
    const [raw] = pageOf(withField(rawHeader(), 'amountPayIn', json));
    const { item } = decodeHeader(raw);
    return isUnreadable(item) ? undefined : item.payIn;
  },
  'a row': (json) => {
    const [raw] = pageOf(withField(rawRow(), 'amount', json));
    const { item } = decodeRow(raw);
    return isUnreadable(item) ? undefined : item.amount;
  },
  'a charge': (json) => {
    const summary = withField({}, 'settled_amount', json).replace('{,', '{');
    return chargeOf(withField(rawCharge(), 'summary_amounts', summary))?.summary.settled?.minor;
  },
  'a charge, as an object': (json) => {
    const order = `{"order_amount":{"value":${json}}}`;
    return chargeOf(withField(rawCharge(), 'order', order))?.order.amount?.minor;
  },
};

describe.each(Object.keys(readers))('an amount of %s', (name) => {
  const read = readers[name] ?? (() => undefined);
  const number = fc.record({
    sign: fc.constantFrom('', '-'),
    whole: fc.stringMatching(/^(0|[1-9]\d{0,20})$/),
    decimals: fc.stringMatching(/^(\d{1,25})?$/),
    exponent: fc.integer({ min: -30, max: 30 }),
    letter: fc.constantFrom('e', 'E', 'e+'),
  });

  test('is read as exactly the number that was written, or the record is refused', () => {
    let exact = 0;
    fc.assert(
      fc.property(number, ({ sign, whole, decimals, exponent, letter }) => {
        const power = exponent < 0 ? `e${exponent}` : `${letter}${exponent}`;
        const text = `${sign}${whole}${decimals && `.${decimals}`}${exponent === 0 ? '' : power}`;
        const minor = read(text);
        if (minor === undefined) return;
        exact += 1;
        const behind = decimals.length - exponent;
        const written = BigInt(`${sign}${whole}${decimals}`);
        const up = 10n ** BigInt(Math.abs(behind));
        expect(behind < 0 ? minor : minor * up).toBe(behind < 0 ? written * up : written);
      }),
      { numRuns: 400 },
    );
    expect(exact).toBeGreaterThan(10);
  });

  test('is read as the whole number that was written, as far as JavaScript can hold it', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('', '.0', '.000', 'e0'), (amount, tail) => {
        expect(read(`${amount}${tail}`)).toBe(BigInt(amount));
      }),
    );
  });
});

test('a charge with any JSON value in its place is refused, or read with exactly these amounts', () => {
  const amount = fc.oneof(
    fc.jsonValue(),
    fc.maxSafeInteger(),
    fc.record({ value: fc.oneof(fc.maxSafeInteger(), fc.jsonValue()), currency: fc.jsonValue() }),
  );
  const summary = fc.dictionary(fc.constantFrom(...Object.values(chargeFields)), amount);
  const spoilt = fc.record(
    {
      charge_id: fc.oneof(fc.jsonValue(), fc.constant(uuid(2001))),
      order: fc.oneof(fc.jsonValue(), fc.record({ order_amount: amount })),
      summary_amounts: fc.oneof(fc.jsonValue(), summary, summary),
      status: fc.jsonValue(),
      event: fc.jsonValue(),
      payments: fc.jsonValue(),
      psp_responses: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  let charges = 0;
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), spoilt, spoilt), (value) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      const sent = JSON.parse(JSON.stringify(isObject ? { ...rawCharge(), ...value } : value));
      const charge = chargeOf(JSON.stringify(sent));
      if (charge === undefined) return;
      charges += 1;
      const amounts = sent.summary_amounts ?? {};
      for (const name of keysOf(summaryAmounts)) {
        const written = amounts[chargeFields[name] ?? ''];
        const minor = typeof written === 'object' ? written?.value : written;
        expect(charge.summary[name]?.minor).toBe(minor === undefined ? undefined : BigInt(minor));
        expect(charge.summary[name]?.scale ?? 2).toBe(2);
      }
    }),
    { numRuns: 400 },
  );
  expect(charges).toBeGreaterThan(20);
});
