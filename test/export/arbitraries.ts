import fc from 'fast-check';
import type { Row } from '../../src/model/row.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { fieldForms, type UnreadableRecord } from '../../src/model/source.ts';
import { anyText as anyCharacters } from '../render/any-text.ts';

/** Any text: control characters, line breaks, lone surrogates. */
const text = anyCharacters({ maxLength: 12 });
const loose = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom('\ud800', '\n', '\t', '"', '\\', ' ', '!', 'é', '\u2028') }),
);
export const anyText = loose;
const id = loose.filter((one) => one !== '');
const scale = fc.integer({ min: 0, max: 18 });
const minor = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

export const anyRow: fc.Arbitrary<Row> = fc.record({
  id,
  chargeId: loose,
  orderId: loose,
  settlementId: id,
  timestamp: loose,
  type: loose,
  paymentType: loose,
  state: loose,
  currency: loose,
  scale,
  amount: minor,
  fees: minor,
  tax: minor,
  notes: fc.array(fc.record({ key: loose, value: loose }), { maxLength: 3 }),
});

export const anySettlement: fc.Arbitrary<Settlement> = fc.record({
  id,
  timestamp: loose,
  date: loose,
  accountingToken: loose,
  merchantId: loose,
  paymentService: loose,
  status: loose,
  currency: loose,
  scale,
  gross: minor,
  fees: minor,
  tax: minor,
  payIn: minor,
  transactions: fc.maxSafeNat(),
  paymentReferences: fc.array(loose, { maxLength: 3 }),
  paymentEndToEndIds: fc.array(loose, { maxLength: 3 }),
});

export const anyUnreadable: fc.Arbitrary<UnreadableRecord> = fc.record({
  record: loose,
  field: loose,
  found: loose,
  expected: fc.constantFrom(...fieldForms),
});
