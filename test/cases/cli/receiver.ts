import { createServer, type ServerResponse } from 'node:http';
import type { NewsItem } from '../../cli/changing-service.ts';
import { listening } from '../../cli/server.ts';
import { expectValid } from '../../support/valid-json.ts';

/** A notification that came in. */
interface Received {
  readonly path: string;
  readonly text: string;
  readonly news: readonly NewsItem[];
  readonly profiles: readonly Readonly<Record<string, unknown>>[];
  readonly json: Readonly<Record<string, unknown>>;
}

/** Answers the notification with this number, counted from 1. */
export type Manner = (response: ServerResponse, count: number) => void;

export interface Receiver {
  readonly url: string;
  /** The settings that send notifications here. */
  readonly env: Readonly<Record<string, string>>;
  /** How it answers from now on. */
  answer: Manner;
  /** What came in since the last time that it was taken. */
  taken(): readonly Received[];
}

/** Answers with a status and nothing more. */
export function status(code: number, headers: Record<string, string> = {}): Manner {
  return (response) => {
    response.writeHead(code, headers);
    response.end();
  };
}

/** A server for notifications, closed when the test ends. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    // A client may leave as soon as it knows the status.
    response.on('error', () => {});
    request.on('error', () => {});
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const json = JSON.parse(text || '{}') as Record<string, unknown>;
    if (text !== '') await expectValid('notification', json);
    received.push({
      path: request.url ?? '',
      text,
      json,
      news: (json['news'] ?? []) as readonly NewsItem[],
      profiles: (json['profiles'] ?? []) as Received['profiles'],
    });
    count += 1;
    receiver.answer(response, count);
  });
  const url = `${await listening(server)}/hooks/a-secret-part`;
  const receiver: Receiver = {
    url,
    env: { RECON_NOTIFY_URL: url },
    answer: status(200),
    taken: () => received.splice(0),
  };
  return receiver;
}
