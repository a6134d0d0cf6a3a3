import { join } from 'node:path';
import { createApiSource } from '../api/api-source.ts';
import type { Observer } from '../api/client.ts';
import type { ApiOptions } from '../api/operations.ts';
import { createProbe } from '../api/probe.ts';
import { planRun } from '../app/plan-run.ts';
import type { Progress } from '../app/read-settlements.ts';
import { firstRecords } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import type { NamedFile } from '../base/text-reader.ts';
import { stateFolder } from '../config/config-file.ts';
import type { Settings } from '../config/settings.ts';
import { newestDay } from '../doctor/newest-settlement.ts';
import type { ExportFolder } from '../export/export-folder.ts';
import { ExportSource } from '../export/export-source.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { PagedSource, SettlementQuery, Source } from '../model/source.ts';
import { grouped, many } from '../report/common/phrase.ts';
import { planViews } from '../report/dry-run/view.ts';
import { publishedIncompleteSentence } from '../report/export/view.ts';
import type { Context } from './context.ts';
import type { Inputs } from './inputs.ts';
import type { Messages } from './messages.ts';
import { filesAt } from './named-files.ts';
import { printReport, resolveTarget } from './output.ts';
import { lockOptions } from './processes.ts';
import { describeRange, filtersOf } from './range.ts';
import { dayNow, homeOf, proxyOf } from './settings.ts';

export interface Opened<Kind extends Source = Source> {
  readonly source: Kind;
  /** The service's host, or `sandbox:SCENARIO`. */
  readonly host: string;
  readonly stop: () => Promise<void>;
}

/** What is read: settlements, charges. */
type Uses = Parameters<Settings['connection']>[0];

/** The service: unlike an export, it has charges. */
type LiveSource = PagedSource & ChargeSource;

/** Calls `work` with the export or the service, and its charges if they are read, and closes it afterwards. */
export async function withSource<Result>(
  { settings, exported }: Pick<Inputs, 'settings' | 'exported'>,
  context: Context,
  work: (opened: Opened, charges?: ChargeSource) => Promise<Result>,
  readsCharges = false,
): Promise<Result> {
  if (!exported && providerFiles(settings, context) !== undefined) {
    if (readsCharges) throw noService(settings, '--charges');
    startTime(settings, context);
    const opened = await openProviderFiles(settings, context);
    return closing(opened, context, work);
  }
  if (!exported) {
    const uses: Uses = readsCharges ? ['settlements', 'charges'] : ['settlements'];
    return withService(settings, uses, context, async (live, api) => {
      const seen = { isAny: false, last: undefined as SettlementQuery | undefined };
      const source = watched(live.source, seen);
      const result = await work({ ...live, source }, readsCharges ? live.source : undefined);
      if (seen.last && !seen.isAny) await sayNewest(seen.last, api, settings, context);
      return result;
    });
  }
  startTime(settings, context);
  const { scope, days, lacking } = exported;
  for (const why of lacking.values()) context.messages.warn(why);
  const source = new ExportSource({ days, signal: context.signal });
  const opened = { source, host: scope.host, stop: () => source.close() };
  return closing(opened, context, work, async () => {
    const { incompleteDays } = source;
    if (incompleteDays.length > 0)
      context.messages.warn(publishedIncompleteSentence(incompleteDays));
  });
}

interface Seen {
  isAny: boolean;
  last: SettlementQuery | undefined;
}

/** A source that notes whether any settlement was listed. */
function watched(source: LiveSource, seen: Seen): LiveSource {
  return {
    ...source,
    headers: async (query, allowance) => {
      const list = await source.headers(query, allowance);
      seen.isAny ||= list.settlements.length > 0 || list.unreadable.length > 0;
      seen.last = query;
      return list;
    },
  };
}

/** Says, where nothing was found, of which day the newest settlement is. */
async function sayNewest(
  { filters, range }: SettlementQuery,
  api: ApiOptions,
  settings: Settings,
  context: Context,
): Promise<void> {
  const { messages, signal } = context;
  if (context.flags.quiet || messages.isForPrograms) return;
  const today = dayNow(settings, context);
  const probe = createProbe(api);
  try {
    const day = await newestDay(probe, filters, today > range.to ? today : range.to);
    messages.stop();
    if (day !== undefined) messages.say(`The newest settlement is of ${day}.`);
  } catch {
    // The report is complete without it.
    signal.throwIfAborted();
  } finally {
    await probe.close();
  }
}

