import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import type { ChosenProfile } from '../config/config-file.ts';
import { type ConfigPlace, configPlace } from '../config/config-file.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import type { ReconcileSettings } from '../reconcile/reconciled.ts';
import type { Context } from './context.ts';
import type { Host } from './host.ts';

/**
 * The settings of a run. With the sandbox or an export, a configuration file counts only where it is
 * named; else those do that are `stored` with the export. Nor does the environment count with the
 * sandbox then: what is set there is meant for a service.
 */
export async function readSettings(
  { flags, host }: Pick<Context, 'flags' | 'host'>,
  stored?: ChosenProfile,
  env = host.env,
): Promise<Settings> {
  const isFileNamed = flags.profile !== undefined || flags.config !== undefined;
  return resolveSettings({
    flags,
    env: flags.sandbox && !isFileNamed ? {} : env,
    home: homeOf(host),
    uid: host.getuid?.(),
    useFile: (!flags.sandbox && flags.fromExport === undefined) || isFileNamed,
    stored,
  });
}

/** How settlements are judged by the settings. */
export function judgement({
  preferences: { identity, tolerance, ignore, expected_scales, rules },
}: Settings): ReconcileSettings {
  return { identity, tolerance, ignored: ignore, expectedScales: expected_scales, rules };
}

/** Where the configuration file is, or would be. */
export function findConfigFile(config: string | undefined, host: Host): ConfigPlace {
  return configPlace(config, host.env, homeOf(host));
}

/** The user's home; by the system's records where HOME would be resolved against the current folder. */
export function homeOf({ env }: Host): string {
  const home = env['HOME'] ?? '';
  if (isAbsolute(home)) return home;
  try {
    return resolve('/', userInfo().homedir);
  } catch {
    // A user without a record, as containers have them.
    return resolve('/');
  }
}
