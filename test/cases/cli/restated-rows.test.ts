import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type HeldSettlement,
  idOf,
  kindsOf,
  rowsOf,
  startNights,
} from '../../cli/changing-service.ts';
import { queryLake } from '../../lake/duckdb.ts';
import { parseCsv } from '../../render/parse-csv.ts';

const day = '2026-03-05';

/** A change of rows that leaves the header as it is, and the fields that it has to name. */
type Change = readonly [string, readonly string[], (settlement: HeldSettlement) => void];

const changes: readonly Change[] = [
  [
    'gross moves from one row to another',
    ['amount'],
    ({ rows: [one, two] }) => {
      if (one) one.amount += 100;
      if (two) two.amount -= 100;
    },
  ],
  [
    'fees move from one row to another',
    ['fees'],
    ({ rows: [one, two] }) => {
      if (one) one.fees += 1;
      if (two) two.fees -= 1;
    },
  ],
  [
    'a row has another state',
    ['state'],
    ({ rows: [one] }) => {
      if (one) one.state = 'captured';
    },
  ],
  [
    'a row is replaced by another one with the same amounts',
    [],
    ({ rows }) => {
      rows.splice(1, 1, ...rowsOf('instead', 1));
    },
  ],
];

/** For nights, which take longer: an amount alone, and a row instead of another one. */
const some = changes.filter((_, index) => index % 3 === 0);

/** The lines of changes.csv, by column. */
function changesOf(folder: string): readonly Readonly<Record<string, string>>[] {
  const text = readFileSync(join(folder, day, 'changes.csv'), 'utf8');
  const [columns = [], ...lines] = parseCsv(text, ',');
  return lines.map((line) =>
    Object.fromEntries(columns.map((column, index) => [column, line[index] ?? ''])),
  );
}

function transactionsOf(folder: string, where = day): string {
  return readFileSync(join(folder, where, 'transactions.csv'), 'utf8');
}

async function exported() {
  const nights = await startNights('2026-03-01', { RECON_RESTATED_DAYS: '3' });
  const { service, folder, run } = nights;
  service.addDays('2026-03-01', '2026-03-31');
  const settlement = service.add(day, { name: 'restated', count: 3 });
  // As long as rows do not say otherwise, this is what its header says.
  settlement.frozen = { amountGross: 3000, fees: 75, tax: 15, amountPayIn: 2910 };
  const range = ['--on', day];
  const exportDay = async (...args: readonly string[]) => {
    const result = await run('2026-03-06', [
      ...['export', '--out', folder, ...range, '--json', ...args],
    ]);
    const { days } = JSON.parse(result.stdout) as { days: readonly { state: string }[] };
    return { ...result, state: days[0]?.state };
  };
  const verify = () =>
    run('2026-03-06', ['export', '--verify', '--out', folder, '--format', 'table']);
  return { ...nights, settlement, exportDay, verify };
}

/** That the day was written again, its changes are listed, and the old version is kept. */
async function expectRestated(
  { folder, verify }: Awaited<ReturnType<typeof exported>>,
  [, fields]: Change,
  before: string,
): Promise<void> {
  expect(transactionsOf(folder)).not.toBe(before);
  const listed = changesOf(folder);
  expect(listed.length).toBeGreaterThan(0);
  for (const line of listed) {
    expect(line['settlement_id']).toBe(idOf('restated'));
    expect(line['transaction_id']).not.toBe('');
  }
  for (const name of fields) {
    const of = listed.filter(({ field }) => field === name);
    expect(of.length).toBeGreaterThan(0);
    for (const line of of) expect(line['before']).not.toBe(line['after']);
  }
  const [kept = '', ...others] = readdirSync(join(folder, '.superseded'));
  expect(others).toEqual([]);
  expect(kept).toBe(`${day}.1`);
  expect(transactionsOf(folder, join('.superseded', kept))).toBe(before);
  expect(await verify()).toMatchObject({ exitCode: 0 });
}

