import type { Client, ClientOptions } from '../client.ts';
import { createSharedSeconds, type SharedFolder } from './shared-seconds.ts';
import { createV1Authorizer, keyName, type SigningKeys } from './v1-token.ts';
import { type ClientCredentials, createV2Authorizer, readTokenAnswer } from './v2-token.ts';

/** Requests that keep a distance of their own, whatever the pace of all. */
export interface Spacing {
  /** What it belongs to: all of one and the same keep it together. */
  readonly of: object;
  /** Milliseconds from one start to the next. */
  readonly gapMs: number;
  /** Hears that one waits for nothing but that. */
  onWait(): void;
}

/** Gives each attempt of a request its bearer token. */
export interface Authorizer {
  /** The distance that the scheme has requests keep; absent where they needn't. */
  readonly spacing?: Spacing;
  /** Starts the authorization of one request, over all its attempts. */
  begin(): Authorization;
}

export interface Authorization {
  /** The token for the next attempt. Throws ReconError where there is none to be had. */
  token(): Promise<string>;
  /** The service refused the last token. Says whether another attempt makes sense. */
  refused(): boolean;
  /** The scopes of the last token, where they are known. */
  scope(): string | undefined;
  /** What to look at where tokens are refused for good, as a sentence. */
  readonly advice: string;
}

/** What is asked of the service; which scheme each takes is not shown (doc 5.4). */
type Use = 'settlements' | 'charges';

/** The schemes of a run, each with what it needs. A scheme that nothing takes may be absent. */
export interface Credentials {
  readonly schemes: Readonly<Record<Use, 'v1' | 'v2'>>;
  readonly v1?: SigningKeys;
  /** `authUrl`: the host of the token exchange. */
  readonly v2?: ClientCredentials & {
    readonly authUrl: string;
    readonly authUrlFrom?: string | undefined;
  };
}

/** Goes before everything: nothing can be asked for without a token. */
const first = [-1, 0] as const;

/** Gives the authorizer of a use. Uses of one scheme share it, with its token or its seconds. */
export function createAuthorizers(
  { schemes, v1, v2 }: Credentials,
  client: Client,
  { pacer, clock, signal, random, observer }: Omit<ClientOptions, 'transport' | 'secrets'>,
  shared?: SharedFolder,
): (use: Use) => Authorizer {
  const mayGo = () => pacer.mayGo(signal);
  const seconds = pacer.secondsOf(v1?.publicKey ?? '');
  if (v1 && shared) seconds.take ??= createSharedSeconds(keyName(v1.publicKey), shared);
  const onPaced = () => observer.paced?.();
  const exchange = async (body: object) => {
    const call = { method: 'POST', url: `${v2?.authUrl}/oauth/token`, body } as const;
    const address = addressAdvice('auth_url', v2?.authUrlFrom, '/oauth/token');
    const request = { call, subject: '', priority: first, address };
    const answer = await client.ask(request, undefined, readTokenAnswer);
    observer.granted?.(answer);
    return answer;
  };
  const ofScheme = {
    v1: v1 && createV1Authorizer(v1, { clock, signal, random, mayGo, onPaced, seconds }),
    v2: v2 && createV2Authorizer(v2, exchange, clock),
  };
  return (use) => {
    const authorizer = ofScheme[schemes[use]];
    if (!authorizer) throw new Error(`No credentials for ${use}.`);
    return authorizer;
  };
}

/** What to look at where something else than the service answers at an address. */
export function addressAdvice(setting: string, from = 'the sandbox', path: string): string {
  return `Check ${setting}, which is from ${from}: recon adds ${path} to it.`;
}
