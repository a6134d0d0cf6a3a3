import { ReconError } from '../base/errors.ts';

/** Where a setting came from, in words that can be printed. */
export type Origin =
  | `flag --${string}`
  | `environment ${string}`
  | ProfileOrigin
  | `default_profile in ${string}`
  | 'default';

/** Where a profile came from, or what counts in its place. */
export type ProfileOrigin = `profile ${string} in ${string}` | `export in ${string}`;

/** A setting as it was written, before it is understood. */
export interface Given {
  readonly key: string;
  readonly text: string;
  readonly origin: Origin;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of an environment variable. An empty one counts as not set. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

/** A fault in what `origin` says: of the command line if it is a flag, else of the configuration. */
export function settingFault(origin: Origin, message: string, hint: string): ReconError {
  const failure = origin.startsWith('flag ') ? 'usage' : 'configuration';
  return new ReconError(failure, message, { where: origin, hint });
}
