import { describe, expect, test } from 'vitest';
import { valueText } from '../../../src/model/value.ts';
import { explainViews } from '../../../src/report/explain/view.ts';
import { uuid } from '../../support/build.ts';
import { explained, explainReport, oneLeftOut } from '../build-explained.ts';

const amount = (text: string, minor: string) => ({ amount: text, minor });
const keysOf = (value: object) => Object.keys(value);

function firstHypothesis(document: object): object {
  const { settlements } = document as { settlements: readonly { tested: readonly object[] }[] };
  const [first] = settlements.flatMap(({ tested }) => tested);
  if (first === undefined) throw new Error('no hypothesis');
  return first;
}

describe('the JSON document of explain', () => {
  const document = explainViews(explainReport([oneLeftOut()])).document();

  test('has the keys of the contract in order', () => {
    expect(keysOf(document)).toEqual([
      'schema',
      'range',
      'settings',
      'verdict',
      'completeness',
      'patterns',
      'findings',
      'settlements',
      'failures',
    ]);
    const { settlements } = document as { settlements: readonly object[] };
    expect(settlements.flatMap(keysOf).slice(-17)).toEqual([
      'paymentReferences',
      'paymentEndToEndIds',
      'explanation',
      'accepted',
      'byRule',
      'findings',
      'arithmetic',
      'tested',
      'certainty',
      'mayBeChance',
      'alternatives',
      'neighbours',
      'residual',
      'daysNotSearched',
      'charges',
      'neighbourDays',
      'neighboursWithRows',
    ]);
    expect(keysOf(firstHypothesis(document))).toEqual([
      'codes',
      'causes',
      'outcome',
      'explained',
      'residual',
      'rows',
      'rowCount',
      'assumesAmounts',
      'candidates',
      'tried',
      'message',
    ]);
  });

  test('has the causes of the differences, their rows and the residual', () => {
    const nothing = amount('0.00', '0');
    const none = { transactions: 0, gross: nothing, fees: nothing, tax: nothing, payIn: nothing };
    expect(document).toMatchObject({
      verdict: 'out_of_balance',
      completeness: { complete: true, settlements: 1, transactions: 6 },
      settlements: [{ id: uuid(1), residual: none, neighbours: null }],
    });
    expect(firstHypothesis(document)).toMatchObject({
      codes: ['row_not_counted'],
      outcome: 'explains',
      explained: {
        transactions: -1,
        gross: amount('-84.50', '-8450'),
        payIn: amount('-82.79', '-8279'),
      },
      residual: none,
      rows: [
        {
          transactionId: uuid(1002),
          type: 'purchase',
          state: 'approved',
          amount: { ...amount('84.50', '8450'), currency: 'EUR' },
        },
      ],
      rowCount: 1,
      candidates: 1,
      message: expect.stringContaining('The settlement does not include one transaction'),
    });
  });

  test('has the arithmetic with every number', () => {
    expect(document).toMatchObject({
      settlements: [
        {
          arithmetic: [
            { step: 'gross', sign: 1, reported: amount('72.44', '7244') },
            { step: 'fees', sign: -1, difference: amount('-1.43', '-143') },
            { step: 'tax', sign: -1 },
            { step: 'pay_in_that_follows', sign: 0, computed: amount('153.20', '15320') },
            { step: 'pay_in_reported', sign: 0, difference: amount('-82.79', '-8279') },
          ],
        },
      ],
    });
  });

  test('has the outcome of every hypothesis', () => {
    const one = explained({ header: { gross: 148_95n } });
    expect(explainViews(explainReport([one])).document()).toMatchObject({
      settlements: [
        {
          explanation: null,
          residual: { gross: amount('-7.99', '-799') },
          tested: expect.arrayContaining([
            expect.objectContaining({ codes: ['row_not_counted'], outcome: 'ruled_out', rows: [] }),
            expect.objectContaining({ codes: ['neighbour'], outcome: 'not_searched' }),
          ]),
        },
      ],
    });
  });

  test('has null for unknown values', () => {
    const one = explained({ outcome: { unsteady: 'too_long' } });
    expect(explainViews(explainReport([one])).document()).toMatchObject({
      verdict: 'incomplete',
      completeness: { complete: false, transactions: 0 },
      settlements: [
        { complete: false, residual: null, arithmetic: [{ computed: null }, {}, {}, {}, {}] },
      ],
    });
  });

  test('has one line per settlement, then a summary', () => {
    const lines = [...explainViews(explainReport([oneLeftOut(), explained()])).lines()];
    expect(lines).toMatchObject([
      { type: 'settlement', schema: 1, verdict: 'out_of_balance' },
      { type: 'settlement', schema: 1, verdict: 'balanced', tested: [] },
      { type: 'summary', schema: 1, verdict: 'out_of_balance' },
    ]);
  });
});

describe('the records of explain', () => {
  test('are one row per hypothesis', () => {
    const report = explainReport([oneLeftOut()]);
    const { columns, rows } = explainViews(report).records();
    expect(columns.map(({ key }) => key).join(', ')).toBe(
      'settlement_id, currency, decimal_places, verdict, codes, outcome, explained_transactions, explained_gross, explained_fees, explained_tax, explained_pay_in, residual_transactions, residual_gross, residual_fees, residual_tax, residual_pay_in, rows, transaction_ids, candidates, message',
    );
    const all = [...rows];
    expect(all).toHaveLength(report.settlements[0]?.explained.hypotheses.length ?? 0);
    expect(all[0]?.slice(0, 12).map(valueText).join(' ')).toBe(
      `${uuid(1)} EUR 2 out_of_balance row_not_counted explains -1 -84.50 -1.43 -0.28 -82.79 0`,
    );
  });
});
