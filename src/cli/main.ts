import { type Clock, systemClock } from '../base/clock.ts';
import { exitCodes } from './exit-codes.ts';
import { endingOf, failureText, Interrupted } from './failure.ts';
import type { Host, Interruption } from './host.ts';

declare const RECON_VERSION: string;

export interface MainOptions {
  readonly clock?: Clock;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** Runs the command line of `host` and returns the exit code. Never throws. */
export async function main(
  host: Host,
  { clock = systemClock, random = Math.random }: MainOptions = {},
): Promise<number> {
  const interruption = new AbortController();
  const stop = (signal: Interruption) => () => interruption.abort(new Interrupted(signal));
  const listeners = { SIGINT: stop('SIGINT'), SIGTERM: stop('SIGTERM') };
  // A stream that fails says so where it is written to; this only keeps it from ending the process.
  const ignore = () => {};
  for (const stream of [host.stdout, host.stderr]) stream.on('error', ignore);
  host.on('SIGINT', listeners.SIGINT);
  host.on('SIGTERM', listeners.SIGTERM);
  try {
    return await runCommand(host, { clock, random, signal: interruption.signal });
  } catch (error) {
    host.stderr.write(failureText(error, host.argv));
    return endingOf(error).exitCode;
  } finally {
    host.off('SIGINT', listeners.SIGINT);
    host.off('SIGTERM', listeners.SIGTERM);
    for (const stream of [host.stdout, host.stderr]) stream.off('error', ignore);
  }
}

interface Environment {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

async function runCommand(host: Host, environment: Environment): Promise<number> {
  const words = host.argv.slice(2);
  if (words.length === 1 && words[0] === '--version') {
    // The one answer that needs no parser, and so costs little more than Node itself.
    host.stdout.write(`${RECON_VERSION}\n`);
    return exitCodes.ok;
  }
  const { parseCommandLine } = await import('./command-line.ts');
  return parseCommandLine(words, { host, ...environment })();
}
