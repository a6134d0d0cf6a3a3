import { expect, test } from 'vitest';
import { bankVerdict } from '../../src/app/bank-report.ts';
import { matchBank, withoutEarlier } from '../../src/app/match-bank.ts';
import type { BankEntry } from '../../src/model/bank.ts';
import { entry } from '../match/build.ts';
import { bankWith, euros, march, month, paid, yen } from './month.ts';

const statesOf = (report: Awaited<ReturnType<typeof matchBank>>) =>
  report.matching.matches.map(({ state, currency }) => `${currency} ${state}`);

test('the pay-outs of two accounts are each found on their own statements', async () => {
  const report = await matchBank(month(), march, bankWith());
  expect(statesOf(report).sort()).toEqual(['EUR matched', 'JPY matched']);
  expect(bankVerdict(report)).toBe('reconciled');
});

test('a pay-out without an entry is missing', async () => {
  const report = await matchBank(month(), march, bankWith(paid.slice(0, 1)));
  expect(statesOf(report)).toContain('JPY missing_on_bank');
  expect(bankVerdict(report)).toBe('not_reconciled');
});

test('statements of an account in another currency are refused', async () => {
  const kroner = entry('nok', {}, { currency: 'NOK' });
  const bank = bankWith([kroner]);
  const [first] = bank.statements.statements;
  const foreign = first ? [{ ...first, currency: 'NOK' }] : [];
  const statements = { ...bank.statements, statements: foreign };
  await expect(matchBank(month(), march, { ...bank, statements })).rejects.toMatchObject({
    failure: 'usage',
    message: 'The statements are in NOK; the pay-outs are in EUR and JPY.',
  });
});

test('pay-outs of the time before the range that are still missing are reported apart', async () => {
  const early = { ...euros, date: '2026-02-10' };
  const before = { since: '2026-02-01', mayBeOpen: () => true };
  const report = await matchBank(month([early, yen]), march, { ...bankWith(), before });
  expect(report.earlier?.map(({ currency }) => currency) ?? []).toEqual([]);
  const without = await matchBank(month([early, yen]), march, {
    ...bankWith(paid.slice(1)),
    before,
  });
  expect(without.earlier?.flatMap(({ settlements }) => settlements)).toHaveLength(1);
});

test('one that was returned or is missing before the range is not reconciled, one with a difference is', async () => {
  const early = { ...euros, date: '2026-02-10' };
  const before = { since: '2026-02-01', mayBeOpen: () => true };
  const february = { from: '2026-02-01', to: '2026-03-31' };
  const [own, ...others] = paid;
  const verdictOf = async (...entries: readonly BankEntry[]) => {
    const bank = bankWith([...entries, ...others]);
    const statements = bank.statements.statements.map((one) => ({ ...one, ...february }));
    const read = { ...bank, statements: { ...bank.statements, statements }, before };
    return bankVerdict(await matchBank(month([early, yen]), march, read));
  };
  const on = (date: string, amount: bigint, id = 'a') =>
    own ? [{ ...own, id, date, valueDate: date, amount }] : [];
  const whole = on('2026-02-11', own?.amount ?? 0n);
  expect(await verdictOf()).toBe('not_reconciled');
  expect(await verdictOf(...whole)).toBe('reconciled');
  const back = on('2026-02-13', -(own?.amount ?? 0n), 'b');
  expect(await verdictOf(...whole, ...back)).toBe('not_reconciled');
  // The rest is on suspense since its last due day.
  expect(await verdictOf(...on('2026-02-11', 1n))).toBe('reconciled');
});

test('without a range, days that the statements do not cover are left out', async () => {
  const early = { ...euros, date: '2026-02-20' };
  const range = { from: '2026-02-20', to: '2026-03-31' };
  const read = await matchBank(month([early, yen]), { ...march, range }, bankWith(paid.slice(1)));
  expect(statesOf(read).sort()).toEqual(['EUR not_covered', 'JPY matched']);
  expect(statesOf(withoutEarlier(read))).toEqual(['JPY matched']);
});
