import { join } from 'node:path';
import type { ProfileNight } from '../../../app/night-result.ts';
import { isToBeTold } from '../../../app/night-result.ts';
import { ReconError } from '../../../base/errors.ts';
import { isThere } from '../../../base/files.ts';
import { groupedBy } from '../../../base/lists.ts';
import type { Secret } from '../../../base/secrets.ts';
import { layout } from '../../../export/layout.ts';
import type { Exchange } from '../../../model/probe.ts';
import { sendHeartbeat } from '../../../nightly/heartbeat.ts';
import { postNotification } from '../../../nightly/notify.ts';
import { hasFailedBefore, writeStatus } from '../../../nightly/status.ts';
import { handedOnFormats } from '../../../render/formats.ts';
import { enumerate } from '../../../report/common/phrase.ts';
import { notification } from '../../../report/nightly/notification.ts';
import { nightlyViews } from '../../../report/nightly/view.ts';
import { newsSentence } from '../../../report/nightly/words.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodeOfSeveral, exitCodes } from '../../exit-codes.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { profilesAsked, runSideBySide, tellFailedProfile } from '../../profiles.ts';
import { proxyOf } from '../../settings.ts';
import type { nightlyCommand } from './command.ts';
import { dryRunOfNight } from './dry-run.ts';
import { checkFolderName, folderOf, type Hearers, nightOf, readFolder } from './profile-night.ts';

type NightlyContext = ContextOf<typeof nightlyCommand>;

/** Reads what is due for each profile, reports what is new, then marks it as reported. The exit code. */
export async function nightly(context: NightlyContext): Promise<number> {
  const { flags, host, clock, messages } = context;
  if (flags.dryRun) return dryRunOfNight(context);
  const { out = '', quiet = false } = flags;
  const target = resolveTarget(context, { formats: handedOnFormats, piped: 'table' });
  const runs = await profilesAsked(context);
  const held: Awaited<ReturnType<typeof readFolder>>[] = [];
  const hearers = new Map<string | undefined, Hearers>();
  try {
    await messages.startProgress();
    const outcomes = await runSideBySide(runs, async ({ profile, context: own }) => {
      checkFolderName(profile);
      const folder = folderOf(out, profile);
      const lastRunFailed = await hasFailedBefore(out, profile);
      const hear = (found: Hearers) => hearers.set(profile, found);
      const night = await readFolder(folder, own, lastRunFailed, hear);
      held.push(night);
      return night;
    });
    messages.stop();
    // Several profiles may be paid to one account.
    const explained = new Set(held.flatMap(({ summary }) => [...(summary.bank?.explained ?? [])]));
    // Wrong usage at a terminal is not posted.
    const isAtTerminal = host.stdout.isTTY === true || host.stderr.isTTY === true;
    const nights = outcomes.map((outcome) => {
      const isUsage = 'error' in outcome && outcome.exitCode === exitCodes.usage;
      return {
        outcome,
        night: nightOf(outcome, folderOf(out, outcome.profile), explained, context),
        ...(isUsage && isAtTerminal ? {} : hearers.get(outcome.profile)),
      };
    });
    const report = { profiles: nights.map(({ night }) => night) };
    const isNews = report.profiles.some(isToBeTold);
    const isWrong = report.profiles.some(({ exitCode }) => exitCode > exitCodes.outOfBalance);
    const [first] = outcomes;
    // A single profile whose night never began has no report.
    const isReport = runs.length > 1 || (first && 'result' in first);
    if (isReport && (!quiet || isNews || isWrong || target.path !== undefined)) {
      await printReport(target, nightlyViews(report), context, [newsSentence(report)]);
    }
    for (const { outcome } of nights) {
      const error = 'error' in outcome ? outcome.error : outcome.result.failure;
      if (error) tellFailedProfile({ profile: outcome.profile, error }, host);
    }
    const unmarked = new Set(await notifyAll(nights, context));
    for (const one of nights) {
      const { outcome } = one;
      if (!('result' in outcome) || unmarked.has(one)) continue;
      await outcome.result.markReported().catch((error: unknown) => {
        if (!(error instanceof ReconError)) throw error;
        tellFailedProfile({ profile: outcome.profile, error }, host);
        unmarked.add(one);
      });
    }
    const profiles = nights.map((one) => {
      const { night } = one;
      const ends = unmarked.has(one) ? [night.exitCode, exitCodes.output] : [night.exitCode];
      return { ...night, exitCode: exitCodeOfSeveral(ends), isUnmarked: unmarked.has(one) };
    });
    const exitCode = exitCodeOfSeveral(profiles.map((one) => one.exitCode));
    // Wrong usage, or a second run at the same time, does not overwrite the status.
    const isTrial = exitCode === exitCodes.usage && (isAtTerminal || !(await hasStatus(out)));
    if (isReport || (exitCode !== exitCodes.locked && !isTrial)) {
      await writeStatus(out, { profiles, exitCode, now: clock.now() });
    }
    await beatAll(
      profiles.map((night, index) => ({ ...nights[index], night })),
      context,
    );
    return exitCode;
  } finally {
    for (const { close } of held) await close();
  }
}

