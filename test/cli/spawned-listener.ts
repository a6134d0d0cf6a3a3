import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { program, root } from '../support/built-program.ts';
import type { EventLine } from './listener.ts';

/** The built program as `recon listen`, in a process of its own. */
export interface SpawnedListener {
  readonly child: ChildProcess;
  readonly url: string;
  readonly err: () => string;
  /** The whole lines that it wrote; half a line at a violent end is none. */
  readonly lines: () => readonly EventLine[];
  /** Resolves when `isDone`, which is asked each time that it writes, or when it ends. */
  until(isDone: () => boolean): Promise<void>;
  /** The exit code, or the signal that ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string | null>;
}

export async function spawnListener(
  journal: string,
  env: Readonly<Record<string, string>>,
): Promise<SpawnedListener> {
  const args = ['listen', '--port', '0', '--journal', journal];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let err = '';
  let rest = '';
  const lines: EventLine[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part) as EventLine);
  });
  let url: string | undefined;
  while (url === undefined) {
    await Promise.race([once(child.stderr, 'data'), ended]);
    if (child.exitCode !== null) throw new Error(`It has ended: ${err}`);
    url = /Listening at (\S+)[.,] /.exec(err)?.[1];
  }
  return {
    child,
    url,
    err: () => err,
    lines: () => lines,
    until: async (isDone) => {
      while (!isDone() && child.exitCode === null && child.signalCode === null) {
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