/** The settlement files of the profile, which are read instead of a service. */
export function providerFiles({ preferences }: Settings, { flags }: Context): string | undefined {
  return flags.sandbox ? undefined : preferences.settlement_files;
}

/** Reads the settlement files of the profile. Throws ReconError as `readSettlementFiles` does. */
export async function openProviderFiles(settings: Settings, { signal }: Context): Promise<Opened> {
  const { settlement_files: path = '', settlements_csv: mapping } = settings.preferences;
  const files = await filesAt([path], 'Settlement files', 'settlement_files');
  if (!mapping) throw await noColumns(path, files);
  const { readSettlementFiles } = await import('../provided/provided-source.ts');
  const source = await readSettlementFiles(files, mapping, signal);
  return { source, host: `files:${mapping.provider}`, stop: async () => {} };
}

/** Names the preset whose columns the first file has. */
async function noColumns(path: string, [file]: readonly NamedFile[]): Promise<ReconError> {
  const { beginningOf } = await import('../mapping/beginning.ts');
  const { settlementPresetIn } = await import('../provided/presets.ts');
  const [first] = file ? firstRecords((await beginningOf(file)).text, firstLine, 1) : [];
  const preset = settlementPresetIn(first?.cells ?? []);
  const hint = preset
    ? `Set settlements_csv = { preset = "${preset}" } in the profile: ${file?.name} has its columns.`
    : `Set settlements_csv in the profile. To see a mapping that fits: recon settlements --init ${file?.name ?? 'FILE'}.`;
  const message = 'The columns of settlement files are not known.';
  return new ReconError('configuration', message, { where: path, hint });
}

const firstLine = { delimiter: ',', skip_lines: 0 };

function noService({ profile }: Settings, what: string): ReconError {
  const message = `The profile ${profile ?? ''} reads settlement files, and ${what} needs the service.`;
  const hint = 'Choose another profile with --profile, or remove settlement_files.';
  return new ReconError('configuration', message, { hint });
}

/** Calls `work` with the service (or the sandbox), connected for `uses`, and closes it afterwards. */
export async function withService<Result>(
  settings: Settings,
  uses: Uses,
  context: Context,
  work: (opened: Opened<LiveSource>, api: ApiOptions) => Promise<Result>,
): Promise<Result> {
  const { api: reached, host, close } = await reachService(settings, uses, context);
  // What else is asked is asked with the same token.
  const api: ApiOptions = { ...reached, kept: { current: undefined, newest: 0 } };
  const source = createApiSource(api);
  const opened = { source, host, stop: () => source.close() };
  return closing(opened, context, (live) => work(live, api), close);
}

async function closing<Kind extends Source, Result>(
  opened: Opened<Kind>,
  { messages }: Context,
  work: (opened: Opened<Kind>) => Promise<Result>,
  close = async () => {},
): Promise<Result> {
  try {
    return await work(opened);
  } finally {
    messages.stop();
    await opened.stop();
    await close();
  }
}

/** Prepares the connection without any request; starts the sandbox. */
export async function reachService(settings: Settings, uses: Uses, context: Context) {
  const { flags, messages, host, clock, random, signal, pacerOf } = context;
  if (providerFiles(settings, context) !== undefined) throw noService(settings, 'this command');
  const observer = startTime(settings, context);
  const { concurrency } = settings.preferences;
  const userAgent = `recon/${RECON_VERSION}`;
  const options = { concurrency, userAgent, clock, signal, random, observer };
  if (flags.sandbox) {
    const { address, ...sandbox } = await startedSandbox(settings, context);
    // Never through a proxy.
    const api: ApiOptions = { ...options, ...address, proxy: {} };
    return { ...sandbox, api };
  }
  const connection = await settings.connection(uses, signal, (sentence) => messages.say(sentence));
  const { baseUrl, baseUrlFrom } = connection;
  const credentials = credentialsOf(connection);
  const pacer = pacerOf?.(baseUrl, concurrency);
  const shared = credentials.v1 && {
    path: join(stateFolder(host.env, homeOf(host)), 'recon'),
    lock: await lockOptions(context),
    onUnusable: ({ message, where }: ReconError) =>
      messages.say(
        `Other processes that sign with the same key are not waited for: ${message} (${where})`,
      ),
  };
  const reached = { baseUrl, baseUrlFrom, credentials, proxy: proxyOf(host), pacer, shared };
  const api: ApiOptions = { ...options, ...reached };
  return { api, host: new URL(baseUrl).host, close: async () => {} };
}

