import type { FaultKind } from './fault.ts';
import { parseWhen, refuseWhere } from './fault-syntax.ts';

/** A fault of single webhooks: what is sent in the place of one. */
function spoiling(
  name: string,
  about: string,
  instead: (body: string) => readonly string[],
): FaultKind {
  return {
    name,
    syntax: 'WHEN',
    about,
    create(value, where) {
      refuseWhere(where);
      const isTime = parseWhen(value);
      return {
        webhooks: (bodies) => bodies.flatMap((body) => (isTime() ? instead(body) : [body])),
      };
    },
  };
}

/** Faults of the webhooks that --notify sends. */
export const webhookFaults: readonly FaultKind[] = [
  spoiling('webhook-twice', 'with --notify: a webhook is sent twice', (body) => [body, body]),
  spoiling('webhook-malformed', 'with --notify: half of a webhook is sent before it', (body) => [
    body.slice(0, body.length / 2),
    body,
  ]),
  spoiling(
    'webhook-unknown',
    'with --notify: a webhook of no known kind is sent before it',
    (body) => [
      '{"object_type":"webhook.unknown","id":"8a6f2c1e-5b0d-4c7e-9f21-6d3b7a904c55"}',
      body,
    ],
  ),
];
