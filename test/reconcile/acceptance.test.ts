import { describe, expect, test } from 'vitest';
import type { AcceptedDifference } from '../../src/model/accepted-difference.ts';
import { acceptedOn } from '../../src/reconcile/acceptance.ts';
import { asReported } from '../../src/reconcile/as-reported.ts';
import { entry } from '../../src/reconcile/entry.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { idOf, reconciled, settlement } from '../report/build-report.ts';

const header = settlement({ gross: 10_500n, payIn: 10_320n });
const found = entry('duplicate_transaction', 1, { copies: 1, examples: [] });
const now = reconciled(header, { gross: 500n }, [found]);

const side = { transactions: 30, fees: 150n, tax: 30n };
const line: AcceptedDifference = {
  settlementId: idOf(1),
  settlementDate: '2026-03-04',
  accountingToken: '',
  currency: 'EUR',
  scale: 2,
  reported: { ...side, gross: 10_500n, payIn: 10_320n },
  computed: { ...side, gross: 10_000n, payIn: 9_820n },
  codes: ['gross', 'duplicate_transaction'],
  reason: 'known',
  by: '',
  on: '2026-03-20',
  until: undefined,
  account: '',
};

function acceptanceOf(one: ReconciledSettlement, changes: Partial<AcceptedDifference> = {}) {
  const changed = { ...line, ...changes };
  const bySettlement = new Map([[changed.settlementId, changed]]);
  const accepted = { ...acceptedOn('2026-04-01', []), bySettlement };
  return asReported(one, { accepted }).acceptance;
}

describe('an accepted difference counts', () => {
  test('if nothing changed, even with more decimal places or an ignored check', () => {
    expect(acceptanceOf(now)).toEqual({ state: 'accepted', line, changes: [] });
    const finer = (of: AcceptedDifference['reported']) => ({
      transactions: of.transactions,
      gross: (of.gross ?? 0n) * 10n,
      fees: (of.fees ?? 0n) * 10n,
      tax: (of.tax ?? 0n) * 10n,
      payIn: of.payIn * 10n,
    });
    const atThree = { scale: 3, reported: finer(line.reported), computed: finer(line.computed) };
    expect(acceptanceOf(now, atThree)?.state).toBe('accepted');
    const [gross] = now.discrepancies;
    if (!gross) throw new Error('nothing found');
    const ignored = { ...gross, weight: 'ignored' } as const;
    const other = entry('tax', 1, {
      reported: { minor: 0n, scale: 2, currency: 'EUR' },
      computed: { minor: 0n, scale: 2, currency: 'EUR' },
      difference: { minor: 0n, scale: 2, currency: 'EUR' },
    });
    const ignoring = { ...now, discrepancies: [other], notices: [found, ignored] };
    const codes = ['duplicate_transaction', 'gross', 'tax'];
    expect(acceptanceOf(ignoring, { codes })?.state).toBe('accepted');
  });

  test('with any range', () => {
    const range = { from: '2026-03-01', to: '2026-03-02' };
    const outside = entry('outside_range', 1, { date: '2026-03-04', range });
    expect(acceptanceOf({ ...now, notices: [found, outside] })?.state).toBe('accepted');
  });

  test.each([
    ['without the notices of today', ['gross']],
    ['with notices that are gone', ['scale', 'gross', 'unknown_value']],
    ['with notices of a newer version', ['a_new_notice', 'gross', 'one_more']],
  ])('%s, which were not what was accepted', (_, codes) => {
    expect(acceptanceOf(now, { codes })).toMatchObject({ state: 'accepted', changes: [] });
  });

  test('until the end of its last day', () => {
    expect(acceptanceOf(now, { until: '2026-04-01' })?.state).toBe('accepted');
    expect(acceptanceOf(now, { until: '2026-03-31' })?.state).toBe('expired');
  });
});

describe('an accepted difference does not count', () => {
  const figures = ['transactions', 'gross', 'fees', 'tax', 'payIn'] as const;
  const sides = ['reported', 'computed'] as const;

  test.each(sides.flatMap((of) => figures.map((figure) => [of, figure] as const)))(
    'if the %s %s has changed by one unit',
    (of, figure) => {
      const other =
        figure === 'transactions'
          ? 1 + (line[of].transactions ?? 0)
          : 1n + (line[of][figure] ?? 0n);
      const before = { ...line[of], [figure]: other };
      const key = figure === 'payIn' ? 'pay_in' : figure;
      expect(acceptanceOf(now, { [of]: before })).toMatchObject({
        state: 'changed',
        changes: [{ field: `${key}_${of}` }],
      });
    },
  );

  test('if a discrepancy is new or gone', () => {
    const codesBefore = (...codes: readonly string[]) => acceptanceOf(now, { codes })?.changes;
    const after = ['gross'];
    expect(codesBefore('count', 'gross', 'tax')).toEqual([
      { field: 'codes', before: ['count', 'gross', 'tax'], after },
    ]);
    expect(codesBefore('duplicate_transaction')).toEqual([{ field: 'codes', before: [], after }]);
  });

  test('in another currency, or without a computed pay-in', () => {
    expect(acceptanceOf(now, { currency: 'USD' })?.changes).toEqual([
      { field: 'currency', before: 'USD', after: 'EUR' },
    ]);
    const off = { ...now, computed: now.computed && { ...now.computed, payIn: undefined } };
    expect(acceptanceOf(off)?.changes).toEqual([
      { field: 'pay_in_computed', before: { minor: 9_820n, scale: 2 }, after: undefined },
    ]);
  });

  test.each(['balanced', 'pending', 'incomplete'] as const)('for a %s settlement', (verdict) => {
    expect(acceptanceOf({ ...now, verdict })).toBeUndefined();
  });
});
