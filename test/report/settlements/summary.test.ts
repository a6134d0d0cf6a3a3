import { describe, expect, test } from 'vitest';
import { entry } from '../../../src/reconcile/entry.ts';
import {
  completenessText,
  headline,
  settlementsNotes,
} from '../../../src/report/settlements/summary.ts';
import { idOf, month, porto, reconciled, report, settlement } from '../build-report.ts';

const balanced = (number: number) => reconciled(settlement({ id: idOf(number) }));
const shifted = (number: number, gross: bigint, changes = {}) =>
  reconciled(
    settlement({ id: idOf(number), gross: 10_000n + gross, payIn: 9_820n + gross, ...changes }),
    { gross },
  );

describe('the headline', () => {
  test('says if all settlements balance', () => {
    expect(headline(report([]))).toBe('No settlements.');
    expect(headline(report([balanced(1)]))).toBe('1 settlement: balanced.');
    expect(headline(report([balanced(1), balanced(2)]))).toBe('2 settlements: all balanced.');
  });

  test('has the differences per currency, net and absolute', () => {
    expect(headline(month())).toBe(
      '13 settlements: 7 balanced, 4 out of balance, 1 pending, 1 incomplete. ' +
        'Net pay-out difference: -20.01 EUR net, 20.01 EUR absolute; +500 JPY net, 500 JPY absolute.',
    );
  });

  test('adds up groups of one currency at their largest scale', () => {
    const finer = { accountingToken: porto, scale: 3 };
    expect(headline(report([shifted(1, -2_000n), shifted(2, 6_001n, finer)]))).toContain(
      'Net pay-out difference: -13.999 EUR net, 26.001 EUR absolute.',
    );
  });

  test('reports unusual decimal places with their factor', () => {
    const finer = { accountingToken: porto, scale: 3 };
    expect(headline(report([shifted(1, -2_000n), shifted(2, 6_001n, finer)]))).toBe(
      '2 settlements: all out of balance. Net pay-out difference: -13.999 EUR net, 26.001 EUR absolute. ' +
        '1 settlement has 3 decimal places instead of 2 for EUR, so the amounts may be 10 times too small.',
    );
  });

  test('has gross differences if the identity is off', () => {
    const run = report([shifted(1, 500n)], { settings: { identity: 'off' } });
    expect(headline(run)).toBe(
      '1 settlement: out of balance. ' +
        'Gross difference (net pay-outs not calculated): +5.00 EUR net, 5.00 EUR absolute.',
    );
  });

  test('says if only the run is out of balance', () => {
    const run = report([balanced(1)], {
      finding: entry('shared_transaction', 1, { examples: [] }),
    });
    expect(headline(run)).toContain('1 settlement: balanced. The run is out of balance');
  });
});

describe('the text of completeness', () => {
  test('counts what was read', () => {
    expect(completenessText(report([balanced(1)]))).toBe('yes: 1 settlement, 30 transactions');
  });

  test('counts what was not read', () => {
    const unread = reconciled(settlement(), {}, [
      entry('not_read', 1, { reason: { code: 'other', facts: { message: 'busy' } } }),
    ]);
    const finding = entry('unsteady_headers', 1, { reason: 'walks_disagree' });
    expect(completenessText(report([unread, balanced(2)], { finding }))).toBe(
      'NO: 1 of 2 settlements not fully read; the list of settlements may be incomplete',
    );
  });

  test('names a pending settlement that was not read whole', () => {
    const pending = reconciled(settlement({ status: 'validated' }), {}, [
      entry('unsteady_read', 1, { reason: 'no_progress' }),
    ]);
    expect(completenessText(report([pending]))).toBe(
      `NO: 1 pending settlement not fully read: ${pending.settlement.id}`,
    );
  });
});

describe('notes', () => {
  test('are empty if nothing is to be said', () => {
    expect(settlementsNotes(report([balanced(1)]))).toEqual([]);
  });

  test('count the settlements about which the service and the sums disagree', () => {
    expect(settlementsNotes(month())[0]).toBe(
      'The service and the checks disagree on 4 settlements: ' +
        '3 settled according to the service but out of balance by the checks; ' +
        '1 out of balance according to the service only.',
    );
  });

  test('suggest a better identity', () => {
    const run = report([balanced(1)]);
    const better = [{ identity: 'gross-fees' as const, settlements: 12 }];
    expect(settlementsNotes({ ...run, run: { ...run.run, betterIdentities: better } })).toEqual([
      'Net pay-out = gross - fees - tax does not hold, but net pay-out = gross - fees holds for all ' +
        '12 complete settlements. Consider --identity gross-fees.',
    ]);
  });

  test('name what was not checked, not computed and not shown', () => {
    const run = report([balanced(1)], {
      settings: { identity: 'off', ignored: ['tax', 'count'] },
      only: ['pending'],
    });
    expect(settlementsNotes(run)).toEqual([
      'No net pay-out is calculated (identity = off), so totals show differences in gross.',
      'Ignored checks: tax (nothing found), count (nothing found).',
      'Showing 0 of 1 settlement (pending). Totals are not filtered.',
    ]);
  });

  const noticed = (number: number) =>
    reconciled(settlement({ id: idOf(number) }), {}, [
      entry('duplicate_transaction', 1, { copies: 1, examples: [`T${number}`] }),
    ]);
  const named = (number: number) =>
    `Settlement ${idOf(number)} of 2026-03-04: 1 transaction listed more than once, counted once ` +
    `(1 extra copy): T${number}.`;

  test('name balanced settlements with notices, and the notices', () => {
    expect(settlementsNotes(report([noticed(1)]))).toEqual([
      '1 balanced settlement has notices: transactions listed more than once (1).',
      named(1),
    ]);
  });

  test('name the first few of many, and say how to list all', () => {
    expect(settlementsNotes(report([1, 2, 3, 4].map(noticed)))).toEqual([
      '4 balanced settlements have notices: transactions listed more than once (4). The first 3 follow; ' +
        '--format json lists all.',
      ...[1, 2, 3].map(named),
    ]);
  });

  test('count the unknown statuses after the first ten', () => {
    const unknown = Array.from({ length: 15 }, (_, at) =>
      reconciled(settlement({ id: idOf(at), status: `odd ${at}` }), { fees: 1n }),
    );
    const notes = settlementsNotes(report(unknown)).filter((note) =>
      note.includes('unknown status'),
    );
    expect(notes).toHaveLength(11);
    expect(notes.at(-1)).toBe('There are 5 more unknown statuses.');
  });

  test('always name an unknown status', () => {
    const unknown = [1, 2].map((number) =>
      reconciled(settlement({ id: idOf(number), status: 'paid_out' }), { fees: BigInt(number) }),
    );
    expect(settlementsNotes(report([...unknown, balanced(3)]))).toContain(
      '2 settlements have the unknown status "paid_out", so only the sums were checked ' +
        `(${idOf(1)} and ${idOf(2)}).`,
    );
  });
});
