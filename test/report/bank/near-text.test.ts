import { expect, test } from 'vitest';
import { nearText } from '../../../src/report/bank/words.ts';
import { entry, match, payout } from '../../match/build.ts';

test('a missing pay-out says which entry may be its money and how much is short, and the entry which pay-out', () => {
  const settlements = [payout('P'), payout('A', { payIn: 1_135_77n, paymentEndToEndIds: [] })];
  const entries = [
    entry('p', { endToEndIds: ['E2E-20260305-P'] }),
    entry('1', {}, { amount: 1_132_77n }),
  ];
  const { matches, near } = match(settlements, entries);
  const said = matches.flatMap((one) => nearText(one, near) ?? []);
  expect(said.sort()).toEqual([
    expect.stringMatching(/^may be 2026-03-06, 1,132\.77 EUR .*march\.xml.*: 3\.00 EUR short$/),
    'may be pay-out A of 2026-03-05: 3.00 EUR short',
  ]);
});
