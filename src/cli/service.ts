import { createApiSource } from '../api/api-source.ts';
import type { ClientCredentials } from '../api/auth/v2-token.ts';
import type { Observer } from '../api/client.ts';
import type { ProxySettings } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import type { Settings } from '../config/settings.ts';
import type { DateRange, PagedSource } from '../model/source.ts';
import type { Host } from './host.ts';

declare const RECON_VERSION: string;

/** The service that a run asks: the real one, or the one on board. */
export interface Service {
  readonly source: PagedSource;
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
  readonly observer: Observer;
}

interface Address {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: ClientCredentials;
}

/** What a scenario of the sandbox brings along, so that nothing has to be configured. */
export interface SandboxDefaults {
  /** The dates that hold all of its data. */
  readonly period: DateRange;
  /** Names of its accounting tokens. */
  readonly names: ReadonlyMap<string, string>;
}

/** The defaults of the sandbox, where it is the sandbox that is asked. */
export async function sandboxDefaults(flags: ServiceFlags): Promise<SandboxDefaults | undefined> {
  if (!flags.sandbox) return undefined;
  const { chooseScenario } = await import('./sandbox.ts');
  const { period, names } = await chooseScenario(flags.scenario);
  return { period, names: new Map(Object.entries(names)) };
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
  const source = connect(
    { baseUrl, authUrl, credentials },
    settings,
    context,
    proxyOf(context.host),
  );
  return { source, close: () => source.close() };
}

async function openSandbox(
  flags: ServiceFlags,
  settings: Settings,
  context: ServiceContext,
): Promise<Service> {
  const { launchSandbox } = await import('./sandbox.ts');
  const { sandbox } = await launchSandbox({ ...flags, clock: context.clock });
  const { baseUrl, authUrl } = sandbox;
  const credentials = { ...sandbox.credentials, origin: 'all from the sandbox' };
  // Loopback is never asked for through a proxy.
  const source = connect({ baseUrl, authUrl, credentials }, settings, context, {});
  return {
    source,
    close: async () => {
      await source.close();
      await sandbox.close();
    },
  };
}

function connect(
  address: Address,
  { preferences: { concurrency, timeoutMs } }: Settings,
  { clock, random, observer, signal: interruption }: ServiceContext,
  proxy: ProxySettings,
) {
  const signal =
    timeoutMs === undefined
      ? interruption
      : AbortSignal.any([interruption, AbortSignal.timeout(timeoutMs)]);
  return createApiSource({
    ...address,
    concurrency,
    proxy,
    userAgent: `recon/${RECON_VERSION}`,
    clock,
    signal,
    random,
    observer,
  });
}

/** The proxy that the environment names, with the usual spellings. */
function proxyOf({ env }: Host): ProxySettings {
  const httpProxy = readProxy(env, 'http_proxy', 'HTTP_PROXY');
  const httpsProxy = readProxy(env, 'https_proxy', 'HTTPS_PROXY');
  const noProxy = env['no_proxy'] || env['NO_PROXY'];
  return {
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    ...(noProxy && { noProxy }),
  };
}

function readProxy(env: Host['env'], ...names: readonly string[]): string | undefined {
  const name = names.find((candidate) => env[candidate]);
  const address = name && env[name];
  if (!address || /^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : '')) {
    return address;
  }
  throw new ReconError('configuration', `The proxy in ${name} is no http address.`, {
    where: `environment ${name}`,
    hint: 'Write it as http://host:port, or unset it.',
  });
}
