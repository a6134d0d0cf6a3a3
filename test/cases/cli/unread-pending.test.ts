import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  dayAfter,
  type HeldSettlement,
  idOf,
  kindsOf,
  type Nights,
  rowsOf,
  startNights,
} from '../../cli/changing-service.ts';
import { readReport } from '../../cli/read-report.ts';
import { queryLake } from '../../lake/duckdb.ts';

const day = '2026-03-05';
const waiting = idOf('waiting');
const onDay = ['--on', day];

/** How the rows of a pending settlement of five can be missing. */
const ways = [
  'the service lists none of its rows',
  'the service lists three of its rows',
  'its rows cannot be fetched',
  'one of its rows cannot be read',
] as const;

type Way = (typeof ways)[number];

/** A day with a settlement of ten rows, and a pending one of five that are not all there. */
async function startWith(way: Way | 'all rows are there'): Promise<Nights> {
  const nights = await startNights(day, { RECON_RESTATED_DAYS: '1' });
  const { service } = nights;
  service.addDays('2026-03-06', '2026-05-31');
  service.add(day, { name: 'paid', count: 10 });
  const settlement = service.add(day, {
    name: 'waiting',
    count: 5,
    status: 'pending_settlement',
    frozen: { totalTransactions: 5, amountGross: 5000, fees: 125, tax: 25, amountPayIn: 4850 },
  });
  if (way === 'the service lists none of its rows') settlement.rows = [];
  if (way === 'the service lists three of its rows') settlement.rows.splice(3);
  if (way === 'its rows cannot be fetched') {
    service.interfere = ({ path, body }) =>
      path.endsWith('/transactions') && body['settlementId'] === waiting
        ? { status: 500, body: 'broken' }
        : undefined;
  }
  if (way === 'one of its rows cannot be read') {
    const [row] = settlement.rows;
    Object.assign(row ?? {}, { amount: '10,00' });
  }
  return nights;
}

/** From now on all rows are there. */
function comesWhole({ service }: Nights): HeldSettlement {
  const settlement = service.held.get(waiting);
  if (!settlement) throw new Error('It is held.');
  service.interfere = () => undefined;
  settlement.rows = rowsOf('waiting', 5);
  return settlement;
}

function manifestOf({ folder }: Nights): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(folder, day, 'manifest.json'), 'utf8'));
}

