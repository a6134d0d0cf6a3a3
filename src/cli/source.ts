import { type ApiOptions, createApiSource } from '../api/api-source.ts';
import type { Credentials } from '../api/auth/authorizers.ts';
import type { Observer } from '../api/client.ts';
import type { ProxySettings } from '../api/proxy.ts';
import type { Connection, Use } from '../config/connection.ts';
import type { Settings } from '../config/settings.ts';
import { ExportSource } from '../export/export-source.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { PagedSource, Source } from '../model/source.ts';
import type { Asked } from './asked.ts';
import { type Context, say } from './context.ts';
import type { Exported, FromExportFlags } from './exported.ts';
import { outOfTime } from './failure.ts';
import { type MessageFlags, Messages } from './messages.ts';
import { proxyOf } from './proxy.ts';
import type { RunSettingFlags } from './settings.ts';
import { reconVersion } from './version.ts';

/** The service that a run asks: the real one, or the one on board. */
export interface Service {
  readonly source: Source;
  /** Whose data it has: the service's host, or `sandbox:SCENARIO`. */
  readonly host: string;
  close(): Promise<void>;
}

/** The service itself, which can be asked for charges too, as an export can't. */
export interface LiveService extends Service {
  readonly source: PagedSource & ChargeSource;
}

/** Which service a run reads, with which settings, and how much it prints. */
export type ServiceFlags = RunSettingFlags & FromExportFlags & MessageFlags;

/** What a run brings along, and its way to say how it goes on. */
export interface ServiceContext extends Context {
  readonly messages: Messages;
}

interface Address {
  readonly baseUrl: string;
  readonly credentials: Credentials;
}

/** Opens what is to be read: the export that is asked for, or else the service, for settlements. */
export async function openSource(
  flags: ServiceFlags,
  { settings, exported }: Pick<Asked, 'settings' | 'exported'>,
  given: ServiceContext,
): Promise<Service> {
  if (!exported) return openLiveService(flags, settings, given, ['settlements']);
  startTime(settings, given);
  return openExport(exported, given);
}

/**
 * Opens the service itself for `uses`, by the settings; starts the sandbox, where it is the one that
 * is asked.
 */
export async function openLiveService(
  flags: ServiceFlags,
  settings: Settings,
  given: ServiceContext,
  uses: readonly Use[],
): Promise<LiveService> {
  const { api, host, close } = await reachService(flags, settings, given, uses);
  const source = createApiSource(api);
  return { source, host, close: () => source.close().then(close) };
}

/**
 * Does `work` with the source that `open` gives and with a way to say how far it is; closes both
 * when it has ended, well or not.
 */
export async function withSource<Opened extends Service, Result>(
  flags: MessageFlags,
  context: Context,
  open: (given: ServiceContext) => Promise<Opened>,
  work: (opened: Opened, messages: Messages) => Promise<Result>,
): Promise<Result> {
  const messages = new Messages(flags, context);
  const opened = await open({ ...context, messages });
  try {
    return await work(opened, messages);
  } finally {
    messages.stop();
    await opened.close();
  }
}

/** How the service is asked. */
export interface Reached {
  readonly api: ApiOptions;
  readonly host: string;
  /** Ends the sandbox, where it is the one that is asked. */
  close(): Promise<void>;
}

/** Finds out all that it takes to ask the service, and asks it nothing yet; starts the sandbox. */
export async function reachService(
  flags: ServiceFlags,
  settings: Settings,
  context: ServiceContext,
  uses: readonly Use[],
): Promise<Reached> {
  const observer = startTime(settings, context);
  if (flags.sandbox) return reachSandbox(flags, settings, context, observer);
  const connection = await settings.connection(uses, context.signal);
  const { baseUrl, warnings } = connection;
  for (const warning of warnings) context.messages.say(warning);
  const address = { baseUrl, credentials: credentialsOf(connection) };
  const api = apiOptions(address, settings, { ...context, observer }, proxyOf(context.host));
  return { api, host: new URL(baseUrl).host, close: async () => {} };
}

function openExport({ scope, days, lacking }: Exported, context: ServiceContext): Service {
  for (const why of lacking.values()) say(context.host, why);
  const source = new ExportSource({ days, signal: context.signal });
  return { source, host: scope.host, close: () => source.close() };
}

function credentialsOf({ schemes, v1, v2 }: Connection): Credentials {
  return {
    schemes,
    ...(v1 && { v1: { ...v1, secret: v1.secret.reveal() } }),
    ...(v2 && { v2: { ...v2, clientSecret: v2.clientSecret.reveal() } }),
  };
}

async function reachSandbox(
  flags: ServiceFlags,
  settings: Settings,
  context: ServiceContext,
  observer: Observer,
): Promise<Reached> {
  const { launchSandbox } = await import('./sandbox.ts');
  // The flags may hold a port and a host too: those are where `recon listen` listens.
  const { sandbox, scenario } = await launchSandbox({
    scenario: flags.scenario,
    fault: flags.fault,
    clock: context.clock,
  });
  const { baseUrl, authUrl, credentials, signingKeys } = sandbox;
  const origin = 'all from the sandbox';
  const both = {
    schemes: settings.schemes,
    v1: { ...signingKeys, origin },
    v2: { ...credentials, authUrl, origin },
  };
  // Loopback is never asked for through a proxy.
  const api = apiOptions({ baseUrl, credentials: both }, settings, { ...context, observer }, {});
  return { api, host: `sandbox:${scenario.name}`, close: () => sandbox.close() };
}

function apiOptions(
  address: Address,
  { preferences: { concurrency } }: Settings,
  { clock, random, observer, signal }: Context & { readonly observer: Observer },
  proxy: ProxySettings,
): ApiOptions {
  return {
    ...address,
    concurrency,
    proxy,
    userAgent: `recon/${reconVersion}`,
    clock,
    signal,
    random,
    observer,
  };
}

/**
 * Starts the time that the settings give. Gives who is to hear of the requests: the last one that
 * failed is named when the time is over.
 */
function startTime(
  { preferences: { timeout: timeoutMs } }: Settings,
  { messages: { observer }, limit }: ServiceContext,
): Observer {
  if (timeoutMs === undefined) return observer;
  let lastFailure: string | undefined;
  limit(timeoutMs, () => outOfTime(lastFailure));
  const request: Observer['request'] = (event) => {
    lastFailure = event.failure ?? lastFailure;
    observer.request?.(event);
  };
  return { ...observer, request };
}
