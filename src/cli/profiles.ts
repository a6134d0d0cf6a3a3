import { Pacer } from '../api/pacer.ts';
import { ReconError } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import { mapOrdered } from '../base/ordered.ts';
import { shellWord } from '../base/texts.ts';
import { chooseProfile, readConfigFile } from '../config/config-file.ts';
import { refuseSharedSettings } from '../config/settings.ts';
import type { Context } from './context.ts';
import { exitCodeOfSeveral } from './exit-codes.ts';
import { asReconError, endingOf, failureText } from './failure.ts';
import { ClosedPipe, type Host, timeLimit } from './host.ts';
import { printConclusion, type Target } from './output.ts';
import { findConfigFile } from './settings.ts';

export interface ProfileRun {
  /** Absent for a single profile. */
  readonly profile: string | undefined;
  readonly context: Context;
}

/** The profiles of `--profile a,b` or `--all-profiles`, else the context alone. Throws ReconError. */
export async function resolveProfiles(context: Context): Promise<readonly ProfileRun[]> {
  const { flags, host, messages } = context;
  const { allProfiles = false, ...others } = flags;
  const { profile = '' } = flags;
  const single = [{ profile: undefined, context }];
  if (!allProfiles && !profile.includes(',')) return single;
  const { path, origin } = findConfigFile(flags.config, host);
  const file = await readConfigFile({ path, origin }, host.getuid?.());
  const known = [...(file?.profiles.keys() ?? [])];
  if (!allProfiles && known.includes(profile)) return single;
  if (allProfiles && known.length === 0) throw noProfiles(path, file !== undefined);
  const names = allProfiles ? known : [...new Set(profile.split(',').map((name) => name.trim()))];
  if (names.includes('')) {
    const hint = 'Write the names with commas between them: --profile spain,italy.';
    throw new ReconError('usage', '--profile has an empty name.', { hint });
  }
  const chosen = names.map((name) => chooseProfile(name, host.env, file, path));
  if (!flags.sandbox) refuseSharedSettings(chosen, path, host.env);
  return names.map((name) => ({
    profile: name,
    context: {
      ...context,
      flags: { ...others, profile: name },
      messages: messages.of(name),
    },
  }));
}

/** Throws ReconError `usage` if one of these flags is set: it is for one profile. */
export function refuseWithSeveral(flags: Readonly<Record<string, unknown>>): void {
  const flag = keysOf(flags).find((name) => flags[name]);
  if (flag === undefined) return;
  const hint = 'Name one with --profile.';
  throw new ReconError('usage', `${flag} cannot be combined with several profiles.`, { hint });
}

function noProfiles(path: string, hasFile: boolean): ReconError {
  const [message, hint] = hasFile
    ? [`No profiles in ${path}.`, 'Add a table [profiles.NAME] for each account.']
    : [
        `Configuration file not found: ${path}.`,
        `Run recon config init --config ${shellWord(path)} to create it.`,
      ];
  return new ReconError('configuration', message, { where: 'flag --all-profiles', hint });
}

export type ProfileOutcome<Result, Run extends ProfileRun = ProfileRun> = Run &
  ({ readonly result: Result } | Failed);

interface Failed {
  readonly error: ReconError;
  readonly exitCode: number;
}

type FailedProfile = ProfileRun & Failed;

const ahead = 8;

/** Runs `work` for all profiles in parallel. An interruption and a closed pipe end all, and are thrown. */
export async function runSideBySide<Result, Run extends ProfileRun>(
  runs: readonly Run[],
  work: (run: Run) => Promise<Result>,
): Promise<readonly ProfileOutcome<Result, Run>[]> {
  const [first] = runs;
  if (!first) return [];
  const { clock } = first.context;
  const began = clock.monotonic();
  const endOfAll = new AbortController();
  const signal = AbortSignal.any([first.context.signal, endOfAll.signal]);
  const pacerOf = sharedPacers({ ...first.context, signal });
  const outcomeOf = async (run: Run): Promise<ProfileOutcome<Result, Run>> => {
    const end = new AbortController();
    const { limit, clear } = timeLimit(end);
    // A limit on the command line is for the whole run.
    const since = run.context.flags.timeout === undefined ? clock.monotonic() : began;
    const context: Context = {
      ...run.context,
      signal: AbortSignal.any([signal, end.signal]),
      limit: (ms, reason) => limit(Math.max(0, since + ms - clock.monotonic()), reason),
      pacerOf,
    };
    try {
      signal.throwIfAborted();
      return { ...run, result: await work({ ...run, context }) };
    } catch (error) {
      if (error instanceof ClosedPipe) endOfAll.abort(error);
      return { ...run, error: asReconError(error), exitCode: endingOf(error).exitCode };
    } finally {
      clear();
    }
  };
  const outcomes: ProfileOutcome<Result, Run>[] = [];
  for await (const outcome of mapOrdered(runs, ahead, outcomeOf)) outcomes.push(outcome);
  signal.throwIfAborted();
  return outcomes;
}

/** One pacer per host, with the lowest concurrency of its profiles. */
function sharedPacers(
  common: Pick<Context, 'clock' | 'random' | 'signal'>,
): NonNullable<Context['pacerOf']> {
  const { clock, random, signal } = common;
  const pacers = new Map<string, Pacer>();
  return (baseUrl, concurrency) => {
    const { host } = new URL(baseUrl);
    const pacer = pacers.get(host) ?? new Pacer({ concurrency, clock, random, signal });
    pacer.limitConcurrency(concurrency);
    pacers.set(host, pacer);
    return pacer;
  };
}

export function printFailedProfile(
  { profile, error }: Pick<FailedProfile, 'profile' | 'error'>,
  host: Host,
): void {
  host.stderr.write(failureText(named(error, profile), host));
}

type ConcludedProfile = Pick<ProfileRun, 'context'> & {
  readonly profile: string;
  readonly exitCode: number;
} & ({ readonly conclusion: readonly string[] } | { readonly error: ReconError });

/** Prints what standard error says of each profile. Returns the exit code of all. */
export function concludeProfiles(
  profiles: readonly ConcludedProfile[],
  target: Target,
  host: Host,
): number {
  for (const one of profiles) {
    if ('error' in one) printFailedProfile(one, host);
    else printConclusion(one.conclusion, target, one.exitCode, one.context.messages);
  }
  return exitCodeOfSeveral(profiles.map(({ exitCode }) => exitCode));
}

/** If no profile has a result, prints the failures and throws the worst. */
export function throwIfAllFailed(outcomes: readonly ProfileOutcome<unknown>[], host: Host): void {
  const failed = outcomes.flatMap((one) => ('error' in one ? [one] : []));
  if (failed.length < outcomes.length) return;
  const exitCode = exitCodeOfSeveral(failed.map((one) => one.exitCode));
  const worst = failed.find((one) => one.exitCode === exitCode);
  if (!worst) return;
  // Printed once if it is the same for all.
  const { message, where } = worst.error;
  if (failed.every(({ error }) => error.message === message && error.where === where)) {
    throw worst.error;
  }
  for (const one of failed) if (one !== worst) printFailedProfile(one, host);
  throw named(worst.error, worst.profile);
}

function named(error: ReconError, profile: string | undefined): ReconError {
  if (profile === undefined) return error;
  const { failure, message, where, hint, cause } = error;
  return new ReconError(failure, `${profile}: ${message}`, { where, hint, reason: cause });
}
