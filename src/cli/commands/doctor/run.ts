import { createProbe } from '../../../api/probe.ts';
import { proxyFor } from '../../../api/proxy.ts';
import { addDays, dayAt } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import type { Settings } from '../../../config/settings.ts';
import { connectionKeys } from '../../../config/table.ts';
import { checkFaultOf } from '../../../doctor/check.ts';
import { causeOfFailure, checksOf, checksWithout, worstLevel } from '../../../doctor/checks.ts';
import type { Setup } from '../../../doctor/examination.ts';
import { examine } from '../../../doctor/examine.ts';
import type { DateRange } from '../../../model/source.ts';
import { formats } from '../../../render/formats.ts';
import { type DoctorReport, doctorConclusion, doctorViews } from '../../../report/doctor/view.ts';
import { scenarioOf } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { codesByFailure, exitCodes } from '../../exit-codes.ts';
import { type MessageFlags, Messages } from '../../messages.ts';
import { printReport, sayConclusion } from '../../print-report.ts';
import { type RunSettingFlags, readSettings } from '../../settings.ts';
import {
  type Reached,
  reachService,
  type ServiceContext,
  type ServiceFlags,
} from '../../source.ts';
import { resolveTarget, type TargetFlags } from '../../target.ts';

export interface DoctorFlags extends RunSettingFlags, ServiceFlags, TargetFlags, MessageFlags {
  /** How many days of settlements are looked at. */
  readonly days?: number;
}

const usualDays = 7;

/** `recon doctor`: says what is in place and what the service does. The first failure gives the exit code. */
export async function doctor(flags: DoctorFlags, context: Context): Promise<number> {
  const target = resolveTarget(flags, context.host, { formats, piped: 'table' });
  const messages = new Messages(flags, context);
  try {
    const report = await diagnose(flags, context, messages);
    messages.stop();
    await printReport(target, doctorViews(report), context.host);
    const cause = causeOfFailure(report.checks);
    const exitCode = cause === undefined ? exitCodes.ok : codesByFailure[cause];
    sayConclusion(doctorConclusion(report), target, exitCode, messages);
    return exitCode;
  } finally {
    messages.stop();
  }
}

async function diagnose(
  flags: DoctorFlags,
  context: Context,
  messages: Messages,
): Promise<DoctorReport> {
  const { clock, signal } = context;
  const known: Known = { file: undefined, settings: [] };
  const ready = await prepare(flags, { ...context, messages }, known).catch((error: unknown) => {
    signal.throwIfAborted();
    // What is wrong with the command line is said as everywhere.
    if (!(error instanceof ReconError) || error.failure !== 'configuration') throw error;
    return checkFaultOf(error);
  });
  if ('cause' in ready) {
    const checks = checksWithout(ready);
    return { ...known, checks, level: worstLevel(checks), range: undefined, requests: 0 };
  }
  const { reached, setup, range } = ready;
  const probe = createProbe(reached.api);
  try {
    await messages.startProgress('checking the service');
    const query = { range, filters: {} };
    const evidence = await examine({ probe, setup, query, now: clock.now(), signal });
    const checks = checksOf(evidence);
    const requests = evidence.sightings.exchanges.length;
    return { ...known, checks, level: worstLevel(checks), range, requests };
  } finally {
    await probe.close();
    await reached.close();
  }
}

/** What is known of the settings, even where some of them are wrong. */
type Known = { -readonly [Key in 'file' | 'settings']: DoctorReport[Key] };

/** All that it takes to ask the service. Throws ReconError. */
async function prepare(flags: DoctorFlags, context: ServiceContext, known: Known) {
  const settings = await readSettings(flags, context.host);
  known.file = settings.hasFile ? settings.file.path : undefined;
  known.settings = await shownSettings(flags, settings);
  const range = await daysToLookAt(flags, settings, context);
  const reached = await reachService(flags, settings, context, ['settlements', 'charges']);
  return { reached, range, setup: setupOf(flags, settings, reached) };
}

/** The sandbox brings its own connection along. */
async function shownSettings({ sandbox }: DoctorFlags, run: Settings) {
  const names: readonly string[] = sandbox ? connectionKeys : [];
  return (await run.show()).filter(({ key }) => !names.includes(key));
}

function setupOf(
  { sandbox }: DoctorFlags,
  { profile, file, hasFile, schemes, preferences }: Settings,
  { api: { baseUrl, credentials, proxy }, host: of }: Reached,
): Setup {
  const usesV2 = Object.values(schemes).includes('v2');
  return {
    sandbox: sandbox && of.replace('sandbox:', ''),
    profile,
    file: hasFile ? file.path : undefined,
    baseUrl,
    authUrl: usesV2 ? credentials.v2?.authUrl : undefined,
    proxy: proxyFor(baseUrl, proxy),
    schemes,
    identity: preferences.identity,
    tolerance: preferences.tolerance,
    expectedScales: preferences.expected_scales,
  };
}

/** The last days with today; of the sandbox, all of its data unless a number of days is given. */
async function daysToLookAt(
  flags: DoctorFlags,
  { preferences: { time_zone: timeZone } }: Settings,
  { clock }: ServiceContext,
): Promise<DateRange> {
  const period = flags.sandbox && (await scenarioOf(flags)).period;
  if (period && flags.days === undefined) return period;
  const to = period?.to ?? dayAt(clock.now(), timeZone);
  return { from: addDays(to, 1 - (flags.days ?? usualDays)), to };
}
