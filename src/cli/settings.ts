import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { dayAt } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { isThere } from '../base/files.ts';
import type { ProxySettings } from '../base/http/transport.ts';
import { type ChosenProfile, configPlace, readConfigFile } from '../config/config-file.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import type { Context } from './context.ts';
import type { Host } from './host.ts';
import { refuseToReplace } from './named-files.ts';

/** The settings. With the sandbox or an export, file and environment count only if a profile or file is named. */
export async function readSettings(
  { flags, host }: Pick<Context, 'flags' | 'host'>,
  stored?: ChosenProfile,
  env = host.env,
): Promise<Settings> {
  const isFileNamed = flags.profile !== undefined || flags.config !== undefined;
  const isBare = flags.sandbox && !isFileNamed;
  const settings = await resolveSettings({
    flags: isBare ? { ...(await sandboxRegistersAtHand()), ...flags } : flags,
    env: isBare ? {} : env,
    home: homeOf(host),
    uid: host.getuid?.(),
    useFile: (!flags.sandbox && flags.fromExport === undefined) || isFileNamed,
    stored,
  });
  const { accepted, closes, booked } = settings.preferences;
  await refuseToReplace(flags.output, [accepted, closes, booked, settings.file?.path]);
  return settings;
}

/** The registers of the sandbox, in the current folder: never those of a service. */
export const sandboxRegisters = {
  accepted: 'sandbox-accepted.csv',
  closes: 'sandbox-closes.csv',
} as const;

/** Those of them that are there. */
async function sandboxRegistersAtHand(): Promise<Partial<typeof sandboxRegisters>> {
  const all = Object.entries(sandboxRegisters);
  const areThere = await Promise.all(
    all.map(async ([, path]) => (await isThere(path)) || isThere(`.${path}.last`)),
  );
  return Object.fromEntries(all.filter((_, at) => areThere[at]));
}

/** Today, YYYY-MM-DD. */
export function dayNow({ preferences }: Settings, { clock }: Pick<Context, 'clock'>): string {
  return dayAt(clock.now(), preferences.time_zone);
}

/** The path of the configuration file, and its origin. */
export function findConfigFile(config: string | undefined, host: Host) {
  return configPlace(config, host.env, homeOf(host));
}

/** The profile to which printed settings are to be added: the one in use, or `main` for the first. */
export async function profileInUse({ flags, host }: Pick<Context, 'flags' | 'host'>) {
  if (flags.profile !== undefined) return flags.profile;
  const file = await readConfigFile(findConfigFile(flags.config, host), undefined);
  const [only = 'main', ...others] = [...(file?.profiles.keys() ?? [])];
  const chosen = host.env['RECON_PROFILE'] || file?.defaultProfile;
  return chosen ?? (others.length === 0 ? only : 'NAME');
}

/** The home folder; from the system if HOME is relative. */
export function homeOf({ env }: Host): string {
  const home = env['HOME'] ?? '';
  if (isAbsolute(home)) return home;
  try {
    return resolve('/', userInfo().homedir);
  } catch {
    // Containers may have users without a record.
    return resolve('/');
  }
}

/** The proxies of the environment. */
export function proxyOf({ env }: Pick<Host, 'env'>): ProxySettings {
  const named = (name: string) => {
    const variable = [name, name.toUpperCase()].find((spelling) => env[spelling]);
    return { variable, url: variable && env[variable] };
  };
  const proxyIn = (name: string) => {
    const { variable, url } = named(name);
    if (!variable || !url) return undefined;
    if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return { variable, url };
    const message = `The proxy in ${variable} is not an http or https URL.`;
    const hint = 'Write it as http://host:port, or unset it.';
    throw new ReconError('configuration', message, { where: `environment ${variable}`, hint });
  };
  return {
    httpProxy: proxyIn('http_proxy'),
    httpsProxy: proxyIn('https_proxy'),
    noProxy: named('no_proxy').url,
  };
}
