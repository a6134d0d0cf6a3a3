import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import { isCertificateFault } from '../base/http/connection-failure.ts';
import type { Certificate, Peer } from '../model/probe.ts';

/** What undici says of a connection, as far as it matters here. */
interface Message {
  readonly connectParams: { readonly protocol: string; readonly host: string };
  readonly error?: unknown;
  readonly socket?: unknown;
}

/**
 * Whom this process connects to, by origin, until it is stopped: undici tells of every connection,
 * through a proxy or not; nobody else gets to see the certificate.
 */
export function watchPeers() {
  const peers = new Map<string, Peer>();
  const listeners = Object.entries({
    beforeConnect: (_, before = { reached: false, untrusted: false }) => before,
    connectError: ({ error }) => ({ reached: false, untrusted: isCertificateFault(error) }),
    connected: ({ socket }, before) => {
      // A session that is resumed shows none: it is still the one before.
      const certificate = certificateOf(socket) ?? before?.certificate;
      return { reached: true, untrusted: false, ...(certificate && { certificate }) };
    },
  } satisfies Record<string, (message: Message, before?: Peer) => Peer>).map(([event, peerOf]) => {
    const listener = (said: unknown) => {
      const message = said as Message;
      const { protocol, host } = message.connectParams;
      const origin = `${protocol}//${host}`;
      peers.set(origin, peerOf(message, peers.get(origin)));
    };
    return [`undici:client:${event}`, listener] as const;
  });
  for (const [channel, listener] of listeners) subscribe(channel, listener);
  return {
    peers: peers as ReadonlyMap<string, Peer>,
    stop: () => {
      for (const [channel, listener] of listeners) unsubscribe(channel, listener);
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
