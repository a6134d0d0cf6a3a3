import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectNoSecrets, runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'bin', 'recon.js');

beforeAll(() => {
  if (existsSync(join(root, 'dist', 'main.js'))) return;
  execFileSync(process.execPath, ['esbuild.config.mjs'], { cwd: root, stdio: 'ignore' });
}, 60_000);

interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** The exit code; or the signal that ended the process. */
  readonly ended: Promise<number | string | null>;
}

/** Starts the built program; it doesn't outlive the test. */
function start(
  args: readonly string[],
  { stdout = 'pipe', env = {} }: { stdout?: 'pipe' | number; env?: Record<string, string> } = {},
): Started {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', NO_COLOR: '1', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const text = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk;
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, out: () => text.out, err: () => text.err, ended };
}

/** Waits until a stream has said something like `wanted`. */
function until(read: () => string, wanted: RegExp, { child }: Started): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (wanted.test(read())) resolve();
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.on('close', () => resolve());
    look();
  });
}

describe('the built program', () => {
  it('says its version', async () => {
    const { out, ended } = start(['--version']);
    expect(await ended).toBe(0);
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(out()).toBe(`${version}\n`);
  });

  it('does the main job, byte for byte as in this process, and ends with its exit code', async () => {
    const flags = ['settlements', '--sandbox', '--format', 'json'];
    const { out, err, ended } = start(flags);
    expect(await ended).toBe(1);
    expect(out()).toBe((await runRecon(flags)).stdout);
    expectNoSecrets({ stdout: out(), stderr: err() });
  });

  it('says one sentence on wrong usage', async () => {
    const { out, err, ended } = start(['settlements', '--sandbox', '--formt', 'csv']);
    expect(await ended).toBe(2);
    expect(out()).toBe('');
    expect(err()).toContain('--format');
  });

  it.each(['csv', 'json', 'ndjson', 'table'])(
    'is silent and 0 where its reader goes away: %s',
    async (format) => {
      const started = start(['settlements', '--sandbox', '--quiet', '--format', format]);
      started.child.stdout?.destroy();
      expect(await started.ended).toBe(0);
      expect(started.err()).toBe('');
    },
  );

  it('is 5 where standard output is full', async () => {
    const full = await open('/dev/full', 'w');
    const { err, ended } = start(['settlements', '--sandbox'], { stdout: full.fd });
    expect(await ended).toBe(5);
    expect(err()).toContain('error: ');
    await full.close();
  });

  it('writes to a file that is standard output', async () => {
    const path = join(await temporaryFolder(), 'out.csv');
    const file = await open(path, 'w');
    const flags = ['settlements', '--sandbox', '--scenario', 'refund'];
    expect(await start(flags, { stdout: file.fd }).ended).toBe(0);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe((await runRecon(flags)).stdout);
  });

  it.each([
    { signal: 'SIGINT', exitCode: 130 },
    { signal: 'SIGTERM', exitCode: 143 },
  ] as const)('ends with $exitCode at once on $signal', async ({ signal, exitCode }) => {
    const started = start(['settlements', '--sandbox', '--fault', 'slow=600000@rows']);
    await until(started.err, /both days/, started);
    started.child.kill(signal);
    expect(await started.ended).toBe(exitCode);
    expect(started.out()).toBe('');
    expect(started.err()).toContain('interrupted');
  });
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

  it('says so where the port is taken: exit 2', async () => {
    const first = start(['sandbox']);
    await until(first.out, /RECON_AUDIENCE/, first);
    const port = /RECON_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)/.exec(first.out())?.[1] ?? '';
    const { exitCode, stderr } = await runRecon(['sandbox', '--port', port]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--port');
  });
});
