import { ReconError } from '../../../base/errors.ts';
import type { Secret } from '../../../base/secrets.ts';
import { hasFailedBefore, hasStatus, writeStatus } from '../../../nightly/status.ts';
import { handedOnFormats } from '../../../render/formats.ts';
import { nightlyViews } from '../../../report/nightly/view.ts';
import { isToBeTold, newsSentence } from '../../../report/nightly/words.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfSeveral, exitCodes } from '../../exit-codes.ts';
import { printReport } from '../../output.ts';
import { profilesAsked, runSideBySide, tellFailedProfile } from '../../profiles.ts';
import { resolveTarget } from '../../target.ts';
import { checkFolderName, folderOf } from './folders.ts';
import { type HeldNight, nightOf, readFolder } from './night.ts';
import { notifyAll } from './notify.ts';

/**
 * `recon nightly`: reads all that is due for each profile, says what is new, and only then writes down
 * that it was told. Returns the exit code.
 */
export async function nightly(context: Context): Promise<number> {
  const { flags, host, clock, messages } = context;
  const { out = '', quiet = false } = flags;
  const target = resolveTarget(context, { formats: handedOnFormats, piped: 'table' });
  const runs = await profilesAsked(context);
  const held: HeldNight[] = [];
  const addresses = new Map<string | undefined, Secret>();
  try {
    await messages.startProgress();
    const outcomes = await runSideBySide(runs, async ({ profile, context: own }) => {
      checkFolderName(profile);
      const folder = folderOf(out, profile);
      const hadFailed = await hasFailedBefore(out, profile);
      const hear = (address: Secret) => addresses.set(profile, address);
      const night = await readFolder(folder, own, hadFailed, hear);
      held.push(night);
      return night;
    });
    messages.stop();
    // Several profiles may be paid to one account.
    const explained = new Set(held.flatMap(({ summary }) => [...(summary.bank?.explained ?? [])]));
    // Whoever sits there reads it: that concerns nobody else.
    const isAtTerminal = host.stdout.isTTY === true || host.stderr.isTTY === true;
    const nights = outcomes.map((outcome) => {
      const isUsage = 'error' in outcome && outcome.exitCode === exitCodes.usage;
      return {
        outcome,
        night: nightOf(outcome, folderOf(out, outcome.profile), explained, context),
        address: isUsage && isAtTerminal ? undefined : addresses.get(outcome.profile),
      };
    });
    const report = { profiles: nights.map(({ night }) => night) };
    const isNews = report.profiles.some(isToBeTold);
    const isWrong = report.profiles.some(({ exitCode }) => exitCode > exitCodes.outOfBalance);
    const [first] = outcomes;
    // Nothing can be reported of a single profile whose night never began.
    const isReport = runs.length > 1 || (first && 'result' in first);
    if (isReport && (!quiet || isNews || isWrong || target.path !== undefined)) {
      await printReport(target, nightlyViews(report), context, [newsSentence(report)]);
    }
    for (const { outcome } of nights) {
      const error = 'error' in outcome ? outcome.error : outcome.result.failure;
      if (error) tellFailedProfile({ profile: outcome.profile, error }, host);
    }
    const untold = new Set(await notifyAll(nights, context));
    for (const one of nights) {
      const { outcome } = one;
      if (!('result' in outcome) || untold.has(one)) continue;
      await outcome.result.told().catch((error: unknown) => {
        if (!(error instanceof ReconError)) throw error;
        tellFailedProfile({ profile: outcome.profile, error }, host);
        untold.add(one);
      });
    }
    const profiles = nights.map((one) => {
      const { night } = one;
      const ends = untold.has(one) ? [night.exitCode, exitCodes.output] : [night.exitCode];
      return { ...night, exitCode: exitCodeOfSeveral(ends), isUntold: untold.has(one) };
    });
    const exitCode = exitCodeOfSeveral(profiles.map((one) => one.exitCode));
    // A wrong command line, or a second run at the same time, says nothing of how the nights go.
    const isTrial = exitCode === exitCodes.usage && (isAtTerminal || !(await hasStatus(out)));
    if (isReport || (exitCode !== exitCodes.locked && !isTrial)) {
      await writeStatus(out, { profiles, exitCode, now: clock.now() });
    }
    return exitCode;
  } finally {
    for (const { close } of held) await close();
  }
}
