import { EventEmitter } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import type { Context } from '../../src/cli/context.ts';
import { exitCodeOfSeveral } from '../../src/cli/exit-codes.ts';
import type { Flags } from '../../src/cli/flags.ts';
import { Messages } from '../../src/cli/messages.ts';
import { runSideBySide } from '../../src/cli/profiles.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, type RunOptions, runRecon } from '../support/run-recon.ts';
import { readRecords, readReport } from './read-report.ts';
import { afterToken, startServer } from './server.ts';
import { connectionTo, march, profileOf, purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const unreachable = 'http://127.0.0.1:9';

/** Runs with a configuration file of these profiles. */
async function withProfiles(...profiles: readonly string[]) {
  const path = join(await temporaryFolder(), 'config.toml');
  await writeFile(path, profiles.join('\n'), { mode: 0o600 });
  return (args: readonly string[], { env, ...options }: RunOptions = {}) =>
    runRecon(args, { ...options, env: { RECON_CONFIG: path, ...env } });
}

const settlements = (...args: readonly string[]) => ['settlements', ...march, ...args];

/** Spain is out of balance, Italy is balanced. */
async function twoCountries() {
  const [spain, italy] = [await startService('fee-off-by-one'), await startService('balanced')];
  const run = await withProfiles(
    profileOf('spain', spain.sandbox.baseUrl),
    profileOf('italy', italy.sandbox.baseUrl),
  );
  return { run, spain, italy };
}

interface SeveralReport {
  readonly verdict: string;
  readonly profiles: readonly {
    readonly profile: string;
    readonly verdict: string;
    readonly exitCode: number;
    readonly error?: { readonly cause: string; readonly message: string };
    readonly settlements?: readonly unknown[];
  }[];
}

describe('several profiles', () => {
  it('are one CSV, whose rows name their profile, in the order that is asked for', async () => {
    const { run } = await twoCountries();
    const [both, spain, italy] = await Promise.all([
      run(settlements('--profile', 'italy, spain,italy')),
      run(settlements('--profile', 'spain')),
      run(settlements('--profile', 'italy')),
    ]);
    const named = (name: string, { stdout }: { readonly stdout: string }) =>
      readRecords(stdout).map((row) => ({ ...row, profile: name }));
    expect(both.exitCode).toBe(1);
    expect(readRecords(both.stdout)).toEqual([...named('italy', italy), ...named('spain', spain)]);
    const [header = ''] = both.stdout.split('\r\n');
    expect(header).toBe(`${spain.stdout.split('\r\n')[0]},profile`);
    expect(both.stderr).toMatch(/^italy: BALANCED\..*\nspain: OUT OF BALANCE\./m);
  });

  it.each(['group', 'day,type'])(
    'have separate lines by %s, and nothing is added up over them',
    async (by) => {
      const { run } = await twoCountries();
      const { stdout } = await run(settlements('--all-profiles', '--by', by));
      const alone = await run(settlements('--profile', 'spain', '--by', by));
      const ofSpain = readRecords(stdout).filter((row) => row['profile'] === 'spain');
      expect(ofSpain.map(({ profile: _, ...row }) => row)).toEqual(readRecords(alone.stdout));
    },
  );

  it('are one JSON document, with the report of each', async () => {
    const { run } = await twoCountries();
    const { stdout } = await run(settlements('--all-profiles', '--json'));
    const report: SeveralReport = JSON.parse(stdout);
    expect(report).toMatchObject({
      schema: 1,
      verdict: 'out_of_balance',
      profiles: [
        { profile: 'spain', verdict: 'out_of_balance', exitCode: 1 },
        { profile: 'italy', verdict: 'balanced', exitCode: 0 },
      ],
    });
    const alone = readReport((await run(settlements('--profile', 'italy', '--json'))).stdout);
    expect(report.profiles[1]).toMatchObject(alone);
  });

  it('are lines that name their profile, and a last line with the sums', async () => {
    const { run } = await twoCountries();
    const { stdout } = await run(settlements('--all-profiles', '--format', 'ndjson'));
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({
      type: 'summary',
      verdict: 'out_of_balance',
      profiles: [{ profile: 'spain' }, { profile: 'italy' }],
    });
    const names = lines.slice(0, -1).map((line) => line.profile);
    expect(new Set(names)).toEqual(new Set(['spain', 'italy']));
    expect(names).toEqual([...names].sort().reverse());
  });

  it('have a line each on the screen, and below it their reports', async () => {
    const { run } = await twoCountries();
    const { stdout } = await run(settlements('--all-profiles', '--format', 'table'));
    expect(stdout).toMatch(/^OUT OF BALANCE\n2 profiles: 1 balanced, 1 out of balance\.\n/);
    expect(stdout).toMatch(/^spain +out of balance +1 settlement: out of balance\./m);
    expect(stdout).toMatch(/^italy +balanced +9 settlements: all balanced\./m);
    expect(stdout).toMatch(/^spain: OUT OF BALANCE$/m);
    expect(stdout).toContain('--profile spain #');
  });

  it('are all in the file, or those that RECON_PROFILE does not name, or one in a list', async () => {
    const service = await startService('balanced');
    const run = await withProfiles(profileOf('spain', service.sandbox.baseUrl));
    const env = { RECON_PROFILE: 'sweden' };
    const { exitCode, stdout } = await run(settlements('--all-profiles', '--json'), { env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profiles: [{ profile: 'spain' }] });
  });

  it('keep their names, registers and verdicts separate, in the sandbox too', async () => {
    const token = '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601';
    const run = await withProfiles(
      `[profiles.spain]\ntolerance = 1\nnames."${token}" = "Madrid"`,
      '[profiles.italy]\naccepted = "accepted.csv"',
    );
    const { stdout } = await run([
      ...['settlements', '--sandbox', '--scenario', 'fee-off-by-one', '--all-profiles'],
      ...['--output', '-'],
    ]);
    const rows = readRecords(stdout);
    expect(rows.map((row) => [row['profile'], row['accounting_name'], row['verdict']])).toEqual([
      ['spain', 'Madrid', 'balanced'],
      ['italy', '', 'out_of_balance'],
    ]);
    expect(Object.keys(rows[0] ?? {}).slice(-2)).toEqual(['accepted_changes', 'profile']);
  });

  it('name the profile in their messages', async () => {
    const { run } = await twoCountries();
    const { stderr } = await run(settlements('--all-profiles', '--verbose'));
    for (const line of stderr.trimEnd().split('\n')) expect(line).toMatch(/^(spain|italy): /);
  });
});

describe('a profile that fails', () => {
  it('does not stop the others, and is named with its reason', async () => {
    const service = await startService('balanced');
    const run = await withProfiles(
      profileOf('dead', unreachable),
      '[profiles.empty]\n',
      profileOf('italy', service.sandbox.baseUrl),
    );
    const { exitCode, stdout, stderr } = await run(settlements('--all-profiles', '--json'));
    const report: SeveralReport = JSON.parse(stdout);
    expect(report.verdict).toBe('incomplete');
    expect(report.profiles).toMatchObject([
      { profile: 'dead', verdict: 'incomplete', exitCode: 4, error: { cause: 'network' } },
      { profile: 'empty', verdict: 'incomplete', exitCode: 2, error: { cause: 'configuration' } },
      { profile: 'italy', verdict: 'balanced', exitCode: 0 },
    ]);
    expect(exitCode).toBe(4);
    const errors = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).error);
    expect(errors).toMatchObject([
      { cause: 'network', message: expect.stringMatching(/^dead: No connection/), exitCode: 4 },
      { cause: 'configuration', message: expect.stringMatching(/^empty: Not set/), exitCode: 2 },
    ]);
    const table = await run(settlements('--all-profiles', '--format', 'table'));
    expect(table.stdout).toMatch(/^INCOMPLETE\n3 profiles: 1 balanced, 2 not read\.\n/);
    expect(table.stdout).toMatch(/^dead +not read +No connection to/m);
    expect(table.stdout).toMatch(/^dead: NOT READ\n/m);
    expect(table.stderr).toContain('error: dead: No connection to');
  });

  it('leaves no file if all fail, because an empty file would replace the last one', async () => {
    const run = await withProfiles(profileOf('dead', unreachable), '[profiles.empty]\n');
    const folder = await temporaryFolder();
    const path = join(folder, 'report.csv');
    await writeFile(path, 'before');
    const { exitCode, stderr } = await run(settlements('--all-profiles', '--output', path));
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/error: empty: Not set.*error: dead: No connection/s);
    expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([
      ['report.csv'],
      'before',
    ]);
  });

  test.each([
    [[1, 0, 2, 75, 4, 3, 5, 70], 70],
    [[1, 0, 2, 75, 4, 3, 5], 5],
    [[1, 0, 2, 75, 4, 3], 3],
    [[1, 0, 2, 75, 4], 4],
    [[1, 0, 2, 75], 75],
    [[1, 0, 2], 2],
    [[1, 0], 1],
    [[0, 0], 0],
    [[], 0],
  ])('gives the exit code by its weight: %j is %i', (codes, code) => {
    expect(exitCodeOfSeveral(codes)).toBe(code);
    expect(exitCodeOfSeveral([...codes].reverse())).toBe(code);
  });
});

