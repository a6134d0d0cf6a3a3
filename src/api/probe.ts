import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import { bodyOf, type HttpAnswer, isCertificateFault } from '../base/http/transport.ts';
import { isObject, parseJson } from '../base/json.ts';
import type {
  AnswerPart,
  Certificate,
  Exchange,
  Grant,
  Peer,
  Probe,
  ProbedPage,
} from '../model/probe.ts';
import { readGranted } from './auth.ts';
import { chargeNames, readCharge } from './charge-answer.ts';
import type { Observer } from './client.ts';
import { collectOddAnswers, readEnvelope } from './envelope.ts';
import { quoted } from './fields.ts';
import { type ApiOptions, createOperations, rangeFilter } from './operations.ts';
import { type Decoded, decodeHeader, decodeRow, recordNames, splitUnreadable } from './records.ts';
import type { Listed } from './walk/walk-records.ts';

/** A second attempt tells a hiccup from a fault; a diagnosis waits for no more. */
const patience = { mostAttempts: 2, withinMs: 10_000 };

/** No more characters of the name of a field or a scope are quoted. */
const longestName = 80;

/** A probe of the service's API. `close` ends what is under way, and the connections. */
export function createProbe(options: ApiOptions): Probe & { close(): Promise<void> } {
  const exchanges: Exchange[] = [];
  let grant: Grant = { seconds: undefined, scopes: undefined };
  // No request is sent before all of the collectors below exist.
  const observer: Observer = {
    ...options.observer,
    request: (event) => {
      exchanges.push(event);
      options.observer.request?.(event);
    },
    granted: (answer) => {
      const { lifeMs, scope } = readGranted(answer);
      const scopes = scope?.split(/\s+/).filter(Boolean);
      grant = {
        seconds: lifeMs && lifeMs / 1000,
        scopes: scopes?.map((one) => secrets.quote(one, longestName)),
      };
      unknown.add('token', parseJson(bodyOf(answer)));
    },
  };
  const watch = watchPeers();
  const operations = createOperations({ ...options, observer }, patience);
  const { secrets } = operations;
  const unknown = collectUnknownFields((name) => secrets.quote(name, longestName));
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
    token: async () => {
      await operations.token();
      return grant;
    },
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
const documented: Readonly<Record<AnswerPart, Readonly<Record<string, readonly string[]>>>> = {
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
  const found = new Map<AnswerPart, Set<string>>();
  return {
    add: (part: AnswerPart, record: unknown): void => {
      const names = found.get(part) ?? new Set();
      for (const [path, fields] of Object.entries(documented[part])) {
        const object = isObject(record) && (path === '' ? record : record[path]);
        for (const name of isObject(object) ? Object.keys(object) : []) {
          if (fields.includes(name) || names.size >= mostNames) continue;
          found.set(part, names.add(quote(path === '' ? name : `${path}.${name}`)));
        }
      }
    },
    /** In alphabetical order. */
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
  const on = (event: string, peerOf: (message: Message, before?: Peer) => Peer) => {
    const listener = (said: unknown) => {
      const message = said as Message;
      const { protocol, host } = message.connectParams;
      const origin = `${protocol}//${host}`;
      peers.set(origin, peerOf(message, peers.get(origin)));
    };
    subscribe(`undici:client:${event}`, listener);
    return () => unsubscribe(`undici:client:${event}`, listener);
  };
  const stops = [
    on('beforeConnect', (_, before = { reached: false, untrusted: false }) => before),
    on('connectError', ({ error }) => ({ reached: false, untrusted: isCertificateFault(error) })),
    on('connected', ({ socket }, before) => {
      // A resumed session shows none.
      const certificate = certificateOf(socket) ?? before?.certificate;
      return { reached: true, untrusted: false, ...(certificate && { certificate }) };
    }),
  ];
  return {
    peers: peers as ReadonlyMap<string, Peer>,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

function certificateOf(socket: unknown): Certificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { issuer, valid_to } = socket.getPeerCertificate();
  if (!valid_to) return undefined;
  return {
    issuer: [issuer?.O ?? issuer?.CN ?? ''].flat().join(', '),
    expiresAt: Date.parse(valid_to),
    protocol: socket.getProtocol() ?? '',
  };
}
