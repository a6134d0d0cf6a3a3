import { ReconError } from '../base/errors.ts';
import { type HttpAnswer, type ProxySettings, Transport } from '../base/http/transport.ts';
import { Secrets } from '../base/secrets.ts';
import type { PageRequest } from '../model/probe.ts';
import { pageSizes, type SettlementQuery, type Tempo } from '../model/source.ts';
import { type Credentials, createAuthorizers, type KeptToken } from './auth.ts';
import { type Authorizer, addressHint, Client, type ClientOptions } from './client.ts';
import { Pacer } from './pacer.ts';

/** All that it takes to reach the service; nothing here reads the environment. */
export interface ApiOptions
  extends Pick<ClientOptions, 'clock' | 'signal' | 'random' | 'observer'> {
  readonly baseUrl: string;
  /** The place of the setting, for messages; absent for the sandbox. */
  readonly baseUrlFrom?: string | undefined;
  readonly credentials: Credentials;
  readonly concurrency: number;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  /** The queue, if others send requests to the same service too. */
  readonly pacer?: Pacer | undefined;
  readonly shared?: Parameters<typeof createAuthorizers>[2]['shared'];
  readonly kept?: KeptToken | undefined;
}

const headersFirst = -1;

interface Paged {
  readonly length: number;
}

type Read<Result> = (answer: HttpAnswer) => Result;

/** The requests to the service (doc 4), with undecoded answers. `patience` limits their attempts. */
export function createOperations(options: ApiOptions, patience?: ClientOptions['patience']) {
  const { baseUrl, credentials } = options;
  const { client, pacer, secrets, authorizerOf, close } = createClient(options, patience);
  const list = <Page extends Paged>(
    path: string,
    body: PageRequest & { readonly settlementId?: string },
    subject: string,
    priority: number,
    read: Read<Page>,
  ) =>
    client.send({
      call: { method: 'POST', url: `${baseUrl}/v1/merchant/${path}`, body },
      subject: `${subject}, offset ${body.offset}, limit ${body.limit}`,
      queued: { authorizer: authorizerOf('settlements'), priority: [priority, body.offset] },
      address: addressHint('base_url', `/v1/merchant/${path}`, options.baseUrlFrom),
      read,
      count: ({ length }) => length,
    });
  return {
    secrets,
    /** Fetches the access token of settlements, or else of charges, unless both use V1. */
    token: async () => {
      const { schemes } = credentials;
      const use = (['settlements', 'charges'] as const).find((one) => schemes[one] === 'v2');
      if (use) await authorizerOf(use).begin().token();
    },
    headers: <Page extends Paged>(
      filter: object,
      { limit, offset }: PageRequest,
      subject: string,
      read: Read<Page>,
    ) => list('settlement', { ...filter, limit, offset }, subject, headersFirst, read),
    rows: <Page extends Paged>(
      settlementId: string,
      { limit, offset }: PageRequest,
      priority: number,
      read: Read<Page>,
    ) => {
      const subject = `settlement ${settlementId}`;
      const body = { settlementId, limit, offset };
      return list('settlement/transactions', body, subject, priority, read);
    },
    charge: async <Result>(id: string, read: Read<Result>) => {
      requireChargeId(id);
      return client.send({
        call: { method: 'GET', url: `${baseUrl}/charge/${encodeURIComponent(id)}` },
        queued: { authorizer: authorizerOf('charges'), priority: [0, 0] },
        address: addressHint('base_url', '/charge/ID', options.baseUrlFrom),
        read,
      });
    },
    /** How fast pages have come so far, and may come. */
    tempo: (): Tempo => {
      const { pages, ms } = client.reading;
      const pageMs = pages > 0 ? ms / pages : 0;
      const gapMs = authorizerOf('settlements').spacing?.gapMs ?? 0;
      const perSecond = Math.min(pacer.pace.acceptedPerSecond, 1000 / gapMs);
      const { concurrency } = options;
      return { pages, pageMs, rowsPerPage: pageSizes.rows, concurrency, perSecond };
    },
    close,
  };
}

/** The client, its pacer and its authorizers; the uses of one scheme share an authorizer. */
function createClient(options: ApiOptions, patience: ClientOptions['patience']) {
  const { credentials, concurrency, clock, random, observer, proxy, userAgent, shared, kept } =
    options;
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const now = () => clock.now();
  const transport = new Transport({ connections: concurrency, proxy, userAgent, signal, now });
  const secrets = knownSecrets(options);
  const pacer = options.pacer ?? new Pacer({ concurrency, clock, signal, random });
  const parts = { transport, pacer, secrets, clock, signal, random, observer, patience };
  const client = new Client(parts);
  const ofScheme = createAuthorizers(credentials, client, { ...parts, shared, kept });
  const authorizerOf = (use: keyof typeof credentials.schemes): Authorizer => {
    const authorizer = ofScheme[credentials.schemes[use]];
    if (!authorizer) throw new Error(`No credentials for ${use}.`);
    return authorizer;
  };
  const close = () => {
    // Requests without a waiting caller, such as the rest of a failed walk, must not be repeated.
    closing.abort();
    return transport.close();
  };
  return { client, pacer, secrets, authorizerOf, close };
}

/** All that the service or a proxy may repeat; tokens are added when they are made. */
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

/** The filter for a range. Always both dates: a lone one filters nothing (doc 4.3). */
export function rangeFilter({ range: { from, to }, filters }: SettlementQuery): object {
  return { startDate: from, endDate: to, ...filters };
}

/** An id from elsewhere must not lead to another operation. */
function requireChargeId(id: string): void {
  if (/^[A-Za-z0-9][\w.~-]{0,127}$/.test(id)) return;
  throw new ReconError('not_found', `${JSON.stringify(id)} cannot be the id of a charge.`, {
    hint: 'Use the UUID of the charge.',
  });
}
