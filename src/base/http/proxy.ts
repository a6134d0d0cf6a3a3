import { type Dispatcher, Pool } from 'undici';

/** Proxies, as the environment names them. */
export interface ProxySettings {
  readonly httpProxy?: ProxySetting | undefined;
  readonly httpsProxy?: ProxySetting | undefined;
  /** Hosts that are exempt. */
  readonly noProxy?: string | undefined;
}

interface ProxySetting {
  /** Of the environment. */
  readonly variable: string;
  /** It may hold a user and a password. */
  readonly url: string;
}

/**
 * The proxy for an address, unless its host is exempt, by the variable that names it and without the user
 * and the password that its address may hold; plain http's is for https too.
 */
export function proxyFor(url: string, { httpProxy, httpsProxy }: ProxySettings) {
  const proxy = url.startsWith('https:') ? (httpsProxy ?? httpProxy) : httpProxy;
  return proxy && { variable: proxy.variable, origin: new URL(proxy.url).origin };
}

/** A proxy gave no connection: it could not be reached, or it answered with another status. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault';
  /** The HTTP status of its answer, if it answered. */
  readonly status: number | undefined;

  constructor({ status, cause }: { readonly status?: number; readonly cause?: unknown }) {
    super('The proxy gave no connection.', { cause });
    this.status = status;
  }
}

/** The connections to a proxy. What goes wrong until there is one to the service is a ProxyFault. */
export function createProxyPool(proxy: URL, options: Pool.Options): Dispatcher {
  const pool = new Pool(proxy, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (request: Dispatcher.ConnectOptions) => {
      const answer = await connect(request).catch((cause: unknown) => {
        throw new ProxyFault({ cause });
      });
      if (answer.statusCode === 200) return answer;
      answer.socket.on('error', () => {}).destroy();
      throw new ProxyFault({ status: answer.statusCode });
    },
  });
}
