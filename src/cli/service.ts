import { createApiSource } from '../api/api-source.ts';
import type { ClientCredentials } from '../api/auth/v2-token.ts';
import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import type { Settings } from '../config/settings.ts';
import type { DateRange, Source } from '../model/source.ts';
import type { Host } from './host.ts';

declare const RECON_VERSION: string;

/** The service that a run asks: the real one, or the one on board. */
export interface Service {
  readonly source: Source;
  /** The dates that hold all of a sandbox's data. */
  readonly period: DateRange | undefined;
  /** Names of accounting tokens that come with it. */
  readonly names: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export interface ServiceFlags {
  readonly sandbox?: true;
  readonly scenario?: string;
  readonly fault?: readonly string[];
}

export interface ServiceContext {
  readonly host: Host;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

interface Address {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: ClientCredentials;
}

/** Connects to the service that the flags and settings name; starts the sandbox where it is asked for. */
export async function openService(
  flags: ServiceFlags,
  settings: Settings,
  context: ServiceContext,
): Promise<Service> {
  if (flags.sandbox) return openSandbox(flags, settings, context);
  for (const flag of ['scenario', 'fault'] as const) {
    if (flags[flag] === undefined) continue;
    throw new ReconError('usage', `--${flag} is given without --sandbox.`, {
      hint: 'Add --sandbox: only the embedded service can do that.',
    });
  }
  const { baseUrl, authUrl, clientId, clientSecret, audience, origins } =
    await settings.connection();
  const origin = (['client_id', 'client_secret', 'audience'] as const)
    .map((key) => `${key} is from ${origins[key]}`)
    .join(', ');
  const credentials = { clientId, clientSecret: clientSecret.reveal(), audience, origin };
  const source = connect({ baseUrl, authUrl, credentials }, settings, context);
  return { source, period: undefined, names: new Map(), close: () => source.close() };
}

async function openSandbox(
  flags: ServiceFlags,
  settings: Settings,
  context: ServiceContext,
): Promise<Service> {
  const { launchSandbox } = await import('./sandbox.ts');
  const { sandbox, scenario } = await launchSandbox({ ...flags, clock: context.clock });
  const { baseUrl, authUrl } = sandbox;
  const credentials = { ...sandbox.credentials, origin: 'all from the sandbox' };
  const source = connect({ baseUrl, authUrl, credentials }, settings, context);
  return {
    source,
    period: scenario.period,
    names: new Map(Object.entries(scenario.names)),
    close: async () => {
      await source.close();
      await sandbox.close();
    },
  };
}

function connect(
  address: Address,
  { preferences: { concurrency, timeoutMs } }: Settings,
  { host: { env }, clock, random, signal: interruption }: ServiceContext,
) {
  const signal =
    timeoutMs === undefined
      ? interruption
      : AbortSignal.any([interruption, AbortSignal.timeout(timeoutMs)]);
  const first = (...names: string[]) => names.map((name) => env[name]).find(Boolean) ?? '';
  return createApiSource({
    ...address,
    concurrency,
    proxy: {
      httpProxy: first('http_proxy', 'HTTP_PROXY'),
      httpsProxy: first('https_proxy', 'HTTPS_PROXY'),
      noProxy: first('no_proxy', 'NO_PROXY'),
    },
    userAgent: `recon/${RECON_VERSION}`,
    clock,
    signal,
    random,
    observer: {},
  });
}
