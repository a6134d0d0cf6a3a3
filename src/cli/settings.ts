import { homedir } from 'node:os';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { type Code, weights } from '../reconcile/entry.ts';
import { type Identity, identityNames } from '../reconcile/identity.ts';
import type { Host } from './host.ts';

/** Flags that every command with settings takes, as they were written. */
export interface SettingFlags {
  readonly profile?: string;
  readonly config?: string;
  readonly concurrency?: string;
  readonly timeout?: string;
  readonly identity?: string;
  readonly tolerance?: string;
  readonly ignore?: readonly string[];
  readonly sandbox?: true;
}

export type RunSettings = Settings<Identity, Code>;

const codes: readonly string[] = Object.keys(weights);

/** What `--identity` takes; the first is the default. */
export const identities: readonly [Identity, ...Identity[]] = [...identityNames, 'off'];

/** The checks that can be switched off. */
export const ignorableChecks: readonly Code[] = codes
  .filter((code): code is Code => code in weights)
  .filter((code) => weights[code] === 'discrepancy');

/** The settings of a run. With the sandbox, a configuration file counts only where it is named. */
export function readSettings(flags: SettingFlags, host: Host): Promise<RunSettings> {
  const isFileNamed = flags.profile !== undefined || flags.config !== undefined;
  return resolveSettings({
    flags,
    env: host.env,
    home: host.env['HOME'] ?? homedir(),
    uid: host.getuid?.(),
    useFile: !flags.sandbox || isFileNamed,
    choices: { identities, checks: ignorableChecks },
  });
}