/** Fields of a request to the service that a notification and a heartbeat do not have. */
const noService = {
  subject: '',
  requestId: undefined,
  code: undefined,
  records: undefined,
};

interface ToSend {
  readonly night: ProfileNight;
  readonly notify?: Secret | undefined;
}

/** Sends what is new. Returns the nights whose notification was not accepted, and says why. */
async function notifyAll<Sent extends ToSend>(
  nights: readonly Sent[],
  context: NightlyContext,
): Promise<ReadonlySet<Sent>> {
  const { host, random } = context;
  const notAccepted = new Set<Sent>();
  for (const group of groupedBy(nights, ({ notify }) => notify?.reveal()).values()) {
    const address = group[0]?.notify;
    const isNews = group.some(({ night }) => isToBeTold(night));
    if (!address || !isNews) continue;
    try {
      await postNotification(address, notification(group.map(({ night }) => night)), {
        ...sending('POST', context),
        random,
      });
    } catch (error) {
      if (!(error instanceof ReconError)) throw error;
      const names = group.flatMap(({ night }) => night.profile ?? []);
      tellFailedProfile({ profile: names.length > 0 ? enumerate(names) : undefined, error }, host);
      for (const one of group) notAccepted.add(one);
    }
  }
  return notAccepted;
}

function sending(method: 'GET' | 'POST', { host, clock, signal, messages }: NightlyContext) {
  const heard = (attempt: Exchange) =>
    messages.observer.request?.({ ...attempt, ...noService, method });
  return { clock, signal, proxy: proxyOf(host), userAgent: `recon/${RECON_VERSION}`, heard };
}

/** Requests each heartbeat once, by the worst of its nights. A failure is told, and changes nothing. */
async function beatAll(
  nights: readonly (ToSend & Partial<Hearers>)[],
  context: NightlyContext,
): Promise<void> {
  // Where another run is at work, that run is the night.
  const own = nights.filter(({ night }) => night.exitCode !== exitCodes.locked);
  for (const group of groupedBy(own, ({ heartbeat }) => heartbeat?.reveal()).values()) {
    const [first] = group;
    if (!first?.heartbeat) continue;
    const exitCode = exitCodeOfSeveral(group.map(({ night }) => night.exitCode));
    const worst = group.find(({ night }) => night.exitCode === exitCode) ?? first;
    const isFailure = exitCode > exitCodes.outOfBalance;
    const failure = isFailure ? { exitCode, cause: causeOf(worst.night) } : undefined;
    const options = { ...sending('GET', context), failureForm: first.failureForm ?? '' };
    await sendHeartbeat(first.heartbeat, failure, options).catch((error: unknown) => {
      if (!(error instanceof ReconError)) throw error;
      tellFailedProfile({ profile: first.night.profile, error }, context.host);
    });
  }
}

function causeOf({ failure, exitCode }: ProfileNight): string {
  if (failure) return failure.cause;
  return exitCode === exitCodes.output ? 'output' : 'incomplete';
}

const hasStatus = (folder: string) => isThere(join(folder, layout.status));
