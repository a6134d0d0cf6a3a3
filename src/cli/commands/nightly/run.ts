import { join } from 'node:path';
import type { ProfileNight } from '../../../app/night-result.ts';
import { hasNews } from '../../../app/night-result.ts';
import { addDays, dayAt } from '../../../base/calendar.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import { isThere } from '../../../base/files.ts';
import { groupedBy } from '../../../base/lists.ts';
import type { Secret } from '../../../base/secrets.ts';
import { layout } from '../../../export/layout.ts';
import { BusinessDays } from '../../../match/business-days.ts';
import type { Exchange } from '../../../model/probe.ts';
import type { BankOfNight } from '../../../nightly/bank.ts';
import { nightNotBegun, readNight } from '../../../nightly/night.ts';
import { postNotification, sendHeartbeat } from '../../../nightly/notify.ts';
import { previewNight } from '../../../nightly/plan.ts';
import { hasFailedBefore, writeStatus } from '../../../nightly/status.ts';
import { formats, officeFormats } from '../../../render/formats.ts';
import { enumerate } from '../../../report/common/phrase.ts';
import { previewViews } from '../../../report/dry-run/view.ts';
import { notification } from '../../../report/nightly/notification.ts';
import { nightlyViews } from '../../../report/nightly/view.ts';
import { newsSentence } from '../../../report/nightly/words.ts';
import { agreementOf } from '../../agreed.ts';
import { readStatementsAt } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import {
  codesByFailure,
  exitCodeOfSeveral,
  exitCodes,
  refuseBankConditions,
} from '../../exit-codes.ts';
import { type Inputs, resolveInputs } from '../../inputs.ts';
import { printReport, resolveTarget } from '../../output.ts';
import {
  type ProfileOutcome,
  printFailedProfile,
  resolveProfiles,
  runSideBySide,
  throwIfAllFailed,
} from '../../profiles.ts';
import { filtersOf, parseDay } from '../../range.ts';
import { booksOf, readAgeingAndAccepted } from '../../registers.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import { proxyOf } from '../../settings.ts';
import { announceRenaming, holdExport, withService, withSource } from '../../source.ts';
import type { nightlyCommand } from './command.ts';

type NightlyContext = ContextOf<typeof nightlyCommand>;

type Night = Awaited<ReturnType<typeof readNight>>;

type Recipients = Awaited<ReturnType<typeof recipientsAsked>>;

interface EndedNight extends Partial<Recipients> {
  readonly outcome: ProfileOutcome<Night>;
  readonly night: ProfileNight;
}

interface ReportedNight extends EndedNight {
  /** Whether its news is not marked as reported, so the next night reports it again. */
  readonly isUnmarked: boolean;
}

/** Reads what is due for each profile, reports what is new, then marks it as reported. The exit code. */
export async function nightly(context: NightlyContext): Promise<number> {
  const { flags, host, clock } = context;
  if (flags.dryRun) return dryRunOfNight(context);
  const { out = '' } = flags;
  const target = resolveTarget(context, { formats: officeFormats, piped: 'table' });
  const runs = await resolveProfiles(context);
  const held: Awaited<ReturnType<typeof readFolder>>[] = [];
  try {
    const nights = await readNights(runs, held, context);
    // A single profile whose night did not begin has no report.
    const isReport = runs.length > 1 || nights.some(({ outcome }) => 'result' in outcome);
    if (isReport) await printNights(nights, target, context);
    for (const { outcome } of nights) {
      const error = 'error' in outcome ? outcome.error : outcome.result.failure;
      if (error) printFailedProfile({ profile: outcome.profile, error }, host);
    }
    const ended = (await reportNights(nights, context)).map(withExitCode);
    const profiles = ended.map(({ night }) => night);
    const exitCode = exitCodeOfSeveral(profiles.map((one) => one.exitCode));
    if (isReport || (await isForStatus(exitCode, context))) {
      await writeStatus(out, { profiles, exitCode, now: clock.now() });
    }
    await sendHeartbeats(ended, context);
    return exitCode;
  } finally {
    for (const { close } of held) await close();
  }
}

