import type { Row } from './row.ts';
import type { Settlement } from './settlement.ts';
import type { OddAnswer, SettlementQuery, UnreadableRecord } from './source.ts';

/** The version of the service's interface that this program follows (doc 9). */
export const interfaceVersion = '4.0.3';

/** Asks the service for little, and keeps what its answers show beside the data. */
export interface Probe {
  /** Gets an access token (doc 4.1). Throws ReconError, as all of these do. */
  token(): Promise<Grant>;
  settlements(query: SettlementQuery, page: PageRequest): Promise<ProbedPage<Settlement>>;
  rows(settlementId: string, page: PageRequest): Promise<ProbedPage<Row>>;
  /** Reads a charge, of which nothing but the names of its fields is kept. */
  charge(id: string): Promise<void>;
  /** All that was seen so far. */
  sightings(): Sightings;
}

/** What is asked of a list. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/** What came of an access token, but for the token. */
export interface Grant {
  /** `expires_in`; absent where it is no positive number. */
  readonly seconds: number | undefined;
  /** The granted scopes; absent where the service doesn't name them. */
  readonly scopes: readonly string[] | undefined;
}

/** One page of a list, as it came. */
export interface ProbedPage<Item> {
  /** The keys of all records, readable or not, in their order. */
  readonly keys: readonly string[];
  readonly items: readonly Item[];
  readonly unreadable: readonly UnreadableRecord[];
}

export interface Sightings {
  /** Every attempt at a request, in order. */
  readonly exchanges: readonly Exchange[];
  /** Every host to which a connection was tried, by its origin: proxies too. */
  readonly peers: ReadonlyMap<string, Peer>;
  /** Fields that the document doesn't name, by the kind of record; the names alone. */
  readonly unknownFields: readonly {
    readonly record: AnswerPart;
    readonly fields: readonly string[];
  }[];
  /** What else answers have that the document doesn't show. */
  readonly oddAnswers: readonly OddAnswer[];
}

/** What fields may stand in. */
export type AnswerPart = 'token' | 'wrapper' | 'settlement' | 'transaction' | 'charge';

/** One attempt at a request. Times are milliseconds; moments are those of this machine's clock. */
export interface Exchange {
  readonly origin: string;
  readonly path: string;
  readonly startedAt: number;
  readonly ms: number;
  /** Counted from 1. */
  readonly attempt: number;
  /** The HTTP status; absent where no answer came. */
  readonly status: number | undefined;
  /** The answer's Date, which has whole seconds, cut off; absent where it has none. */
  readonly date: number | undefined;
  /** Why there is to be another attempt, or none. */
  readonly failure: string | undefined;
}

/** A host to which a connection was tried. */
export interface Peer {
  /** Whether there was one, with a certificate that is trusted. */
  readonly reached: boolean;
  /** Whether its certificate is what kept it from being. */
  readonly untrusted: boolean;
  /** Absent without TLS. */
  readonly certificate?: Certificate;
}

export interface Certificate {
  readonly issuer: string;
  /** When it expires, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The version of TLS that was agreed on. */
  readonly protocol: string;
}
