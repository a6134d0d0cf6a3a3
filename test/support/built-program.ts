import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const root = join(import.meta.dirname, '..', '..');
export const program = join(root, 'bin', 'recon.js');

export interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** The exit code; or the signal that ended the process. */
  readonly ended: Promise<number | string | null>;
}

/** Starts the built program; it doesn't outlive the test. */
export function start(
  args: readonly string[],
  {
    stdout = 'pipe',
    env = {},
    cwd = root,
  }: { stdout?: 'pipe' | number; env?: Record<string, string>; cwd?: string } = {},
): Started {
  const { PATH: path, TZ: zone } = process.env;
  // Compiling well, WebAssembly too, takes a short run a third of its time, and does not pay there.
  const child = spawn(process.execPath, ['--liftoff-only', '--no-opt', program, ...args], {
    cwd,
    env: { PATH: path, TZ: zone, HOME: '/nonexistent', NO_COLOR: '1', ...env },
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
export function until(read: () => string, wanted: RegExp, { child }: Started): Promise<void> {
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
