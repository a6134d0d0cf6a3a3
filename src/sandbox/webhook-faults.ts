import { type FaultKind, type FaultKinds, parseWhen } from './fault.ts';

/** A fault of single webhooks: the texts that are sent `instead` of one. */
function spoiltWebhook(about: string, instead: (body: string) => readonly string[]): FaultKind {
  return {
    syntax: 'WHEN',
    about: `with --notify: ${about}`,
    webhooks: (value) => {
      const isTime = parseWhen(value);
      return (bodies) => bodies.flatMap((body) => (isTime() ? instead(body) : [body]));
    },
  };
}

/** Nobody but the service should be able to send these. */
const forged: readonly string[] = [
  '{"settlement_id":"../../oauth/token","object_type":"webhook.settlement"}',
  '{"charge_id":"1 OR 1=1"}',
  '{"charge_id":"00000000-0000-4000-8000-000000000000"}',
];

const unknown = '{"object_type":"webhook.unknown","id":"8a6f2c1e-5b0d-4c7e-9f21-6d3b7a904c55"}';

/** Faults of the webhooks that --notify sends. */
export const webhookFaults: FaultKinds = {
  'webhook-twice': spoiltWebhook('a webhook is sent twice', (body) => [body, body]),
  'webhook-malformed': spoiltWebhook('half of a webhook is sent before the whole one', (body) => [
    body.slice(0, body.length / 2),
    body,
  ]),
  'webhook-unknown': spoiltWebhook('a webhook of an unknown kind is sent before it', (body) => [
    unknown,
    body,
  ]),
  'webhook-deep': spoiltWebhook('the ids of a webhook are nested deeper', (body) => [
    `{"type":"refund","refund":{"detail":[${body}]}}`,
  ]),
  'webhook-list': {
    syntax: 'WHEN',
    about: 'with --notify: webhooks are sent as a list in one webhook, after the others',
    webhooks: (value) => {
      const isTime = parseWhen(value);
      return (bodies) => {
        const listed = bodies.filter(() => isTime());
        const others = bodies.filter((body) => !listed.includes(body));
        return listed.length === 0 ? others : [...others, `{"list":[${listed}]}`];
      };
    },
  },
  'webhook-forged': spoiltWebhook(
    'webhooks with invalid ids and with an unknown id are sent before it',
    (body) => [...forged, body],
  ),
};
