import { addDays } from '../../../base/calendar.ts';
import { faultOf } from '../../../base/errors.ts';
import type { Secret } from '../../../base/secrets.ts';
import { openExportFolder } from '../../../export/export-folder.ts';
import { type Night, readNight } from '../../../nightly/night.ts';
import { nightNotBegun } from '../../../nightly/not-begun.ts';
import type { ProfileNight } from '../../../report/nightly/report.ts';
import { whenReported } from '../../accepted.ts';
import { whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { codesByFailure, exitCodeOf, type FailOn } from '../../exit-codes.ts';
import { runningProcesses, thisProcess } from '../../processes.ts';
import type { ProfileOutcome } from '../../profiles.ts';
import { dayMeant, filtersOf } from '../../range.ts';
import { withSource } from '../../source.ts';

/** A night that is over, in a folder that is still held: what was told of it is written down there. */
export interface HeldNight extends Night {
  /** Releases the folder. */
  readonly close: () => Promise<void>;
}

/**
 * Reads what is due in a folder, and keeps holding it. `notifies` hears the address that is to hear of
 * it, if one is set, before anything is read. Throws ReconError where the night could not begin.
 */
export async function readFolder(
  path: string,
  context: Context,
  notifies: (address: Secret) => void,
): Promise<HeldNight> {
  const { flags, host, clock, messages, signal } = context;
  const { rebind = false, deep = false, keep } = flags;
  const asked = await whatIsAsked(context);
  const { settings, judgement, names } = asked;
  const { profile, preferences } = settings;
  const address = await settings.notifyUrl(signal, (sentence) => messages.say(sentence));
  if (address) notifies(address);
  const filters = filtersOf(flags);
  const today = asked.today();
  const reportedBy = await whenReported(asked, context);
  const since = flags.since === undefined ? undefined : dayMeant('--since', flags.since, today);
  return withSource(asked, context, async ({ source, stop, host: server }) => {
    const scope = { profile: profile ?? null, host: server, filters };
    const [owner, isRunning] = [await thisProcess(host), runningProcesses(host)];
    const folder = await openExportFolder(path, { scope, rebind, owner, isRunning, clock });
    const { close } = folder;
    try {
      if (folder.recovered.length > 0)
        messages.say('Completed what an earlier run left unfinished.');
      for (const name of folder.changedNames)
        messages.say(`Continuing an export that was renamed: ${name}.`);
      const night = await readNight({
        ...{ path, folder, source, stop, scope, filters, names, deep, keep, clock },
        settings: judgement,
        ahead: preferences.concurrency,
        onProgress: messages.onProgress,
        tool: RECON_VERSION,
        since: since ?? asked.period?.from,
        yesterday: addDays(today, -1),
        restatedDays: preferences.restated_days,
        whenReported: reportedBy,
      });
      return { ...night, close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** How the night of a profile ended, for the report. */
export function nightOf(
  outcome: ProfileOutcome<Night>,
  folder: string,
  failOn: readonly FailOn[] = [],
): ProfileNight {
  const { profile } = outcome;
  if ('error' in outcome) {
    const { error, exitCode } = outcome;
    return nightNotBegun(error, { profile, folder, exitCode });
  }
  const { summary, failure } = outcome.result;
  const code = failure ? codesByFailure[failure.failure] : undefined;
  return {
    ...summary,
    profile,
    failure: failure && faultOf(failure),
    exitCode: code ?? exitCodeOf({ ...summary, news: summary.news.length }, failOn),
  };
}
