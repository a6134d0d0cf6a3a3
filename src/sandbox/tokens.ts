import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type Answer, type Call, refusal } from './exchange.ts';

export const sandboxCredentials = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-client-secret',
  audience: 'https://sandbox.example/settlements',
} as const;

export const sandboxSigningKeys = {
  publicKey: 'sandbox-jwt-public-key',
  secret: 'sandbox-jwt-secret',
} as const;

const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
const payloadForm = /^\{"sub":"charge-api","iat":(\d+),"exp":(\d+),"iss":"([^"\\]*)"\}$/;
const longestLife = 3600;

/** Seconds; doc 4.1 shows none. */
const life = 3600;

/** Issues and checks the tokens of both schemes. */
export function createTokens(clock: Clock) {
  const expiries = new Map<string, number>();
  /** Each second can issue one V1 token. */
  const used = new Set<number>();

  const isIssued = (token: string) =>
    clock.monotonic() < (expiries.get(token) ?? Number.NEGATIVE_INFINITY);

  /** Whether a V1 token is valid (doc 5.1). */
  const isSigned = (token: string) => {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    // Compared as text: padding and other alphabets are refused.
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

  return {
    /** Doc 4.1. */
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
    accepts: (token: string | undefined): boolean =>
      token !== undefined && (isIssued(token) || isSigned(token)),
  };
}

/** Only 401 is documented. */
function objection({ isJson, body }: Call): Answer | undefined {
  if (!isJson) return badRequest('Content-Type must be application/json');
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