/** The nights of all profiles. Those that have begun are added to `held`, because their folders still are. */
async function readNights(
  runs: Awaited<ReturnType<typeof resolveProfiles>>,
  held: Awaited<ReturnType<typeof readFolder>>[],
  context: NightlyContext,
): Promise<readonly EndedNight[]> {
  const { flags, host, messages } = context;
  const { out = '' } = flags;
  const recipients = new Map<string | undefined, Recipients>();
  await messages.startProgress();
  const outcomes = await runSideBySide(runs, async ({ profile, context: own }) => {
    const folder = folderOf(out, profile);
    const lastRunFailed = await hasFailedBefore(out, profile);
    const asked = await resolveInputs(own);
    const due = dueAsked(asked, own);
    // Sample data is not sent.
    if (!flags.sandbox) recipients.set(profile, await recipientsAsked(asked, own));
    const night = await readFolder(folder, asked, { ...due, lastRunFailed }, own);
    held.push(night);
    return night;
  });
  messages.stop();
  // Several profiles may be paid to one account.
  const explained = new Set(held.flatMap(({ summary }) => [...(summary.bank?.explained ?? [])]));
  return outcomes.map((outcome) => {
    const isUsage = 'error' in outcome && outcome.exitCode === exitCodes.usage;
    return {
      outcome,
      night: nightOf(outcome, explained, context),
      // Wrong usage at a terminal is not posted.
      ...(isUsage && isAtTerminal(host) ? {} : recipients.get(outcome.profile)),
    };
  });
}

function isAtTerminal({ stdout, stderr }: NightlyContext['host']): boolean {
  return stdout.isTTY === true || stderr.isTTY === true;
}

/** Prints the report. With `--quiet`, only if there is something new or wrong. */
async function printNights(
  nights: readonly EndedNight[],
  target: ReturnType<typeof resolveTarget>,
  context: NightlyContext,
): Promise<void> {
  const report = nights.map(({ night }) => night);
  const isWrong = report.some(({ exitCode }) => exitCode > exitCodes.outOfBalance);
  const isAhead = report.some(({ aheadTo }) => aheadTo !== undefined);
  const isSaid = !context.flags.quiet || report.some(hasNews) || isWrong || isAhead;
  if (!isSaid && target.path === undefined) return;
  await printReport(target, nightlyViews(report), context, [newsSentence(report)]);
}

/** Posts what is new, and marks it as reported where that was accepted. */
async function reportNights(
  nights: readonly EndedNight[],
  context: NightlyContext,
): Promise<readonly ReportedNight[]> {
  const unmarked = new Set(await notifyAll(nights, context));
  for (const one of nights) {
    const { outcome } = one;
    if (!('result' in outcome) || unmarked.has(one)) continue;
    await outcome.result.markReported().catch((error: unknown) => {
      if (!(error instanceof ReconError)) throw error;
      printFailedProfile({ profile: outcome.profile, error }, context.host);
      unmarked.add(one);
    });
  }
  return nights.map((one) => ({ ...one, isUnmarked: unmarked.has(one) }));
}

function withExitCode({ isUnmarked, night, ...one }: ReportedNight) {
  const codes = [night.exitCode, isUnmarked ? exitCodes.output : exitCodes.ok];
  return { ...one, night: { ...night, exitCode: exitCodeOfSeveral(codes), isUnmarked } };
}

/** Wrong usage, or a second run at the same time, does not overwrite the status. */
async function isForStatus(exitCode: number, { flags, host }: NightlyContext): Promise<boolean> {
  if (exitCode === exitCodes.locked) return false;
  if (exitCode !== exitCodes.usage) return true;
  return !isAtTerminal(host) && (await isThere(join(flags.out ?? '', layout.status)));
}

