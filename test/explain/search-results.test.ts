import { describe, expect, test } from 'vitest';
import { type CauseCandidate, rowCount } from '../../src/explain/candidate.ts';
import { type Case, caseOf } from '../../src/explain/case.ts';
import { type Cause, cause } from '../../src/explain/cause.ts';
import { explainedRows } from '../../src/explain/explained.ts';
import { fitOf, SearchResults } from '../../src/explain/search-results.ts';
import { noTally, type Tally } from '../../src/explain/tally.ts';
import { columnsOf, judge } from '../reconcile/judge.ts';
import { buildOutcome, buildRow, uuid } from '../support/build.ts';

const listed = [1, 2, 3].map((number) => buildRow({ id: uuid(number), amount: BigInt(number) }));
const rows = columnsOf(listed);

/** A settlement whose header says more than its rows: gross 10, fees 2. */
function subjectOf(): Case {
  const header = { gross: 16n, fees: 92n, tax: 18n, payIn: -94n, transactions: 3 };
  const settled = judge({ header, rows: listed });
  const subject = caseOf(
    settled,
    rows,
    { outcome: buildOutcome() },
    { identity: 'gross-fees-tax', rules: {} },
  );
  if (subject === undefined) throw new Error('no case');
  expect(subject.target).toEqual({ count: 0, gross: 10n, fees: 2n, tax: 0n, contradiction: 0n });
  return subject;
}

const swapped = cause('fees_tax_swapped', {});
const notCounted = (count: 'follows' | 'stays') => cause('row_not_counted', { count });

function candidate(
  about: Cause,
  change: Partial<Tally>,
  given: Partial<CauseCandidate> = {},
): CauseCandidate {
  return { cause: about, change: { ...noTally, ...change }, choices: 1, ...given };
}

const rowAt = (index: number): CauseCandidate['rows'] => ({
  of: 'row',
  columns: rows,
  index,
});
const all = { gross: 10n, fees: 2n };

describe('a candidate that is tried', () => {
  test('counts once, with and without its count, if it changes a figure', () => {
    const found = new SearchResults(subjectOf());
    found.test('row_not_counted');
    expect([...found.tried]).toEqual([['row_not_counted', 0]]);
    expect(found.try(candidate(swapped, {}))).toBe(false);
    expect(found.try(candidate(swapped, { tax: 1n }))).toBe(true);
    for (const count of ['follows', 'stays'] as const) {
      const about = notCounted(count);
      const isSecond = count === 'stays';
      expect(found.try(candidate(about, { tax: 1n }, { rows: rowAt(0), isSecond }))).toBe(true);
    }
    expect(found.try(candidate(notCounted('stays'), { tax: 1n }))).toBe(true);
    found.test('row_not_counted');
    expect([...found.tried]).toEqual([
      ['row_not_counted', 2],
      ['fees_tax_swapped', 1],
    ]);
  });

  test('explains all, some or none of the difference', () => {
    const found = new SearchResults(subjectOf());
    expect(found.try(candidate(swapped, all))).toBe(true);
    found.try(candidate(notCounted('follows'), { gross: 10n }));
    found.try(candidate(cause('missing_rows', {}), { gross: 4n }));
    const codes = (counted: ReturnType<SearchResults['partial']['ranked']>) =>
      counted.map(({ fit }) => fit.causes.map(({ code }) => code).join());
    expect(codes(found.complete.ranked())).toEqual(['fees_tax_swapped']);
    expect(codes(found.partial.ranked())).toEqual(['row_not_counted']);
  });

  test('ranks first if it accounts for the most, then if it is the simplest', () => {
    const subject = { ...subjectOf(), target: { ...noTally, ...all, tax: 1n } };
    const found = new SearchResults(subject);
    const gross = { gross: 10n };
    const two = { ...all };
    found.try(candidate(cause('missing_rows', {}), gross, { choices: 1024 }));
    found.try(candidate(swapped, gross, { choices: 4 }));
    found.try(candidate(notCounted('follows'), gross));
    found.try(candidate(notCounted('follows'), two, { choices: 512, rows: rowAt(1) }));
    found.try(candidate(notCounted('follows'), two, { choices: 512, rows: rowAt(2) }));
    const partial = found.partial.ranked();
    expect(partial.map(({ fit }) => fit.text.split(' ')[0])).toEqual([
      'row_not_counted',
      'row_not_counted',
      'fees_tax_swapped',
      'missing_rows',
    ]);
    // Of those that account for as much, the one with the smallest id, and their number.
    expect(partial[0]).toMatchObject({ candidates: 2, fit: { ids: uuid(2) } });
  });
});

