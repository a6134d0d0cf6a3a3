import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutSecrets } from '../../src/model/charge.ts';

function jsonOf(document: unknown, withPersons: boolean): string {
  return JSON.stringify(document, withoutSecrets(withPersons));
}

describe('a document without secrets', () => {
  const document = {
    charge_id: 'x',
    order: { customer: { email: 'a@b' }, order_amount: { value: 1 } },
    payments: [
      { payment_instrument: { instrument: { encrypted_data: 'z' }, payer: { email: 'c@d' } } },
    ],
    elsewhere: [{ customer: 1, entity_details: { name: 'n' }, encryptedInfo: 'y', kept: null }],
  };

  test('lacks people and payment details in every place, and nothing else', () => {
    expect(JSON.parse(jsonOf(document, false))).toEqual({
      charge_id: 'x',
      order: { order_amount: { value: 1 } },
      payments: [{ payment_instrument: {} }],
      elsewhere: [{ kept: null }],
    });
  });

  test('may keep people, and never encrypted values', () => {
    const text = jsonOf(document, true);
    expect(text).toMatch(/a@b.*c@d.*"n"/);
    expect(text).not.toMatch(/encrypt|"z"|"y"/);
  });

  test('is the document that came if nothing is to be removed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(
          !/customer|payer|entity_details|instrument|encrypt|__proto__/i.test(
            JSON.stringify(value),
          ),
        );
        expect(jsonOf(value, false)).toBe(JSON.stringify(value));
      }),
    );
  });
});