/** `recon nightly --dry-run`: says what is due, and changes nothing. Returns the exit code. */
export async function dryRunOfNight(context: NightlyContext): Promise<number> {
  const { flags, host, messages } = context;
  const target = resolveTarget(context, { formats, piped: 'table' });
  await messages.startProgress();
  const outcomes = await runSideBySide(await resolveProfiles(context), async (run) => {
    const path = folderOf(flags.out ?? '', run.profile);
    const asked = await resolveInputs(run.context);
    return withService(asked.settings, ['settlements'], run.context, ({ source }) =>
      previewNight({ ...dueAsked(asked, run.context), path, source }),
    );
  });
  messages.stop();
  throwIfAllFailed(outcomes, host);
  const previews = outcomes.flatMap((one) =>
    'result' in one ? [{ profile: one.profile, preview: one.result }] : [],
  );
  await printReport(target, previewViews(previews), context);
  for (const one of outcomes) if ('error' in one) printFailedProfile(one, host);
  return exitCodeOfSeveral(outcomes.map((one) => ('error' in one ? one.exitCode : 0)));
}

/** The folder of a profile's days: the given one, or one of several below it, named as the profile. */
function folderOf(out: string, profile: string | undefined): string {
  if (profile === undefined) return out;
  if (/^[\w-][\w .-]*$/.test(profile) && profile !== layout.status) return join(out, profile);
  throw new ReconError('configuration', 'This profile has a name that a folder cannot have.', {
    where: `profile ${profile}`,
    hint: 'Rename it with letters, digits, hyphens and underscores, or run it alone with --profile.',
  });
}

async function recipientsAsked({ settings }: Inputs, { messages, signal }: NightlyContext) {
  const { notifyUrl, heartbeatUrl, preferences } = settings;
  const say = (sentence: string) => messages.say(sentence);
  return {
    notify: await notifyUrl(signal, say),
    heartbeat: await heartbeatUrl(signal, say),
    /** What the heartbeat adds to its address if the night failed. */
    failureForm: preferences.heartbeat_failure,
  };
}

/** What is due by the settings and flags; of the sandbox, from the first day of its data. */
function dueAsked({ settings, period, today }: Inputs, { flags }: Pick<NightlyContext, 'flags'>) {
  const { concurrency, restated_days, swept_days } = settings.preferences;
  const since = flags.since && parseDay('--since', flags.since, today());
  if (since !== undefined && since > today()) {
    throw new ReconError('usage', `--since is in the future: ${since}.`, {
      hint: `Today is ${today()}. Name the first day to read.`,
    });
  }
  return {
    since: since ?? period?.from,
    yesterday: addDays(today(), -1),
    restatedDays: restated_days,
    sweptDays: swept_days,
    filters: filtersOf(flags),
    ahead: concurrency,
  };
}

