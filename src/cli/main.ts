import { CommanderError } from 'commander';
import { type Clock, systemClock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { exitCodes } from './exit-codes.ts';
import { asksForJson, endingOf, Interrupted, jsonText, plainText } from './failure.ts';
import type { Host, Interruption } from './host.ts';
import { createProgram } from './program.ts';

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
    const ending = endingOf(error);
    host.stderr.write(asksForJson(host.argv) ? jsonText(ending) : plainText(ending));
    return ending.exitCode;
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
  let chosen: (() => Promise<number>) | undefined;
  const program = createProgram({ host, ...environment }, (work) => {
    chosen = work;
  });
  const words = host.argv.slice(2);
  try {
    program.parse(words.length === 0 ? ['--help'] : words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error);
    throw error;
  }
  return chosen ? chosen() : exitCodes.ok;
}

/** Help and version end the parsing too; anything else is wrong usage. */
function endOfParsing({ exitCode, message }: CommanderError): number {
  if (exitCode === 0) return exitCodes.ok;
  const [, what = message, suggestion] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(message) ?? [];
  throw new ReconError('usage', sentence(what), {
    hint: suggestion ? sentence(suggestion) : 'Add --help to see what there is.',
  });
}

function sentence(text: string): string {
  const whole = /[.?!]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
