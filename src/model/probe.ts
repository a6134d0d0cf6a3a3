import type { Row } from './row.ts';
import type { Settlement } from './settlement.ts';
import type { OddAnswer, SettlementQuery, UnreadableRecord } from './source.ts';

/** The version of the service's interface that this program implements (doc 9). */
export const interfaceVersion = '4.0.3';

/** Sends small requests to the service, and keeps what its answers show besides the data. */
export interface Probe {
  /** Gets an access token (doc 4.1). All of these throw ReconError. */
  token(): Promise<void>;
  settlements(query: SettlementQuery, page: PageRequest): Promise<ProbedPage<Settlement>>;
  rows(settlementId: string, page: PageRequest): Promise<ProbedPage<Row>>;
  /** Reads a charge; only the names of its fields are kept. */
  charge(id: string): Promise<void>;
  sightings(): Sightings;
  /** Ends what is under way, and the connections. */
  close(): Promise<void>;
}

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

export interface ProbedPage<Item> {
  /** The keys of all records, readable or not, in their order. */
  readonly keys: readonly string[];
  readonly items: readonly Item[];
  readonly unreadable: readonly UnreadableRecord[];
}

export interface Sightings {
  readonly exchanges: readonly Exchange[];
  /** Every host to which a connection was tried, by origin, with proxies. */
  readonly peers: ReadonlyMap<string, Peer>;
  /** What came with the last access token; absent before the first. */
  readonly grant:
    | {
        /** `expires_in`; null if it is not a positive number. */
        readonly seconds: number | null;
        /** Null if the service does not name them. */
        readonly scopes: readonly string[] | null;
      }
    | undefined;
  /** By the part of an answer: `token`, `wrapper`, `settlement`, `transaction`, `charge`. */
  readonly unknownFields: readonly {
    readonly record: string;
    readonly fields: readonly string[];
  }[];
  readonly oddAnswers: readonly OddAnswer[];
}

/** One attempt at a request. Times are in milliseconds, by this machine's clock. */
export interface Exchange {
  readonly origin: string;
  readonly path: string;
  readonly startedAt: number;
  readonly ms: number;
  readonly attempt: number;
  /** The HTTP status; absent without an answer. */
  readonly status: number | undefined;
  /** The answer's Date, in whole seconds, truncated; absent if it has none. */
  readonly date: number | undefined;
  /** Why the attempt failed, if it did. */
  readonly failure: string | undefined;
}

export interface Peer {
  /** Whether there was one, with a trusted certificate. */
  readonly reached: boolean;
  readonly untrusted: boolean;
  /** When the certificate expires is in milliseconds since the epoch. */
  readonly certificate?: { readonly issuer: string; readonly expiresAt: number } | undefined;
}