function credentialsOf({
  schemes,
  v1,
  v2,
}: Awaited<ReturnType<Settings['connection']>>): ApiOptions['credentials'] {
  return {
    schemes,
    ...(v1 && { v1: { ...v1, secret: v1.secret.reveal() } }),
    ...(v2 && { v2: { ...v2, clientSecret: v2.clientSecret.reveal() } }),
  };
}

async function startedSandbox({ schemes }: Settings, context: Context) {
  const { launchSandbox } = await import('./sandbox.ts');
  const { sandbox, scenario } = await launchSandbox(context.flags, context);
  const { baseUrl, authUrl, credentials, signingKeys } = sandbox;
  const origin = 'all from the sandbox';
  const v1 = { ...signingKeys, origin };
  const v2 = { ...credentials, authUrl, origin };
  return {
    address: { baseUrl, credentials: { schemes, v1, v2 } },
    host: `sandbox:${scenario.name}`,
    close: () => sandbox.close(),
  };
}

/** Starts the time limit; returns an observer that remembers the last failure for its message. */
function startTime({ preferences }: Settings, { messages, clock, limit }: Context): Observer {
  const { timeout: timeoutMs } = preferences;
  const { observer } = messages;
  if (timeoutMs === undefined) return observer;
  const end = clock.monotonic() + timeoutMs;
  let lastFailure: string | undefined;
  let answers = 0;
  limit(timeoutMs, () => outOfTime(answers, messages.progress, lastFailure));
  const request: Observer['request'] = (event) => {
    lastFailure = event.failure ?? lastFailure;
    if (event.failure === undefined) answers += 1;
    observer.request?.(event);
  };
  const waiting: Observer['waiting'] = (wait) =>
    observer.waiting?.({ ...wait, mostMs: Math.min(wait.mostMs, end - clock.monotonic()) });
  return { ...observer, request, waiting };
}

/** `--dry-run`: reports what a run would take. Returns the exit code. */
export async function dryRun(settings: Settings, query: SettlementQuery, context: Context) {
  const { range } = query;
  const target = resolveTarget(context);
  return withService(settings, ['settlements'], context, async ({ source }) => {
    context.messages.say(`Settlements ${describeRange(range)}`);
    const views = planViews({ range, plan: await planRun(source, query) });
    return printReport(target, views, context);
  });
}

function outOfTime(answers: number, progress: Progress | undefined, cause: string | undefined) {
  const last = cause === undefined ? '' : ` Last failed request: ${cause}`;
  const done = progress
    ? `${progress.day === undefined ? '' : `of ${progress.day}, `}${grouped(progress.decided)} of ${many(progress.settlements, 'settlement')} and ${grouped(progress.rows)} of ${many(progress.expectedRows, 'transaction')} were read`
    : `${many(answers, 'request')} ${answers === 1 ? 'was' : 'were'} answered`;
  return new ReconError('network', `The run exceeded its time limit. Until then, ${done}.${last}`, {
    where: '--timeout',
    hint: 'Use a longer --timeout or a shorter range.',
    endsRun: true,
  });
}

/** Opens the folder of an export, which the caller closes. Throws ReconError as `openExportFolder` does. */
export async function holdExport(
  path: string,
  opened: Opened,
  { settings, judgement, names, reading }: Inputs,
  context: Context,
) {
  const { openExportFolder } = await import('../export/export-folder.ts');
  const { flags, clock, messages } = context;
  if (providerFiles(settings, context) !== undefined) throw noService(settings, 'an export');
  const { rebind = false, deep = false, keep } = flags;
  const filters = filtersOf(flags);
  const scope = { profile: settings.profile ?? null, host: opened.host, filters };
  const folder = await openExportFolder(path, {
    scope,
    rebind,
    addsTables: settings.preferences.parquet,
    ...(await lockOptions(context)),
  });
  if (folder.recovered.length > 0) messages.say('Completed what an earlier run left unfinished.');
  return {
    ...opened,
    folder,
    scope,
    filters,
    deep,
    keep,
    clock,
    names,
    settings: judgement,
    ...reading,
    tool: RECON_VERSION,
  };
}

export function announceRenaming({ changedNames }: ExportFolder, messages: Messages): void {
  for (const name of changedNames) messages.say(`Continuing an export that was renamed: ${name}.`);
}
