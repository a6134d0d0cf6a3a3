import { createHmac } from 'node:crypto';
import type { Clock } from '../base/clock.ts';

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
    const [first = '', payload = '', signature = '', ...rest] = token.split('.');
    const signed = createHmac('sha256', sandboxSigningKeys.secret).update(`${first}.${payload}`);
    if (rest.length > 0 || first !== header) return false;
    // Compared as text: padding, or another alphabet than base64url, is refused too.
    if (signature !== signed.digest('base64url')) return false;
    const text = Buffer.from(payload, 'base64url').toString('utf8');
    if (payload !== Buffer.from(text).toString('base64url')) return false;
    const [, iat, exp, issuer] = payloadForm.exec(text) ?? [];
    const [issued, expires] = [Number(iat), Number(exp)];
    const now = Math.floor(clock.now() / 1000);
    const isTimely = issued <= now && now < expires && expires - issued <= longestLife;
    if (issuer !== sandboxSigningKeys.publicKey || !isTimely || used.has(issued)) return false;
    used.add(issued);
    return true;
  };
}
