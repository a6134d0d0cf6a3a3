import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { dayOf, moved, off, pending, settlement, since, startNights } from './nights.ts';
import { profileOf, purchases } from './service.ts';
import { settlementOn } from './shop.ts';

describe('a night', () => {
  test('needs the first day at first, and the next ones know it', async () => {
    const { run, night, out } = await startNights([settlement(2), settlement(3)]);
    const { exitCode, stderr } = await run(4, []);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Add --since');
    expect(existsSync(join(out, 'nightly.json'))).toBe(false);
    const first = await night(4, ...since);
    expect(first.exitCode).toBe(0);
    const [{ days, publishedTo, lagDays } = { days: [] }] = first.report.profiles;
    expect([days, publishedTo, lagDays]).toMatchObject([
      [
        { day: dayOf(2), reason: 'new' },
        { day: dayOf(3), reason: 'new' },
      ],
      dayOf(3),
      0,
    ]);
    const second = await night(5);
    expect(second.report.profiles[0]?.days).toMatchObject([
      { day: dayOf(2), reason: 'recent' },
      { day: dayOf(3), reason: 'recent' },
      { day: dayOf(4), reason: 'new' },
    ]);
  });

  test('reads days that were never read before those that may be restated', async () => {
    const { run, night } = await startNights([settlement(2), settlement(3)]);
    await night(4, ...since);
    const { stderr } = await run(5, ['--verbose']);
    const place = (day: number) => stderr.indexOf(`(${dayOf(day)} to ${dayOf(day)}`);
    expect(place(4)).toBeGreaterThan(0);
    expect(place(4)).toBeLessThan(place(2));
  });

  test('finds a restatement that was made while nights were missed', async () => {
    const { becomes, night } = await startNights([settlement(2), settlement(5)]);
    await night(6, ...since);
    await becomes([settlement(2), settlement(5, { rows: purchases(4) })]);
    const { kinds, report } = await night(30);
    expect(kinds).toEqual(['restated 05']);
    expect(report.news[0]?.details.join()).toContain('1 transaction added');
    expect((await night(31)).kinds).toEqual([]);
  });

  test('reports a restatement even if the version before is missing', async () => {
    const { out, becomes, night } = await startNights([settlement(2)]);
    await night(3, ...since);
    await becomes([settlement(2, { rows: purchases(4) })]);
    const { kinds, report } = await night(4, '--keep', '0');
    expect(kinds).toEqual(['restated 02']);
    expect(report.news[0]?.details.join()).toContain('The earlier version is no longer');
    expect(existsSync(join(out, '.superseded'))).toBe(false);
  });

  test('reads the days missing between its days, and writes nothing with --dry-run', async () => {
    const { out, run, night } = await startNights([settlement(2), settlement(3)]);
    await night(6, ...since);
    await rm(join(out, dayOf(3)), { recursive: true });
    const before = readdirSync(out);
    const { exitCode, stdout } = await run(20, ['--dry-run', '--format', 'csv']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`,${dayOf(3)},missing,1,3,`);
    expect(stdout).toContain(`,${dayOf(19)},new,0,0,`);
    expect(readdirSync(out)).toEqual(before);
    const { report } = await night(6);
    expect(report.profiles[0]?.days).toContainEqual(
      expect.objectContaining({ day: dayOf(3), reason: 'missing', state: 'written' }),
    );
  });
});

