import { ReconError } from '../base/errors.ts';
import type { ProxySettings } from '../base/http/proxy.ts';
import { type HttpAnswer, Transport } from '../base/http/transport.ts';
import { Secrets } from '../base/secrets.ts';
import type { PageRequest } from '../model/probe.ts';
import type { SettlementQuery, Tempo } from '../model/source.ts';
import { addressAdvice, type Credentials, createAuthorizers } from './auth/authorizers.ts';
import type { SharedFolder } from './auth/shared-seconds.ts';
import { Client, type ClientOptions, type Patience } from './client.ts';
import { Pacer, type Priority } from './pacer.ts';

/** All that it takes to ask the service; nothing here reads the environment. */
export interface ApiOptions
  extends Pick<ClientOptions, 'clock' | 'signal' | 'random' | 'observer'> {
  readonly baseUrl: string;
  /** Where it was set, for people. */
  readonly baseUrlFrom?: string | undefined;
  readonly credentials: Credentials;
  /** Requests at a time. */
  readonly concurrency: number;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  /** The gate that others share who ask the same service; absent where nobody does. */
  readonly pacer?: Pacer | undefined;
  /** Where processes that sign with one key keep the seconds that they took; absent where nobody else does. */
  readonly shared?: SharedFolder | undefined;
}

/** Records of one answer, in a list or in columns. */
interface Paged {
  readonly length: number;
}

/** Headers go before all rows. */
const headersFirst = -1;

/**
 * What can be asked of the service (doc 4), undecoded: `read` makes something of an answer, and throws
 * RequestFailure. All requests share one pacer. `patience`: for how long answers are asked for, where it
 * isn't as usual.
 */
export function createOperations(options: ApiOptions, patience?: Patience) {
  const { baseUrl, credentials, concurrency, clock, random, observer } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const transport = new Transport({
    connections: concurrency,
    proxy: options.proxy,
    userAgent: options.userAgent,
    signal,
    now: () => clock.now(),
  });
  const secrets = knownSecrets(options);
  const pacer = options.pacer ?? new Pacer({ concurrency, clock, signal, random });
  const parts = { transport, pacer, secrets, clock, signal, random, observer };
  const client = new Client(patience ? { ...parts, patience } : parts);
  const authorizerOf = createAuthorizers(credentials, client, parts, options.shared);
  const adding = (path: string) => addressAdvice('base_url', options.baseUrlFrom, path);
  const list = <Page extends Paged>(
    path: string,
    body: object,
    subject: string,
    priority: Priority,
    read: (answer: HttpAnswer) => Page,
  ) => {
    const call = { method: 'POST', url: `${baseUrl}/v1/merchant/${path}`, body } as const;
    const address = adding(`/v1/merchant/${path}`);
    const request = { call, subject, priority, address };
    return client.ask(request, authorizerOf('settlements'), read, ({ length }) => length);
  };
  return {
    /** What nothing that quotes the service may say. */
    secrets,
    /** Gets the access token that settlements, or else charges, take. Under V1 there is none to get. */
    token: async () => {
      const { schemes } = credentials;
      const use = (['settlements', 'charges'] as const).find((one) => schemes[one] === 'v2');
      if (use) await authorizerOf(use).begin().token();
    },
    /** A page of headers (doc 4.3); `subject` is what it is about, for people. */
    headers: <Page extends Paged>(
      question: object,
      { limit, offset }: PageRequest,
      subject: string,
      read: (answer: HttpAnswer) => Page,
    ) => {
      const about = `${subject}, offset ${offset}, limit ${limit}`;
      const body = { ...question, limit, offset };
      return list('settlement', body, about, [headersFirst, offset], read);
    },
    /** A page of rows (doc 4.4). */
    rows: <Page extends Paged>(
      settlementId: string,
      { limit, offset }: PageRequest,
      priority: number,
      read: (answer: HttpAnswer) => Page,
    ) => {
      const about = `settlement ${settlementId}, offset ${offset}, limit ${limit}`;
      const body = { settlementId, limit, offset };
      return list('settlement/transactions', body, about, [priority, offset], read);
    },
    /** A charge (doc 4.2). */
    charge: async <Result>(id: string, read: (answer: HttpAnswer) => Result) => {
      requireChargeId(id);
      const call = { method: 'GET', url: `${baseUrl}/charge/${encodeURIComponent(id)}` } as const;
      const request = {
        call,
        subject: '',
        priority: [0, 0],
        address: adding('/charge/ID'),
      } as const;
      return client.ask(request, authorizerOf('charges'), read);
    },
    /** How fast pages have come so far, and may come. */
    tempo: (): Omit<Tempo, 'rowsPerPage'> => {
      const { pages, ms } = client.reading;
      const pageMs = pages > 0 ? ms / pages : 0;
      const gapMs = authorizerOf('settlements').spacing?.gapMs ?? 0;
      const perSecond = Math.min(pacer.pace.perSecond, 1000 / gapMs);
      return { pages, pageMs, concurrency, perSecond };
    },
    /** Ends what is still under way and closes the connections. */
    close: () => {
      // What nobody waits for any more (the rest of a failed walk) must not be tried again.
      closing.abort();
      return transport.close();
    },
  };
}

/** All that the service or a proxy may repeat, but for the tokens, which are yet to come. */
function knownSecrets({ credentials: { v1, v2 }, proxy }: ApiOptions): Secrets {
  const ofProxies = [proxy.httpProxy, proxy.httpsProxy].flatMap((setting) => {
    const { username, password } = new URL(setting?.url ?? 'http://none');
    const sent = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return password === ''
      ? []
      : [password, decodeURIComponent(password), Buffer.from(sent).toString('base64')];
  });
  return new Secrets([v1?.secret ?? '', v2?.clientSecret ?? '', ...ofProxies]);
}

/** The question for a range. Both dates always: a lone one filters nothing (doc 4.3). */
export function rangeQuestion({ range: { from, to }, filters }: SettlementQuery): object {
  return { startDate: from, endDate: to, ...filters };
}

/** An id from elsewhere must not lead to another operation than the one that is meant. */
function requireChargeId(id: string): void {
  if (/^[A-Za-z0-9][\w.~-]{0,127}$/.test(id)) return;
  throw new ReconError('not_found', `${JSON.stringify(id)} cannot be the id of a charge.`, {
    hint: 'Use the UUID of the charge.',
  });
}