test('an obstacle is noted once for each code and reason', () => {
  const found = new SearchResults(subjectOf());
  expect(found.obstacles).toEqual([]);
  found.addObstacle('neighbour', { reason: 'no_neighbours' });
  found.addObstacle('neighbour', { reason: 'no_neighbours' });
  found.addObstacle('neighbour', { reason: 'incomplete' });
  found.addObstacle('rounding', { reason: 'incomplete' });
  expect(found.obstacles.map(({ code, obstacle }) => `${code} ${obstacle.reason}`)).toEqual([
    'neighbour no_neighbours',
    'neighbour incomplete',
    'rounding incomplete',
  ]);
});

describe('a fit of several candidates', () => {
  const list: CauseCandidate['rows'] = {
    of: 'list',
    rows: [listed[2], listed[1]].flatMap((row) => row ?? []),
  };
  const group: CauseCandidate['rows'] = { of: 'group', count: 7, has: () => true };

  test('has its causes, their common change, and the number of rows they name', () => {
    const fit = fitOf([
      candidate(notCounted('follows'), { gross: 2n }, { choices: 3, rows: rowAt(2) }),
      candidate(notCounted('follows'), { gross: 1n }, { choices: 3, rows: rowAt(0) }),
      candidate(cause('duplicate_rows', { kind: 'copies', count: 'stays' }), {}, { rows: list }),
      candidate(cause('type_sign', { type: 'refund', part: 'all' }), {}, { rows: group }),
      candidate(swapped, { fees: 1n, tax: -1n }),
    ]);
    expect(fit.causes.map(({ code }) => code)).toEqual([
      'duplicate_rows',
      'fees_tax_swapped',
      'row_not_counted',
      'type_sign',
    ]);
    expect(fit.change).toEqual({ ...noTally, gross: 3n, fees: 1n, tax: -1n });
    // Three causes more than one, a row more than one, and which two of three rows.
    const [alone, further] = [3 + 5 + 5 + 4, 3 * 2 + 2];
    expect(fit.bits).toBe(alone + further + 1.58);
    expect(fit.parts.map(rowCount)).toEqual([2, 0, 1, 1, 7]);
    expect(fit.ids).toBe(`${uuid(2)}  ${uuid(1)} ${uuid(3)} `);
    expect(fit.text.split(' + ')).toHaveLength(5);
  });

  test('shows ten of its rows at most, the smallest ids first', () => {
    const many = Array.from({ length: 12 }, (_, n) => buildRow({ id: uuid(20 - n), scale: 1 }));
    const about = candidate(swapped, {}, { rows: { of: 'list', rows: many } });
    const told = explainedRows(subjectOf(), [about, candidate(swapped, {}, { rows: rowAt(0) })]);
    expect(told.map(({ transactionId }) => transactionId)).toEqual(
      [1, ...Array.from({ length: 9 }, (_, n) => n + 9)].map(uuid),
    );
    const money = (minor: bigint) => ({ minor, scale: 1, currency: 'EUR' });
    const eur = (minor: bigint) => ({ minor, scale: 2, currency: 'EUR' });
    expect(told[0]).toMatchObject({ amount: eur(1n), fees: eur(30n), tax: eur(6n) });
    expect(told[1]).toMatchObject({ amount: money(1000n), fees: money(30n), tax: money(6n) });
    expect(rowCount(about)).toBe(12);
  });
});
