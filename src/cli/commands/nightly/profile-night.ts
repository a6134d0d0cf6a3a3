import { join } from 'node:path';
import type { ProfileNight } from '../../../app/night-result.ts';
import { addDays, dayAt } from '../../../base/calendar.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import type { Secret } from '../../../base/secrets.ts';
import { layout } from '../../../export/layout.ts';
import { BusinessDays } from '../../../match/business-days.ts';
import { type BankOfNight, withoutExplained } from '../../../nightly/bank.ts';
import { readNight } from '../../../nightly/night.ts';
import { nightNotBegun } from '../../../nightly/summary.ts';
import { agreementOf } from '../../agreed.ts';
import { type Asked, whatIsAsked } from '../../asked.ts';
import { readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { codesByFailure, exitCodeOf, refuseBankConditions } from '../../exit-codes.ts';
import type { ProfileOutcome } from '../../profiles.ts';
import { dayMeant, filtersOf } from '../../range.ts';
import { closesAsked, whenReported } from '../../registers.ts';
import { holdExport, sayRenamed, withSource } from '../../source.ts';
import type { nightlyCommand } from './command.ts';

type NightlyContext = ContextOf<typeof nightlyCommand>;

type Night = Awaited<ReturnType<typeof readNight>>;

/** A night that is over, and its folder, which is still held. */
interface HeldNight extends Night {
  readonly close: () => Promise<void>;
}

export interface Hearers {
  readonly notify: Secret | undefined;
  readonly heartbeat: Secret | undefined;
  /** What the heartbeat adds to its address if the night failed. */
  readonly failureForm: string;
}

/** Reads what is due in a folder; `hear` gets the addresses first. Throws ReconError if it cannot begin. */
export async function readFolder(
  path: string,
  context: NightlyContext,
  lastRunFailed: boolean,
  hear: (hearers: Hearers) => void,
): Promise<HeldNight> {
  const { flags, messages, signal } = context;
  const asked = await whatIsAsked(context);
  const due = dueAsked(asked, context);
  // Nobody hears of sample data.
  if (!flags.sandbox) {
    const { notifyUrl, heartbeatUrl, preferences } = asked.settings;
    const say = (sentence: string) => messages.say(sentence);
    const notify = await notifyUrl(signal, say);
    const heartbeat = await heartbeatUrl(signal, say);
    hear({ notify, heartbeat, failureForm: preferences.heartbeat_failure });
  }
  const reportedBy = await whenReported(asked, context);
  const bank = await bankOfNight(asked, context);
  const agreed = agreementOf(asked);
  const { settle_days: settleDays } = asked.settings.preferences;
  const fees = agreed && { ...agreed, settleDays };
  return withSource(asked, context, async (opened) => {
    const held = await holdExport(path, opened, asked, context);
    const { close } = held.folder;
    try {
      sayRenamed(held.folder, messages);
      const closes = await closesAsked(asked);
      const judging = { whenReported: reportedBy, bank, fees, lastRunFailed, closes };
      return { ...(await readNight({ ...held, ...due, ...judging, path })), close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** The statements of the settings or flags. If they cannot be read, the night goes on and says so. */
async function bankOfNight(
  asked: Asked,
  context: NightlyContext,
): Promise<BankOfNight | undefined> {
  const { statements, payout_accounts: counterparties, holidays } = asked.settings.preferences;
  const expected = { counterparties, businessDays: new BusinessDays(holidays) };
  const { bank: paths, failOn } = context.flags;
  if (!paths && statements === undefined) {
    refuseBankConditions(failOn);
    return undefined;
  }
  try {
    return { statements: await readBank(paths ?? [], asked, context), ...expected };
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    return { statements: error, ...expected };
  }
}

/** What is due by the settings and flags; of the sandbox, from the first day of its data. */
export function dueAsked(
  { settings, period, today }: Asked,
  { flags }: Pick<NightlyContext, 'flags'>,
) {
  const { concurrency, restated_days, swept_days } = settings.preferences;
  const since = flags.since && dayMeant('--since', flags.since, today());
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

/** The night of a profile, for the report. */
export function nightOf(
  outcome: ProfileOutcome<Night>,
  folder: string,
  explained: ReadonlySet<string>,
  { flags: { failOn }, clock }: NightlyContext,
): ProfileNight {
  const { profile } = outcome;
  if ('error' in outcome) {
    const { error, exitCode } = outcome;
    return nightNotBegun(error, { profile, folder, exitCode }, dayAt(clock.now(), 'UTC'));
  }
  const { failure } = outcome.result;
  const summary = withoutExplained(outcome.result.summary, explained);
  const code = failure ? codesByFailure[failure.failure] : undefined;
  return {
    ...summary,
    profile,
    failure: failure && faultOf(failure),
    exitCode: code ?? exitCodeOf(summary.verdict, metBy(summary), failOn),
  };
}

function metBy({ pending, overdue, settlements, news, bank, ...summary }: Night['summary']) {
  return {
    ...{ pending, overdue, empty: settlements === 0, new: news.length },
    'unknown-status': summary.unknownStatuses,
    'unusual-scale': summary.unusualScales,
    'missing-on-bank': bank?.missing ?? 0,
    'unknown-on-bank': bank?.unknown.size ?? 0,
    difference: bank?.differences ?? 0,
  };
}

/** The folder of a profile's days: the given one, or one of several below it, named as the profile. */
export function folderOf(out: string, profile: string | undefined): string {
  return profile === undefined ? out : join(out, profile);
}

/** Throws ReconError `configuration` if the name of a profile cannot be that of a folder. */
export function checkFolderName(profile: string | undefined): void {
  const isName = profile === undefined || /^[\w-][\w .-]*$/.test(profile);
  if (isName && profile !== layout.status) return;
  throw new ReconError('configuration', 'This profile has a name that a folder cannot have.', {
    where: `profile ${profile}`,
    hint: 'Rename it with letters, digits, hyphens and underscores, or run it alone with --profile.',
  });
}
