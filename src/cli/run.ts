import { type Clock, systemClock } from '../base/clock.ts';
import type { Context } from './context.ts';
import { endingOf, failureText } from './failure.ts';
import { type Host, interruptions } from './host.ts';
import { RunEnd } from './run-end.ts';

export interface RunOptions {
  readonly clock?: Clock;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** Runs the command that `host` was called with and returns the exit code. Never throws. */
export async function run(
  host: Host,
  { clock = systemClock, random = Math.random }: RunOptions = {},
): Promise<number> {
  const runEnd = new RunEnd();
  const listeners = interruptions.map((by) => ({ by, stop: () => runEnd.interrupt(by) }));
  for (const { by, stop } of listeners) host.on(by, stop);
  try {
    const { signal, limit } = runEnd;
    return await runCommand(host, { clock, random, signal, limit });
  } catch (error) {
    host.stderr.write(failureText(error, host));
    return endingOf(error).exitCode;
  } finally {
    runEnd.clear();
    for (const { by, stop } of listeners) host.off(by, stop);
  }
}

async function runCommand(host: Host, environment: Omit<Context, 'host'>): Promise<number> {
  const { parseCommandLine } = await import('./program.ts');
  return parseCommandLine(host.argv.slice(2), { host, ...environment })();
}
