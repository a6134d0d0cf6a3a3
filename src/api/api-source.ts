import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { HeaderList, PagedSource } from '../model/source.ts';
import { type Credentials, createAuthorizers } from './auth/authorizers.ts';
import { readCharge, readChargeDocument } from './charge-answer.ts';
import { Client, type Observer } from './client.ts';
import { Pacer, type Priority } from './pacer.ts';
import { readHeaders } from './read-headers.ts';
import { readRows, rowsPerPage } from './read-rows.ts';
import { type Answer, type ProxySettings, Transport } from './transport.ts';

/** All that the API's source needs; nothing here reads the environment. */
export interface ApiOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Requests at a time. */
  readonly concurrency: number;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  readonly clock: Clock;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly observer: Observer;
}

export interface ApiSource extends PagedSource, ChargeSource {
  /** Ends what is still under way and closes the connections. */
  close(): Promise<void>;
}

/** Headers go before all rows. */
const headersFirst = -1;

/** The service's API as a source of settlements (doc 4). All its requests share one pacer. */
export function createApiSource(options: ApiOptions): ApiSource {
  const { baseUrl, credentials, concurrency, clock, random, observer } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const transport = new Transport({
    connections: concurrency,
    proxy: options.proxy,
    userAgent: options.userAgent,
    now: () => clock.now(),
  });
  const pacer = new Pacer({ concurrency, clock, signal, random });
  const client = new Client({ transport, pacer, clock, signal, random, observer });
  const authorizers = createAuthorizers(credentials, {
    client,
    pacer,
    clock,
    signal,
    random,
    observer,
  });
  const list = (path: string, body: object, subject: string, priority: Priority) => {
    const call = { method: 'POST', url: `${baseUrl}${path}`, body } as const;
    return client.list({ call, subject, priority }, authorizers.settlements());
  };
  const chargeAnswer = async <Result>(id: string, read: (answer: Answer) => Result) => {
    requireChargeId(id);
    const call = { method: 'GET', url: `${baseUrl}/charge/${encodeURIComponent(id)}` } as const;
    const request = { call, subject: '', priority: [0, 0] as const };
    return client.ask(request, authorizers.charges(), read);
  };
  // Twice as many ranges as requests: the next ones are ready when a place becomes free.
  const ahead = 2 * concurrency;
  const headers = (question: object, subject: string): Promise<HeaderList> =>
    readHeaders(
      (offset, limit) =>
        list(
          '/v1/merchant/settlement',
          { ...question, limit, offset },
          `${subject}, offset ${offset}`,
          [headersFirst, offset],
        ),
      ahead,
    );
  return {
    headers: ({ range: { from, to }, filters }) =>
      // Both dates always: a lone one filters nothing (doc 4.3).
      headers({ startDate: from, endDate: to, ...filters }, `${from} to ${to}`),
    // The id alone: what it means together with dates is not shown.
    header: (id) => headers({ settlementId: id }, `settlement ${id}`),
    rows: (settlement, priority) =>
      readRows(
        (offset, limit) =>
          list(
            '/v1/merchant/settlement/transactions',
            { settlementId: settlement.id, limit, offset },
            `settlement ${settlement.id}, offset ${offset}`,
            [priority, offset],
          ),
        settlement.transactions,
        ahead,
      ),
    charge: (id) => chargeAnswer(id, (answer) => readCharge(answer, id)),
    chargeDocument: (id) => chargeAnswer(id, readChargeDocument),
    tempo: () => {
      const { pages, ms } = client.reading;
      const pageMs = pages > 0 ? ms / pages : 0;
      const gapMs = authorizers.settlements().lane?.gapMs ?? 0;
      const perSecond = Math.min(pacer.perSecond, 1000 / gapMs);
      return { pages, pageMs, rowsPerPage, concurrency, perSecond };
    },
    close: () => {
      // What nobody waits for any more (the rest of a failed walk) must not be tried again.
      closing.abort();
      return transport.close();
    },
  };
}

/** An id from elsewhere must not lead to another operation than the one that is meant. */
function requireChargeId(id: string): void {
  if (/^[A-Za-z0-9][\w.~-]{0,127}$/.test(id)) return;
  throw new ReconError('not_found', `${JSON.stringify(id)} can't be the id of a charge.`, {
    hint: 'The id of a charge is a UUID.',
  });
}
