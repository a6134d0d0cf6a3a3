import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rawCharge } from '../../api/raw.ts';
import { type Reply, type Server, startServer, wrapped } from '../../cli/server.ts';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { uuid } from '../../support/build.ts';
import { start } from '../../support/built-program.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon, type RunOptions, type RunResult, runRecon } from '../../support/run-recon.ts';

/** The payload of a signed token (doc 5.1). */
interface Signed {
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
  readonly iss: string;
}

/** A service for signed requests that remembers what was signed. */
interface Notary {
  readonly server: Server;
  readonly signed: readonly Signed[];
  /** The seconds, in the order of arrival. */
  readonly seconds: () => readonly number[];
}

/** Answers charges and empty lists of settlements; `refuse` may put a failure in the place of an answer. */
async function startNotary(
  refuse: (request: number, token: Signed) => Reply | undefined = () => undefined,
): Promise<Notary> {
  const signed: Signed[] = [];
  const server = await startServer(({ path, headers }) => {
    const [, payload = ''] = (headers.authorization ?? '').replace('Bearer ', '').split('.');
    const token = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Signed;
    signed.push(token);
    const refused = refuse(signed.length, token);
    if (refused) return refused;
    if (!path.startsWith('/charge/')) return wrapped([]);
    return { body: rawCharge({ charge_id: path.slice('/charge/'.length) }) };
  });
  return { server, signed, seconds: () => signed.map(({ iat }) => iat) };
}

/** So many ids of charges. */
function charges(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => uuid(at + 1));
}

interface Run extends RunResult {
  /** How long it took, in virtual time. */
  readonly waited: number;
}

/** A run at a moment of its own, in virtual time: `recon charge` of so many, signed. */
async function sign(
  { server }: Notary,
  state: string,
  {
    count = 1,
    at = noon,
    args = charges(count),
    env = {},
    ...options
  }: RunOptions & {
    readonly count?: number;
    readonly at?: number;
    readonly args?: readonly string[];
  } = {},
): Promise<Run> {
  const clock = new FakeClock(at);
  const run = await runRecon(['charge', ...args, '--charge-auth', 'v1'], {
    clock,
    ...options,
    env: { ...server.env, XDG_STATE_HOME: state, ...env },
  });
  return { ...run, waited: clock.monotonic() / 1000 };
}

function expectAllNew({ seconds }: Notary, count: number): void {
  expect(seconds()).toHaveLength(count);
  expect(new Set(seconds()).size).toBe(count);
}

/** The file in which the seconds of a key are kept. */
async function fileIn(state: string): Promise<string> {
  const names = await readdir(join(state, 'recon'));
  const [name = '', ...others] = names.filter((one) => /^iat-[\w-]+$/.test(one));
  expect(name).not.toBe('');
  expect(others).toEqual([]);
  return join(state, 'recon', name);
}

const unavailable: Reply = { status: 503, body: 'busy' };

describe('processes at the same time', () => {
  /** Starts the program so many times at once, and lets each end. */
  async function startAll(notary: Notary, state: string, count: number, ...args: string[]) {
    const started = Array.from({ length: count }, () =>
      start(['charge', ...args, '--charge-auth', 'v1', '--json'], {
        env: { ...notary.server.env, XDG_STATE_HOME: state },
      }),
    );
    return Promise.all(started.map(async (one) => ({ code: await one.ended, err: one.err() })));
  }

  test('never sign the same second, with repeats too', async () => {
    // The first two requests fail once: what repeats them is signed anew.
    const notary = await startNotary((request) => (request <= 2 ? unavailable : undefined));
    const ends = await startAll(notary, await temporaryFolder(), 3, uuid(1));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expectAllNew(notary, 5);
    expect(notary.signed.every(({ iat, exp }) => exp > iat && exp - iat <= 3600)).toBe(true);
  });

  test('start in a new folder at the same moment', async () => {
    const notary = await startNotary();
    const state = join(await temporaryFolder(), 'not', 'yet', 'there');
    const ends = await startAll(notary, state, 3, uuid(1));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expectAllNew(notary, 3);
    const { mode } = await stat(await fileIn(state));
    expect(mode & 0o777).toBe(0o600);
  });

  test('that are killed do not stop the next one', async () => {
    const state = await temporaryFolder();
    const running: ReturnType<typeof start>[] = [];
    const notary = await startNotary((request) => {
      // Each is killed in the middle of its first request.
      if (request <= 2) for (const { child } of running) child.kill('SIGKILL');
      return undefined;
    });
    for (let run = 0; run < 2; run++) {
      const env = { ...notary.server.env, XDG_STATE_HOME: state };
      const one = start(['charge', uuid(1), uuid(2), '--charge-auth', 'v1'], { env });
      running.push(one);
      expect(await one.ended).toBe('SIGKILL');
    }
    const [last = Number.NaN] = notary.seconds().slice(-1);
    const run = await sign(notary, state, { at: last * 1000 });
    expect(run.exitCode).toBe(0);
    expect(run.waited).toBeLessThanOrEqual(6);
    expectAllNew(notary, 3);
  });
});

