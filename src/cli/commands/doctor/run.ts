import { dirname, resolve } from 'node:path';
import { createProbe } from '../../../api/probe.ts';
import { addDays, dayAt, spanOf } from '../../../base/calendar.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import { isThere } from '../../../base/files.ts';
import { isFolder } from '../../../base/folders.ts';
import { proxyFor } from '../../../base/http/transport.ts';
import { keysOf } from '../../../base/lists.ts';
import { connectionKeys } from '../../../config/table.ts';
import type { PlaceExamined } from '../../../doctor/checks/files.ts';
import { examine, type Setup } from '../../../doctor/examination.ts';
import { doctorReport, type ShownSettings } from '../../../doctor/report.ts';
import { isRemark } from '../../../model/bank.ts';
import type { DateRange } from '../../../model/source.ts';
import { formats } from '../../../render/formats.ts';
import { statementSentence } from '../../../report/bank/words.ts';
import { capitalised, many } from '../../../report/common/phrase.ts';
import { readStatementsAt } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { codesByFailure, exitCodes } from '../../exit-codes.ts';
import { type Inputs, resolveInputs } from '../../inputs.ts';
import { filesAt } from '../../named-files.ts';
import { readOrdersAt } from '../../orders.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { readSettings } from '../../settings.ts';
import { openProviderFiles, providerFiles, reachService } from '../../source.ts';
import type { doctorCommand } from './command.ts';

type DoctorContext = ContextOf<typeof doctorCommand>;

const usualDays = 7;

/** `recon doctor`: says what is in place and what the service does. The first failure gives the exit code. */
export async function doctor(context: DoctorContext): Promise<number> {
  const target = resolveTarget(context, { formats, piped: 'table' });
  const { views, conclusion, cause } = await diagnose(context);
  context.messages.stop();
  const exitCode = cause === undefined ? exitCodes.ok : codesByFailure[cause];
  return printReport(target, views, context, conclusion, exitCode);
}

async function diagnose(context: DoctorContext) {
  const { flags, messages, signal } = context;
  let shown: ShownSettings = { file: undefined, settings: [] };
  try {
    const asked = await resolveInputs(context);
    const { settings } = asked;
    // The sandbox brings its own connection along.
    const brought: readonly string[] = flags.sandbox ? connectionKeys : [];
    shown = {
      file: settings.hasFile ? settings.file.path : undefined,
      settings: (await settings.show()).filter(({ key }) => !brought.includes(key)),
    };
    const say = (sentence: string) => messages.say(sentence);
    await settings.notifyUrl(signal, say);
    await settings.heartbeatUrl(signal, say);
    const files = providerFiles(settings, context);
    const examined =
      files === undefined ? askService(asked, context) : examineFiles(files, asked, context);
    return doctorReport(await examined, shown, await examinePlaces(asked, context));
  } catch (error) {
    signal.throwIfAborted();
    // What is wrong with the command line is said as everywhere.
    if (!(error instanceof ReconError) || error.failure !== 'configuration') throw error;
    return doctorReport(faultOf(error), shown);
  }
}

/** Reads the statements and the orders that the settings name, and looks for the folders of registers. */
async function examinePlaces(inputs: Inputs, context: DoctorContext) {
  const { preferences } = inputs.settings;
  const readers = {
    statements: async () => {
      const { entries, findings } = await readStatementsAt([], inputs, context);
      const odd = findings.find((one) => !isRemark(one));
      const fault = odd && { message: statementSentence(odd), hint: 'See recon bank --entries.' };
      return { days: spanOf(entries.map(({ date }) => date)), fault };
    },
    orders: async () => {
      const read = await readOrdersAt([], inputs, context, undefined);
      const { days, unreadableLines = 0 } = read?.input.orders ?? {};
      const message = `${many(unreadableLines, 'line')} cannot be read`;
      return {
        days,
        fault: unreadableLines > 0 ? { message, hint: 'See recon orders.' } : undefined,
      };
    },
  };
  const places: PlaceExamined[] = [];
  for (const check of keysOf(readers)) {
    const path = preferences[check];
    if (path === undefined) continue;
    let found = '';
    try {
      const files = await filesAt([path], capitalised(check), check);
      found = `${many(files.length, 'file')} in ${path}`;
      const { days, fault } = await readers[check]();
      if (days) found += `, ${days.from} to ${days.to}`;
      places.push({ check, found, fault });
    } catch (error) {
      if (!(error instanceof ReconError)) throw error;
      places.push({ check, found, fault: faultOf(error) });
    }
  }
  const registers = [];
  let fault: PlaceExamined['fault'];
  for (const key of ['accepted', 'booked', 'closes'] as const) {
    const path = preferences[key];
    if (path === undefined) continue;
    registers.push((await isThere(path)) ? path : `${path} (not begun)`);
    const folder = dirname(resolve(path));
    if (await isFolder(folder)) continue;
    const hint = `Correct ${key}, or create the folder. A relative path in a profile starts at the folder of the configuration file.`;
    const message = 'This folder does not exist.';
    fault = faultOf(new ReconError('configuration', message, { where: folder, hint }));
  }
  return registers.length === 0
    ? places
    : [...places, { check: 'registers', found: registers.join(', '), fault } as const];
}

/** Reads the settlement files of the profile, of all days. */
async function examineFiles(path: string, { settings }: Inputs, context: DoctorContext) {
  const { source } = await openProviderFiles(settings, context);
  const { settlements_csv: mapping } = settings.preferences;
  const list = await source.headers({ range: { from: '', to: '9999-12-31' }, filters: {} });
  return { path, provider: mapping?.provider ?? '', list };
}

async function askService(asked: Inputs, context: DoctorContext) {
  const { flags, clock, signal, messages } = context;
  const { settings, judgement } = asked;
  const { profile, schemes, preferences, file } = settings;
  const { api, host, close } = await reachService(settings, ['settlements', 'charges'], context);
  const { baseUrl } = api;
  const setup: Setup = {
    sandbox: flags.sandbox && host.replace('sandbox:', ''),
    profile,
    file: file.path,
    baseUrl,
    proxy: proxyFor(baseUrl, api.proxy),
    schemes,
    names: preferences.names,
    ...judgement,
  };
  const query = { range: daysToLookAt(asked, context), filters: {} };
  const probe = createProbe(api);
  try {
    await messages.startProgress('checking the service');
    const given = { setup, query, looksBack: flags.days === undefined, now: clock.now() };
    return await examine(probe, given, (scheme) => probeOf(scheme, context), signal);
  } finally {
    await probe.close();
    await close();
  }
}

async function probeOf(scheme: 'v1' | 'v2', context: DoctorContext) {
  const env = { ...context.host.env, RECON_AUTH: scheme };
  const settings = await readSettings(context, undefined, env);
  // What is set for a service doesn't count with the sandbox.
  if (settings.schemes.settlements !== scheme) return undefined;
  const reached = await reachService(settings, ['settlements'], context).catch(() => undefined);
  return reached && createProbe(reached.api);
}

/** The last days with today; of the sandbox, all of its data unless a number of days is given. */
function daysToLookAt({ settings, period }: Inputs, { flags, clock }: DoctorContext): DateRange {
  if (period && flags.days === undefined) return period;
  const to = period?.to ?? dayAt(clock.now(), settings.preferences.time_zone);
  return { from: addDays(to, 1 - (flags.days ?? usualDays)), to };
}
