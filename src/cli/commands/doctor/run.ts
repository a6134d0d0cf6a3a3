import { createProbe } from '../../../api/probe.ts';
import { addDays, dayAt } from '../../../base/calendar.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import { proxyFor } from '../../../base/http/transport.ts';
import type { Settings } from '../../../config/settings.ts';
import { connectionKeys } from '../../../config/table.ts';
import { type Examination, examine, type Setup } from '../../../doctor/examination.ts';
import {
  causeOfFailure,
  checksOf,
  checksWithout,
  type DoctorReport,
  doctorConclusion,
  doctorViews,
  otherSchemeText,
} from '../../../doctor/report.ts';
import type { DateRange } from '../../../model/source.ts';
import { formats } from '../../../render/formats.ts';
import { whatIsAsked } from '../../asked.ts';
import type { ContextOf } from '../../context.ts';
import { codesByFailure, exitCodes } from '../../exit-codes.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { readSettings } from '../../settings.ts';
import { reachService } from '../../source.ts';
import type { doctorCommand } from './command.ts';

type DoctorContext = ContextOf<typeof doctorCommand>;

const usualDays = 7;

/** `recon doctor`: says what is in place and what the service does. The first failure gives the exit code. */
export async function doctor(context: DoctorContext): Promise<number> {
  const { messages } = context;
  const target = resolveTarget(context, { formats, piped: 'table' });
  const report = await diagnose(context);
  messages.stop();
  const cause = causeOfFailure(report.checks);
  const exitCode = cause === undefined ? exitCodes.ok : codesByFailure[cause];
  await printReport(target, doctorViews(report), context, doctorConclusion(report), exitCode);
  return exitCode;
}

async function diagnose(context: DoctorContext): Promise<DoctorReport> {
  const { messages, clock, signal } = context;
  const known: Known = { file: undefined, settings: [] };
  const ready = await prepare(context, known).catch((error: unknown) => {
    signal.throwIfAborted();
    // What is wrong with the command line is said as everywhere.
    if (!(error instanceof ReconError) || error.failure !== 'configuration') throw error;
    return faultOf(error);
  });
  if ('cause' in ready) {
    return { ...known, checks: checksWithout(ready), range: undefined, requests: 0 };
  }
  const { reached, setup, range } = ready;
  const probe = createProbe(reached.api);
  try {
    await messages.startProgress('checking the service');
    const query = { range, filters: {} };
    const evidence = await examine(probe, { setup, query, now: clock.now() }, signal);
    const other = await tryOtherScheme(evidence, context);
    const checks = checksOf({ ...evidence, stop: other.stop });
    const requests = evidence.sightings.exchanges.length + other.requests;
    return { ...known, checks, range, requests };
  } finally {
    await probe.close();
    await reached.close();
  }
}

type Known = { -readonly [Key in 'file' | 'settings']: DoctorReport[Key] };

async function prepare(context: DoctorContext, known: Known) {
  const { flags } = context;
  const asked = await whatIsAsked(context);
  const { settings, period, judgement } = asked;
  const { profile, schemes, preferences } = settings;
  known.file = settings.hasFile ? settings.file.path : undefined;
  // The sandbox brings its own connection along.
  const brought: readonly string[] = flags.sandbox ? connectionKeys : [];
  known.settings = (await settings.show()).filter(({ key }) => !brought.includes(key));
  const say = (sentence: string) => context.messages.say(sentence);
  await settings.notifyUrl(context.signal, say);
  await settings.heartbeatUrl(context.signal, say);
  const range = daysToLookAt(settings, period, context);
  const reached = await reachService(settings, ['settlements', 'charges'], context);
  const { baseUrl, credentials, proxy } = reached.api;
  const usesV2 = Object.values(schemes).includes('v2');
  const setup: Setup = {
    sandbox: flags.sandbox && reached.host.replace('sandbox:', ''),
    profile,
    file: known.file,
    baseUrl,
    authUrl: usesV2 ? credentials.v2?.authUrl : undefined,
    proxy: proxyFor(baseUrl, proxy),
    schemes,
    names: preferences.names,
    ...judgement,
  };
  return { reached, range, setup };
}

/** Where settlements reject the scheme that is set, asks once by the other one, if its keys are set. */
async function tryOtherScheme({ stop, setup, query }: Examination, context: DoctorContext) {
  const untried = { stop, requests: 0 };
  if (stop?.check !== 'settlements' || stop.fault.cause !== 'authentication') return untried;
  const scheme = setup.schemes.settlements === 'v2' ? 'v1' : 'v2';
  const env = { ...context.host.env, RECON_AUTH: scheme };
  const settings = await readSettings(context, undefined, env);
  // What is set for a service doesn't count with the sandbox.
  if (settings.schemes.settlements !== scheme) return untried;
  const reached = await reachService(settings, ['settlements'], context).catch(() => undefined);
  if (!reached) return untried;
  const probe = createProbe(reached.api);
  const asking = probe.settlements(query, { offset: 0, limit: 1 });
  const failure = await asking.then(() => {}).catch((error: unknown) => error);
  await probe.close();
  context.signal.throwIfAborted();
  const hint = otherSchemeText(scheme, setup.profile, failure);
  return {
    stop: { ...stop, fault: { ...stop.fault, hint } },
    requests: probe.sightings().exchanges.length,
  };
}

/** The last days with today; of the sandbox, all of its data unless a number of days is given. */
function daysToLookAt(settings: Settings, period: DateRange | undefined, context: DoctorContext) {
  const { flags, clock } = context;
  const { time_zone: timeZone } = settings.preferences;
  if (period && flags.days === undefined) return period;
  const to = period?.to ?? dayAt(clock.now(), timeZone);
  return { from: addDays(to, 1 - (flags.days ?? usualDays)), to };
}