describe('rows that change under the same header', () => {
  test.for(changes)('are written and listed by an export with --deep: %s', async (change) => {
    const world = await exported();
    const { settlement, exportDay, folder } = world;
    expect(await exportDay()).toMatchObject({ exitCode: 0, state: 'written' });
    const before = transactionsOf(folder);
    change[2](settlement);
    // Without --deep the rows of a day that balances are not read again.
    expect(await exportDay()).toMatchObject({ exitCode: 0, state: 'unchanged' });
    expect(await exportDay('--deep')).toMatchObject({ exitCode: 0, state: 'restated' });
    await expectRestated(world, change, before);
    expect(await exportDay('--deep')).toMatchObject({ exitCode: 0, state: 'unchanged' });
  });

  test.for(changes)('are found on a day out of balance anyway: %s', async (change) => {
    const world = await exported();
    const { service, settlement, exportDay, folder } = world;
    service.on(day).off = { tax: 3 };
    expect(await exportDay()).toMatchObject({ exitCode: 1, state: 'written' });
    const before = transactionsOf(folder);
    change[2](settlement);
    expect(await exportDay()).toMatchObject({ exitCode: 1, state: 'restated' });
    await expectRestated(world, change, before);
    expect(await exportDay()).toMatchObject({ exitCode: 1, state: 'unchanged' });
  });

  test.for(some)('are reported by a night, once: %s', async (change) => {
    const world = await exported();
    const { service, settlement, night, folder } = world;
    service.on(day).off = { tax: 3 };
    await night('2026-03-07');
    const before = transactionsOf(folder);
    change[2](settlement);
    const report = await night('2026-03-08');
    expect(kindsOf(report, { settlementId: settlement.id })).toEqual(['restated']);
    expect(report.days.find((one) => one.day === day)?.state).toBe('restated');
    await expectRestated(world, change, before);
    expect((await night('2026-03-09')).news).toEqual([]);
  });

  test.for(some)('are reported by a night with --deep on a balanced day: %s', async (change) => {
    const world = await exported();
    const { settlement, night, folder } = world;
    await night('2026-03-07');
    const before = transactionsOf(folder);
    change[2](settlement);
    const report = await night('2026-03-08', ['--deep']);
    expect(kindsOf(report, { settlementId: settlement.id })).toEqual(['restated']);
    await expectRestated(world, change, before);
    expect((await night('2026-03-09', ['--deep'])).news).toEqual([]);
  });

  test('are reported by the next night if an export found them', async () => {
    const { settlement, night, run, folder } = await exported();
    await night('2026-03-20');
    for (const row of settlement.rows) row.state = 'captured';
    const month = ['export', '--out', folder, '--from', '2026-03-01', '--to', '2026-03-19'];
    await run('2026-03-20', [...month, '--deep']);
    expect(kindsOf(await night('2026-03-21'), { settlementId: settlement.id })).toEqual([
      'restated',
    ]);
  });

  test('are changed in the tables', async () => {
    const { settlement, exportDay, folder, verify } = await exported();
    await exportDay('--parquet');
    for (const row of settlement.rows) row.state = 'captured';
    expect(await exportDay('--deep')).toMatchObject({ state: 'restated' });
    const states = await queryLake(folder, 'SELECT DISTINCT state FROM transactions ORDER BY 1');
    expect(states.map(({ state }) => state)).toEqual(['approved', 'captured']);
    const listed = await queryLake(folder, "SELECT count(*) AS n FROM changes WHERE field='state'");
    expect(listed).toEqual([{ n: '3' }]);
    expect(await verify()).toMatchObject({ exitCode: 0 });
  });
});

describe('a list with the same contents', () => {
  test('has no restatement if its rows are in another order', async () => {
    const { settlement, exportDay, folder } = await exported();
    await exportDay();
    const before = transactionsOf(folder);
    settlement.rows.reverse();
    expect(await exportDay('--deep')).toMatchObject({ state: 'unchanged' });
    expect(transactionsOf(folder)).toBe(before);
    expect(existsSync(join(folder, '.superseded'))).toBe(false);
  });

  test('has no restatement if its settlements are in another order', async () => {
    const { service, exportDay } = await exported();
    await exportDay();
    service.isBackwards = true;
    expect(await exportDay('--deep')).toMatchObject({ state: 'unchanged' });
  });
});
