import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

/** Three days of a month, with settlements in balance and out of it. */
const days: readonly string[] = ['--from', '2026-03-10', '--to', '2026-03-12'];
const sandbox: readonly string[] = ['settlements', '--sandbox', '--scenario', 'month', ...days];
const run = (...flags: readonly string[]) => runRecon([...sandbox, ...flags], { columns: 80 });

describe('a short way to write a flag', () => {
  it.each([
    [['--json'], ['--format', 'json']],
    [['-q'], ['--quiet']],
    [['--no-color'], ['--color', 'never']],
    [
      ['--format', 'JSON'],
      ['--format', 'json'],
    ],
  ])('%j has the effect of %j', async (short, long) => {
    expect(await run(...short)).toEqual(await run(...long));
  });

  it('-o writes to a file, whose suffix implies the format', async () => {
    const path = join(await temporaryFolder(), 'report.json');
    const { exitCode, stdout } = await run('-o', path);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(await readFile(path, 'utf8')).toBe((await run('--json')).stdout);
  });

  it('--json gives failures as JSON, also those of a wrong command line', async () => {
    for (const flags of [
      ['--json', '--frm'],
      ['--frm', '--json'],
      ['--json', '--only', 'x'],
    ]) {
      const { stderr } = await run(...flags);
      expect(JSON.parse(stderr)).toMatchObject({ error: { cause: 'usage', exitCode: 2 } });
    }
  });

  it('--no-color shows no colours on a terminal', async () => {
    const escapeSign = String.fromCharCode(27);
    expect((await run()).stdout).toContain(escapeSign);
    expect((await run('--no-color')).stdout).not.toContain(escapeSign);
  });
});

describe('flags that contradict each other', () => {
  it.each([
    { flags: ['--json', '--format', 'csv'], says: '--json cannot be combined with --format.' },
    {
      flags: ['--no-color', '--color', 'always'],
      says: '--no-color cannot be combined with --color.',
    },
    { flags: ['-q', '--verbose'], says: '--quiet cannot be combined with --verbose.' },
    { flags: ['--from-export', '.'], says: '--from-export cannot be combined with --sandbox.' },
  ])('are a usage error: $flags', async ({ flags, says }) => {
    const { exitCode, stdout, stderr } = await run(...flags);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain('Remove one of them');
  });
});

describe('a word of a list', () => {
  it.each([
    [
      ['--only', 'out-of-balance'],
      ['--only', 'out_of_balance'],
    ],
    [
      ['--only', 'Balanced,OUT-OF-BALANCE'],
      ['--only', 'balanced,out_of_balance'],
    ],
    [
      ['--fail-on', '+unusual_scale,pending'],
      ['--fail-on', '+unusual-scale,pending'],
    ],
    [
      ['--ignore', 'reported-by-service, Gross'],
      ['--ignore', 'reported_by_service,gross'],
    ],
    [
      ['--identity', 'GROSS-FEES'],
      ['--identity', 'gross-fees'],
    ],
    [
      ['--identity', 'gross_fees'],
      ['--identity', 'gross-fees'],
    ],
    [
      ['--fault', 'page_max=3'],
      ['--fault', 'page-max=3'],
    ],
  ])('is accepted with hyphens, underscores and capitals: %j', async (written, meant) => {
    const [one, other] = [await run(...written), await run(...meant)];
    expect(one.exitCode).toBeLessThanOrEqual(1);
    expect(one).toEqual(other);
  });

  it('is accepted in the same way as a scenario', async () => {
    const [one, other] = await Promise.all(
      ['offsetting_differences', 'offsetting-differences'].map((name) =>
        runRecon(['settlements', '--sandbox', '--scenario', name, '--json']),
      ),
    );
    expect(one?.stdout).toBe(other?.stdout);
  });
});

describe('a flag or command of other tools', () => {
  it.each([
    ['settlements --start 2026-03-01', 'Did you mean --from?'],
    ['settlements --since yesterday', 'Did you mean --from?'],
    ['settlements --end 2026-03-01', 'Did you mean --to?'],
    ['settlements --until=yesterday', 'Did you mean --to?'],
    ['settlements --date today', 'Did you mean --on?'],
    ['settlements --out x.csv', 'Did you mean --output?'],
    ['settlements --csv', 'Did you mean --format csv?'],
    ['settlements -v', 'Did you mean --verbose?'],
    ['settlements --verbos', 'Did you mean --verbose?'],
    ['settlements --concurency 3', 'Did you mean --concurrency?'],
    ['settlements --no-colour', 'Did you mean --no-color?'],
    ['settlements --timezone UTC', 'Set time_zone in the profile, or RECON_TIME_ZONE.'],
    ['settlements --currency EUR', 'Filter the output by its currency column.'],
    ['settlements --client-secret x', 'recon help environment'],
    ['settlements --wibble', 'recon help settlements --all lists all flags.'],
    ['settlements --xyz', 'recon help settlements --all lists all flags.'],
    ['transactions --status declined', 'Did you mean --state?'],
    ['settlements --output-file x', 'Did you mean --output?'],
    ['listen --json', 'Did you mean --format ndjson?'],
    ['config show --wibble', 'recon help config show --all lists all flags.'],
    ['-v', 'Did you mean --version?'],
    ['--sandbox', 'Start with a command'],
    ['reconcile', 'Did you mean settlements?'],
    ['list', 'Did you mean settlements?'],
    ['charges', 'Did you mean charge?'],
    ['init', 'Did you mean config init?'],
    ['configure', 'Did you mean config?'],
    ['config shwo', 'Did you mean show?'],
    ['import', 'recon help lists the commands.'],
    ['login', 'recon help lists the commands.'],
    ['help exit-code', 'Did you mean exit-codes?'],
    ['help wibble', 'recon help lists the commands.'],
  ])('is answered for recon %s: %s', async (words, hint) => {
    const { exitCode, stderr } = await runRecon(words.split(' '));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain('timeout');
  });

  it('is answered for -h with the help', async () => {
    const [short, long] = [await run('-h'), await run('--help')];
    expect(short).toEqual(long);
    expect(short.exitCode).toBe(0);
  });
});

it('recon transactions gives the same hint for an export as settlements, and uses its filters', async () => {
  const folder = join(await temporaryFolder(), 'export');
  await mkdir(folder);
  const mid = '1d0f5b3e-7a44-4c19-8e60-2b9f3c8d5a01';
  await runRecon(['export', '--sandbox', '--scenario', 'filters', '--mid', mid, '--out', folder]);
  const [listed, reported] = await Promise.all(
    ['transactions', 'settlements'].map((command) => runRecon([command, '--from-export', folder])),
  );
  const hint = /^To read this export again, add --from-export .* to the suggested commands\.$/m;
  expect(listed?.exitCode).toBe(0);
  expect(listed?.stderr.match(hint)?.[0]).toBe(reported?.stderr.match(hint)?.[0]);
  const { stdout } = await runRecon(['transactions', '--from-export', folder, '--json']);
  expect(JSON.parse(stdout).filters).toMatchObject({ mid });
});
