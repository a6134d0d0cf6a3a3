import { systemClock } from '../base/clock.ts';
import type { Surroundings } from './context.ts';
import { type Host, Interrupted, interruptions } from './host.ts';
import { parseCommandLine } from './program.ts';
import { timeLimit } from './time-limit.ts';

export type RunOptions = Partial<Pick<Surroundings, 'clock' | 'random'>>;

/** Runs the command that `host` was called with and returns the exit code. Never throws. */
export async function run(
  host: Host,
  { clock = systemClock, random = Math.random }: RunOptions = {},
): Promise<number> {
  // Everything that waits is handed its signal, and throws the reason.
  const end = new AbortController();
  const { limit, clear } = timeLimit(end);
  const listeners = interruptions.map((by) => ({ by, stop: () => end.abort(new Interrupted(by)) }));
  for (const { by, stop } of listeners) host.on(by, stop);
  try {
    return await parseCommandLine({ host, clock, random, signal: end.signal, limit })();
  } catch (error) {
    const { endingOf, failureText } = await import('./failure.ts');
    host.stderr.write(failureText(error, host));
    return endingOf(error).exitCode;
  } finally {
    clear();
    for (const { by, stop } of listeners) host.off(by, stop);
  }
}
