import { homedir } from 'node:os';
import { type ConfigPlace, configPlace } from '../config/config-file.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import type { Code } from '../reconcile/entry.ts';
import type { Identity } from '../reconcile/identity.ts';
import type { Host } from './host.ts';
import { identities, ignorableChecks } from './setting-choices.ts';

/** Flags that every command with settings takes, as they were written. */
export interface SettingFlags {
  readonly profile?: string;
  readonly config?: string;
  readonly concurrency?: string;
  readonly timeout?: string;
  readonly identity?: string;
  readonly tolerance?: string;
  readonly ignore?: readonly string[];
  readonly chargeAuth?: string;
  readonly sandbox?: true;
}

export type RunSettings = Settings<Identity, Code>;

/** The settings of a run. With the sandbox, a configuration file counts only where it is named. */
export function readSettings(flags: SettingFlags, host: Host): Promise<RunSettings> {
  const isFileNamed = flags.profile !== undefined || flags.config !== undefined;
  return resolveSettings({
    flags,
    env: host.env,
    home: homeOf(host),
    uid: host.getuid?.(),
    useFile: !flags.sandbox || isFileNamed,
    choices: { identities, checks: ignorableChecks },
  });
}

/** Where the configuration file is, or would be. */
export function findConfigFile({ config }: Pick<SettingFlags, 'config'>, host: Host): ConfigPlace {
  return configPlace(config, host.env, homeOf(host));
}

/** The home of the user. */
export function homeOf({ env }: Host): string {
  return env['HOME'] ?? homedir();
}
