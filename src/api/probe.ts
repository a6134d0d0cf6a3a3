import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { parseJson } from '../base/json.ts';
import type { Exchange, Grant, Probe, ProbedPage } from '../model/probe.ts';
import { readGranted } from './auth/v2-token.ts';
import { readCharge } from './charge-answer.ts';
import type { Observer } from './client.ts';
import { type Decoded, decodeHeader, decodeRow, quoted } from './decode.ts';
import { readEnvelope } from './envelope.ts';
import { type ApiOptions, createOperations, rangeQuestion } from './operations.ts';
import { watchPeers } from './peers.ts';
import { divide } from './read-headers.ts';
import { collectOddAnswers, collectUnknownFields } from './undocumented.ts';
import type { Listed } from './walk/record-page.ts';

/** One more attempt tells a hiccup from a fault. Whoever waits for a diagnosis waits for no more. */
const patience = { attempts: 2, withinMs: 10_000 };

/** No more is quoted of the name of a field or a scope. */
const longestName = 80;

/** The service's API, to be asked what it does. `close` ends what is under way, and the connections. */
export function createProbe(options: ApiOptions): Probe & { close(): Promise<void> } {
  const exchanges: Exchange[] = [];
  let grant: Grant = { seconds: undefined, scopes: undefined };
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
      fields.note('token', parseJson(bodyOf(answer)));
    },
  };
  const watch = watchPeers();
  const operations = createOperations({ ...options, observer }, patience);
  const { secrets } = operations;
  const fields = collectUnknownFields((name) => secrets.quote(name, longestName));
  const odd = collectOddAnswers(secrets);
  const read = (answer: HttpAnswer) => {
    fields.note('wrapper', parseJson(bodyOf(answer)));
    return readEnvelope(answer, { mayBeEmpty: true, note: odd.note });
  };
  const page = <Item extends object>(
    kind: 'settlement' | 'transaction',
    records: readonly unknown[],
    decode: (record: unknown) => Listed<Decoded<Item>>,
  ): ProbedPage<Item> => {
    for (const record of records) fields.note(kind, record);
    const listed = records.map(decode);
    const { items, unreadable } = divide(listed.map(({ item }) => item));
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
      const records = await operations.headers(rangeQuestion(query), request, subject, read);
      return page('settlement', records, decodeHeader);
    },
    rows: async (settlementId, request) =>
      page('transaction', await operations.rows(settlementId, request, 0, read), decodeRow),
    charge: (id) =>
      operations.charge(id, (answer) => {
        readCharge(answer, id);
        fields.note('charge', parseJson(bodyOf(answer)));
      }),
    sightings: () => ({
      exchanges,
      peers: watch.peers,
      unknownFields: fields.names(),
      oddAnswers: odd.all(),
    }),
    close: () => {
      watch.stop();
      return operations.close();
    },
  };
}
