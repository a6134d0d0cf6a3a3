import { describe, expect, test } from 'vitest';
import type { BankMatch, BankState } from '../../src/match/match.ts';
import type { BankFindings, BankStandNow } from '../../src/nightly/bank.ts';
import { bankTold } from '../../src/nightly/bank.ts';
import { bankNews } from '../../src/nightly/bank-news.ts';
import { type BankStand, noState } from '../../src/nightly/state.ts';
import { idOf, settlement } from '../report/build-report.ts';

const header = settlement({ payIn: 10_000n });
const onBank = {
  ...{ days: undefined, isRead: true, matched: 0, missing: 0, differences: 0, accepted: 0 },
  ...{ undecided: 0, knownProblems: [] },
  ...{ unknown: new Set<string>(), explained: new Set<string>(), known: new Set<string>() },
};

function match(state: BankState, received: bigint): BankMatch {
  return {
    ...{ state, by: undefined, reason: undefined, currency: 'EUR', scale: 2, entries: [] },
    settlements: [{ settlement: header, received }],
    ...{ expected: 10_000n, received, ageDays: 12 },
    difference: state === 'missing_on_bank' ? undefined : received - 10_000n,
  };
}

function stand(kind: BankStand['kind'], mark = 'a', id = header.id): BankStand {
  return { id, day: header.date, kind, mark };
}

const missing: BankStandNow = {
  ...{ stand: stand('missing_on_bank'), match: match('missing_on_bank', 0n) },
  acceptance: undefined,
};
const short: BankStandNow = {
  ...{ stand: stand('bank_difference'), match: match('difference', 9_850n) },
  acceptance: undefined,
};

function found(now: Partial<BankFindings>): BankFindings {
  return { stands: [], open: [], matched: new Map(), problems: [], onBank, ...now };
}

function news(told: readonly BankStand[], now: Partial<BankFindings>, problems: string[] = []) {
  const before = { ...noState, bank: { stands: [...told], problems } };
  return bankNews(before, found(now), new Map());
}

const kinds = (...args: Parameters<typeof news>) => news(...args).flatMap((one) => one.kinds);

describe('on the bank', () => {
  test.each<[string, readonly BankStand[], BankStandNow, string[]]>([
    ['missing for the first time', [], missing, ['missing_on_bank']],
    ['still missing', [missing.stand], missing, []],
    ['missing, and then there with a difference', [missing.stand], short, ['bank_difference']],
    ['still with the same difference', [short.stand], short, []],
    [
      'with another difference',
      [short.stand],
      { ...short, stand: stand('bank_difference', 'b') },
      ['bank_difference'],
    ],
  ])('%s', (_, told, now, expected) => {
    expect(kinds(told, { stands: [now] })).toEqual(expected);
  });

  test('what was missing and is matched is told once', () => {
    const matched = new Map([[header.id, match('matched', 10_000n)]]);
    expect(kinds([missing.stand], { matched })).toEqual(['on_bank']);
    expect(kinds(bankTold(found({ matched })).stands, { matched })).toEqual([]);
  });

  test('an entry that was unknown and has its pay-out now is no news', () => {
    const unknown = stand('unknown_on_bank', 'a', 'entry-1');
    const matched = new Map([['entry-1', match('matched', 10_000n)]]);
    expect(kinds([unknown], { matched })).toEqual([]);
  });

  test('what the statements no longer say anything of goes on as it was told', () => {
    expect(bankTold(found({ open: [missing.stand] })).stands).toEqual([missing.stand]);
  });

  test('says how much of which settlement, and for how long', () => {
    expect(news([], { stands: [missing] })).toMatchObject([
      {
        settlement: { id: idOf(1), verdict: 'balanced', currency: 'EUR', difference: undefined },
        details: ['Expected 100.00 EUR, not on the bank statements after 12 days.'],
      },
    ]);
    expect(news([], { stands: [short] })).toMatchObject([
      {
        settlement: { difference: { minor: -150n, scale: 2 } },
        details: ['Expected 100.00 EUR, received 98.50 EUR.'],
      },
    ]);
  });

  test('statements that cannot be read are told once', () => {
    const problems = ['statements: The folder is empty.'];
    expect(kinds([], { problems })).toEqual(['statements']);
    expect(kinds([], { problems }, problems)).toEqual([]);
  });
});
