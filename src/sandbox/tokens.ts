import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type Answer, type Call, refusal } from './exchange.ts';

/** The only client that the sandbox knows. */
export const sandboxCredentials = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-client-secret',
  audience: 'https://sandbox.example/settlements',
} as const;

/** The tokens of the V2 scheme: opaque, and they live for `life` seconds. */
export function createV2Tokens(clock: Clock, life: number) {
  const expiries = new Map<string, number>();
  return {
    /** The token exchange (doc 4.1). */
    exchange: (call: Call): Answer => {
      const refused = objection(call);
      if (refused) return refused;
      const token = randomBytes(24).toString('base64url');
      expiries.set(token, clock.monotonic() + life * 1000);
      return {
        status: 200,
        body: {
          access_token: token,
          scope: 'read:merchant read:merchant:settlement',
          expires_in: life,
          token_type: 'Bearer',
        },
      };
    },
    /** Whether the token was issued here and hasn't expired. */
    accepts: (token: string) =>
      clock.monotonic() < (expiries.get(token) ?? Number.NEGATIVE_INFINITY),
  };
}

/** What the service holds against an exchange. What it answers but for 401 is not shown. */
function objection({ contentType, body }: Call): Answer | undefined {
  if (!isJson(contentType)) return badRequest('Content-Type must be application/json');
  if (body === undefined) return badRequest('the body must be a JSON object');
  for (const field of ['client_id', 'client_secret', 'audience', 'grant_type']) {
    if (typeof body[field] !== 'string') return badRequest(`${field} is required`);
  }
  if (body['grant_type'] !== 'client_credentials') return badRequest('unsupported grant_type');
  const { clientId, clientSecret, audience } = sandboxCredentials;
  const known = { client_id: clientId, client_secret: clientSecret, audience };
  const isKnown = Object.entries(known).every(([field, value]) => body[field] === value);
  return isKnown ? undefined : { ...refusal(), body: { error: 'access_denied' } };
}

function badRequest(description: string): Answer {
  return { status: 400, body: { error: 'invalid_request', error_description: description } };
}

/** Whether a Content-Type is JSON, with or without parameters. */
export function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType);
}

/** The only keys that the sandbox knows. */
export const sandboxSigningKeys = {
  publicKey: 'sandbox-jwt-public-key',
  secret: 'sandbox-jwt-secret',
} as const;

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
/** The fields in their order, without white space. */
const payloadForm = /^\{"sub":"charge-api","iat":(\d+),"exp":(\d+),"iss":"([^"\\]*)"\}$/;
const longestLife = 3600;

/**
 * What tells whether a token of the V1 scheme is right to the letter (doc 5.1). The second that it was
 * issued in is used up then: no other token of it is right.
 */
export function v1TokenChecker(clock: Clock): (token: string) => boolean {
  const used = new Set<number>();
  return (token) => {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    // Compared as text: padding, or another alphabet than base64url, is refused too.
    const text = `${header}.${Buffer.from(payload).toString('base64url')}`;
    const signed = createHmac('sha256', sandboxSigningKeys.secret).update(text);
    if (token !== `${text}.${signed.digest('base64url')}`) return false;
    const [, iat, exp, issuer] = payloadForm.exec(payload) ?? [];
    const [issued, expires] = [Number(iat), Number(exp)];
    const now = Math.floor(clock.now() / 1000);
    const isTimely = issued <= now && now < expires && expires - issued <= longestLife;
    if (issuer !== sandboxSigningKeys.publicKey || !isTimely || used.has(issued)) return false;
    used.add(issued);
    return true;
  };
}
