import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ReconError } from './errors.ts';

export interface CommandOptions {
  /** Names the setting that holds the command, for errors: the command itself may hold secrets. */
  readonly where: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
  /** Ends the command; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** More than any credential needs, and little enough to hold. */
const outputLimit = 65_536;

/**
 * Runs a command line in the shell and returns what it prints, without its final newline. It
 * reads nothing; its own messages go to standard error as they come. What it prints never
 * appears in an error.
 */
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
  const timer = setTimeout(
    () => bounds.abort(failed(`took longer than ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
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
    // A process that the command left behind may hold the pipe open for ever.
    child.stdout.destroy();
  }
}