describe('a command line for several profiles', () => {
  it.each([
    { args: ['--profile', 'spain,sweden'], says: ['Unknown profile sweden.', 'spain, italy'] },
    { args: ['--profile', 'spain,'], says: ['--profile has an empty name.'] },
    {
      args: ['--profile', 'spain', '--all-profiles'],
      says: ['--all-profiles cannot be combined with --profile.'],
    },
    {
      args: ['--all-profiles', '--dry-run'],
      says: ['--dry-run cannot be combined with several profiles.'],
    },
    {
      args: ['--all-profiles', '--from-export', '.'],
      says: ['--from-export cannot be combined with several profiles.'],
    },
    { args: ['--all-profiles', '--identity', 'net'], says: ['Unknown value for identity'] },
    { args: ['--all-profiles', '--config', 'none.toml'], says: ['not found: none.toml'] },
  ])('is wrong: $args', async ({ args, says }) => {
    const { run, spain } = await twoCountries();
    const { exitCode, stdout, stderr } = await run(settlements(...args));
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    for (const text of says) expect(stderr).toContain(text);
    // Once, whatever is wrong for each of them.
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
    expect(spain.sandbox.requests).toEqual([]);
  });

  it('is wrong without profiles', async () => {
    const run = await withProfiles('');
    const { exitCode, stderr } = await run(settlements('--all-profiles'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: No profiles in .*config\.toml\.\n/);
    const none = await runRecon(settlements('--all-profiles'));
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: Configuration file not found: .*config\.toml\.\n/),
    ]);
  });

  it('is refused by a command for one profile, with a hint', async () => {
    const { run } = await twoCountries();
    const { exitCode, stderr } = await run(['explain', ...march, '--profile', 'spain,italy']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Unknown profile spain,italy.');
    expect(stderr).toContain('only recon settlements, bank, close and nightly take several');
  });

  it('means one profile if that is its name', async () => {
    const service = await startService('balanced');
    const run = await withProfiles(
      profileOf('"spain,italy"', service.sandbox.baseUrl),
      profileOf('spain', unreachable),
    );
    const { exitCode, stdout } = await run(settlements('--profile', 'spain,italy', '--json'));
    expect(exitCode).toBe(0);
    expect(readReport(stdout).settings['profile']).toBe('spain,italy');
  });

  it('never reads one account under several names', async () => {
    const { run, spain, italy } = await twoCountries();
    for (const env of [{ RECON_CLIENT_ID: 'x' }, { RECON_CLIENT_SECRET_FILE: '/none' }]) {
      const { exitCode, stderr } = await run(settlements('--all-profiles'), { env });
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/RECON_CLIENT_(ID|SECRET) overrides client_\w+ in every profile\./);
    }
    expect([...spain.sandbox.requests, ...italy.sandbox.requests]).toEqual([]);
    // What no profile sets is theirs together.
    const shared = connectionTo(spain.sandbox.baseUrl);
    const both = await withProfiles('[profiles.a]', '[profiles.b]');
    expect((await both(settlements('--all-profiles'), { env: shared })).exitCode).toBe(1);
  });
});

