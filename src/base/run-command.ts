import { spawn } from 'node:child_process';
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
export function runCommand(
  command: string,
  { where, env, timeoutMs = 30_000, signal }: CommandOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    let length = 0;
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (failure: string) => {
      end();
      const hint = 'Run it in a terminal to see why. It must print only the value.';
      reject(new ReconError('configuration', `The command ${failure}.`, { where, hint }));
    };
    const stop = (failure: string) => {
      child.kill('SIGKILL');
      // A process that the command left behind may hold the pipe open for ever.
      child.stdout.destroy();
      fail(failure);
    };
    const abort = () => {
      reject(signal?.reason);
      stop('was interrupted');
    };
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => stop(`took longer than ${timeoutMs / 1000} s`), timeoutMs);

    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > outputLimit) stop('printed too much to be a credential');
    });
    child.on('error', () => fail('could not be started'));
    child.on('close', (status, by) => {
      if (status !== 0)
        return fail(by ? `was stopped by ${by}` : `failed with exit status ${status}`);
      const output = Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
      if (output === '') return fail('succeeded with exit status 0, but printed nothing');
      end();
      resolve(output);
    });
  });
}
