import { findInEnvironment } from './environment.ts';
import type { Environment, Given } from './origin.ts';
import type { ChosenProfile } from './profile.ts';
import { parseOne } from './setting-values.ts';

/** The two ways to authenticate (doc 5): an access token, or a token signed for each request. */
const schemes = ['v2', 'v1'] as const;

export type Scheme = (typeof schemes)[number];

/** What a run asks the service for. Which scheme each takes is not shown (doc 5.4). */
export type Use = 'settlements' | 'charges';

/** The scheme of each use. */
export type Schemes = Readonly<Record<Use, Scheme>>;

/** Flags of the command line, as they were written. */
export interface SchemeFlags {
  readonly chargeAuth?: string | undefined;
}

/** `auth` and `charge_auth` as text, from wherever they have precedence. */
export type GivenSchemes = Readonly<Record<'auth' | 'charge_auth', Given>>;

/** Collects the schemes: flag, environment, profile, default; charges go with the others. */
export async function collectSchemes(
  { chargeAuth }: SchemeFlags,
  env: Environment,
  profile: ChosenProfile | undefined,
): Promise<GivenSchemes> {
  const find = async (key: 'auth' | 'charge_auth'): Promise<Given | undefined> => {
    const found = findInEnvironment(env, `RECON_${key.toUpperCase()}`);
    if (found) return { key, text: await found.read(), origin: found.origin };
    const text = profile?.settings[key];
    return profile && text !== undefined ? { key, text, origin: profile.origin } : undefined;
  };
  const auth = (await find('auth')) ?? { key: 'auth', text: schemes[0], origin: 'default' };
  const flag: Given | undefined =
    chargeAuth === undefined
      ? undefined
      : { key: 'charge_auth', text: chargeAuth, origin: 'flag --charge-auth' };
  const ofCharges = flag ?? (await find('charge_auth'));
  return { auth, charge_auth: ofCharges ?? { ...auth, key: 'charge_auth', origin: 'default' } };
}

/** Understands the schemes, once they are collected. */
export function parseSchemes({ auth, charge_auth }: GivenSchemes): Schemes {
  return { settlements: parseOne(schemes, auth), charges: parseOne(schemes, charge_auth) };
}
