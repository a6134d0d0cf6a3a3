import { expect, test } from 'vitest';
import { makeMonths, months } from './months.ts';
import { type Figure, truthOf } from './truth.ts';

const all = Array.from({ length: 40 }, (_, index) => makeMonths(index + 1));

const totals = ['sold', 'gross', 'pay_in', 'in_transit'];

/** The lines before a total, whose names it does not share with a later part of the ladder. */
const parts: Readonly<Record<string, (key: string) => boolean>> = {
  gross: (key) =>
    /^(orders |rows |rows_in|pending_rows|settled_|earlier_|later_|not_in_gross|sold)/.test(key),
  pay_in: (key) => ['gross', 'fees', 'tax', 'pay_in_difference'].includes(key),
  in_transit: (key) =>
    ['pay_in', 'opening', 'changed', 'received', 'bank_charges', 'over', 'short'].includes(key),
};

function amountsOf(lines: Readonly<Record<string, Figure>>, isPart: (key: string) => boolean) {
  return Object.entries(lines).reduce((sum, [key, { net }]) => sum + (isPart(key) ? net : 0n), 0n);
}

test('each line is counted on its own, and the true ladder adds up to each of its totals', () => {
  for (const merchant of all) {
    for (const [at, month] of months.entries()) {
      const evening = merchant.evenings[at] ?? '';
      const { ladder } = truthOf(merchant, month, evening, months[at - 1]);
      for (const [currency, lines] of Object.entries(ladder))
        for (const total of totals.slice(1))
          expect(
            `${merchant.seed} ${month.name} ${currency} ${total} ${lines[total]?.net ?? 0n}`,
          ).toBe(
            `${merchant.seed} ${month.name} ${currency} ${total} ${amountsOf(lines, parts[total] ?? (() => false))}`,
          );
    }
  }
});

test('what is in transit after a month is what is in transit before the next', () => {
  for (const merchant of all) {
    const [first, second] = months.map((month, at) =>
      truthOf(merchant, month, merchant.evenings[at] ?? '', months[at - 1]),
    );
    for (const [currency, left] of Object.entries(first?.inBooks ?? {}))
      expect(second?.ladder[currency]?.['opening']?.net ?? 0n).toBe(left);
  }
});

test('forty merchants have every point that is judged, and every line', () => {
  const points = new Set<string>();
  const lines = new Set<string>();
  for (const merchant of all)
    for (const [at, month] of months.entries()) {
      const truth = truthOf(merchant, month, merchant.evenings[at] ?? '', months[at - 1]);
      for (const key of Object.keys(truth.points)) points.add(key.split(' ')[0] ?? '');
      for (const ladder of Object.values(truth.ladder))
        for (const key of Object.keys(ladder)) lines.add(key);
    }
  expect([...points].sort()).toMatchInlineSnapshot(`
    [
      "currency",
      "difference",
      "missing_on_bank",
      "order_amount_differs",
      "order_cancelled_but_settled",
      "order_missing_in_settlements",
      "order_other_currency",
      "order_refund_missing",
      "order_settled_twice",
      "order_unpaid_but_settled",
      "out_of_balance",
      "overcharged",
      "overdue",
      "returned",
      "unknown_on_bank",
    ]
  `);
  expect([...lines].sort()).toMatchInlineSnapshot(`
    [
      "bank_charges",
      "changed",
      "earlier_orders",
      "fees",
      "gross",
      "in_transit",
      "not_in_gross",
      "opening",
      "orders amount_differs",
      "orders cancelled_but_settled",
      "orders charged_back",
      "orders in_transit",
      "orders missing_in_settlements",
      "orders other_currency",
      "orders refund_in_transit",
      "orders refund_missing",
      "orders refund_unknown",
      "orders settled_twice",
      "orders unpaid_but_settled",
      "over",
      "pay_in",
      "pay_in_difference",
      "pending_rows",
      "received",
      "rows not_covered",
      "rows unknown_to_shop",
      "rows_in_other_currency",
      "settled_after",
      "short",
      "sold",
      "tax",
    ]
  `);
});
