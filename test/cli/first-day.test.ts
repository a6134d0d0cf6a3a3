import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { startServer } from './server.ts';
import { connectionTo, march, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

// What somebody meets on a first day: settings that are wrong, ids that are pasted, days to come.

const missingRow = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';

/** `recon settlements` by a configuration file. */
async function byFile(
  toml: string,
  env: Readonly<Record<string, string>> = {},
  ...words: string[]
) {
  const home = await temporaryFolder();
  const folder = join(home, '.config', 'recon');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'config.toml');
  await writeFile(path, toml, { mode: 0o600 });
  const args = words.length > 0 ? words : ['settlements', ...march];
  return { path, ...(await runRecon(args, { env: { ...env, HOME: home } })) };
}

describe('the configuration file', () => {
  it.each([
    ['base_url = "https://x.example', 2, 'the quote at the start of the value is not closed'],
    ["audience = 'x", 2, 'the quote at the start of the value is not closed'],
    ['pending_days = 14 days', 2, 'the value must be in quotes, such as "14 days"'],
    ['timeout = 30s', 2, 'the value must be in quotes'],
    ['auth = v1', 2, 'the value must be in quotes'],
  ])('that says %s is malformed in line %i: %s', async (line, number, says) => {
    const { exitCode, stderr } = await byFile(`[profiles.main]\n${line}\nidentity = "off"\n`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`malformed at line ${number}, `);
    expect(stderr).toContain(says);
  });

  it('with several profiles needs the name of one, in one of three ways', async () => {
    const { path, exitCode, stderr } = await byFile('[profiles.main]\n[profiles.japan]\n');
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      2,
      'error: No profile chosen: main, japan.',
    ]);
    for (const way of ['--profile NAME', 'RECON_PROFILE', 'default_profile = "NAME"', path]) {
      expect(stderr).toContain(way);
    }
    expect(stderr).not.toContain('base_url');
  });

  it('with several profiles is not needed if the environment sets all', async () => {
    const { env } = await startService('balanced');
    expect((await byFile('[profiles.a]\n[profiles.b]\n', env)).exitCode).toBe(0);
  });

  it('with a name for an account that never occurs is reported by doctor', async () => {
    const { env } = await startService('month');
    const names = 'names = { "3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601" = "Shop", "nobody" = "Lost" }';
    const doctor = ['doctor', '--days', '30', '--json'];
    const { stdout } = await byFile(`[profiles.main]\n${names}\n`, env, ...doctor);
    const checks: { check: string; level: string; found: string }[] = JSON.parse(stdout).checks;
    expect(checks.find(({ check }) => check === 'names')).toMatchObject({
      level: 'warning',
      found: expect.stringMatching(/^In none of \d+ settlements: nobody \(Lost\)\.$/),
    });
  });
});

describe('the folders and files of the settings', () => {
  const statement = [
    'Konto;Datum;Betrag;Währung;Text',
    'DE79123456780000143027;02.03.2026;-1,00;EUR;Miete',
    'DE79123456780000143027;05.03.2026;3452,72;EUR;Zahlung',
    '',
  ].join('\n');
  const mapping =
    '[profiles.main.bank_csv]\ndelimiter = ";"\ndecimal = ","\ndate = "Datum"\ndate_format = "DD.MM.YYYY"\namount = "Betrag"\ncurrency = "Währung"\naccount = "Konto"\ntexts = ["Text"]\n';

  it('are looked at by doctor: what is in them, or that they are missing, with their full names', async () => {
    const { env } = await startService('month');
    const folder = await temporaryFolder();
    const path = join(folder, 'config.toml');
    await mkdir(join(folder, 'bank'));
    await writeFile(join(folder, 'bank', 'a.csv'), statement);
    await writeFile(join(folder, 'bank', 'b.csv'), statement.replaceAll('.03.', '.04.'));
    const settings = 'statements = "bank"\norders = "shop"\naccepted = "kept/accepted.csv"\n';
    const closes = `closes = ${JSON.stringify(join(folder, 'closes.csv'))}\n`;
    const toml = `[profiles.main]\n${settings}${closes}${mapping}`;
    await writeFile(path, toml, { mode: 0o600 });
    const run = (...words: string[]) => runRecon([...words, '--config', path], { env });
    const { stdout, exitCode } = await run('doctor', '--days', '30', '--json');
    const checks: { check: string; level: string; found: string; whatToDo: string | null }[] =
      JSON.parse(stdout).checks;
    const of = (name: string) => checks.find(({ check }) => check === name);
    expect([exitCode, of('configuration')?.found]).toEqual([0, expect.stringContaining('All')]);
    expect(of('statements')).toMatchObject({
      level: 'ok',
      found: `2 files in ${join(folder, 'bank')}, 2026-03-02 to 2026-04-05.`,
    });
    const starts = 'A relative path in a profile starts at the folder of the configuration file.';
    expect(of('orders')).toMatchObject({
      level: 'warning',
      found: `Orders not found: ${join(folder, 'shop')}.`,
      whatToDo: expect.stringContaining(starts),
    });
    expect(of('registers')).toMatchObject({
      level: 'warning',
      found: expect.stringContaining(`This folder does not exist: ${join(folder, 'kept')}.`),
    });
    const { stderr } = await run('orders', ...march);
    expect(stderr).toContain(join(folder, 'shop'));
    expect(stderr).toContain(starts);
  });

  it('that cannot be read yet are named with what to set', async () => {
    const { env } = await startService('month');
    const folder = await temporaryFolder();
    const path = join(folder, 'config.toml');
    await mkdir(join(folder, 'bank'));
    await writeFile(join(folder, 'bank', 'a.csv'), statement);
    const found = async (toml: string) => {
      await writeFile(path, `[profiles.main]\nstatements = "bank"\n${toml}`, { mode: 0o600 });
      const args = ['doctor', '--days', '30', '--config', path, '--json'];
      const { stdout } = await runRecon(args, { env });
      const checks: { check: string }[] = JSON.parse(stdout).checks;
      return checks.find(({ check }) => check === 'statements');
    };
    const whatToDo = expect.stringContaining('bank_csv');
    expect(await found('')).toMatchObject({ level: 'warning', whatToDo });
    await writeFile(join(folder, 'bank', 'b.csv'), 'A;B\n1;2\n');
    expect(await found(mapping)).toMatchObject({
      level: 'warning',
      found: expect.stringMatching(/2 files.*2026-03-02 to 2026-03-05.*b\.csv/),
    });
  });
});

