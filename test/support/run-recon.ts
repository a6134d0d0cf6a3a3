import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { Stream } from '../../src/cli/host.ts';
import { main } from '../../src/cli/main.ts';
import { testFaults } from '../sandbox/faults.ts';
import { FakeClock } from './fake-clock.ts';
import { expectValidJson } from './valid-json.ts';

/** A fixed moment for runs that ask for the day: 5 April 2026, noon UTC. */
export const noon = Date.UTC(2026, 3, 5, 12);

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The width of the terminal; absent for a pipe. */
  readonly columns?: number;
  /** The height of the terminal; a terminal without one does not say. */
  readonly rows?: number;
  /** The width of standard error. A progress line would want more of it: only with CI set. */
  readonly stderrColumns?: number;
  /** What a person at a terminal types: one text for each question, then Ctrl-C. */
  readonly answers?: readonly string[];
  readonly clock?: Clock;
  /** Called with the run's signals, so that a test can interrupt it. */
  readonly onStart?: (signals: EventEmitter) => void;
  /** Takes each piece of standard output; the next one waits for it. What it throws, the stream does. */
  readonly onOutput?: (text: string) => void | Promise<void>;
  /** The user's number, by which permissions of files are judged. */
  readonly uid?: number;
  /** The process that it runs as; this one by default. */
  readonly pid?: number;
  /** Whether another process is there. */
  readonly isRunning?: (pid: number) => boolean;
  /** `recon sandbox` prints its credentials on purpose; any other run may not. */
  readonly mayPrintSecrets?: boolean;
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As `onOutput`: the reader of standard output has gone away. */
export function closedPipe(): void {
  throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
}

/** Runs the whole program in this process, as `recon ARGS` would, and collects what it says. */
export async function runRecon(
  args: readonly string[],
  {
    env = {},
    columns,
    rows,
    answers,
    stderrColumns = answers && 80,
    clock = new FakeClock(noon),
    onStart,
    onOutput,
    uid,
    pid = process.pid,
    isRunning = (other) => process.kill(other, 0),
    mayPrintSecrets = false,
  }: RunOptions = {},
): Promise<RunResult> {
  const stdout = new Collector(columns, onOutput, rows);
  const keyboard = answers && typist(answers);
  const stderr = new Collector(stderrColumns, keyboard?.onOutput);
  const signals = new EventEmitter();
  onStart?.(signals);
  // What one run remembers, no other one meets.
  const state = join(tmpdir(), `recon-state-${randomUUID()}`);
  const home = env['HOME'] === undefined ? { HOME: '/nonexistent', XDG_STATE_HOME: state } : {};
  const exitCode = await main(
    {
      argv: ['node', 'recon', ...args],
      // A home without a configuration file.
      env: { ...home, ...env },
      ...(keyboard && { stdin: keyboard.stdin }),
      stdout,
      stderr,
      on: (signal, listener) => signals.on(signal, listener),
      off: (signal, listener) => signals.off(signal, listener),
      ...(uid !== undefined && { getuid: () => uid }),
      pid,
      kill: isRunning,
    },
    { clock, random: () => 0.5, faultKinds: testFaults },
  );
  // What was written last may still wait for what was written before.
  await new Promise<unknown>((taken) => stderr.write('', taken));
  // At once: a test may have the file system end with a run.
  rmSync(state, { recursive: true, force: true });
  const result = { exitCode, stdout: stdout.text, stderr: stderr.text };
  if (!mayPrintSecrets) expectNoSecrets(result, env);
  await expectValidJson(args, result);
  return result;
}

/** A keyboard on which the next answer is typed whenever a question appears. */
function typist(answers: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const left = [...answers];
  const onOutput = (text: string) => {
    // The mark of an open question; a closed one has another.
    if (text.includes('◆')) setImmediate(() => stdin.write(left.shift() ?? '\u0003'));
  };
  return { stdin, onOutput };
}

/** The access tokens of the sandbox: 24 bytes in base64url. */
const accessToken = /(?<![\w-])[\w-]{32}(?![\w-])/;

/** Three parts of base64url, the first of which begins a JSON object. */
const signedToken = /eyJ[\w-]+\.[\w-]+\.[\w-]+/;

/** No client secret and no access token is in what a run says. */
export function expectNoSecrets(
  { stdout, stderr }: Pick<RunResult, 'stdout' | 'stderr'>,
  env: Readonly<Record<string, string>> = {},
): void {
  const said = stdout + stderr;
  const configured = ['CLIENT_SECRET', 'JWT_SECRET', 'NOTIFY_URL'].map(
    (key) => env[`RECON_${key}`],
  );
  for (const secret of ['sandbox-client-secret', 'sandbox-jwt-secret', ...configured]) {
    if (secret) expect(said).not.toContain(secret);
  }
  expect(said).not.toMatch(accessToken);
  expect(said).not.toMatch(signedToken);
  expect(said).not.toMatch(/bearer [\w-]/i);
}

/** A stream that keeps what is written to it, and looks like a terminal where it has columns. */
class Collector extends Writable implements Stream {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly #onOutput: RunOptions['onOutput'];
  #chunks: Buffer[] = [];

  constructor(columns: number | undefined, onOutput?: RunOptions['onOutput'], rows = 0) {
    super();
    this.#onOutput = onOutput;
    this.isTTY = columns !== undefined;
    this.columns = columns ?? 0;
    this.rows = rows;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#chunks.push(chunk);
    Promise.resolve(chunk.toString('utf8'))
      .then(this.#onOutput)
      .then(() => done(), done);
  }
}
