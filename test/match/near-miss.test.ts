import { describe, expect, test } from 'vitest';
import { entry, match, payout, statement } from './build.ts';

/** Which missing pay-out comes near which unknown entry, by their ids; each said once. */
function near(...given: Parameters<typeof match>): readonly string[] {
  const found = match(...given).near;
  return [...found].flatMap(([one, other]) =>
    one.settlements.map(({ settlement: { id } }) => `${id} ${other.entries[0]?.entry.id}`),
  );
}

/** A pay-out that is there with its ids: so the account of the others is known. */
const paid = [payout('P'), entry('p', { endToEndIds: ['E2E-20260305-P'] })] as const;

describe('a missing pay-out and an unknown entry of nearly one amount', () => {
  const lost = payout('A', { payIn: 1_135_77n });
  const short = entry('1', {}, { amount: 1_132_77n });

  test('are named with each other, and stay what they are', () => {
    expect(near([paid[0], lost], [paid[1], short])).toEqual(['A 1']);
    const { matches } = match([paid[0], lost], [paid[1], short]);
    expect(matches.map(({ state }) => state).sort()).toEqual([
      'matched',
      'missing_on_bank',
      'unknown_on_bank',
    ]);
  });

  test('are not if a second one fits either of them', () => {
    const again = entry('2', {}, { amount: 1_136_00n, date: '2026-03-09' });
    const other = payout('B', { payIn: 1_130_00n });
    expect(near([paid[0], lost], [paid[1], short, again])).toEqual([]);
    expect(near([paid[0], lost, other], [paid[1], short])).toEqual([]);
  });

  test.each([
    ['came when it was not due', { date: '2026-03-25' }],
    ['is more than the fiftieth part away', { amount: 1_113_05n }],
    ['has another currency', { currency: 'JPY' }],
    ['came to another account', { account: 'NL98BANK0000000008' }],
  ])('are not if the entry %s', (_, more) => {
    const away = entry('1', {}, { amount: 1_132_77n, ...more });
    const accounts = [statement(), statement({ account: 'NL98BANK0000000008' })];
    expect(near([paid[0], lost], [paid[1], away], accounts)).toEqual([]);
  });

  test('are the money that was returned and came again without its ids, and no older receipt', () => {
    const ids = { endToEndIds: ['E2E-20260305-A'] };
    const back = entry('2', ids, { amount: -100_00n, date: '2026-03-10', returnReason: 'AC04' });
    const again = entry('3', {}, { date: '2026-03-12' });
    const given = [entry('1', ids), back, again] as const;
    expect(near([payout('A')], given)).toEqual(['A 3']);
    expect(match([payout('A')], given).matches.map(({ state }) => state)).toEqual([
      'returned',
      'unknown_on_bank',
    ]);
    const older = entry('3', {}, { date: '2026-03-06' });
    expect(near([payout('A')], [...given.slice(0, 2), older])).toEqual([]);
  });

  test('are found in two currencies, by the decimals of each', () => {
    const yen = { currency: 'JPY', scale: 0, account: 'NL97BANK0000000007' };
    const settlements = [
      ...[paid[0], lost, payout('Q', { currency: 'JPY', scale: 0, payIn: 5_000n })],
      payout('Y', { currency: 'JPY', scale: 0, payIn: 90_000n }),
    ];
    const entries = [
      ...[
        paid[1],
        short,
        entry('q', { endToEndIds: ['E2E-20260305-Q'] }, { ...yen, amount: 5_000n }),
      ],
      entry('2', {}, { ...yen, amount: 90_300n }),
    ];
    const accounts = [statement(), statement({ ...yen })];
    expect(near(settlements, entries, accounts)).toEqual(['A 1', 'Y 2']);
  });
});
