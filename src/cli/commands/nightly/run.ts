import { addDays } from '../../../base/calendar.ts';
import { faultOf } from '../../../base/errors.ts';
import { openExportFolder } from '../../../export/export-folder.ts';
import { type Night, readNight } from '../../../nightly/night.ts';
import { formats } from '../../../render/formats.ts';
import type { ProfileNight } from '../../../report/nightly/report.ts';
import { nightlyViews } from '../../../report/nightly/view.ts';
import { newsSentence } from '../../../report/nightly/words.ts';
import { whenReported } from '../../accepted.ts';
import { whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { codesByFailure, exitCodeOf, exitCodes, type FailOn } from '../../exit-codes.ts';
import { printReport, sayConclusion } from '../../output.ts';
import { runningProcesses, thisProcess } from '../../processes.ts';
import { dayMeant, filtersOf } from '../../range.ts';
import { withSource } from '../../source.ts';
import { resolveTarget } from '../../target.ts';

/** A night that is over, with its folder still held: what was told of it is to be written down there. */
interface HeldNight extends Night {
  readonly close: () => Promise<void>;
}

/** `recon nightly`: reads all that is due, and says what is new. Returns the exit code. */
export async function nightly(context: Context): Promise<number> {
  const { flags, messages } = context;
  const target = resolveTarget(context, { formats, piped: 'table' });
  const folder = flags.out ?? '';
  const held = await readFolder(folder, context);
  try {
    const night = nightOf(held, undefined, flags.failOn);
    const report = { profiles: [night] };
    messages.stop();
    if (!flags.quiet || night.news.length > 0 || target.path !== undefined) {
      await printReport(target, nightlyViews(report), context);
      sayConclusion([newsSentence(report)], target, exitCodes.ok, messages);
    }
    await held.told();
    return night.exitCode;
  } finally {
    await held.close();
  }
}

/** Reads what is due in a folder, and keeps holding it. */
async function readFolder(path: string, context: Context): Promise<HeldNight> {
  const { flags, host, clock, messages } = context;
  const { rebind = false, deep = false, keep } = flags;
  const asked = await whatIsAsked(context);
  const { settings, judgement, names } = asked;
  const { profile, preferences } = settings;
  const filters = filtersOf(flags);
  const today = asked.today();
  const reportedBy = await whenReported(asked, context);
  const since =
    flags.since === undefined ? asked.period?.from : dayMeant('--since', flags.since, today);
  return withSource(asked, context, async ({ source, stop, host: server }) => {
    const scope = { profile: profile ?? null, host: server, filters };
    const [owner, isRunning] = [await thisProcess(host), runningProcesses(host)];
    const folder = await openExportFolder(path, { scope, rebind, owner, isRunning, clock });
    const { close } = folder;
    try {
      if (folder.recovered.length > 0)
        messages.say('Completed what an earlier run left unfinished.');
      await messages.startProgress();
      const night = await readNight({
        ...{ path, folder, source, stop, scope, filters, names, deep, keep, clock },
        settings: judgement,
        ahead: preferences.concurrency,
        onProgress: messages.onProgress,
        tool: RECON_VERSION,
        since,
        yesterday: addDays(today, -1),
        restatedDays: 7,
        whenReported: reportedBy,
        onDay: () => {},
      });
      return { ...night, close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** A night with how it ends. */
function nightOf(
  { summary, failure }: Night,
  profile: string | undefined,
  failOn: readonly FailOn[] = [],
): ProfileNight {
  const code = failure ? codesByFailure[failure.failure] : undefined;
  return {
    ...summary,
    profile,
    failure: failure && faultOf(failure),
    exitCode: code ?? exitCodeOf({ ...summary, news: summary.news.length }, failOn),
  };
}
