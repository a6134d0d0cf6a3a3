import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Charge } from '../../src/model/charge.ts';
import {
  chargeRule,
  isApproved,
  type RowMoney,
  remarksOnCharge,
  settledAgainstRows,
  wasCompleted,
} from '../../src/reconcile/charges.ts';
import { buildCharge, cents } from '../support/build-charge.ts';

/** Doc 3.1 line by line, with the approval of doc 3.3; written from the document, not from the code. */
const statuses = `
  created                | in_progress | hold               |
  pending_validation     | in_progress | hold_until_timeout |
  validated              | in_progress | hold_until_timeout |
  pending_authorisation  | in_progress | hold_until_timeout |
  authorised             | in_progress | hold_until_timeout |
  pending_completion     | in_progress | hold_until_timeout |
  completed              | success     | fulfil             | approved
  settled                | success     | settled            | had been completed
  settled_out_of_balance | success     | settled            | had been completed
  not_created            | failure     | release            |
  not_validated          | failure     | release            |
  not_authorised         | failure     | release            |
  not_completed          | failure     | release            |
  cancelled              | failure     | release            |
  refunded               | refunded    | refunded           | had been completed
  under_review           | in_progress | as_pending         |
  COMPLETED              | in_progress | as_pending         |
  toString               | in_progress | as_pending         |
                         | in_progress | as_pending         |
`;

const lines = statuses.split('\n').filter((line) => line.includes('|'));

describe('the status of a charge', () => {
  test.each(lines.map((line) => line.split('|').map((cell) => cell.trim())))(
    '"%s": %s, %s; %s',
    (status = '', outcome, handling, approval) => {
      expect(chargeRule(status)).toMatchObject({ outcome, handling });
      expect(isApproved(status)).toBe(approval === 'approved');
      expect(wasCompleted(status)).toBe(approval === 'had been completed');
    },
  );
});

function row(amount: bigint, fees = 0n, tax = 0n, scale = 2, currency = 'EUR'): RowMoney {
  const money = (minor: bigint) => ({ minor, scale, currency });
  return { amount: money(amount), fees: money(fees), tax: money(tax) };
}

const relation = (
  summary: Partial<Charge['summary']>,
  rows: readonly RowMoney[],
  status = 'settled',
) => settledAgainstRows(buildCharge({ status }, summary), rows).relation;

/** Doc 2.5, to the letter: nothing is said of the settled amount. */
const wholeRefund = {
  currentOrderTotal: cents(0n),
  completed: cents(0n),
  refunded: cents(10_00n),
};

describe('a settled amount agrees with its rows', () => {
  test('if they add up to it, before or after fees', () => {
    expect(relation({}, [row(10_00n, 30n, 6n)])).toBe('equal');
    expect(relation({}, [row(4_00n), row(6_00n)])).toBe('equal');
    expect(relation({ settled: cents(9_64n) }, [row(10_00n, 30n, 6n)])).toBe('equal_after_fees');
  });

  test('with a refund in part, listed or not, included or not', () => {
    const refunded = { refunded: cents(3_00n) };
    expect(relation(refunded, [row(10_00n), row(-3_00n)])).toBe('equal_before_refunds');
    expect(relation({ ...refunded, settled: cents(7_00n) }, [row(10_00n)])).toBe(
      'equal_after_refunds',
    );
    expect(relation(refunded, [row(-3_00n)])).toBe('refund');
  });

  test('before a dispute whose chargeback is listed, with a refund or without one', () => {
    const disputed = { disputed: cents(10_00n) };
    expect(relation(disputed, [row(10_00n), row(-10_00n)])).toBe('equal_before_dispute');
    const both = { disputed: cents(7_00n), refunded: cents(3_00n) };
    const rows = [row(10_00n), row(-3_00n), row(-7_00n)];
    expect(relation(both, rows)).toBe('equal_before_dispute');
    expect(relation(both, rows.slice(0, 2))).toBe('equal_before_refunds');
    expect(relation(both, [row(10_00n), row(-6_00n)])).toBe('differs');
  });

  test.each([[0n], [10_00n]])(
    'after a whole refund with a settled amount of %s, whichever rows are listed',
    (settled) => {
      const summary = { ...wholeRefund, settled: cents(settled) };
      for (const rows of [[row(10_00n)], [row(-10_00n)], [row(10_00n), row(-10_00n)]]) {
        expect(relation(summary, rows, 'refunded')).not.toBe('differs');
      }
    },
  );

  test('while nothing is settled, which takes two days after completion', () => {
    expect(relation({ settled: cents(0n) }, [row(10_00n)], 'completed')).toBe('not_settled');
  });
});

