import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import type { Certificate, Peer } from '../model/probe.ts';
import { isCertificateFault } from './connection-failure.ts';

/** What undici says of a connection, as far as it matters here. */
interface Message {
  readonly connectParams: { readonly protocol: string; readonly host: string };
  readonly error?: unknown;
  readonly socket?: unknown;
}

/**
 * Watches to whom this process connects, by origin. undici tells of every connection, through a
 * proxy or not; nobody else gets to see the certificate.
 */
export class PeerWatch {
  readonly peers = new Map<string, Peer>();
  readonly #listeners = {
    'undici:client:beforeConnect': (message: unknown) => this.#begun(message as Message),
    'undici:client:connectError': (message: unknown) => this.#failed(message as Message),
    'undici:client:connected': (message: unknown) => this.#connected(message as Message),
  };

  constructor() {
    for (const [channel, listener] of Object.entries(this.#listeners)) subscribe(channel, listener);
  }

  stop(): void {
    for (const [channel, listener] of Object.entries(this.#listeners)) {
      unsubscribe(channel, listener);
    }
  }

  #begun({ connectParams }: Message): void {
    const origin = originOf(connectParams);
    if (!this.peers.has(origin)) this.peers.set(origin, { reached: false, untrusted: false });
  }

  #failed({ connectParams, error }: Message): void {
    const untrusted = isCertificateFault(error);
    this.peers.set(originOf(connectParams), { reached: false, untrusted });
  }

  #connected({ connectParams, socket }: Message): void {
    const origin = originOf(connectParams);
    // A session that is resumed shows none: it is still the one before.
    const certificate = certificateOf(socket) ?? this.peers.get(origin)?.certificate;
    this.peers.set(origin, {
      reached: true,
      untrusted: false,
      ...(certificate && { certificate }),
    });
  }
}

function originOf({ protocol, host }: Message['connectParams']): string {
  return `${protocol}//${host}`;
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
