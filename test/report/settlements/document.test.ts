import { describe, expect, test } from 'vitest';
import type { SettlementsReport } from '../../../src/app/settlements-report.ts';
import { entry } from '../../../src/reconcile/entry.ts';
import { settlementLine } from '../../../src/report/settlements/records.ts';
import { settlementsViews } from '../../../src/report/settlements/view.ts';
import { idOf, month, reconciled, report, settlement } from '../build-report.ts';

const documentOf = (run: SettlementsReport) => settlementsViews(run).document();

/** The keys of a value, nested and in order, without those of `facts`. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([key, item]) => [key, key === 'facts' ? '' : shape(item)]);
}

const amount = [
  ['amount', 'string'],
  ['minor', 'string'],
];
const measures = ['gross', 'fees', 'tax', 'payIn'].map((key) => [key, amount]);
const figures = [['transactions', 'number'], ...measures];
const anEntry = [
  ['code', 'string'],
  ['weight', 'string'],
  ['message', 'string'],
  ['count', 'number'],
  ['facts', ''],
];

describe('the JSON document', () => {
  test('has the keys of the contract in order', () => {
    const run = report(
      [
        reconciled(settlement({ fees: 151n, payIn: 9_819n }), { fees: 1n }, [
          entry('outside_range', 1, { date: '', range: { from: '', to: '' } }),
        ]),
      ],
      {
        explanations: new Map([[idOf(1), 'Why.']]),
        finding: entry('shared_transaction', 1, { examples: [] }),
        settings: { ignored: ['tax'], expectedScales: new Map([['JPY', 2]]) },
      },
    );
    expect(shape(documentOf(run))).toEqual([
      ['schema', 'number'],
      [
        'range',
        [
          ['from', 'string'],
          ['to', 'string'],
        ],
      ],
      [
        'settings',
        [
          ['profile', 'string'],
          ['identity', 'string'],
          ['tolerance', 'string'],
          ['ignored', ['string']],
          ['expectedScales', [['JPY', 'number']]],
          ['rules', []],
          ['filters', []],
        ],
      ],
      ['verdict', 'string'],
      [
        'completeness',
        [
          ['complete', 'boolean'],
          ['settlements', 'number'],
          ['transactions', 'number'],
          ['unread', []],
        ],
      ],
      ['ignored', []],
      ['proposedRules', []],
      ['notes', ['string']],
      ['patterns', []],
      [
        'settlements',
        [
          [
            ['id', 'string'],
            ['date', 'string'],
            ['accountingToken', 'string'],
            ['accountingName', 'string'],
            ['merchantId', 'string'],
            ['paymentService', 'string'],
            ['currency', 'string'],
            ['decimalPlaces', 'number'],
            ['status', 'string'],
            ['serviceSays', 'string'],
            ['sumsSay', 'string'],
            ['verdict', 'string'],
            ['verdictReason', 'object'],
            ['complete', 'boolean'],
            ['reported', figures],
            ['computed', figures],
            ['difference', figures],
            ['discrepancies', [anEntry]],
            ['notices', [anEntry]],
            ['paymentReferences', ['string']],
            ['paymentEndToEndIds', ['string']],
            ['explanation', 'string'],
            ['accepted', 'object'],
            ['byRule', []],
          ],
        ],
      ],
      ['findings', [anEntry]],
      [
        'groups',
        [
          [
            ['accountingToken', 'string'],
            ['accountingName', 'string'],
            ['currency', 'string'],
            ['decimalPlaces', 'number'],
            [
              'settlements',
              ['balanced', 'out_of_balance', 'pending', 'incomplete'].map((key) => [key, 'number']),
            ],
            ['reported', measures],
            ['computed', measures],
            ['difference', measures],
            ['differenceAbsolute', measures],
            [
              'outOfBalance',
              [
                ['net', amount],
                ['absolute', amount],
              ],
            ],
            ['pendingPayIn', amount],
            ...['unknownStatus', 'overdue'].map((key) => [
              key,
              [
                ['settlements', 'number'],
                ['payIn', amount],
              ],
            ]),
            ['mixedDecimalPlaces', []],
            [
              'accepted',
              [
                ['settlements', 'number'],
                ['net', amount],
                ['absolute', amount],
              ],
            ],
            ['byRule', []],
          ],
        ],
      ],
      ['feeRates', []],
    ]);
  });

  test('has null if no explanation is searched or found', () => {
    const run = report([reconciled(settlement())]);
    const none = { settlements: [{ explanation: null }] };
    expect(documentOf(run)).toMatchObject(none);
    expect(documentOf({ ...run, explanations: new Map() })).toMatchObject(none);
  });

  test('has null if the rows were not read whole', () => {
    const run = report([
      reconciled(settlement(), {}, [
        entry('not_read', 1, { reason: { code: 'other', facts: { message: 'busy' } } }),
      ]),
    ]);
    expect(documentOf(run)).toMatchObject({
      verdict: 'incomplete',
      settlements: [
        {
          complete: false,
          computed: null,
          difference: null,
          reported: { gross: { amount: '100.00', minor: '10000' } },
          discrepancies: [{ code: 'not_read', weight: 'incomplete' }],
        },
      ],
    });
  });

  test('has no totals of pay-ins if the identity is off', () => {
    const run = report([reconciled(settlement())], { settings: { identity: 'off' } });
    expect(documentOf(run)).toMatchObject({
      groups: [
        { computed: { payIn: null }, difference: { payIn: null, gross: {} }, outOfBalance: null },
      ],
    });
  });

  test('converts the amounts of a settlement to its decimal places', () => {
    const finer = { minor: 1n, scale: 4, currency: 'EUR' };
    const run = report([
      {
        ...reconciled(settlement()),
        scale: 3,
        discrepancies: [
          entry('fees', 1, {
            reported: { minor: 100n, scale: 2, currency: 'EUR' },
            computed: finer,
            difference: finer,
          }),
        ],
      },
    ]);
    expect(documentOf(run)).toMatchObject({
      settlements: [
        {
          decimalPlaces: 3,
          discrepancies: [
            {
              facts: {
                reported: { amount: '1.000', minor: '1000', currency: 'EUR' },
                computed: { amount: '0.0001', minor: '1', currency: 'EUR' },
              },
            },
          ],
        },
      ],
    });
  });

  test('keeps all totals if only some verdicts are shown', () => {
    const whole = documentOf(month());
    const some = documentOf({ ...month(), only: ['pending'] });
    expect(some).toMatchObject({ settlements: [{ id: idOf(13) }] });
    expect(JSON.stringify(Object.entries(some).slice(0, 6))).toBe(
      JSON.stringify(Object.entries(whole).slice(0, 6)),
    );
  });
});

describe('the lines of NDJSON', () => {
  test('are settlements, findings, groups, and last the summary', () => {
    const finding = entry('unsteady_headers', 1, { reason: 'too_long' });
    const run = report([reconciled(settlement())], { finding });
    const [one = reconciled(settlement())] = run.run.settlements;
    const lines = [settlementLine(one, run, 'Why.'), ...settlementsViews(run).lines()];
    expect(lines).toMatchObject([
      { type: 'settlement', schema: 1, id: idOf(1), explanation: 'Why.' },
      { type: 'finding', schema: 1, code: 'unsteady_headers' },
      { type: 'group', schema: 1, currency: 'EUR' },
      {
        type: 'summary',
        schema: 1,
        range: { from: '2026-03-01' },
        settings: { identity: 'gross-fees-tax' },
        verdict: 'incomplete',
        completeness: { complete: false, settlements: 1, transactions: 30, unread: [] },
      },
    ]);
  });
});