describe('a settled amount differs', () => {
  test('from any other sum, by settled - rows', () => {
    const charge = buildCharge({}, { settled: cents(9_00n) });
    expect(settledAgainstRows(charge, [row(10_00n, 30n, 6n)])).toEqual({
      relation: 'differs',
      settled: cents(9_00n),
      rows: cents(10_00n),
      difference: cents(-1_00n),
      inOtherCurrency: 0,
    });
    expect(relation({ ...wholeRefund, settled: cents(0n) }, [row(9_00n)], 'refunded')).toBe(
      'differs',
    );
  });

  test.each<
    [
      settled: bigint,
      status: string,
      rows: readonly RowMoney[],
      ReturnType<typeof settledAgainstRows>['relation'],
    ]
  >([
    // Nothing that was refunded explains rows that come to nothing.
    [10_00n, 'settled', [row(4_00n), row(-4_00n)], 'differs'],
    // Only a whole refund does, and only the whole purchase beside it.
    [3_00n, 'refunded', [row(4_00n), row(-4_00n)], 'refund'],
    [3_00n, 'refunded', [row(10_00n)], 'refund'],
    [3_00n, 'refunded', [row(9_00n)], 'differs'],
    [3_00n, 'settled', [row(10_00n)], 'differs'],
    // What has long been settled no longer shows late.
    [0n, 'settled', [row(10_00n)], 'differs'],
    [3_00n, 'completed', [row(10_00n)], 'differs'],
  ])('or fits, with %s settled of a charge that is %s', (settled, status, rows, expected) => {
    expect(relation({ settled: cents(settled) }, rows, status)).toBe(expected);
  });

  test('never if nothing can be compared', () => {
    expect(relation({}, [])).toBe('unknown');
    expect(settledAgainstRows(buildCharge({}, { settled: undefined }), [row(10_00n)])).toEqual({
      relation: 'unknown',
      settled: undefined,
      rows: cents(10_00n),
      difference: undefined,
      inOtherCurrency: 0,
    });
    expect(settledAgainstRows(buildCharge(), []).difference).toBeUndefined();
    expect(relation({}, [row(10_00n, 0n, 0n, 2, 'USD')])).toBe('unknown');
  });
});

describe('decimal places of charges', () => {
  const inCurrency = (currency: string, settled: bigint) =>
    buildCharge({}, { settled: cents(settled, currency), refunded: undefined });

  test.each([
    ['JPY', 4800n, 0, 480_000n],
    ['KWD', 20_120n, 3, 20_12n],
    ['EUR', 10_00n, 2, 10_00n],
  ])('in %s are two: a row of %s with %i is a charge of %s', (currency, amount, scale, settled) => {
    const rows = [row(amount, 0n, 0n, scale, currency)];
    expect(settledAgainstRows(inCurrency(currency, settled), rows).relation).toBe('equal');
    expect(settledAgainstRows(inCurrency(currency, settled + 1n), rows).relation).toBe('differs');
  });

  test('are converted exactly', () => {
    const scaled = fc.record({ minor: fc.bigInt(-(10n ** 12n), 10n ** 12n), scale: fc.nat(6) });
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.array(scaled, { minLength: 1 }), (minor, list) => {
        const rows = list.map((one) => row(one.minor, 0n, 0n, one.scale));
        const against = settledAgainstRows(inCurrency('EUR', minor), rows);
        const millionths = list.reduce(
          (sum, one) => sum + one.minor * 10n ** BigInt(6 - one.scale),
          0n,
        );
        const { difference, rows: sum } = against;
        const up = (money = sum) => money.minor * 10n ** BigInt(6 - money.scale);
        expect(up()).toBe(millionths);
        expect(up(difference)).toBe(minor * 10_000n - millionths);
      }),
    );
  });
});

describe('the figures of a charge deny its status', () => {
  const event = (action: string) => ({ number: 1, action, source: 'api', status: '' });
  const full = {
    originalOrderTotal: cents(10_00n),
    currentOrderTotal: cents(0n),
    completed: cents(0n),
    refunded: cents(10_00n),
  };

  test.each<[string, string, Parameters<typeof buildCharge>[1], readonly string[]]>([
    ['refunded', 'refund', full, []],
    ['refunded', 'refund', { ...full, refunded: cents(4_00n) }, ['partial_refund']],
    ['refunded', 'refund', { ...full, completed: cents(10_00n) }, ['partial_refund']],
    ['refunded', 'refund', { ...full, currentOrderTotal: cents(1n) }, ['partial_refund']],
    ['refunded', 'refund', { ...full, refunded: cents(0n) }, ['partial_refund']],
    // What isn't there denies nothing.
    ['refunded', 'refund', { ...full, refunded: undefined, completed: undefined }, []],
    ['not_authorised', 'complete', { completed: cents(10_00n) }, ['completed_but_not_approved']],
    ['cancelled', 'complete', { completed: cents(1n) }, ['completed_but_not_approved']],
    ['not_authorised', 'complete', { completed: cents(0n) }, []],
    ['not_authorised', 'complete', { completed: undefined }, []],
    ['pending_completion', 'complete', { completed: cents(10_00n) }, []],
    ['completed', 'refund', {}, ['refund_event']],
    ['completed', 'complete', {}, []],
    ['settled', 'complete', { disputed: cents(5_00n) }, ['disputed']],
    ['refunded', 'refund', { ...full, disputed: cents(5_00n) }, []],
    ['settled', 'refund', {}, []],
  ])('%s, last event %s, %o: %o', (status, action, summary, remarks) => {
    expect(remarksOnCharge(buildCharge({ status, event: event(action) }, summary))).toEqual(
      remarks,
    );
  });
});
