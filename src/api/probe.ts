import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import { bodyOf, type HttpAnswer, isCertificateFault } from '../base/http/transport.ts';
import { isObject, parseJson } from '../base/json.ts';
import type { Exchange, Peer, Probe, ProbedPage, Sightings } from '../model/probe.ts';
import { readGranted } from './auth.ts';
import { chargeNames, readCharge } from './charge-answer.ts';
import type { Observer } from './client.ts';
import { collectOddAnswers, readEnvelope } from './envelope.ts';
import { quoted } from './fields.ts';
import { type ApiOptions, createOperations, rangeFilter } from './operations.ts';
import { type Decoded, decodeHeader, decodeRow, recordNames, splitUnreadable } from './records.ts';
import type { Listed } from './walk/walk-records.ts';

/** The second attempt excludes a passing fault; a diagnosis does not wait for more. */
const patience = { mostAttempts: 2, withinMs: 10_000 };

/** No more characters of the name of a field or a scope are quoted. */
const longestName = 80;

export function createProbe(options: ApiOptions): Probe {
  const exchanges: Exchange[] = [];
  let grant: Sightings['grant'];
  // No request is sent before all of the collectors below exist.
  const observer: Observer = {
    ...options.observer,
    request: (event) => {
      exchanges.push(event);
      options.observer.request?.(event);
    },
    granted: (answer) => {
      const { lifeMs, scope } = readGranted(answer);
      const scopes = scope?.split(/\s+/).filter(Boolean).map(nameOf);
      grant = { seconds: lifeMs ? lifeMs / 1000 : null, scopes: scopes ?? null };
      unknown.add('token', parseJson(bodyOf(answer)));
    },
  };
  const watch = watchPeers();
  const operations = createOperations({ ...options, observer }, patience);
  const { secrets } = operations;
  const nameOf = (name: string) => secrets.quote(name, longestName);
  const unknown = collectUnknownFields(nameOf);
  const odd = collectOddAnswers(secrets);
  const read = (answer: HttpAnswer) => {
    unknown.add('wrapper', parseJson(bodyOf(answer)));
    return readEnvelope(answer, { missingIsEmpty: true, onOdd: odd.add });
  };
  const page = <Item extends object>(
    part: 'settlement' | 'transaction',
    records: readonly unknown[],
    decode: (record: unknown) => Listed<Decoded<Item>>,
  ): ProbedPage<Item> => {
    for (const record of records) unknown.add(part, record);
    const listed = records.map(decode);
    const { items, unreadable } = splitUnreadable(listed.map(({ item }) => item));
    return {
      keys: listed.map(({ key }) => key),
      items,
      unreadable: unreadable.map((one) => quoted(one, secrets)),
    };
  };
  return {
    token: operations.token,
    settlements: async (query, request) => {
      const subject = `${query.range.from} to ${query.range.to}`;
      const records = await operations.headers(rangeFilter(query), request, subject, read);
      return page('settlement', records, decodeHeader);
    },
    rows: async (settlementId, request) =>
      page('transaction', await operations.rows(settlementId, request, 0, read), decodeRow),
    charge: (id) =>
      operations.charge(id, (answer) => {
        readCharge(answer, id);
        unknown.add('charge', parseJson(bodyOf(answer)));
      }),
    sightings: () => ({
      exchanges,
      peers: watch.peers,
      grant,
      unknownFields: unknown.names(),
      oddAnswers: odd.all(),
    }),
    close: () => {
      watch.stop();
      return operations.close();
    },
  };
}

/** The documented fields: of each part of an answer, and of objects in it, by their path. */
const documented = {
  token: { '': ['access_token', 'scope', 'expires_in', 'token_type'] },
  wrapper: { '': ['status', 'data'], status: ['code', 'response', 'message'] },
  settlement: { '': recordNames.settlement },
  transaction: { '': recordNames.transaction },
  charge: chargeNames,
};

/** A limit, because a record could have ids as field names. */
const mostNames = 100;

/** Collects the names of undocumented fields (doc 2, 4.1), and no values. `quote` shortens a name. */
function collectUnknownFields(quote: (name: string) => string) {
  const found = new Map<string, Set<string>>();
  return {
    add: (part: keyof typeof documented, record: unknown): void => {
      const names = found.get(part) ?? new Set();
      for (const [path, fields] of Object.entries<readonly string[]>(documented[part])) {
        const object = isObject(record) && (path === '' ? record : record[path]);
        for (const name of isObject(object) ? Object.keys(object) : []) {
          if (fields.includes(name) || names.size >= mostNames) continue;
          found.set(part, names.add(quote(path === '' ? name : `${path}.${name}`)));
        }
      }
    },
    names: () => [...found].map(([record, names]) => ({ record, fields: [...names].sort() })),
  };
}

/** What undici says of a connection. */
interface Message {
  readonly connectParams: { readonly protocol: string; readonly host: string };
  readonly error?: unknown;
  readonly socket?: unknown;
}

/** Collects the hosts this process connects to, by origin; only undici's messages show certificates. */
function watchPeers() {
  const peers = new Map<string, Peer>();
  const events = [
    'undici:client:beforeConnect',
    'undici:client:connectError',
    'undici:client:connected',
  ];
  const listener = (said: unknown) => {
    const { connectParams, error, socket } = said as Message;
    const origin = `${connectParams.protocol}//${connectParams.host}`;
    const before = peers.get(origin);
    const hasEnded = error !== undefined || socket !== undefined;
    if (before && !hasEnded) return;
    // A resumed session shows none.
    const certificate = certificateOf(socket) ?? before?.certificate;
    const untrusted = isCertificateFault(error);
    peers.set(origin, { reached: socket !== undefined, untrusted, certificate });
  };
  for (const event of events) subscribe(event, listener);
  const stop = () => {
    for (const event of events) unsubscribe(event, listener);
  };
  return { peers, stop };
}

function certificateOf(socket: unknown): Peer['certificate'] {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { issuer, valid_to: until } = socket.getPeerCertificate();
  if (!until) return undefined;
  const names = [issuer?.O ?? issuer?.CN ?? ''].flat();
  return { issuer: names.join(', '), expiresAt: Date.parse(until) };
}
