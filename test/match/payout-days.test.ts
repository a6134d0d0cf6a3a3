import { expect, test } from 'vitest';
import { explainingDays, payoutDays } from '../../src/match/business-days.ts';
import { statement } from './build.ts';

test('a settlement explains entries from a week before its date to two weeks after it', () => {
  expect(explainingDays({ from: '2026-03-15', to: '2026-03-20' })).toEqual({
    from: '2026-03-01',
    to: '2026-03-27',
  });
});

test('statements cover pay-outs from a week before their first day', () => {
  const statements = [statement({ from: '2026-03-08', to: '2026-03-10' })];
  expect(payoutDays({ statements })).toEqual({ from: '2026-03-01', to: '2026-03-10' });
});

test('statements without days cover no pay-outs', () => {
  const unknown = statement({ from: '', to: '' });
  expect(payoutDays({ statements: [unknown] })).toBeUndefined();
  const statements = [unknown, statement({ from: '2026-03-08', to: '' })];
  expect(payoutDays({ statements })).toEqual({ from: '2026-03-01', to: '2026-03-08' });
});