describe('a night of several profiles', () => {
  it('writes a folder for each, and one that fails does not stop the others', async () => {
    const service = await startService('balanced');
    const run = await withProfiles(
      profileOf('dead', unreachable),
      profileOf('italy', service.sandbox.baseUrl),
    );
    const out = join(await temporaryFolder(), 'out');
    const { exitCode, stdout, stderr } = await run([
      ...['nightly', '--all-profiles', '--out', out, '--since', '2026-04-03', '--json'],
    ]);
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      profiles: [
        { profile: 'dead', exitCode: 4 },
        { profile: 'italy', verdict: 'balanced', exitCode: 0 },
      ],
    });
    expect(stderr).toContain('dead: No connection to');
    expect(await readdir(join(out, 'italy'))).toEqual(
      expect.arrayContaining(['2026-04-03', '2026-04-04', 'nightly.json']),
    );
  });
});

/** Counts the requests that a slow sandbox is answering at the same time. */
class CountingClock extends FakeClock {
  most = 0;
  #now = 0;

  override async sleep(): Promise<void> {
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    this.#now -= 1;
  }
}

describe('profiles of one service', () => {
  it('share its limits: no more requests at a time than one alone', async () => {
    const clock = new CountingClock(noon);
    const rows = purchases(20);
    const scenario = scenarioOf([1, 2, 3, 4, 5].map((day) => ({ date: `2026-03-0${day}`, rows })));
    const faults = parseFaults(['slow=1@rows', 'page-max=5']);
    const sandbox = await startSandbox({ scenario, faults, clock });
    try {
      const run = await withProfiles(
        profileOf('spain', sandbox.baseUrl, 'concurrency = 6'),
        profileOf('italy', sandbox.baseUrl, 'concurrency = 3'),
      );
      const alone = await run(settlements('--profile', 'spain'));
      expect([alone.exitCode, clock.most]).toEqual([0, 6]);
      clock.most = 0;
      const { exitCode, stdout } = await run(settlements('--all-profiles'));
      expect([exitCode, clock.most]).toEqual([0, 3]);
      expect(readRecords(stdout)).toHaveLength(10);
    } finally {
      await sandbox.close();
    }
  });
});