describe('a run in the same second as the one before', () => {
  test('signs seconds that the first one has not signed', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    for (const count of [2, 1, 1]) {
      const { exitCode } = await sign(notary, state, { count });
      expect(exitCode).toBe(0);
    }
    expectAllNew(notary, 4);
  });

  test('does so with every command', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state);
    const env = { ...notary.server.env, XDG_STATE_HOME: state, RECON_AUTH: 'v1' };
    const clock = new FakeClock(noon);
    const listed = await runRecon(['settlements', '--on', '2026-03-05'], { env, clock });
    expect(listed.exitCode).toBe(0);
    const { length } = notary.signed;
    expect(length).toBeGreaterThan(2);
    await sign(notary, state, { at: clock.now() });
    expectAllNew(notary, length + 1);
  });

  test('does so with several profiles of one key', async () => {
    const notary = await startNotary();
    const folder = await temporaryFolder();
    const config = join(folder, 'config.toml');
    const profiles = ['main', 'japan'].map((name) =>
      profileOf(name, notary.server.url, 'auth = "v1"'),
    );
    await writeFile(config, profiles.join('\n'), { mode: 0o600 });
    const run = await runRecon(
      ['settlements', '--on', '2026-03-05', '--config', config, '--all-profiles'],
      { env: { XDG_STATE_HOME: folder }, clock: new FakeClock(noon) },
    );
    expect(run.exitCode).toBe(0);
    expectAllNew(notary, notary.signed.length);
    expect(notary.signed.length).toBeGreaterThan(3);
  });

  test('does so with repeated requests', async () => {
    const notary = await startNotary((request) => (request % 2 === 1 ? unavailable : undefined));
    const state = await temporaryFolder();
    for (let run = 0; run < 2; run++) expect((await sign(notary, state)).exitCode).toBe(0);
    expectAllNew(notary, 4);
  });

  test('does so with a fraction of a second between them', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    for (const ms of [0, 1, 499, 500, 999]) await sign(notary, state, { at: noon + ms });
    expectAllNew(notary, 5);
  });
});

describe('the signed time', () => {
  test('is that of the clock if nobody else signs', async () => {
    const notary = await startNotary();
    const { waited } = await sign(notary, await temporaryFolder(), { count: 1 });
    expect(waited).toBeLessThan(1);
    expect(notary.seconds()).toEqual([noon / 1000]);
  });

  test('is not delayed if the last run was a minute ago', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { count: 3 });
    const { waited } = await sign(notary, state, { at: noon + 60_000 });
    expect(waited).toBeLessThan(1);
    expect(notary.seconds().at(-1)).toBe(noon / 1000 + 60);
  });

  test('is never more than a few seconds in the future', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    for (let run = 0; run < 6; run++) await sign(notary, state);
    for (const second of notary.seconds()) expect(second).toBeLessThan(noon / 1000 + 30);
  });
});