describe('a wrong address', () => {
  it.each([[['settlements', ...march], '/v1', 'recon adds /v1/merchant/settlement to it']])(
    'is reported for %s with its place, and with what recon adds',
    async (args, path, says) => {
      const { env, sandbox } = await startService('month');
      const wrong = { ...env, RECON_BASE_URL: `${sandbox.baseUrl}${path}` };
      const { stderr } = await runRecon(args, { env: wrong });
      expect(stderr).toContain(`base_url, which is from environment RECON_BASE_URL: ${says}`);
      expect(stderr).not.toContain('auth_url');
    },
  );

  it('of the token exchange is reported as such', async () => {
    const { url } = await startServer(() => ({ status: 404, body: 'not here' }));
    const { stderr } = await runRecon(['settlements', ...march], { env: connectionTo(url) });
    expect(stderr).toContain(
      'auth_url, which is from environment RECON_AUTH_URL: recon adds /oauth/token',
    );
  });
});

describe('an id', () => {
  it.each([
    ` ${missingRow}`,
    `"${missingRow}"`,
    `{${missingRow}}`,
    `'${missingRow}',`,
    `\t${missingRow} `,
  ])('is accepted as pasted: %s', async (id) => {
    const { exitCode, stdout } = await runRecon([
      'explain',
      id,
      '--sandbox',
      '--neighbours',
      '0',
      '--json',
    ]);
    expect([exitCode, JSON.parse(stdout).settlements[0].id]).toEqual([1, missingRow]);
  });

  it('that is unknown may be the id of another object, and the error says so', async () => {
    const { exitCode, stderr } = await runRecon([
      'explain',
      missingRow.replace('be', 'bf'),
      '--sandbox',
    ]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('It may be the id of a transaction, or of a charge');
  });
});

describe('a report', () => {
  it('of a month in the future says so', async () => {
    const { exitCode, stderr } = await runRecon(['settlements', '--sandbox', '--month', '2027-01']);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('The range is in the future.');
    const past = await runRecon(['settlements', '--sandbox', '--month', '2026-03']);
    expect(past.stderr).not.toContain('in the future');
  });

  it('in a file is confirmed on a terminal only', async () => {
    const path = join(await temporaryFolder(), 'march.csv');
    const args = ['settlements', '--sandbox', '--output', path];
    const env = { CI: '1' };
    const shown = await runRecon(args, { env, stderrColumns: 300 });
    expect(shown.stderr).toContain(`Written: ${path}\n`);
    expect((await runRecon(args, { env })).stderr).not.toContain('Written');
    const quiet = await runRecon([...args, '--quiet'], { env, stderrColumns: 300 });
    expect(quiet.stderr).not.toContain('Written');
  });

  it('of a settlement without a cause suggests to accept it', async () => {
    const id = 'dea6d695-dc38-5d75-b23b-cd0b86313cbe';
    const args = ['--sandbox', '--neighbours', '0', '--format', 'table'];
    const { stdout } = await runRecon(['explain', id, ...args]);
    expect(stdout).toContain(`recon accept ${id} --sandbox --difference 5.00 --reason`);
    expect((await runRecon(['explain', missingRow, ...args])).stdout).not.toContain('recon accept');
  });
});

describe('an export', () => {
  it('is verified by its folder', async () => {
    const folder = await temporaryFolder();
    await runRecon(['export', '--sandbox', '--on', '2026-03-05', '--out', folder]);
    const verified = await runRecon(['export', '--verify', folder]);
    expect(verified).toEqual(await runRecon(['export', '--verify', '--out', folder]));
    expect([verified.exitCode, verified.stderr]).toEqual([
      0,
      expect.stringContaining('1 day intact'),
    ]);
    for (const args of [[folder], ['--verify'], []]) {
      const { exitCode, stderr } = await runRecon(['export', '--sandbox', ...args]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--out <folder>')]);
    }
  });

  it('that is damaged has its file named in the headline', async () => {
    const folder = await temporaryFolder();
    await runRecon(['export', '--sandbox', '--on', '2026-03-05', '--out', folder]);
    const day = join(folder, '2026-03-05');
    const [file = ''] = (await readdir(day)).filter((name) => name.startsWith('source.'));
    await rm(join(day, file));
    const { stderr } = await runRecon(['settlements', '--from-export', folder]);
    expect(stderr.split('\n').find((line) => line.startsWith('error: '))).toContain(
      join(day, file),
    );
  });
});
