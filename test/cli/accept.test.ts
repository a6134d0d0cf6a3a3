import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../src/base/folder-lock.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, type RunOptions, runRecon } from '../support/run-recon.ts';
import { startListener } from './listener.ts';
import { readLines, readRecords, readReport } from './read-report.ts';
import { purchases, scenarioOf, startService } from './service.ts';
import { settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

const [first, second, third] = [settlementOn(3), settlementOn(4), settlementOn(5)];

/** A settlement whose gross is too high by this many cents, and so its pay-in; one too low; one that balances. */
function shop(off: number, more: object = {}): Scenario {
  const settlement = (day: number, gross: number) => ({
    date: `2026-03-0${day}`,
    header: { settlementId: settlementOn(day) },
    rows: purchases(5),
    off: { amountGross: gross, amountPayIn: gross },
  });
  return scenarioOf([
    { ...settlement(3, off), ...more },
    settlement(4, -200),
    { ...settlement(5, 0) },
  ]);
}

const month = ['--month', '2026-03'];
const why = ['--reason', 'a charge-back, refunded in April'];

/** A service with its register, and `recon` beside them. */
async function startNight(scenario: Scenario | string = shop(500)) {
  const { env, sandbox } = await startService(scenario);
  const register = join(await temporaryFolder(), 'accepted.csv');
  const run = (words: readonly string[], options: RunOptions = {}) =>
    runRecon([...words, '--accepted', register], { ...options, env });
  return {
    register,
    sandbox,
    env,
    text: () => readFile(register, 'utf8'),
    run,
    accept: (id: string, difference: string, ...more: readonly string[]) =>
      run(['accept', id, '--difference', difference, ...why, ...more]),
    settlements: (...more: readonly string[]) => run(['settlements', ...month, ...more]),
  };
}

type Night = Awaited<ReturnType<typeof startNight>>;

/** The same register on a night on which the service says something else. */
async function laterNight(night: Night, scenario: Scenario | string): Promise<Night> {
  const later = await startNight(scenario);
  await writeFile(later.register, await night.text());
  return later;
}

describe('an accepted difference', () => {
  it('is shown, has a total of its own, and changes neither verdict nor exit code', async () => {
    const night = await startNight();
    expect((await night.settlements()).exitCode).toBe(1);
    const accepted = await night.accept(first, '+5.00', '--by', 'Anna');
    expect([accepted.exitCode, accepted.stderr]).toEqual([
      0,
      `ACCEPTED. The net pay-out difference of +5.00 EUR in settlement ${first} is accepted as long as nothing in the settlement changes.\n` +
        `Started the register of accepted differences: ${night.register}\n`,
    ]);
    expect(readRecords(accepted.stdout)).toEqual(readRecords(await night.text()));

    const half = await night.settlements();
    expect(half.exitCode).toBe(1);
    expect(half.stderr).toContain(
      'OUT OF BALANCE. 3 settlements: 1 balanced, 2 out of balance (1 accepted). ' +
        'Net pay-out difference: -2.00 EUR net, 2.00 EUR absolute. ' +
        '1 accepted difference: +5.00 EUR net, 5.00 EUR absolute.\n',
    );
    expect((await night.settlements('--format', 'table')).stdout).toContain(
      '\nTotals include 3 settlements, balanced or out of balance (1 accepted).\n',
    );
    expect((await night.accept(second, '-2.0000')).exitCode).toBe(0);
    const all = await night.settlements('--format', 'table');
    expect(all.exitCode).toBe(0);
    expect(all.stdout).toMatch(
      /^BALANCED, EXCEPT FOR ACCEPTED DIFFERENCES\n3 settlements: 1 balanced, 2 out of balance \(accepted\)\. 2 accepted differences: \+3\.00 EUR net, 7\.00 EUR absolute\.\n/,
    );
    expect(all.stdout).toContain('\nAccepted: 2 settlements\n');
    expect(all.stdout).toContain(
      '= accepted on 2026-04-05 by Anna: a charge-back, refunded in April\n',
    );
    expect(all.stdout).not.toContain('recon explain');
  });

  it('has its reason in every format, and keeps its figures and its verdict', async () => {
    const night = await startNight();
    const before = readRecords((await night.settlements()).stdout);
    await night.accept(first, '5.00', '--by', 'Anna', '--until', '2026-12-31');
    const after = readRecords((await night.settlements()).stdout);
    const marks = {
      accepted: 'accepted',
      accepted_reason: why[1],
      accepted_by: 'Anna',
      accepted_on: '2026-04-05',
      accepted_until: '2026-12-31',
      accepted_changes: '',
    };
    expect(after).toEqual([{ ...before[0], ...marks }, before[1], before[2]]);
    expect(after[0]).toMatchObject({ verdict: 'out_of_balance', pay_in_difference: '5.00' });

    const [group] = readRecords((await night.settlements('--by', 'group')).stdout);
    expect(group).toMatchObject({
      settlements_out_of_balance: '2',
      pay_in_difference: '3.00',
      out_of_balance_net: '-2.00',
      settlements_accepted: '1',
      accepted_net: '5.00',
      accepted_absolute: '5.00',
    });
    const accepted = {
      state: 'accepted',
      reason: why[1],
      by: 'Anna',
      acceptedOn: '2026-04-05',
      acceptedUntil: '2026-12-31',
      changes: [],
      message: expect.stringContaining('accepted on 2026-04-05 by Anna until 2026-12-31: '),
    };
    const report = readReport((await night.settlements('--format', 'json')).stdout);
    expect(report.settlements).toMatchObject([{ accepted }, { accepted: null }, {}]);
    expect(report.groups).toMatchObject([
      { accepted: { settlements: 1, net: { amount: '5.00' }, absolute: { amount: '5.00' } } },
    ]);
    const lines = readLines((await night.settlements('--format', 'ndjson')).stdout);
    expect(lines[0]).toMatchObject({ type: 'settlement', id: first, accepted });
  });

  it('comes first in the explanation, which ends with 0, but not in the case for the provider', async () => {
    const night = await startNight();
    const explain = ['explain', first, '--format'];
    await night.accept(first, '5');
    const { exitCode, stdout } = await night.run([...explain, 'table']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^OUT OF BALANCE \(ACCEPTED\)\nAccepted on 2026-04-05: a charge-back, refunded in April\. Does not balance: /,
    );
    expect((await night.run([...explain, 'markdown'])).stdout).not.toContain('April');
    expect((await night.run(['explain', first, second])).exitCode).toBe(1);
  });

  it('is marked by listen, as soon as it is accepted', async () => {
    const night = await startNight();
    const args = ['--accepted', night.register];
    const listener = await startListener({ env: { ...night.env, NO_COLOR: '1' }, args });
    await night.accept(first, '5');
    await listener.post({ settlement_id: first });
    const [line] = await listener.until(1);
    expect(line?.settlement).toMatchObject({ accepted: { state: 'accepted' } });
  });

  it('counts in an export that is read again, and changes nothing in the export', async () => {
    const night = await startNight();
    const out = join(await temporaryFolder(), 'days');
    const config = join(await temporaryFolder(), 'config.toml');
    await writeFile(config, `[profiles.shop]\naccepted = "${night.register}"\n`, { mode: 0o600 });
    const words = ['export', '--on', '2026-03-03', '--out', out, '--config', config, '--deep'];
    const exporting = async () => {
      const { exitCode, stdout } = await runRecon(words, { env: night.env });
      const day = join(out, '2026-03-03');
      const names = (await readdir(day)).sort();
      const files = await Promise.all(names.map((name) => readFile(join(day, name), 'utf8')));
      return { exitCode, states: readRecords(stdout).map((row) => row['state']), files };
    };
    const before = await exporting();
    expect(before).toMatchObject({ exitCode: 1, states: ['written'] });
    expect(
      (await night.run(['accept', first, '--from-export', out, '--difference', '5', ...why]))
        .exitCode,
    ).toBe(0);
    expect(await exporting()).toEqual({ ...before, states: ['unchanged'] });
    const again = ['settlements', '--from-export', out];
    expect((await runRecon(again)).exitCode).toBe(1);
    expect((await night.run(again)).exitCode).toBe(0);
  });
});

describe('an accepted difference counts again', () => {
  it('if a figure changes by one cent, and the report says which', async () => {
    const night = await startNight();
    await night.accept(first, '5.00');
    await night.accept(second, '-2.00');
    const later = await laterNight(night, shop(501));
    const { exitCode, stderr, stdout } = await later.settlements();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `Settlement ${first} (2026-03-03) was accepted on 2026-04-05, but reported gross changed from 55.00 to 55.01 ` +
        'and reported net pay-out changed from 53.50 to 53.51.\n',
    );
    expect(readRecords(stdout)[0]).toMatchObject({
      accepted: 'changed',
      accepted_changes:
        'reported gross changed from 55.00 to 55.01 | reported net pay-out changed from 53.50 to 53.51',
    });
    const screen = await later.settlements('--format', 'table');
    expect(screen.stdout).toContain('\n  ! accepted on 2026-04-05, but reported gross changed');
    expect(screen.stdout).toContain(`recon explain ${first}`);
    const explained = await later.run(['explain', first]);
    expect(explained.exitCode).toBe(1);
    expect(explained.stdout).toMatch(/^OUT OF BALANCE\nAccepted on 2026-04-05, but reported gross/);
  });

  it('if the amounts are the same and another finding occurs', async () => {
    const night = await startNight();
    await night.accept(first, '5.00');
    await night.accept(second, '-2.00');
    const later = await laterNight(night, shop(500, { status: 'settled_out_of_balance' }));
    const { exitCode, stderr } = await later.settlements();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('but the finding reported_by_service is new.\n');
  });

  it('from the day after the last one', async () => {
    const night = await startNight();
    await night.accept(first, '5.00', '--until', 'today');
    await night.accept(second, '-2.00');
    expect((await night.settlements()).exitCode).toBe(0);
    const clock = new FakeClock(noon + 86_400_000);
    const { exitCode, stderr } = await night.run(['settlements', ...month], { clock });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('was accepted on 2026-04-05, but only until 2026-04-05.\n');
    const listed = await night.run(['accept', '--list', '--format', 'table'], { clock });
    expect(listed.stdout).toMatch(/^ACCEPTED DIFFERENCES\n2 settlements, 1 expired\.\n/);
  });

  it('if its line is malformed, which is named also with --quiet, and the others count', async () => {
    const night = await startNight();
    await night.accept(first, '5.00');
    await night.accept(second, '-2.00');
    await writeFile(night.register, (await night.text()).replace('2026-04-05', '5/4/2026'));
    const { exitCode, stderr } = await night.settlements('--quiet');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `${night.register}:2: accepted_on must be a date such as 2026-03-05, not "5/4/2026".\n`,
    );
    expect(stderr).toContain('2 out of balance (1 accepted)');
  });

  it('after it is removed', async () => {
    const night = await startNight();
    await night.accept(first, '5.00');
    const text = await night.text();
    await night.accept(second, '-2.00');
    const removed = await night.run(['accept', '--remove', second]);
    expect([removed.exitCode, removed.stderr]).toEqual([
      0,
      'REMOVED. The settlement is no longer in the register.\n',
    ]);
    expect(await night.text()).toBe(text);
    expect((await night.settlements()).exitCode).toBe(1);
    const again = await night.run(['accept', '--remove', second]);
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringContaining('not in the register'),
    ]);
  });
});

