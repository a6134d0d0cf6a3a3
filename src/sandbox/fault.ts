import type { Clock } from '../base/clock.ts';
import type { Answer, Call } from './exchange.ts';
import type { ListQuery } from './listing.ts';
import type { WireRecord } from './scenario.ts';

/** One misbehaviour as it was asked for: `NAME=VALUE@WHERE`. Empty texts where left out. */
export interface FaultSetting {
  readonly name: string;
  readonly value: string;
  readonly where: string;
}

/**
 * A misbehaviour at work. It wraps the service at one of its two seams, around a request or around
 * the cutting of a page: it may answer itself, ask on with another question, or change the answer.
 */
export interface ActiveFault {
  readonly around?: (
    call: Call,
    next: (call: Call) => Promise<Answer>,
    clock: Clock,
  ) => Promise<Answer>;
  readonly list?: (
    query: ListQuery,
    next: (query: ListQuery) => readonly WireRecord[],
  ) => readonly WireRecord[];
  /** The webhooks that are sent, as texts. */
  readonly webhooks?: (bodies: readonly string[]) => readonly string[];
  /** How long a token lives, in seconds. */
  readonly tokenLife?: number;
  /** The only scheme that charges take. */
  readonly chargeScheme?: 'v1' | 'v2';
}

/** What can be asked for. */
export interface FaultKind {
  readonly name: string;
  /** How its value is written, for help; empty where it takes none. */
  readonly syntax: string;
  /** One line for help. */
  readonly about: string;
  /** The fault with its counters at zero. Throws on a value that it doesn't understand. */
  create(value: string, where: string): ActiveFault;
}
