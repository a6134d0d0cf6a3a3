import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseProfileFile } from '../../src/config/config-file.ts';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'recon-home-'));
  file = join(home, '.config/recon/config.toml');
});
afterEach(() => rm(home, { recursive: true }));

const config = (words: string, options: RunOptions = {}) =>
  runRecon(['config', ...words.split(' ').filter(Boolean)], {
    ...options,
    env: { HOME: home, ...options.env },
  });
const permissions = async (path: string) => (await stat(path)).mode & 0o777;

async function writeConfig(toml: string) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, toml, { mode: 0o600 });
}

const wholeProfile = `[profiles.shop]
base_url = "https://shop.example.com"
auth_url = "https://auth.example.com"
client_id = "file-id"
client_secret = "file-s3cret"
audience = "file-audience"
`;

describe('recon config', () => {
  test('alone shows its help', async () => {
    const { exitCode, stdout, stderr } = await config('');
    expect(stdout).toMatch(/path.*show.*init/s);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test('names the nearest command to a mistyped one', async () => {
    const { exitCode, stderr } = await config('shwo');
    expect(stderr).toContain('Did you mean show?');
    expect(exitCode).toBe(2);
  });
});

describe('recon config path', () => {
  test.each([
    ['path', {}, () => file],
    ['path', { RECON_CONFIG: '/etc/recon.toml' }, () => '/etc/recon.toml'],
    ['path --config /a/b.toml', { RECON_CONFIG: '/etc/recon.toml' }, () => '/a/b.toml'],
  ])('prints the place in use only: %s %j', async (words, env, path) => {
    expect(await config(words, { env })).toEqual({
      exitCode: 0,
      stdout: `${path()}\n`,
      stderr: '',
    });
  });
});

test.each(['', 'relative', './home'])(
  'a HOME that is not an absolute path (%j) never gives a file of the current folder',
  async (HOME) => {
    const { stdout } = await config('path', { env: { HOME } });
    expect(stdout).toMatch(/^\/.*recon\/config\.toml\n$/);
    expect(stdout).not.toContain(process.cwd());
  },
);

describe('recon config show', () => {
  test('shows value and source of each setting, and no secret', async () => {
    await writeConfig(`${wholeProfile}tolerance = 5\n`);
    const env = { RECON_AUDIENCE: 'env-audience' };
    const { exitCode, stdout, stderr } = await config('show', { env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.split('\r\n');
    expect(lines[0]).toBe('setting,value,source');
    expect(lines).toContain(`base_url,https://shop.example.com,profile shop in ${file}`);
    expect(lines).toContain(`client_secret,[redacted],profile shop in ${file}`);
    expect(lines).toContain('audience,env-audience,environment RECON_AUDIENCE');
    expect(lines).toContain(`tolerance,5,profile shop in ${file}`);
    expect(lines).toContain('timeout,none,default');
    for (const format of ['table', 'json', 'ndjson']) {
      const shown = await config(`show --format ${format}`, { env });
      expect(shown.stdout).toContain('[redacted]');
      expect(shown.stdout).not.toContain('s3cret');
    }
  });

  test('works without settings, and says where to set them', async () => {
    const { exitCode, stdout, stderr } = await config('show', { columns: 120 });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${file} (default, does not exist yet)`);
    expect(stdout).toMatch(/base_url +not set/);
    expect(stdout).toMatch(/time_zone +UTC +default/);
    expect(stderr).toContain('recon config init');
    expect(stderr).toContain('RECON_BASE_URL');
    expect(stderr).toContain(`it asks for them and writes ${file}.`);
    expect((await config('show --quiet')).stderr).toBe('');
  });

  test('shows one of several profiles', async () => {
    await writeConfig(`${wholeProfile}[profiles.other]\nclient_id = "other-id"\n`);
    const { stdout } = await config('show --profile other --format json');
    const { file: place, profiles, settings } = JSON.parse(stdout);
    expect(place).toEqual({ path: file, source: 'default', exists: true });
    expect(profiles).toEqual(['shop', 'other']);
    expect(settings).toContainEqual({
      setting: 'client_id',
      value: 'other-id',
      source: `profile other in ${file}`,
    });
    expect(settings).toContainEqual({ setting: 'base_url', value: null, source: null });
  });

  test('writes a file on request', async () => {
    const path = join(home, 'settings.csv');
    expect((await config(`show --output ${path}`)).stdout).toBe('');
    expect(await readFile(path, 'utf8')).toMatch(/^setting,value,source\r\n/);
  });

  test('refuses an invalid configuration', async () => {
    await writeConfig('[profiles.shop]\nconcurrency = 0\n');
    const { exitCode, stderr } = await config('show');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`profile shop in ${file}`);
  });
});

describe('recon config init', () => {
  test('writes a file for its owner only, and says what to do next', async () => {
    const { exitCode, stdout, stderr } = await config('init');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain(`Wrote ${file}`);
    expect(stderr).toContain('  recon doctor\n');
    expect(await permissions(file)).toBe(0o600);
    expect(await permissions(dirname(file))).toBe(0o700);
    const shown = await config('show', { columns: 80 });
    expect(shown.stdout).toMatch(/profile +main/);
    expect(shown.stdout).toMatch(/base_url +not set/);
    expect(shown.stdout).toContain(basename(file));
    expect(shown.stderr).toContain('under [profiles.main] in that file');
  });

  test('uses the given profile name and place', async () => {
    const path = join(home, "it's/here.toml");
    const words = ['config', 'init', '--profile', 'spain', '--config', path];
    const { exitCode, stderr } = await runRecon(words);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("it'\\''s/here.toml'");
    const { profiles } = parseProfileFile(await readFile(path, 'utf8'), path);
    expect([...profiles.keys()]).toEqual(['spain']);
  });

  test('uses RECON_PROFILE for the profile, which would otherwise be unknown', async () => {
    const env = { RECON_PROFILE: 'italy' };
    expect((await config('init --quiet', { env })).stderr).toBe('');
    expect((await config('show', { env })).stdout).toContain(
      'profile,italy,environment RECON_PROFILE',
    );
  });

  test('never overwrites a file', async () => {
    await writeConfig(wholeProfile);
    const { exitCode, stderr } = await config('init');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(file);
    expect(stderr).toContain('--config');
    expect(await readFile(file, 'utf8')).toBe(wholeProfile);
    const link = join(home, 'link.toml');
    await symlink(join(home, 'none.toml'), link);
    expect((await config(`init --config ${link}`)).exitCode).toBe(2);
    expect((await config(`init --config ${home}`)).exitCode).toBe(2);
  });

  test.skipIf(process.getuid?.() === 0)('says where it has no permission to write', async () => {
    await chmod(home, 0o500);
    const { exitCode, stderr } = await config('init');
    await chmod(home, 0o700);
    expect(exitCode).toBe(5);
    expect(stderr).toContain(file);
  });

  test('says that a file is in the place of a folder', async () => {
    await writeFile(join(home, 'x'), '');
    const { exitCode, stderr } = await config(`init --config ${join(home, 'x/config.toml')}`);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('x/config.toml');
  });
});

test('a failure for missing settings suggests recon config init', async () => {
  const env = { HOME: home };
  const runs = [
    ['--on', 'today'],
    ['--on', 'today', '--profile', 'spain'],
    ['--on', 'today', '--config', join(home, 'none.toml')],
  ];
  for (const words of runs) {
    const { exitCode, stderr } = await runRecon(['settlements', ...words], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('recon config init');
  }
});

describe('recon config init at a terminal', () => {
  const secret = 'not-to-be-shown-1f9c';

  /** Answers to all questions: the connection, with the secret in a file of its own, then the rest. */
  function answersFor(env: Readonly<Record<string, string>>, ...rest: readonly string[]) {
    const of = (key: string) => `${env[`RECON_${key}`] ?? ''}\r`;
    return [of('BASE_URL'), of('AUTH_URL'), of('CLIENT_ID'), of('AUDIENCE'), ...rest];
  }

  /** A terminal on which nothing else than the answers says how to connect. */
  const asked = (answers: readonly string[], words: readonly string[] = []) =>
    runRecon(['config', 'init', ...words], {
      env: { HOME: home, CI: '1', NO_COLOR: '1' },
      answers,
      columns: 120,
      mayPrintSecrets: false,
    });

  test('asks, connects, and writes a file that works', async () => {
    const { env } = await startService('month');
    const path = join(home, 'secret.txt');
    const given = [
      ...['f', `${path}\r`, `${env['RECON_CLIENT_SECRET'] ?? ''}\r`],
      ...['Web shop\r', '\r', 'Japan "JP"\r'],
      ...[
        '\r',
        'DE89370400440532013000\r',
        'Example Payments\r',
        'statements\r',
        'orders\r',
        '2026-03-01\r',
      ],
    ];
    const { exitCode, stderr } = await asked(answersFor(env, ...given), ['--profile', 'shop']);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('The connection works.')]);
    expect(stderr).toContain('The newest settlement is of 2026-03-31.');
    expect(stderr).toContain('the account c27e9b14-08d3-4f6a-8e52-94b1f7603d03 (JPY)');
    expect(stderr).toContain('Next: check the settings');
    expect(stderr).not.toContain(env['RECON_CLIENT_SECRET']);
    expect([await permissions(file), await permissions(path)]).toEqual([0o600, 0o600]);
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(env['RECON_CLIENT_SECRET']);
    const { profiles } = parseProfileFile(text, file);
    expect(profiles.get('shop')).toMatchObject({
      base_url: env['RECON_BASE_URL'],
      client_secret_file: path,
      statements: resolve('statements'),
      orders: resolve('orders'),
      time_zone: new Intl.DateTimeFormat('en').resolvedOptions().timeZone,
      payout_accounts: 'DE89370400440532013000,Example Payments',
      books_from: expect.stringContaining('2026-03-01'),
      accepted: 'accepted.csv',
      closes: 'closes.csv',
      names: expect.stringContaining('Japan'),
    });
    const works = await runRecon(['settlements', '--month', '2026-03', '--format', 'csv'], {
      env: { HOME: home },
    });
    expect([works.exitCode, works.stdout.includes(',Web shop,')]).toEqual([1, true]);
  });

  test('says why it cannot connect, asks again with the answers, and keeps them if told', async () => {
    const { env } = await startService('month');
    const again = ['\r', '\r', '\r', '\r'];
    const answers = answersFor(env, ...['w', `${secret}\r`, 'a'], ...again, 'e');
    const { exitCode, stderr } = await asked([
      ...answers,
      // What is typed takes the place of the default.
      'Mars\r\u0015Asia/Tokyo\r',
      ...Array<string>(5).fill('\r'),
    ]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('does not work yet')]);
    expect(stderr).toContain('RECON_CLIENT_SECRET is not set here');
    expect(stderr).not.toContain(secret);
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(secret);
    const { profiles } = parseProfileFile(text, file);
    const main = profiles.get('main');
    expect(main).toMatchObject({ base_url: env['RECON_BASE_URL'], time_zone: 'Asia/Tokyo' });
    expect(main).not.toHaveProperty('payout_accounts');
  });

  test('writes nothing if it is left', async () => {
    expect(await asked(['https://pay.example\r'])).toMatchObject({ exitCode: 130 });
    await expect(readFile(file)).rejects.toThrow();
  });
});