/** Text without the breaks of its lines. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

describe('a pending settlement that was not fully read', () => {
  test.for(ways)('%s: the export publishes the day and says that it is not whole', async (way) => {
    const nights = await startWith(way);
    const { run, folder } = nights;
    const out = await run('2026-03-06', [
      ...['export', '--out', folder, ...onDay, '--parquet', '--format', 'table'],
    ]);
    expect(out.exitCode).toBe(0);
    expect(out.stdout).toMatch(/^PENDING/);
    expect(flat(out.stdout)).toMatch(/not (yet )?(complete|whole|fully read)|incomplete/i);
    expect(out.stdout + out.stderr).toContain(waiting);
    expect(out.stdout + out.stderr).not.toContain(idOf('paid'));
    expect(manifestOf(nights)).toMatchObject({
      complete: false,
      unread: [waiting],
      verdict: 'pending',
    });
    expect(await queryLake(folder, 'SELECT complete, verdict FROM days')).toEqual([
      { complete: false, verdict: 'pending' },
    ]);
    // Again, it says the same.
    const again = await run('2026-03-07', [
      ...['export', '--out', folder, ...onDay, '--format', 'table'],
    ]);
    expect(again.exitCode).toBe(0);
    expect(again.stdout + again.stderr).toContain(waiting);
    expect(manifestOf(nights)).toMatchObject({ complete: false, unread: [waiting] });
  });

  test.for(ways)('%s: --verify finds the files intact and names the settlement', async (way) => {
    const { run, folder } = await startWith(way);
    await run('2026-03-06', ['export', '--out', folder, ...onDay]);
    const table = await run('2026-03-06', [
      ...['export', '--verify', '--out', folder, '--format', 'table'],
    ]);
    expect(table.exitCode).toBe(0);
    expect(table.stdout).toMatch(/^INTACT/);
    expect(table.stdout).toContain(day);
    expect(table.stdout).toContain(waiting);
    const json = await run('2026-03-06', ['export', '--verify', '--out', folder, '--json']);
    expect(json.exitCode).toBe(0);
    expect(json.stdout).toContain(waiting);
    // What was only exported is told of a settlement that is not there, not of the other one.
    expect(json.stdout).not.toContain(idOf('paid'));
  });

  test.for(ways)('%s: "Everything read" is NO and names the settlement', async (way) => {
    const { run, folder } = await startWith(way);
    await run('2026-03-06', ['export', '--out', folder, ...onDay]);
    for (const source of [[], ['--from-export', folder]]) {
      const table = await run('2026-03-06', [
        ...['settlements', ...onDay, '--format', 'table', ...source],
      ]);
      expect(table.exitCode).toBe(0);
      expect(table.stdout).toMatch(/^PENDING/);
      const [said = ''] = /Everything read[\s\S]*?\n\n/.exec(table.stdout) ?? [];
      expect(said).toMatch(/^Everything read\s+NO: /);
      expect(said).toContain(waiting);
      expect(said).not.toMatch(/\byes\b/);
      const json = await run('2026-03-06', ['settlements', ...onDay, '--json', ...source]);
      expect(json.exitCode).toBe(0);
      const report = readReport(json.stdout);
      expect(report.verdict).toBe('pending');
      expect(report.completeness.complete).toBe(false);
      expect(report.settlements.map(({ verdict }) => verdict).sort()).toEqual([
        'balanced',
        'pending',
      ]);
    }
  });

  test.for(ways)('%s: a night reads the day again until it is whole', async (way) => {
    const nights = await startWith(way);
    const { service, night } = nights;
    expect((await night('2026-03-06')).exitCode).toBe(0);
    expect(manifestOf(nights)).toMatchObject({ complete: false, unread: [waiting] });
    // Far beyond the days that are read again by themselves.
    for (const today of ['2026-03-07', '2026-03-10', '2026-04-20', '2026-04-21']) {
      service.taken();
      const report = await night(today);
      expect(report.exitCode, today).toBe(0);
      expect(
        report.days.map((one) => one.day),
        today,
      ).toContain(day);
      expect(
        service
          .taken()
          .some(
            ({ path, body }) => path.endsWith('/transactions') && body['settlementId'] === waiting,
          ),
        today,
      ).toBe(true);
    }
    comesWhole(nights);
    const whole = await night('2026-04-22');
    expect(whole.exitCode).toBe(0);
    expect(manifestOf(nights)).toMatchObject({ complete: true, verdict: 'pending' });
    expect(manifestOf(nights)).not.toHaveProperty('unread');
    const later = await night('2026-04-23');
    expect(later.news).toEqual([]);
    // It is pending, so its header is asked for; the day is not read for that.
    expect(later.days.map((one) => one.day)).not.toContain(day);
    const settlement = service.held.get(waiting);
    if (settlement) settlement.status = 'settled';
    expect(kindsOf(await night('2026-04-24'), { settlementId: waiting })).toContain('settled');
    expect((await night('2026-04-25')).news).toEqual([]);
  });

  test.for(ways)('%s: the day is whole as soon as the settlement is settled', async (way) => {
    const nights = await startWith(way);
    const { night, run, folder } = nights;
    await night('2026-03-06');
    comesWhole(nights).status = 'settled';
    const report = await night('2026-03-20');
    expect(kindsOf(report, { settlementId: waiting })).toContain('settled');
    expect(manifestOf(nights)).toMatchObject({ complete: true, verdict: 'balanced' });
    expect(manifestOf(nights)).not.toHaveProperty('unread');
    const verified = await run('2026-03-20', [
      ...['export', '--verify', '--out', folder, '--format', 'table'],
    ]);
    expect(verified).toMatchObject({ exitCode: 0 });
    expect(verified.stdout).not.toContain(waiting);
  });

  test.for(ways)('%s: a night without changes repeats no news of it', async (way) => {
    const { night } = await startWith(way);
    await night('2026-03-06');
    const news = [];
    for (let index = 0; index < 3; index++) {
      news.push(...(await night(dayAfter('2026-03-07', index))).news);
    }
    expect(news).toEqual([]);
  });

  test('two such settlements are named, and a third that is whole is not', async () => {
    const nights = await startWith('the service lists none of its rows');
    const { service, run, folder } = nights;
    const frozen = service.held.get(waiting)?.frozen ?? {};
    const second = service.add(day, {
      ...{ name: 'second', status: 'pending_settlement', rows: [], frozen },
    });
    const whole = service.add(day, { name: 'whole', count: 2, status: 'pending_settlement' });
    await run('2026-03-06', ['export', '--out', folder, ...onDay]);
    const { unread } = manifestOf(nights) as { unread?: readonly string[] };
    expect([...(unread ?? [])].sort()).toEqual([waiting, second.id].sort());
    const table = await run('2026-03-06', ['settlements', ...onDay, '--format', 'table']);
    const [said = ''] = /Everything read[\s\S]*?\n\n/.exec(table.stdout) ?? [];
    expect(said).toContain(waiting);
    expect(said).toContain(second.id);
    expect(said).not.toContain(whole.id);
  });

  test('a settlement with the status validated is pending too', async () => {
    const nights = await startWith('the service lists none of its rows');
    const { service, run, folder } = nights;
    const settlement = service.held.get(waiting);
    if (settlement) settlement.status = 'validated';
    await run('2026-03-06', ['export', '--out', folder, ...onDay]);
    expect(manifestOf(nights)).toMatchObject({ complete: false, unread: [waiting] });
  });
});

describe('whole days and settled settlements', () => {
  test('a pending settlement that was fully read leaves the day complete', async () => {
    const nights = await startWith('all rows are there');
    const { run, folder } = nights;
    const out = await run('2026-03-06', ['export', '--out', folder, ...onDay, '--parquet']);
    expect(out.exitCode).toBe(0);
    expect(manifestOf(nights)).toMatchObject({ complete: true, verdict: 'pending' });
    expect(manifestOf(nights)).not.toHaveProperty('unread');
    expect(await queryLake(folder, 'SELECT complete FROM days')).toEqual([{ complete: true }]);
    const table = await run('2026-03-06', ['settlements', ...onDay, '--format', 'table']);
    expect(table.stdout).toMatch(/Everything read\s+yes: 2 settlements, 15 transactions/);
  });

  test('a pending settlement that announces no rows is whole', async () => {
    const nights = await startNights(day);
    nights.service.add(day, { name: 'empty', rows: [], status: 'pending_settlement' });
    const { run, folder } = nights;
    await run('2026-03-06', ['export', '--out', folder, ...onDay]);
    expect(manifestOf(nights)).toMatchObject({ complete: true });
    expect(manifestOf(nights)).not.toHaveProperty('unread');
  });

  test('a pending settlement that does not add up, with all its rows, is whole', async () => {
    const nights = await startNights(day);
    nights.service.add(day, {
      ...{ name: 'odd', count: 4, status: 'pending_settlement', off: { gross: 700, fees: 3 } },
    });
    const { run, folder } = nights;
    await run('2026-03-06', ['export', '--out', folder, ...onDay]);
    expect(manifestOf(nights)).toMatchObject({ complete: true, verdict: 'pending' });
    expect(manifestOf(nights)).not.toHaveProperty('unread');
  });

  test('a settled settlement that lists fewer rows than it counts is out of balance', async () => {
    const nights = await startNights(day);
    nights.service.add(day, { name: 'short', count: 4, off: { count: 1, gross: 1000 } });
    const { run, folder } = nights;
    const { exitCode } = await run('2026-03-06', ['export', '--out', folder, ...onDay]);
    expect(exitCode).toBe(1);
    expect(manifestOf(nights)).toMatchObject({ complete: true, verdict: 'out_of_balance' });
    expect(manifestOf(nights)).not.toHaveProperty('unread');
  });

  test.for(['its rows cannot be fetched', 'one of its rows cannot be read'] as const)(
    'the day of a settled settlement is not published if %s',
    async (way) => {
      const { service, run, folder } = await startWith(way);
      const settlement = service.held.get(waiting);
      if (settlement) settlement.status = 'settled';
      const { exitCode } = await run('2026-03-06', ['export', '--out', folder, ...onDay]);
      expect(exitCode).toBe(4);
      expect(() => readFileSync(join(folder, day, 'manifest.json'))).toThrow();
    },
  );
});