/** Reads what is due in a folder, which is still held. Throws ReconError if the night cannot begin. */
async function readFolder(
  path: string,
  asked: Inputs,
  due: ReturnType<typeof dueAsked> & { readonly lastRunFailed: boolean },
  context: NightlyContext,
) {
  const ageingAndAccepted = await readAgeingAndAccepted(asked, context);
  const bank = await bankOfNight(asked, context);
  const agreed = agreementOf(asked);
  const { settle_days: settleDays } = asked.settings.preferences;
  return withSource(asked, context, async (opened) => {
    const held = await holdExport(path, opened, asked, context);
    const { close } = held.folder;
    try {
      announceRenaming(held.folder, context.messages);
      const night = await readNight({
        ...held,
        ...due,
        path,
        ageingAndAccepted,
        bank,
        fees: agreed && { ...agreed, settleDays },
        closes: (await booksOf(asked)).closes,
      });
      return { ...night, close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** The statements of the settings or flags. If they cannot be read, the night goes on and says so. */
async function bankOfNight(
  asked: Inputs,
  context: NightlyContext,
): Promise<BankOfNight | undefined> {
  const {
    statements: folder,
    payout_accounts: counterparties,
    holidays,
    bank_rules: rules,
  } = asked.settings.preferences;
  const { bank: paths, failOn } = context.flags;
  if (!paths && folder === undefined) {
    refuseBankConditions(failOn);
    return undefined;
  }
  const statements = await readStatementsAt(paths ?? [], asked, context).catch((error: unknown) => {
    if (error instanceof ReconError) return error;
    throw error;
  });
  return { statements, counterparties, rules, businessDays: new BusinessDays(holidays) };
}

/** The night of a profile, for the report; without unknown entries that pay-outs of other profiles explain. */
function nightOf(
  outcome: ProfileOutcome<Night>,
  explained: ReadonlySet<string>,
  { flags: { failOn, out = '' }, clock }: NightlyContext,
): ProfileNight {
  const { profile } = outcome;
  if ('error' in outcome) {
    const { error, exitCode } = outcome;
    const folder = profile === undefined ? out : join(out, profile);
    return nightNotBegun(error, { profile, folder, exitCode }, dayAt(clock.now(), 'UTC'));
  }
  const { failure, summary } = outcome.result;
  const others = (ids: ReadonlySet<string>) => new Set([...ids].filter((id) => !explained.has(id)));
  const { bank: found } = summary;
  const bank = found && { ...found, unknown: others(found.unknown), known: others(found.known) };
  const news = summary.news.filter(({ entry = '' }) => !explained.has(entry));
  const met = {
    pending: summary.pending,
    overdue: summary.overdue,
    empty: summary.settlements === 0,
    new: news.length,
    'unknown-status': summary.unknownStatuses,
    'unusual-scale': summary.unusualScales,
    'missing-on-bank': bank?.missing ?? 0,
    'unknown-on-bank': bank?.unknown.size ?? 0,
    difference: bank?.differences ?? 0,
  };
  return {
    ...summary,
    news,
    bank,
    profile,
    failure: failure && faultOf(failure),
    exitCode: failure ? codesByFailure[failure.failure] : exitCodeOf(summary.verdict, met, failOn),
  };
}

/** Posts what is new. Returns the nights whose notification was not accepted. */
function notifyAll(nights: readonly EndedNight[], context: NightlyContext) {
  const { random } = context;
  return sendEach(nights, 'notify', context, async (address, group) => {
    if (!group.some(({ night }) => hasNews(night))) return;
    const document = notification(group.map(({ night }) => night));
    await postNotification(address, document, { ...sending('POST', context), random });
  });
}

/** Requests each heartbeat once, by the worst of its nights. A failure is shown, and changes nothing. */
async function sendHeartbeats(
  nights: readonly EndedNight[],
  context: NightlyContext,
): Promise<void> {
  // If another run is at work, that run sends the heartbeat.
  const own = nights.filter(({ night }) => night.exitCode !== exitCodes.locked);
  await sendEach(own, 'heartbeat', context, async (address, group) => {
    const exitCode = exitCodeOfSeveral(group.map(({ night }) => night.exitCode));
    const worst = group.find(({ night }) => night.exitCode === exitCode);
    const otherwise = exitCode === exitCodes.output ? 'output' : 'incomplete';
    const cause = worst?.night.failure?.cause ?? otherwise;
    const failure = exitCode > exitCodes.outOfBalance ? { exitCode, cause } : undefined;
    const failureForm = group[0]?.failureForm ?? '';
    await sendHeartbeat(address, failure, { ...sending('GET', context), failureForm });
  });
}

/** Sends to each address once, for all nights that have it. Returns those that failed, and says why. */
async function sendEach(
  nights: readonly EndedNight[],
  to: 'notify' | 'heartbeat',
  { host }: NightlyContext,
  send: (address: Secret, group: readonly EndedNight[]) => Promise<void>,
): Promise<readonly EndedNight[]> {
  const failed: EndedNight[] = [];
  for (const group of groupedBy(nights, (one) => one[to]?.reveal()).values()) {
    const address = group[0]?.[to];
    if (!address) continue;
    await send(address, group).catch((error: unknown) => {
      if (!(error instanceof ReconError)) throw error;
      const names = group.flatMap(({ night }) => night.profile ?? []);
      printFailedProfile({ profile: names.length > 0 ? enumerate(names) : undefined, error }, host);
      failed.push(...group);
    });
  }
  return failed;
}

function sending(method: 'GET' | 'POST', { host, clock, signal, messages }: NightlyContext) {
  // What a request to the service has beside.
  const noService = { subject: '', requestId: undefined, code: undefined, records: undefined };
  const heard = (attempt: Exchange) =>
    messages.observer.request?.({ ...attempt, ...noService, method });
  return { clock, signal, proxy: proxyOf(host), userAgent: `recon/${RECON_VERSION}`, heard };
}
