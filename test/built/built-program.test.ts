import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/temporary.ts';
import { root, start, until } from '../support/built-program.ts';
import { closedPipe, expectNoSecrets, runRecon } from '../support/run-recon.ts';

/** A report of two settlements. */
const few = ['settlements', '--sandbox', '--scenario', 'refund'];

describe('the built program', () => {
  it('prints its version', async () => {
    const { out, ended } = start(['--version']);
    expect(await ended).toBe(0);
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(out()).toBe(`${version}\n`);
  });

  it('loads all that every command needs as one file', async () => {
    const dist = join(root, 'dist');
    const loaded = new Set((await readdir(dist)).filter((name) => /^program-.*\.js$/.test(name)));
    for (const name of loaded) {
      const text = await readFile(join(dist, name), 'utf8');
      for (const [, next = ''] of text.matchAll(/^(?:\} from|import) "\.\/(.+)";$/gm))
        loaded.add(next);
    }
    // With what is needed for packages in CommonJS, and the name by which the program is loaded.
    expect(loaded.size).toBe(3);
  });

  it('gives the same bytes as in this process, and ends with the exit code', async () => {
    const flags = ['settlements', '--sandbox', '--format', 'json'];
    const { out, err, ended } = start(flags);
    expect(await ended).toBe(1);
    expect(out()).toBe((await runRecon(flags)).stdout);
    expectNoSecrets({ stdout: out(), stderr: err() });
  });

  it('ends with 70 and two lines if a file of it is gone, as while it is replaced', async () => {
    const folder = await temporaryFolder();
    for (const part of ['bin', 'dist', 'package.json']) {
      await cp(join(root, part), join(folder, part), { recursive: true });
    }
    const late = (await readdir(join(folder, 'dist'))).filter(
      (name) => !/^(main|program)/.test(name),
    );
    for (const name of late) await rm(join(folder, 'dist', name), { recursive: true });
    const run = spawnSync(process.execPath, [join(folder, 'bin', 'recon.js'), ...few], {
      encoding: 'utf8',
    });
    expect([run.status, run.stdout]).toEqual([70, '']);
    expect(run.stderr).toMatch(/^error: A file of recon itself cannot be used: .+\n {2}try: .+\n$/);
  });

  it('prints one sentence on wrong usage', async () => {
    const { out, err, ended } = start(['settlements', '--sandbox', '--formt', 'csv']);
    expect(await ended).toBe(2);
    expect(out()).toBe('');
    expect(err()).toContain('--format');
  });

  it.each(['json', 'ndjson', 'table'])('is silent in this process: %s', async (format) => {
    const run = await runRecon([...few, '--quiet', '--format', format], { onOutput: closedPipe });
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
  });

  it.each([
    { signal: 'SIGINT', exitCode: 130 },
    { signal: 'SIGTERM', exitCode: 143 },
  ] as const)('ends with $exitCode at once on $signal', async ({ signal, exitCode }) => {
    const started = start([...few, '--fault', 'slow=600000@rows']);
    await until(started.err, /inclusive/, started);
    started.child.kill(signal);
    expect(await started.ended).toBe(exitCode);
    expect(started.out()).toBe('');
    expect(started.err()).toContain('interrupted');
  });
});

it('keeps the registers of the sandbox in the current folder, and says so', async () => {
  const cwd = await temporaryFolder();
  const inFolder = async (...words: readonly string[]) => {
    const { err, ended } = start([...words, '--sandbox'], { cwd });
    return { exitCode: await ended, stderr: err() };
  };
  const id = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';
  const accept = ['accept', id, '--difference', '82.79', '--reason', 'known'];
  const first = await inFolder(...accept);
  expect(first.exitCode).toBe(0);
  expect(first.stderr).toContain(
    'Started the register of accepted differences: sandbox-accepted.csv\n',
  );
  const closing = ['close', '--record', '--by', 'Anna', '--force', '--note', 'known'];
  const closed = await inFolder(...closing);
  expect(closed).toMatchObject({ exitCode: 0 });
  expect(closed.stderr).toContain('Started the register of closes: sandbox-closes.csv\n');
  const seen = await inFolder('settlements', '--only', 'out-of-balance');
  for (const file of ['sandbox-accepted.csv', 'sandbox-closes.csv']) {
    expect(seen.stderr).toContain(`The sandbox has a register in this folder: ${file}\n`);
  }
  expect(seen.stderr).toContain('(1 accepted)');
});

describe('recon sandbox', () => {
  it('keeps running and prints the settings that reach it, until Ctrl-C', async () => {
    const service = start(['sandbox', '--scenario', 'offsetting']);
    await until(service.err, /Ctrl-C/, service);
    const settings = Object.fromEntries(
      service
        .out()
        .trimEnd()
        .split('\n')
        .map((line) => /^export (RECON_\w+)=(.*)$/.exec(line)?.slice(1) ?? ['', line]),
    );
    expect(Object.keys(settings)).toEqual([
      'RECON_BASE_URL',
      'RECON_AUTH_URL',
      'RECON_CLIENT_ID',
      'RECON_CLIENT_SECRET',
      'RECON_AUDIENCE',
      'RECON_JWT_PUBLIC_KEY',
      'RECON_JWT_SECRET',
    ]);
    const run = await runRecon(['settlements', '--month', '2026-03'], { env: settings });
    expect(run.exitCode).toBe(1);
    service.child.kill('SIGINT');
    expect(await service.ended).toBe(0);
  });

  it('ends with 2 and a message if the port is in use', async () => {
    const first = start(['sandbox']);
    await until(first.out, /RECON_AUDIENCE/, first);
    const port = /RECON_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)/.exec(first.out())?.[1] ?? '';
    const { exitCode, stderr } = await runRecon(['sandbox', '--port', port]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--port');
    expect(stderr).toContain(`port ${port} of 127.0.0.1: the port is in use`);
  });
});