describe('a clock that was set back', () => {
  test.each([
    ['a minute', 60],
    ['an hour', 3600],
    ['a day', 86_400],
    ['ten years', 10 * 365 * 86_400],
  ])('by %s does not make a run wait for more than 5 seconds', async (_, seconds) => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { at: noon + seconds * 1000 });
    const { exitCode, waited } = await sign(notary, state);
    expect(exitCode).toBe(0);
    expect(waited).toBeLessThanOrEqual(5);
    // The service would refuse a time that is not there yet.
    const [, second = Number.NaN] = notary.seconds();
    expect(second).toBeGreaterThanOrEqual(noon / 1000);
    expect(second).toBeLessThanOrEqual(noon / 1000 + 5);
  });

  test('keeps the requests of one run apart, and the run waits once', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { at: noon + 3_600_000 });
    const { exitCode, waited } = await sign(notary, state, { count: 3 });
    expect(exitCode).toBe(0);
    expect(waited).toBeLessThanOrEqual(5 + 3);
    expectAllNew(notary, 4);
  });

  test('keeps later runs apart', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { at: noon + 3_600_000 });
    const first = await sign(notary, state);
    // The next one begins when this one has ended.
    const second = await sign(notary, state, { at: noon + 1000 * first.waited });
    for (const { exitCode, waited } of [first, second]) {
      expect(exitCode).toBe(0);
      expect(waited).toBeLessThanOrEqual(5);
    }
    expectAllNew(notary, 3);
  });
});

describe('two keys', () => {
  test('do not wait for each other', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { count: 4 });
    const env = { RECON_JWT_PUBLIC_KEY: 'another-key', RECON_JWT_SECRET: 'another-secret' };
    const { waited } = await sign(notary, state, { env });
    expect(waited).toBeLessThan(1);
    const { iat, iss } = notary.signed.at(-1) ?? {};
    expect({ iat, iss }).toEqual({ iat: noon / 1000, iss: 'another-key' });
    const names = await readdir(join(state, 'recon'));
    expect(names.filter((name) => /^iat-[\w-]+$/.test(name))).toHaveLength(2);
  });
});

describe('the file of signed seconds', () => {
  test('is for its owner only, and does not show the key', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    const { exitCode, stderr } = await sign(notary, state, { args: [uuid(1), '--quiet'] });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const file = await fileIn(state);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = file + (await readFile(file, 'utf8'));
    const { RECON_JWT_PUBLIC_KEY: key = '', RECON_JWT_SECRET: secret = '' } = notary.server.env;
    for (const word of [key, secret]) {
      expect(word).not.toBe('');
      expect(text).not.toContain(word);
      expect(text).not.toContain(Buffer.from(word).toString('hex'));
      expect(text).not.toContain(Buffer.from(word).toString('base64url'));
    }
  });

  test.each([
    ['nothing else is set', {}],
    ['another one is set to nothing', { XDG_STATE_HOME: '' }],
  ])('is in the home folder if %s', async (_, set) => {
    const notary = await startNotary();
    const home = await temporaryFolder();
    const env = { ...notary.server.env, HOME: home, ...set };
    const args = ['charge', uuid(1), '--charge-auth', 'v1'];
    expect((await runRecon(args, { env })).exitCode).toBe(0);
    await fileIn(join(home, '.local', 'state'));
  });

  test('is not written if requests have an access token', async () => {
    const state = await temporaryFolder();
    const env = { XDG_STATE_HOME: state };
    const { exitCode } = await runRecon(['settlements', '--sandbox', '--fail-on', 'none'], { env });
    expect(exitCode).toBe(0);
    expect(await readdir(state)).toEqual([]);
  });

  test('is one file, however often it is used', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    for (let run = 0; run < 3; run++) await sign(notary, state, { at: noon + run * 60_000 });
    await fileIn(state);
  });

  test.each([
    ['nothing', ''],
    ['words', 'yesterday\n'],
    ['half of a number', '17'],
    ['a negative number', '-5'],
    ['a number with a fraction', '1775390400.5'],
    ['a number without end', '9'.repeat(400)],
    ['a number beyond all dates', '9007199254740993'],
    ['no number', 'NaN'],
    ['JSON of another kind', '{"last":"soon"}'],
    ['bytes', '\u0000\u0001\u0002'],
    ['a long text', 'x'.repeat(100_000)],
  ])('with %s neither stops a run nor delays it', async (_, text) => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { at: noon - 60_000 });
    await writeFile(await fileIn(state), text);
    const { exitCode, waited } = await sign(notary, state, { count: 2 });
    expect(exitCode).toBe(0);
    expect(waited).toBeLessThanOrEqual(5 + 2);
    const later = await sign(notary, state, { at: noon + 1000 * waited });
    expect(later.exitCode).toBe(0);
    expect(later.waited).toBeLessThanOrEqual(5);
    expectAllNew(notary, 4);
  });
});

