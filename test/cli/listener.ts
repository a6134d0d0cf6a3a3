import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Stream } from '../../src/cli/host.ts';
import { main } from '../../src/cli/main.ts';
import { testFaults } from '../sandbox/faults.ts';
import { expectNoSecrets } from '../support/run-recon.ts';
import { expectValidJson } from '../support/valid-json.ts';
import { temporaryFolder } from './temporary.ts';

/** A line of `recon listen` as a program reads it. */
export interface EventLine {
  readonly event: string;
  readonly webhook: Readonly<Record<string, unknown>> & {
    readonly settlement?: { readonly id: string };
    readonly chargeId?: string;
  };
  readonly answer: string;
  readonly verdict: string | null;
  readonly settlement?: Readonly<Record<string, unknown>>;
  readonly charge?: Readonly<Record<string, unknown>>;
  readonly differences: readonly object[];
  readonly setAside: { readonly path: string; readonly reason: string } | null;
}

interface ListenerOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Where the journal is; a new folder unless given. */
  readonly journal?: string;
  readonly clock?: Clock;
  /** The width of the terminal; absent for a pipe. */
  readonly columns?: number;
}

/** `recon listen` at work in this process, until it is told to stop. */
export interface Listener {
  readonly url: string;
  readonly origin: string;
  readonly journal: string;
  readonly out: () => string;
  readonly err: () => string;
  /** The lines so far. */
  readonly lines: () => readonly EventLine[];
  /** Resolves as soon as so many lines are there. */
  until(lines: number): Promise<readonly EventLine[]>;
  /** Resolves as soon as standard output, or standard error, says it. */
  untilOut(wanted: RegExp): Promise<void>;
  untilSaid(wanted: RegExp): Promise<void>;
  post(body: unknown): Promise<number>;
  /** The exit code. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number>;
  /** The exit code, once it ends by itself. */
  readonly ended: Promise<number>;
}

export async function startListener({
  env,
  args = [],
  journal,
  clock = systemClock,
  columns,
}: ListenerOptions): Promise<Listener> {
  const folder = journal ?? (await temporaryFolder());
  const stdout = new Recorder(columns);
  const stderr = new Recorder(undefined);
  const signals = new EventEmitter();
  const ended = main(
    {
      argv: ['node', 'recon', 'listen', '--port', '0', '--journal', folder, ...args],
      env: { HOME: '/nonexistent', ...env },
      stdout,
      stderr,
      on: (signal, listener) => signals.on(signal, listener),
      off: (signal, listener) => signals.off(signal, listener),
      pid: process.pid,
      kill: (pid, signal) => process.kill(pid, signal),
    },
    { clock, random: () => 0.5, faultKinds: testFaults },
  );
  const stop = (signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM') => {
    signals.emit(signal);
    return ended;
  };
  onTestFinished(async () => {
    await stop();
    expectNoSecrets({ stdout: stdout.text, stderr: stderr.text }, env);
    await expectValidJson(['listen'], { exitCode: 0, stdout: stdout.text, stderr: stderr.text });
  });
  await Promise.race([stderr.until((text) => text.includes('Listening at')), ended]);
  const [, origin = '', path = ''] =
    /Listening at (http:\/\/[^/;,]+)(\/\w+)?/.exec(stderr.text) ?? [];
  const url = origin + path;
  const lines = () =>
    stdout.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as EventLine);
  return {
    url,
    origin,
    journal: folder,
    out: () => stdout.text,
    err: () => stderr.text,
    lines,
    until: async (count) => {
      await stdout.until((text) => text.split('\n').length > count);
      return lines();
    },
    untilOut: (wanted) => stdout.until((text) => wanted.test(text)),
    untilSaid: (wanted) => stderr.until((text) => wanted.test(text)),
    post: (body) => post(url, typeof body === 'string' ? body : JSON.stringify(body)),
    stop,
    ended,
  };
}

/** The HTTP status of a body that is sent. */
export async function post(url: string, body: string): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body });
  await answer.arrayBuffer();
  return answer.status;
}

class Recorder extends Writable implements Stream {
  readonly isTTY: boolean;
  readonly columns: number;
  text = '';

  constructor(columns: number | undefined) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns ?? 0;
  }

  async until(isThere: (text: string) => boolean): Promise<void> {
    while (!isThere(this.text)) await once(this, 'said');
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
    this.emit('said');
  }
}
