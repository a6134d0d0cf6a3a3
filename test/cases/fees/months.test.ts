import { describe, expect, test } from 'vitest';
import { claimOf, groupsInCsv, runFees, type ToldRow, toldInJson, verdicts } from './adapter.ts';
import { asked, type FeeYear, inMillionths } from './contract.ts';
import { type Judged, judge, type Sums } from './oracle.ts';
import { canary, exportFees } from './service.ts';
import { makeYear, seeds } from './year.ts';

describe('what was charged against what was agreed', () => {
  test.each(seeds)('has no wrong row and no wrong sum: seed %i', async (seed) => {
    const year = makeYear(seed);
    const right = judge(year.contract, year.zone, year.settlements, asked);
    const charged = await exportFees(year);

    const json = await runFees(charged, asked, ['--format', 'json']);
    const told = toldInJson(json);
    expect(wrongSums(told.groups, right.groups)).toEqual([]);
    expect(wrongSums(told.months, right.months)).toEqual([]);
    expect(told.kinds).toEqual(right.kinds);
    expect(told.withoutRow).toEqual(right.withoutRow);
    expect(wrongRows(told.rows, year, right)).toEqual([]);
    expect(told.verdict).toBe(verdicts.overcharged);

    const csv = await runFees(charged, asked, ['--format', 'csv']);
    expect(wrongSums(groupsInCsv(csv), right.groups)).toEqual([]);
    expect([json.exitCode, csv.exitCode]).toEqual([1, 1]);

    const claim = await claimOf(charged, asked);
    expect(wrongRows(claim.rows, year, right)).toEqual([]);
    for (const text of [json.stdout, csv.stdout, claim.text]) expect(text).not.toContain(canary);
  });
});

function wrongSums(found: ReadonlyMap<string, Sums>, right: ReadonlyMap<string, Sums>): string[] {
  const names = ['rows', 'volume', 'charged', 'agreed', 'over', 'under', 'taxOver'] as const;
  return [...new Set([...found.keys(), ...right.keys()])].flatMap((key) =>
    [...names, 'withoutRate' as const]
      .map((name) => [name, found.get(key)?.[name], right.get(key)?.[name]] as const)
      .filter(([, one, other]) => one !== other)
      .map(([name, one, other]) => `${key}: ${name} ${one} instead of ${other}`),
  );
}

/** Each row that cost too much is told once, and no row is told with a wrong figure. */
function wrongRows(told: readonly ToldRow[], { contract }: FeeYear, { rows }: Judged): string[] {
  // Tax per settlement is no row's.
  const shared = contract.agreed_rates
    .filter(({ tax }) => tax?.per === 'settlement')
    .map(({ name }) => name);
  const right = new Map([...rows.values()].map((one) => [one.row.id, one]));
  const missing = new Set(
    [...right.values()]
      .filter(({ over, taxOver }) => over > 0n || taxOver > 0n)
      .map(({ row }) => row.id),
  );
  const wrong: string[] = [];
  const ids = new Set<string>();
  for (const { transactionId, ...found } of told) {
    if (ids.has(transactionId)) wrong.push(`${transactionId} is told twice`);
    ids.add(transactionId);
    missing.delete(transactionId);
    const truth = right.get(transactionId);
    if (!truth) {
      wrong.push(`${transactionId} is no row of the range`);
      continue;
    }
    const { row, rate = '', over, under, taxOver } = truth;
    const value = (amount: bigint) => inMillionths(amount, row.scale);
    const expected = { rate, charged: value(row.fees), over: value(over), under: value(under) };
    const all = { ...expected, taxOver: shared.includes(rate) ? found.taxOver : value(taxOver) };
    for (const name of ['rate', 'charged', 'over', 'under', 'taxOver'] as const) {
      if (found[name] === all[name]) continue;
      wrong.push(`${transactionId} (${rate}): ${name} ${found[name]} instead of ${all[name]}`);
    }
  }
  return [...wrong, ...[...missing].map((id) => `${id} (${right.get(id)?.rate}) is not told`)];
}