describe('profiles of one V1 key', () => {
  it('never sign the same second twice', async () => {
    const { sandbox, clock } = await startService('balanced');
    const run = await withProfiles(
      ...['spain', 'italy'].map((name) => profileOf(name, sandbox.baseUrl, 'auth = "v1"')),
    );
    const { exitCode, stdout } = await run(settlements('--all-profiles'), { clock });
    expect(exitCode).toBe(0);
    expect(readRecords(stdout)).toHaveLength(18);
    expect(sandbox.requests.filter(({ code }) => code !== '0')).toEqual([]);
  });
});

describe('a run of several profiles', () => {
  it('ends with an interruption', async () => {
    const signals = new EventEmitter();
    const hanging = await startServer(
      afterToken(() => {
        signals.emit('SIGINT');
        return undefined;
      }),
    );
    const service = await startService('balanced');
    const run = await withProfiles(
      profileOf('spain', hanging.url),
      profileOf('italy', service.sandbox.baseUrl),
    );
    const onStart = (given: EventEmitter) => {
      signals.on('SIGINT', () => given.emit('SIGINT'));
    };
    const { exitCode, stdout, stderr } = await run(settlements('--all-profiles', '-q'), {
      onStart,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
    expect(stderr).toBe('error: The run was interrupted.\n');
  });

  const host = { argv: [], env: {}, stderr: { write: () => true } } as unknown as Context['host'];
  const contexts = (clock: FakeClock, flags: Flags = {}) =>
    ['spain', 'italy'].map((profile) => {
      const surroundings = {
        host,
        clock,
        random: () => 0.5,
        signal: new AbortController().signal,
        limit: () => {},
      };
      const messages = new Messages({}, surroundings);
      return { profile, context: { ...surroundings, flags, messages } };
    });

  const outOfTime = new ReconError('network', 'out of time');
  const untilOver = ({ limit, signal }: Context, ms: number) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      limit(ms, () => outOfTime);
    });

  it('ends for only one of them if the time of that one is over', async () => {
    const outcomes = await runSideBySide(contexts(new FakeClock()), ({ profile, context }) =>
      profile === 'italy' ? Promise.resolve('read') : untilOver(context, 0),
    );
    expect(outcomes).toMatchObject([
      { profile: 'spain', error: outOfTime, exitCode: 4 },
      { profile: 'italy', result: 'read' },
    ]);
  });

  it('counts the time of the command line from the beginning of all', async () => {
    const clock = new FakeClock();
    const runs = contexts(clock, { timeout: '1h' });
    const outcomes = await runSideBySide(runs, async ({ context }) => {
      await clock.sleep(3_600_000);
      return untilOver(context, 3_600_000);
    });
    expect(outcomes).toMatchObject([{ error: outOfTime }, { error: outOfTime }]);
  });

  it('ends for only one of them if a bug occurs', async () => {
    const outcomes = await runSideBySide(contexts(new FakeClock()), async ({ profile }) => {
      if (profile === 'spain') throw new TypeError('x is not a function');
      return 'read';
    });
    expect(outcomes).toMatchObject([
      { exitCode: 70, error: { failure: 'bug', message: 'TypeError: x is not a function' } },
      { result: 'read' },
    ]);
  });
});
