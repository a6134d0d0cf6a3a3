import { describe, expect, test } from 'vitest';
import { type Code, type Entry, entry } from '../../src/reconcile/entry.ts';
import {
  decisiveStatus,
  opinionsOn,
  runVerdict,
  serviceSays,
  verdictReason,
} from '../../src/reconcile/verdict.ts';
import { buildRow, buildSettlement } from '../support/build.ts';
import { type Case, codesOf, entryOf, eur, judge } from './judge.ts';

const foreign = entry('foreign_settlement', 1, { settlementIds: [], examples: [] });
const byService = entry('reported_by_service', 1, { status: 'settled_out_of_balance' });
const notRead = entry('not_read', 1, { reason: { code: 'other', facts: { message: 'offline' } } });
const notice = entry('duplicate_transaction', 1, { copies: 1, examples: [] });

test.each([
  ['settled', 'balanced'],
  ['settled_out_of_balance', 'out_of_balance'],
  ['pending_settlement', 'pending'],
  ['validated', 'pending'],
  ['SETTLED', 'unknown'],
  ['', 'unknown'],
])('the status %j reads as %s', (status, says) => {
  expect(serviceSays(status)).toBe(says);
});

test.each<[string, Entry[], string]>([
  ['no entry: the sums balance', [], 'balanced'],
  ['a notice moves nothing', [notice], 'balanced'],
  ['the opinion of the service is not that of the sums', [byService], 'balanced'],
  ['a discrepancy puts the sums out of balance', [foreign, notice], 'out_of_balance'],
  ['what is incomplete outranks a discrepancy', [foreign, notRead], 'incomplete'],
])('the sums have a verdict: %s', (_, entries, says) => {
  expect(opinionsOn({ status: 'settled' }, [], entries).sumsSay).toBe(says);
});

const statuses = {
  balanced: 'settled',
  out_of_balance: 'settled_out_of_balance',
  pending: 'validated',
  unknown: 'paid',
};

test.each([
  ['balanced', [], 'balanced'],
  ['unknown', [], 'pending'],
  ['unknown', [notice], 'pending'],
  ['unknown', [foreign], 'out_of_balance'],
  ['unknown', [foreign, notRead], 'incomplete'],
  ['balanced', [foreign], 'out_of_balance'],
  ['out_of_balance', [byService], 'out_of_balance'],
  ['out_of_balance', [], 'balanced'],
  ['out_of_balance', [byService, notRead], 'incomplete'],
  ['pending', [foreign], 'pending'],
  ['pending', [notRead], 'pending'],
] as const)('the service says %s, entries %o: verdict %s', (service, entries, verdict) => {
  expect(opinionsOn({ status: statuses[service] }, [], entries).verdict).toBe(verdict);
});

test.each([
  [[], [], 'balanced'],
  [['balanced', 'balanced'], [], 'balanced'],
  [['pending', 'balanced'], [], 'pending'],
  [['pending', 'out_of_balance'], [], 'out_of_balance'],
  [['incomplete', 'out_of_balance'], [], 'incomplete'],
  [['balanced'], [foreign], 'out_of_balance'],
  [['out_of_balance'], [notRead], 'incomplete'],
] as const)('a run of %o with findings %o is %s', (verdicts, findings, verdict) => {
  expect(runVerdict(verdicts, findings)).toBe(verdict);
});

const off = { rows: [buildRow({ fees: 31n })] };

describe('the two opinions', () => {
  test.each<[string, Case, readonly [string, string, string]]>([
    ['both agree', {}, ['balanced', 'balanced', 'balanced']],
    ['settled, and the sums disagree', off, ['balanced', 'out_of_balance', 'out_of_balance']],
    [
      'out of balance, and the sums agree',
      { header: { status: 'settled_out_of_balance' } },
      ['out_of_balance', 'balanced', 'out_of_balance'],
    ],
    [
      'pending with a difference',
      { ...off, header: { status: 'validated' } },
      ['pending', 'out_of_balance', 'pending'],
    ],
    ['unknown', { header: { status: 'paid' } }, ['unknown', 'balanced', 'pending']],
    [
      'unknown, and the sums disagree',
      { ...off, header: { status: 'paid' } },
      ['unknown', 'out_of_balance', 'out_of_balance'],
    ],
  ])('give the verdict: %s', (_, given, expected) => {
    const { serviceSays: service, sumsSay: sums, verdict } = judge(given);
    expect([service, sums, verdict]).toEqual(expected);
  });
});

