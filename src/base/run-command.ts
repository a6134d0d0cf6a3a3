import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ReconError } from './errors.ts';
import { failureCode } from './file-failures.ts';

interface CommandOptions {
  /** The setting with the command, for errors: the command itself may hold secrets. */
  readonly where: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** More than any credential needs. */
const outputLimit = 65_536;

/** The output of a shell command, without the final newline. No error contains any of it. */
export async function runCommand(
  command: string,
  { where, env, timeoutMs = 30_000, signal }: CommandOptions,
): Promise<string> {
  signal?.throwIfAborted();
  const failed = (failure: string) => {
    const hint = 'Run it in a terminal to see why. It must print only the value.';
    return new ReconError('configuration', `The command ${failure}.`, { where, hint });
  };
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const bounds = new AbortController();
  const tooLong = failed(`took longer than ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => bounds.abort(tooLong), timeoutMs);
  let printed = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    printed = Buffer.concat([printed, chunk]);
    if (printed.length > outputLimit) bounds.abort(failed('printed too much to be a credential'));
  });
  const stop = AbortSignal.any([bounds.signal, ...(signal ? [signal] : [])]);
  try {
    const [status, by] = await once(child, 'close', { signal: stop }).catch(() => {
      stop.throwIfAborted();
      throw failed('could not be started');
    });
    if (status !== 0)
      throw failed(by ? `was stopped by ${by}` : `failed with exit status ${status}`);
    const output = printed.toString('utf8').replace(/\r?\n$/, '');
    if (output === '') throw failed('succeeded with exit status 0, but printed nothing');
    return output;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    // A process that the command left behind may keep the pipe open.
    child.stdout.destroy();
  }
}

interface ProgramOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the program; its reason is thrown afterwards. */
  readonly signal: AbortSignal;
  readonly onMessage: (line: string) => void;
}

/** Milliseconds from SIGTERM to SIGKILL. */
const graceMs = 10_000;

/** Runs a program without a shell. `ended`: its status or signal; undefined if there is no such program. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { folder, env, signal, onMessage }: ProgramOptions,
): Promise<{ readonly printed: string; readonly ended: number | string } | undefined> {
  signal.throwIfAborted();
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  signal.addEventListener('abort', stop);
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const [last = '', ...lines] = (said + text).split('\n').reverse();
    said = last;
    for (const line of lines.reverse()) onMessage(line);
  });
  try {
    const [status, by] = await once(child, 'close');
    signal.throwIfAborted();
    if (said !== '') onMessage(said);
    return { printed: Buffer.concat(printed).toString('utf8'), ended: status ?? by };
  } catch (error) {
    if (absent.includes(failureCode(error))) return undefined;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  }
}

const absent: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'EACCES'];
