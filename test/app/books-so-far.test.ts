import { expect, test } from 'vitest';
import {
  adjacentBasis,
  basisOf,
  earlierPayouts,
  lastClosedDay,
} from '../../src/app/books-so-far.ts';
import type { CloseRecord } from '../../src/model/close.ts';
import { buildSettlement } from '../support/build.ts';

function closed(from: string, to: string): CloseRecord {
  const nothing = { forced: [], lines: [], bankAccounts: [], books: [], unexplained: [] };
  const signed = {
    profile: '',
    service: '',
    at: '2026-04-01T00:00:00Z',
    by: '',
    note: '',
    tool: '',
  };
  return {
    ...nothing,
    ...signed,
    number: 1,
    reopens: undefined,
    payouts: [],
    settlements: [],
    digests: [],
    steps: [],
    rungs: [],
    decided: [],
    from,
    to,
  };
}

const january = closed('2026-01-01', '2026-01-31');
const february = closed('2026-02-01', '2026-02-28');

test('a range goes on from the last close before it, however many there are', () => {
  const books = { closes: [january, february] };
  expect(basisOf(books, '2026-03-01')).toMatchObject({ through: '2026-02-28', takesZero: false });
  expect(basisOf(books, '2026-02-01')).toMatchObject({ through: '2026-01-31' });
  expect(adjacentBasis(books, '2026-03-01')?.closes).toHaveLength(2);
  expect(adjacentBasis(books, '2026-03-02')).toBeUndefined();
  expect(lastClosedDay(books)).toBe('2026-02-28');
});

test('without a close, the books begin on the first day of the settings, or of the range', () => {
  const begin = '2026-03-01';
  expect(basisOf({ closes: [], begin, opening: [] }, '2026-04-01')).toMatchObject({
    through: '2026-02-28',
    takesZero: false,
  });
  expect(basisOf({ closes: [] }, '2026-04-01')).toMatchObject({
    through: '2026-03-31',
    takesZero: true,
  });
  expect(() => basisOf({ closes: [], begin }, '2026-02-01')).toThrow(
    'The books begin on 2026-03-01',
  );
});

test('pay-outs before a range are known since the books begin, or of the last close', () => {
  const one = buildSettlement({ date: '2026-02-10' });
  const begun = earlierPayouts({ closes: [], begin: '2026-02-01' }, '2026-03-01');
  expect([begun?.since, begun?.mayBeOpen(one)]).toEqual(['2026-02-01', true]);
  const after = earlierPayouts({ closes: [january] }, '2026-03-01');
  expect([after?.since, after?.mayBeOpen(one)]).toEqual(['2026-01-01', true]);
  expect(earlierPayouts({ closes: [] }, '2026-03-01')).toBeUndefined();
});

test('the later of what the register and the settings close is closed', () => {
  expect(lastClosedDay({ closes: [january], closedThrough: '2026-02-15' })).toBe('2026-02-15');
  expect(lastClosedDay({ closes: [february], closedThrough: '2026-02-15' })).toBe('2026-02-28');
  expect(lastClosedDay({ closes: [] })).toBeUndefined();
});