test('a verdict has the reason unknown status if the service does not say pending', () => {
  const reason = (given: Case) => verdictReason(judge(given));
  const header = { status: 'paid' };
  expect(reason({ header })).toBe('unknown_status');
  expect(reason({ header: { status: 'pending_settlement' } })).toBeUndefined();
  expect(reason({ header, ...off })).toBeUndefined();
  expect(reason({ header, ...off, settings: { ignored: ['fees'] } })).toBe('unknown_status');
});

test('the first of several headers that does not say pending is the opinion of the service', () => {
  const says = (...statuses: readonly string[]) =>
    decisiveStatus(statuses.map((status) => buildSettlement({ status })));
  expect(says('settled', 'settled_out_of_balance')).toBe('balanced');
  expect(says('settled', 'validated')).toBe('balanced');
  expect(says('pending_settlement', 'validated')).toBe('pending');
  expect(says('pending_settlement', 'settled')).toBe('balanced');
  expect(says('pending_settlement', 'paid')).toBe('unknown');
  expect(says('paid', 'pending_settlement')).toBe('unknown');
  expect(says()).toBe('unknown');
});

describe('a settlement that is listed with several headers', () => {
  const listed = (statuses: readonly string[], ignored: readonly Code[] = []) => {
    const headerConflicts = statuses.map((status) => buildSettlement({ status }));
    const header = { status: statuses[0] ?? '' };
    return judge({ header, headerConflicts, settings: { ignored } }).verdict;
  };

  test.each([['settled'], ['settled_out_of_balance'], ['paid']])(
    'as pending and as %s is not pending, in either order',
    (status) => {
      expect(listed(['pending_settlement', status])).toBe('out_of_balance');
      expect(listed([status, 'pending_settlement'])).toBe('out_of_balance');
    },
  );

  test.each([
    ['settled', 'balanced'],
    ['settled_out_of_balance', 'balanced'],
    ['paid', 'pending'],
  ])('as pending and as %s is %s if conflict and opinion are ignored', (status, verdict) => {
    const ignored = ['conflicting_settlement', 'reported_by_service'] as const;
    expect(listed(['pending_settlement', status], ignored)).toBe(verdict);
    expect(listed([status, 'pending_settlement'], ignored)).toBe(verdict);
  });

  test('that all say pending is pending', () => {
    expect(listed(['pending_settlement', 'validated'])).toBe('pending');
  });
});

describe('an ignored check', () => {
  test('of the opinion of the service does not change the verdict and is still shown', () => {
    const header = { status: 'settled_out_of_balance' };
    const result = judge({ header, settings: { ignored: ['reported_by_service'] } });
    expect(result).toMatchObject({ serviceSays: 'out_of_balance', verdict: 'balanced' });
    expect(entryOf('reported_by_service', result).weight).toBe('ignored');
  });

  test('keeps its finding among the notices', () => {
    const rows = [buildRow({ fees: 31n, tax: 7n })];
    const result = judge({ rows, settings: { ignored: ['fees'] } });
    expect(result.discrepancies.map(({ code }) => code)).toEqual(['tax']);
    expect(result.notices).toMatchObject([
      { code: 'fees', weight: 'ignored', facts: { difference: eur(-1n) } },
    ]);
    expect(result.verdict).toBe('out_of_balance');
    expect(result.difference).toMatchObject({ fees: -1n, tax: -1n });
  });

  test('must have the weight discrepancy', () => {
    const settings = { ignored: ['not_read', 'unknown_value'] as const };
    const result = judge({ header: { status: '?' }, outcome: { notRead: 'offline' }, settings });
    expect(codesOf(result)).toEqual(['not_read', 'unknown_value']);
    expect(result.verdict).toBe('incomplete');
  });
});

describe('a pending settlement that is not read whole', () => {
  test('stays pending, without computed amounts', () => {
    const outcome = { unsteady: 'walks_disagree' } as const;
    expect(judge({ header: { status: 'pending_settlement' }, outcome })).toMatchObject({
      verdict: 'pending',
      sumsSay: 'incomplete',
      complete: false,
      computed: undefined,
      difference: undefined,
    });
  });
});