describe('no difference is accepted', () => {
  const untouched = async (night: Night, words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await night.run(words);
    expect(stdout).toBe('');
    await expect(night.text()).rejects.toThrow('ENOENT');
    return { exitCode, stderr };
  };
  const accepting = (id: string, ...more: readonly string[]) => ['accept', id, ...why, ...more];

  it.each(['-5.00', '5.01', '4.99', '0', '5.001', '500'])(
    'if it is not the pay-in difference now: %s',
    async (difference) => {
      const night = await startNight();
      expect(await untouched(night, accepting(first, '--difference', difference))).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(
          `The net pay-out difference of settlement ${first} is +5.00 EUR, not ${difference}.\n  at:  --difference\n`,
        ),
      });
    },
  );

  it('of a settlement that is balanced, pending, incomplete or unknown', async () => {
    const night = await startNight();
    expect(await untouched(night, accepting(third, '--difference', '0'))).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(
        `Settlement ${third} balances, so there is nothing to accept.`,
      ),
    });
    const missing = await untouched(night, accepting(settlementOn(9), '--difference', '0'));
    expect(missing.exitCode).toBe(4);
    const pending = await startNight(shop(500, { status: 'pending_settlement' }));
    expect(await untouched(pending, accepting(first, '--difference', '5'))).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('is still pending, so there is nothing to accept.'),
    });
    const malformed = await startNight('malformed');
    const report = readReport((await malformed.settlements('--format', 'json')).stdout);
    const unread = report.settlements.find(({ verdict }) => verdict === 'incomplete');
    expect(await untouched(malformed, accepting(unread?.id ?? '', '--difference', '0'))).toEqual({
      exitCode: 4,
      stderr: expect.stringContaining('was not fully read, so nothing can be accepted.'),
    });
  });

  it.each([
    [
      'without a pay-in',
      ['--difference', '5', '--identity', 'off'],
      'No net pay-out is calculated',
    ],
    ['without a difference', [], 'No --difference given.'],
    [
      'until a day that is over',
      ['--difference', '5', '--until', 'yesterday'],
      '2026-04-04 is in the past.',
    ],
    ['of another form', ['--difference', '5,00'], 'It must be an amount, such as -5.00.'],
  ])('%s', async (_, more, message) => {
    const night = await startNight();
    const { exitCode, stderr } = await untouched(night, accepting(first, ...more));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('without a reason, with --list, and without a place for the register', async () => {
    const night = await startNight();
    const words = ['accept', first, '--difference', '5'];
    expect((await untouched(night, words)).stderr).toContain('No --reason given.');
    expect(await untouched(night, ['accept', first, '--list'])).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('--list cannot be combined with a settlement.'),
    });
    const { exitCode, stderr } = await runRecon([...words, ...why], { env: night.env });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('Set accepted = "accepted.csv"'),
    ]);
  });

  it('if a settlement was accepted and is now incomplete, or balances', async () => {
    const night = await startNight();
    await night.accept(first, '5.00');
    const rows = [['purchase', 1000, 25, 5, { amount: 'ten' }] as const];
    const unread = await laterNight(night, shop(500, { rows }));
    const { exitCode, stdout } = await unread.settlements();
    expect(exitCode).toBe(4);
    expect(readRecords(stdout)[0]).toMatchObject({ verdict: 'incomplete', accepted: '' });
    const balanced = await laterNight(night, shop(0));
    expect(readRecords((await balanced.settlements()).stdout)[0]).toMatchObject({
      verdict: 'balanced',
      accepted: '',
    });
  });
});

