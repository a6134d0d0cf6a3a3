import { join } from 'node:path';
import { type ApiOptions, createApiSource } from '../api/api-source.ts';
import type { Observer } from '../api/client.ts';
import type { ReconError } from '../base/errors.ts';
import { stateFolder } from '../config/config-file.ts';
import type { Connection, Use } from '../config/connection.ts';
import type { Settings } from '../config/settings.ts';
import { ExportSource } from '../export/export-source.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { PagedSource, Source } from '../model/source.ts';
import { publishedIncompleteSentence } from '../report/export/words.ts';
import type { Asked } from './asked.ts';
import type { Context } from './context.ts';
import { outOfTime } from './failure.ts';
import { lockOptions } from './processes.ts';
import { proxyOf } from './proxy.ts';
import { homeOf } from './settings.ts';

/** Where settlements are read. */
export interface Opened<Kind extends Source = Source> {
  readonly source: Kind;
  /** Whose data it has: the service's host, or `sandbox:SCENARIO`. */
  readonly host: string;
  /** Ends what is still being read. */
  readonly stop: () => Promise<void>;
}

/** The service itself: it can be asked for charges too, as an export can't. */
export type LiveSource = PagedSource & ChargeSource;

/**
 * Does `work` with what is to be read, the export that is asked for or else the service for
 * settlements, and closes it when that has ended, well or not.
 */
export async function withSource<Result>(
  { settings, exported }: Pick<Asked, 'settings' | 'exported'>,
  context: Context,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  if (!exported) return withService(settings, ['settlements'], context, work);
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

/**
 * Does `work` with the service itself, opened by the settings for `uses`, and closes it when that has
 * ended, well or not. The sandbox is started where it is the one that is asked.
 */
export async function withService<Result>(
  settings: Settings,
  uses: readonly Use[],
  context: Context,
  work: (opened: Opened<LiveSource>) => Promise<Result>,
): Promise<Result> {
  const { api, host, close } = await reachService(settings, uses, context);
  const source = createApiSource(api);
  return closing({ source, host, stop: () => source.close() }, context, work, close);
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

/** Finds out all that it takes to ask the service, and asks it nothing yet; starts the sandbox. */
export async function reachService(settings: Settings, uses: readonly Use[], context: Context) {
  const { flags, messages, host, clock, random, signal, pacerOf } = context;
  const observer = startTime(settings, context);
  const { concurrency } = settings.preferences;
  const userAgent = `recon/${RECON_VERSION}`;
  const options = { concurrency, userAgent, clock, signal, random, observer };
  if (flags.sandbox) {
    const { address, ...sandbox } = await startedSandbox(settings, context);
    // Loopback is never asked for through a proxy.
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

function credentialsOf({ schemes, v1, v2 }: Connection): ApiOptions['credentials'] {
  return {
    schemes,
    ...(v1 && { v1: { ...v1, secret: v1.secret.reveal() } }),
    ...(v2 && { v2: { ...v2, clientSecret: v2.clientSecret.reveal() } }),
  };
}

async function startedSandbox({ schemes }: Settings, { flags, clock }: Context) {
  const { launchSandbox } = await import('./sandbox.ts');
  // The port and the host are those where `recon listen` listens.
  const { port, host, ...ofSandbox } = flags;
  const { sandbox, scenario } = await launchSandbox(ofSandbox, clock);
  const { baseUrl, authUrl, credentials, signingKeys } = sandbox;
  const origin = 'all from the sandbox';
  const v1 = { ...signingKeys, origin };
  const v2 = { ...credentials, authUrl, origin };
  return {
    address: { baseUrl, credentials: { schemes, v1, v2 } },
    host: `sandbox:${scenario.name}`,
    /** Ends the sandbox. */
    close: () => sandbox.close(),
  };
}

/**
 * Starts the time that the settings give. Gives who is to hear of the requests: the last one that
 * failed is named when the time is over.
 */
function startTime(
  { preferences: { timeout: timeoutMs } }: Settings,
  { messages, clock, limit }: Context,
): Observer {
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
