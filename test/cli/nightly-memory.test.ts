import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serve } from '../base/http/loopback.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { off, pending, settlement, since, startNights } from './nights.ts';
import { profileOf } from './service.ts';

describe('a damaged nightly.json', () => {
  const spoilt = '{ "schema": 1, "nightsWithNews": 1';

  test('is named and kept aside, and news may be repeated', async () => {
    const { out, run, night } = await startNights([settlement(2, off)]);
    const [path, aside] = [join(out, 'nightly.json'), join(out, 'nightly.json.damaged')];
    const first = await night(3, ...since);
    await writeFile(path, spoilt);
    const second = await night(3);
    expect(second.report.news).toEqual(first.report.news);
    expect(second.report.profiles[0]).toMatchObject({ stateDamaged: true });
    expect(await readFile(aside, 'utf8')).toBe(spoilt);
    const third = await night(3);
    expect(third.kinds).toEqual([]);
    expect(third.report.profiles[0]).not.toHaveProperty('stateDamaged');
    // Another one does not take its place.
    await writeFile(path, 'x');
    const { stdout } = await run(3, ['--quiet']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'nightly.json is damaged and is kept as nightly.json.damaged.2, so news may have been reported before.',
    );
    expect(await readFile(aside, 'utf8')).toBe(spoilt);
    expect(await readFile(`${aside}.2`, 'utf8')).toBe('x');
  });

  test('is reported in the notification even without news, until that is accepted', async () => {
    const receiver = await serve(({ number }) => ({ status: number < 2 ? 404 : 200 }));
    const { out, run } = await startNights([settlement(2)]);
    const env = { RECON_NOTIFY_URL: receiver.url };
    await run(3, since, { env });
    await writeFile(join(out, 'nightly.json'), spoilt);
    expect((await run(3, [], { env })).exitCode).toBe(5);
    expect(readdirSync(out)).not.toContain('nightly.json.damaged');
    const { exitCode, stdout } = await run(3, [], { env });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('No news. nightly.json is')]);
    expect(receiver.received[1]?.body).toMatchObject({
      text: expect.stringContaining('news may have been reported before'),
      profiles: [{ stateDamaged: true }],
    });
    await run(3, [], { env });
    expect(receiver.received).toHaveLength(2);
  });

  test('is recognised if no day is published yet', async () => {
    const { out, run } = await startNights([]);
    await run(3, ['--since', '2026-03-03']);
    await writeFile(join(out, 'nightly.json'), spoilt);
    for (const _ of [1, 2]) expect((await run(3, ['--since', '2026-03-03'])).exitCode).toBe(0);
    expect(readdirSync(out).sort()).toEqual([
      'nightly.json',
      'nightly.json.damaged',
      'status.json',
    ]);
  });
});

test('a difference that the sweep of the same night finds corrected is not kept in nightly.json', async () => {
  const days = [2, 3, 4, 5, 6, 7, 8].map((day) => settlement(day));
  const env = { RECON_RESTATED_DAYS: '1', RECON_SWEPT_DAYS: '1' };
  const { out, night, becomes } = await startNights([settlement(2, off), ...days.slice(1)], env);
  await night(8, ...since);
  await becomes(days);
  expect((await night(9)).kinds).toEqual(['balanced 02']);
  const { reportedStatuses, unbalancedByDay } = JSON.parse(
    await readFile(join(out, 'nightly.json'), 'utf8'),
  );
  expect([reportedStatuses, unbalancedByDay]).toEqual([[], {}]);
});

describe('a failure that is over', () => {
  const told = (received: readonly { readonly body: unknown }[]) =>
    received.map(({ body }) => Object.keys((body as Body).profiles[0]?.news ?? {}));
  interface Body {
    readonly profiles: readonly { readonly news: object }[];
  }

  test('is reported once to the receiver that got the failure', async () => {
    const receiver = await serve(() => ({}));
    const nights = await startNights([settlement(2)], { RECON_NOTIFY_URL: receiver.url });
    await nights.night(3, ...since);
    await nights.shop.close();
    expect((await nights.night(4)).kinds).toEqual(['failed']);
    expect((await nights.night(5)).kinds).toEqual([]);
    await nights.becomes([settlement(2)]);
    const { exitCode, kinds } = await nights.night(6);
    expect([exitCode, kinds]).toEqual([0, ['recovered']]);
    expect((await nights.night(7)).kinds).toEqual([]);
    expect(told(receiver.received)).toEqual([['failed'], ['recovered']]);
    expect(receiver.received[1]?.body?.['text']).toContain('Run succeeded again');
  });

  test('is reported also for a run that could not start, until that is accepted', async () => {
    const receiver = await serve(({ number }) => ({ status: number === 2 ? 404 : 200 }));
    const nights = await startNights([settlement(2)], { RECON_NOTIFY_URL: receiver.url });
    await nights.night(3, ...since);
    // A folder is no register.
    expect((await nights.run(4, ['--accepted', nights.out])).exitCode).toBe(2);
    expect((await nights.night(5)).kinds).toEqual(['recovered']);
    expect((await nights.night(5)).kinds).toEqual(['recovered']);
    expect((await nights.night(5)).kinds).toEqual([]);
    expect(told(receiver.received)).toEqual([['failed'], ['recovered'], ['recovered']]);
  });
});

describe('wrong usage', () => {
  test.each<RunOptions>([
    { columns: 80, env: { CI: '1' } },
    { stderrColumns: 80, env: { CI: '1' } },
  ])('on a terminal is not notified: %j', async (terminal) => {
    const receiver = await serve(() => ({}));
    const { out, run } = await startNights([settlement(2)], { RECON_NOTIFY_URL: receiver.url });
    expect((await run(4, [], terminal)).exitCode).toBe(2);
    expect(receiver.received).toHaveLength(0);
    expect(readdirSync(out)).toEqual([]);
    expect((await run(4, [])).exitCode).toBe(2);
    expect(receiver.received).toHaveLength(1);
  });
});

test('a night without days in an empty folder does not report anything as balanced', async () => {
  const { shop, out, run } = await startNights([]);
  const { exitCode, stdout } = await run(3, ['--since', '2026-03-03']);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('NOTHING TO READ')]);
  expect(stdout).toContain('No day is due, and the folder has no days before today.');
  expect(stdout).not.toMatch(/balanced/i);
  const config = join(out, '..', 'config.toml');
  const profile = profileOf('spain', shop.env['RECON_BASE_URL'] ?? '');
  await writeFile(config, profile, { mode: 0o600 });
  const all = ['--all-profiles', '--config', config, '--since', '2026-03-03', '--out', `${out}2`];
  const clock = new FakeClock(Date.UTC(2026, 2, 3, 6));
  const several = await runRecon(['nightly', ...all], { clock });
  expect(several.stdout).toMatch(/spain +nothing to read/);
});

test('an overdue settlement is shown with its age, its pay-in and its account', async () => {
  const { run, night } = await startNights([settlement(2, pending)]);
  await night(3, ...since);
  const { stdout } = await run(20, []);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain('18 days old on 2026-03-20 (limit 14 days); net pay-out 29.10 EUR');
  expect(text).toContain('account 3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601');
});