describe('the register', () => {
  it('is found by a profile, beside the configuration file', async () => {
    const { env } = await startService(shop(500));
    const home = await temporaryFolder();
    const folder = join(home, '.config', 'recon');
    await mkdir(folder, { recursive: true });
    const toml = '[profiles.shop]\naccepted = "accepted.csv"\n';
    await writeFile(join(folder, 'config.toml'), toml, { mode: 0o600 });
    const run = (...words: readonly string[]) => runRecon(words, { env: { ...env, HOME: home } });
    const nothing = await run('settlements', ...month);
    const path = join(folder, 'accepted.csv');
    // Until the first acceptance nobody has to hear of it, unless the register is asked for.
    expect(nothing.stderr).not.toContain('Nothing is accepted');
    const asked = await run('settlements', ...month, '--accepted', path);
    expect(asked.stderr).toContain(`Nothing is accepted: ${path} is missing or empty.\n`);
    await run('accept', first, '--difference', '5.00', ...why);
    await run('accept', second, '--difference', '-2.00', ...why);
    expect((await run('settlements', ...month)).exitCode).toBe(0);
    expect(readRecords(await readFile(path, 'utf8')).map((row) => row['settlement_id'])).toEqual([
      first,
      second,
    ]);
  });

  it('says if it has a line already, and replaces another line in its place', async () => {
    const night = await startNight();
    await night.accept(first, '5.00');
    await night.accept(second, '-2.00');
    const text = await night.text();
    const same = await night.accept(first, '5.00');
    expect([same.exitCode, await night.text()]).toEqual([0, text]);
    expect(same.stderr).toContain('ALREADY ACCEPTED.');
    const other = await night.accept(first, '5.00', '--until', '2026-12-31');
    expect(other.stderr).toContain('This replaces an earlier line.');
    expect(readRecords(await night.text()).map((row) => row['accepted_until'])).toEqual([
      '2026-12-31',
      '',
    ]);
  });

  it('keeps who accepted a difference and until when, if it is accepted again', async () => {
    const night = await startNight();
    await night.accept(first, '5.00', '--by', 'Anna', '--until', '2026-12-31');
    const text = await night.text();
    expect((await night.accept(first, '5.00')).stderr).toContain('ALREADY ACCEPTED.');
    expect(await night.text()).toBe(text);
    const later = await night.accept(first, '5.00', '--until', '2027-01-31');
    expect(later.stderr).toContain('It was until 2026-12-31, now until 2027-01-31.');
    expect(readRecords(await night.text())).toMatchObject([
      { accepted_by: 'Anna', accepted_until: '2027-01-31' },
    ]);
  });

  it('drops them with --replace, and says so', async () => {
    const night = await startNight();
    await night.accept(first, '5.00', '--by', 'Anna', '--until', '2026-12-31');
    const { stderr } = await night.accept(first, '5.00', '--replace');
    expect(stderr).toContain(
      'It was until 2026-12-31, now without end; by Anna, now by nobody named.',
    );
    expect(readRecords(await night.text())).toMatchObject([
      { accepted_by: '', accepted_until: '' },
    ]);
  });

  it('asks for a new end if the earlier one has passed', async () => {
    const night = await startNight();
    const clock = new FakeClock(noon - 40 * 86_400_000);
    const accept = ['accept', first, '--difference', '5.00', ...why];
    await night.run([...accept, '--until', '2026-03-15'], { clock });
    const again = await night.run(accept);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('The earlier acceptance ended on 2026-03-15.');
    expect((await night.run([...accept, '--replace'])).exitCode).toBe(0);
  });

  it('is listed in every format', async () => {
    const night = await startNight();
    await night.accept(first, '5.00');
    const list = (format: string) => night.run(['accept', '--list', '--format', format]);
    expect((await list('csv')).stdout).toBe(await night.text());
    expect(JSON.parse((await list('json')).stdout)).toMatchObject({
      register: night.register,
      accepted: [
        { settlement: { id: first }, payInDifference: { amount: '5.00' }, reason: why[1] },
      ],
    });
    expect((await list('table')).stdout).toMatch(/^ACCEPTED DIFFERENCES\n1 settlement\.\n/);
  });

  it('loses nothing if two processes write it: the second ends with 75, or both lines are there', async () => {
    const night = await startNight();
    const runs = await Promise.all([night.accept(first, '5.00'), night.accept(second, '-2.00')]);
    const done = runs.filter(({ exitCode }) => exitCode === 0).length;
    expect(runs.map(({ exitCode }) => exitCode).filter((code) => code !== 75)).toHaveLength(done);
    expect(readRecords(await night.text())).toHaveLength(done);

    const text = await night.text();
    const other = { host: 'web2', pid: 1, startedAt: 'then' };
    const lock = { owner: other, isRunning: () => true, clock: new FakeClock(noon) };
    const release = await takeLock(join(night.register, '..'), lock);
    const refused = await night.accept(second, '-2.00', '--by', 'Anna');
    expect([refused.exitCode, await night.text()]).toEqual([75, text]);
    await release();
    expect((await night.accept(second, '-2.00', '--by', 'Anna')).exitCode).toBe(0);
    expect(await readdir(join(night.register, '..'))).toEqual(['accepted.csv']);
  });
});