describe('a lock that was left', () => {
  const kinds: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
    ['an empty file', (path) => writeFile(path, '')],
    ['the number of a process that is gone', (path) => writeFile(path, '4194303\n')],
    ['the same in JSON', (path) => writeFile(path, '{"pid":4194303,"host":"elsewhere"}')],
    ['a folder', (path) => mkdir(path)],
  ];

  test.each(kinds)('by %s is removed', async (_, leave) => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { at: noon - 60_000 });
    const file = await fileIn(state);
    const folder = dirname(file);
    const name = basename(file);
    for (const lock of [`${name}.lock`, `.${name}.lock`, `${name}.lck`, '.lock', 'lock']) {
      await rm(join(folder, lock), { recursive: true, force: true });
      await leave(join(folder, lock));
      const old = new Date('2020-01-01T00:00:00Z');
      await utimes(join(folder, lock), old, old);
    }
    const options = { isRunning: () => false, count: 2 };
    const { exitCode, waited } = await sign(notary, state, options);
    expect(exitCode).toBe(0);
    expect(waited).toBeLessThanOrEqual(5 + 2);
    await sign(notary, state, { at: noon + 1000 * waited });
    expectAllNew(notary, 4);
  });
});

describe('a folder that cannot be written', () => {
  /** The folder is named, or what sets it. */
  const told = (state: string) => new RegExp(`${state}|XDG_STATE_HOME`);

  async function unwritable(): Promise<string> {
    const file = join(await temporaryFolder(), 'a-file');
    await writeFile(file, '');
    return file;
  }

  test('is reported once, and the run continues', async () => {
    const notary = await startNotary();
    const state = await unwritable();
    const { exitCode, stdout, stderr, waited } = await sign(notary, state, { count: 3 });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(uuid(3));
    expect(stderr).toMatch(told(state));
    expect(waited).toBeLessThanOrEqual(3);
    expectAllNew(notary, 3);
    // As much is said of two requests as of three.
    const shorter = await sign(notary, state, { count: 2, at: noon + 60_000 });
    expect(shorter.stderr).toBe(stderr);
  });

  test('may be a file in its place', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await writeFile(join(state, 'recon'), 'mine');
    const { exitCode, stderr } = await sign(notary, state, { count: 2 });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(told(state));
    expect(await readFile(join(state, 'recon'), 'utf8')).toBe('mine');
    expectAllNew(notary, 2);
  });

  test('may be a folder in the place of the file', async () => {
    const notary = await startNotary();
    const state = await temporaryFolder();
    await sign(notary, state, { at: noon - 60_000 });
    const file = await fileIn(state);
    await rm(file);
    await mkdir(file);
    const { exitCode, waited } = await sign(notary, state, { count: 2 });
    expect(exitCode).toBe(0);
    expect(waited).toBeLessThanOrEqual(5 + 2);
    expectAllNew(notary, 3);
  });
});

describe('a refused signature', () => {
  test.each([
    ['by HTTP 401', { status: 401, body: 'replayed' }],
    [
      'by wrapper code 1002',
      { body: { status: { code: '1002', response: 'Fail', message: 'replayed' } } },
    ],
  ] as const)('with %s is tried again with another second', async (_, refusal) => {
    // As a service does to which somebody else, elsewhere, has sent this second.
    const notary = await startNotary((__, { iat }) => (iat === noon / 1000 ? refusal : undefined));
    const { exitCode } = await sign(notary, await temporaryFolder());
    expect(exitCode).toBe(0);
    expectAllNew(notary, 2);
  });

  test('that is always refused ends the run', async () => {
    const notary = await startNotary(() => ({ status: 401, body: 'no' }));
    const { exitCode, waited } = await sign(notary, await temporaryFolder());
    expect(exitCode).toBe(3);
    expect(waited).toBeLessThan(30);
    expectAllNew(notary, notary.signed.length);
  });
});