describe('settlements that are pending', () => {
  test('are asked for by their ids, however old, until they are settled', async () => {
    const { becomes, night } = await startNights([settlement(2, pending)]);
    expect((await night(3, ...since)).kinds).toEqual([]);
    const later = await night(20);
    expect(later.kinds).toEqual(['overdue 02']);
    await becomes([settlement(2)]);
    const { kinds, report } = await night(30);
    expect(kinds).toEqual(['settled 02']);
    expect(report.news[0]).toMatchObject({ also: ['restated'] });
    expect(report.profiles[0]?.days).toContainEqual(
      expect.objectContaining({ day: dayOf(2), reason: 'pending', state: 'restated' }),
    );
  });

  test('are asked for by their ids with an unknown status too, until they are settled', async () => {
    // Without a sweep, nothing else would ask for an old day.
    const nights = await startNights([settlement(2, { status: 'on_hold' })], {
      RECON_SWEPT_DAYS: '0',
    });
    await nights.night(3, ...since);
    expect((await nights.night(16)).kinds).toEqual([]);
    await nights.becomes([settlement(2)]);
    const { kinds, report } = await nights.night(17);
    expect(kinds).toEqual(['settled 02']);
    expect(report.profiles[0]?.days).toContainEqual(
      expect.objectContaining({ day: dayOf(2), reason: 'pending' }),
    );
    expect((await nights.night(18)).kinds).toEqual([]);
  });

  test('may settle on another day: they are moved, and on one day only', async () => {
    const nights = await startNights([settlement(2, pending), settlement(4)]);
    await nights.night(20, ...since);
    await nights.becomes([moved(2, 6), settlement(4)]);
    const { kinds, report } = await nights.night(25);
    expect(kinds).toEqual(['settled 06']);
    expect(report.news[0]).toMatchObject({ also: ['moved'] });
    expect(await nights.daysOn(settlementOn(2))).toEqual([dayOf(6)]);
  });

  test('leave their old day when they are found on a new one', async () => {
    const nights = await startNights([settlement(2), settlement(4)]);
    await nights.night(5, ...since);
    await nights.night(15);
    await nights.becomes([moved(2, 15), settlement(4)]);
    expect((await nights.night(16)).kinds).toEqual(['moved 15']);
    expect(await nights.daysOn(settlementOn(2))).toEqual([dayOf(15)]);
  });

  test('keep the rows that were read before if they cannot be read on a night', async () => {
    const { out, becomes, night } = await startNights([settlement(2, pending)]);
    await night(3, ...since);
    await becomes([settlement(2, pending)], { faults: ['http-500@rows'] });
    expect(await night(4)).toMatchObject({ exitCode: 0, kinds: [] });
    const rows = await readFile(join(out, dayOf(2), 'transactions.csv'), 'utf8');
    expect(rows.trim().split('\n')).toHaveLength(4);
  });

  test('are not lost if they move before they were reported', async () => {
    const env = { RECON_RESTATED_DAYS: '1' };
    const nights = await startNights([settlement(2)]);
    const full = () => Promise.reject(new Error('write ENOSPC'));
    await nights.run(10, since, { env });
    await nights.becomes([settlement(2), settlement(10)]);
    expect((await nights.run(11, [], { env, onOutput: full })).exitCode).toBe(5);
    await nights.becomes([settlement(2), moved(10, 3)]);
    expect((await nights.run(12, [], { env })).exitCode).toBe(0);
    expect(await nights.daysOn(settlementOn(10))).toEqual([dayOf(3)]);
  });

  test('are gone, not moved, if the service no longer lists them', async () => {
    const { becomes, night } = await startNights([settlement(4), settlement(2)]);
    await night(5, ...since);
    await becomes([settlement(4)]);
    expect((await night(6)).kinds).toEqual(['gone 02']);
  });
});

describe('the news of a night', () => {
  test('is new once, known from then on, and new again without the state', async () => {
    const { out, run, night } = await startNights([settlement(2, off)]);
    const first = await night(3, ...since);
    expect([first.exitCode, first.kinds]).toEqual([1, ['out_of_balance 02']]);
    const second = await night(4);
    expect([second.exitCode, second.kinds]).toEqual([1, []]);
    expect(second.report.profiles[0]?.known.settlements).toBe(1);
    const { stdout } = await run(5, []);
    expect(stdout).toContain('1 known difference, 0.05 EUR absolute: recon settlements');
    await rm(join(out, 'nightly.json'));
    expect((await night(5)).report.news).toEqual(first.report.news);
  });

  test('is empty with --quiet and ends with 0 with --fail-on new, if nothing is new', async () => {
    const { becomes, run } = await startNights([settlement(2, off)]);
    const quietly = (day: number) => run(day, [...since, '--quiet', '--fail-on', 'new']);
    expect(await quietly(3)).toMatchObject({ exitCode: 1 });
    expect(await quietly(4)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    await becomes([settlement(2, { off: { amountGross: 7, amountPayIn: 7 } })]);
    const { exitCode, stdout } = await quietly(5);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('Difference changed')]);
    await becomes([settlement(2)]);
    expect((await quietly(6)).stdout).toContain('Now balanced');
  });

  test('counts as reported only after it is written', async () => {
    const { run, night } = await startNights([settlement(2, off)]);
    const full = new Error('write ENOSPC');
    const failed = await run(3, since, { onOutput: () => Promise.reject(full) });
    expect(failed.exitCode).toBe(5);
    expect((await night(3, ...since)).kinds).toEqual(['out_of_balance 02']);
  });

  test('leaves out an accepted difference until it changes', async () => {
    const nights = await startNights([settlement(2, off), settlement(3)]);
    const { out, shop, becomes, night } = nights;
    const register = join(out, '..', 'accepted.csv');
    await night(4, ...since);
    const why = ['--difference', '0.05', '--reason', 'agreed'];
    const accept = ['accept', settlementOn(2), ...why, '--accepted', register];
    const clock = new FakeClock(Date.UTC(2026, 2, 4));
    expect((await runRecon(accept, { env: shop.env, clock })).exitCode).toBe(0);
    const quiet = await night(5, '--accepted', register);
    expect([quiet.exitCode, quiet.kinds]).toEqual([0, []]);
    await becomes([settlement(2, { off: { amountGross: 6, amountPayIn: 6 } }), settlement(3)]);
    const loud = await night(6, '--accepted', register);
    expect([loud.exitCode, loud.kinds]).toEqual([1, ['acceptance 02']]);
    expect(loud.report.news[0]).toMatchObject({ also: ['restated'] });
  });

  test('has a day that cannot be read once, tried each night, and again when it is read', async () => {
    const bad = { rows: [...purchases(2), ['purchase', 1000, 25, 5, { amount: 'x' }] as const] };
    const { becomes, night } = await startNights([settlement(2), settlement(3, bad)]);
    const first = await night(5, ...since);
    expect([first.exitCode, first.kinds]).toEqual([4, ['unread_day 03']]);
    expect(first.report.profiles[0]).toMatchObject({ publishedTo: dayOf(2), lagDays: 1 });
    const second = await night(20);
    expect([second.exitCode, second.kinds]).toEqual([4, []]);
    expect(second.report.profiles[0]?.knownUnread).toEqual([dayOf(3)]);
    await becomes([settlement(2), settlement(3)]);
    const third = await night(30);
    expect([third.exitCode, third.kinds]).toEqual([0, ['read_day 03']]);
  });

  test('has no alarm for a day that was published incomplete, which is named', async () => {
    const bad = { rows: [...purchases(2), ['purchase', 1000, 25, 5, { amount: 'x' }] as const] };
    const { out, shop, becomes, run, night } = await startNights([
      settlement(2),
      settlement(3, bad),
    ]);
    await night(4, ...since);
    const publish = ['export', '--out', out, '--publish-incomplete', dayOf(3)];
    expect((await runRecon(publish, { env: shop.env })).exitCode).toBe(4);
    expect((await night(5)).exitCode).toBe(0);
    expect((await run(6, [])).stdout).toContain(`${dayOf(3)}: published incomplete`);
    await becomes([settlement(2), settlement(3)]);
    expect((await night(20)).kinds).toContain('read_day 03');
  });
});

