import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '../base/json.ts';
import { type Answer, type Call, operationAt, record } from './exchange.ts';

/** Reads a request to its end. */
export async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = record(parseJson(Buffer.concat(chunks).toString('utf8')));
  const path = new URL(request.url ?? '/', 'http://sandbox').pathname;
  return {
    method: request.method ?? '',
    path,
    operation: operationAt(path),
    contentType: request.headers['content-type'] ?? '',
    token: /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1],
    body,
    settlementId: body?.['settlementId'],
  };
}

/** Delivers an answer, or fails to in the way it says. */
export function send(response: ServerResponse, { status, headers, body, delivery }: Answer): void {
  if (delivery === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const isPage = typeof body === 'string';
  const whole = Buffer.from(isPage ? body : JSON.stringify(body));
  if (delivery === 'not_utf8') whole[whole.lastIndexOf('"') - 1] = 0xff;
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const promised = delivery === 'truncated' ? half : whole;
  response.writeHead(status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': promised.length,
    ...headers,
  });
  if (delivery === 'broken_off') response.write(half, () => response.destroy());
  else response.end(promised);
}