describe('a night with failures', () => {
  test('fails if the service is down, and the same failure is known', async () => {
    const { shop, night } = await startNights([settlement(2)]);
    await night(3, ...since);
    await shop.close();
    const first = await night(5);
    expect([first.exitCode, first.kinds]).toEqual([4, ['failed']]);
    const second = await night(6);
    expect([second.exitCode, second.kinds]).toEqual([4, []]);
    expect(second.stderr).toContain('No connection to');
  });

  test('reads a day again that was read too early by a fast clock', async () => {
    const { becomes, night } = await startNights([settlement(2)]);
    await night(3, ...since);
    await night(28);
    await becomes([settlement(2), settlement(10, off)]);
    const right = await night(4);
    expect(right.kinds).toEqual([]);
    expect((await night(11)).kinds).toEqual(['out_of_balance 10']);
  });

  test('continues with the other profiles if one fails', async () => {
    const { shop, out } = await startNights([settlement(2, off)]);
    const config = join(out, '..', 'config.toml');
    const good = profileOf('spain', shop.env['RECON_BASE_URL'] ?? '');
    await writeFile(config, `${good}\n${profileOf('italy', 'http://127.0.0.1:9')}\n`, {
      mode: 0o600,
    });
    const { exitCode, stdout, stderr } = await runRecon(
      ['nightly', '--out', out, '--all-profiles', '--config', config, ...since],
      { clock: new FakeClock(Date.UTC(2026, 2, 4)) },
    );
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/spain +out of balance +1 /);
    expect(stdout).toMatch(/italy +incomplete +1 /);
    expect(stderr).toContain('error: italy: No connection to');
    expect(readdirSync(join(out, 'spain'))).toContain(dayOf(2));
    const status = JSON.parse(await readFile(join(out, 'status.json'), 'utf8'));
    expect(status).toMatchObject({
      exitCode: 4,
      lastSuccess: null,
      profiles: [
        { profile: 'spain', lastSuccess: expect.any(String), publishedTo: dayOf(3) },
        { profile: 'italy', lastSuccess: null, failure: 'network' },
      ],
    });
  });

  test('ends with 75 if another one runs, and leaves status.json to the first', async () => {
    const { out, shop, run, night } = await startNights([settlement(2)]);
    await night(3, ...since);
    const before = await readFile(join(out, 'status.json'), 'utf8');
    const lock = { host: 'elsewhere', pid: 1, startedAt: 'x', id: '0'.repeat(32), since: 'then' };
    await writeFile(join(out, '.lock'), JSON.stringify(lock));
    expect((await run(4, [])).exitCode).toBe(75);
    expect(await readFile(join(out, 'status.json'), 'utf8')).toBe(before);
    await shop.close();
  });
});
