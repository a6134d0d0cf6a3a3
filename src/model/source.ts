import type { Row } from './row.ts';
import type { RowBatch } from './row-batch.ts';
import type { Settlement } from './settlement.ts';

/** What the service's document doesn't show in an answer, and what was understood all the same. */
export interface OddAnswer {
  /** Where it stands, as the service writes it, for example `status.response`. */
  readonly field: string;
  /** What was there, as JSON, shortened; `nothing` where there was none. */
  readonly found: string;
  /** What the document shows there. */
  readonly expected: string;
}

/** A record with a field that doesn't decode: nothing of it is used, and nothing complete can be said. */
export interface UnreadableRecord extends OddAnswer {
  /** Its id, or an empty text where it has no readable one. */
  readonly record: string;
}

/** Why the walks of a list leave it open whether everything was read. */
export type UnsteadyReason =
  /** The walks end, but list different records, or fewer or more than announced. */
  | 'walks_disagree'
  /** Page after page repeats what came before. */
  | 'no_progress'
  /** Far more is listed than was announced, or than a run reads. */
  | 'too_long';

/** The most settlements that a list of headers may hold. */
export const mostSettlements = 100_000;

/** The settlement headers of a query, read whole. */
export interface HeaderList {
  /** By date, then id; each id once. */
  readonly settlements: readonly Settlement[];
  /** Ids that the service lists with different contents: all contents, the one that counts first. */
  readonly conflicts: readonly (readonly Settlement[])[];
  readonly unreadable: readonly UnreadableRecord[];
  /** Set where it isn't certain that all were read. */
  readonly unsteady?: UnsteadyReason;
  /** Days of the query that the source doesn't hold, in order; absent where it holds all. */
  readonly missingDays?: readonly string[];
  /** Days of the query that the source holds as far as they could be read; absent where there are none. */
  readonly incompleteDays?: readonly string[];
}

/** How the reading of one settlement's rows ended; the rows themselves were handed on before. */
export interface RowsOutcome {
  /** Set where it isn't certain that all were read. */
  readonly unsteady?: UnsteadyReason;
  readonly unreadable: readonly UnreadableRecord[];
  /** Rows that the service itself lists more than once, with the number of copies beyond the first. */
  readonly repeated: readonly { readonly row: Row; readonly copies: number }[];
  /** Ids with different contents in one walk: all contents, the one that counts first. */
  readonly conflicts: readonly (readonly Row[])[];
  /** Rows that read otherwise after they were handed on: these stand in their place. */
  readonly corrections: readonly Row[];
}

/** Which settlements are asked for. The filters are the service's own (doc 4.3). */
export interface SettlementQuery {
  /** Both dates included, YYYY-MM-DD, in the service's own notion of the day. */
  readonly range: DateRange;
  readonly filters: SettlementFilters;
}

/** Two dates, YYYY-MM-DD, both included. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

export interface SettlementFilters {
  /** Merchant, a UUID. */
  readonly mid?: string;
  /** Company. */
  readonly cid?: number;
  /** Chain. */
  readonly chid?: number;
}

/** How many more requests may be sent for what only helps; sending one takes it off. */
export interface Allowance {
  left: number;
}

/** Where settlements come from. The service's API is one source. */
export interface Source {
  /** Set where a failure to read rows is one that was written down: it says nothing of other settlements. */
  readonly isRecord?: true;
  /** The headers of a range. Fails where that takes more requests than are allowed. */
  headers(query: SettlementQuery, allowance?: Allowance): Promise<HeaderList>;
  /** The header of one id; an empty list where there is none. */
  header(id: string): Promise<HeaderList>;
  /**
   * The rows of a settlement, in batches as they are read, each id once; returns how the reading
   * ended. `priority` orders settlements that are read at the same time: the lowest goes first. With
   * an allowance as many rows are enough as the header announces: that no more follow is not proved.
   */
  rows(
    header: Settlement,
    priority: number,
    allowance?: Allowance,
  ): AsyncGenerator<RowBatch, RowsOutcome, void>;
  /** What was odd in the service's answers so far, each thing once; absent where none is asked. */
  oddAnswers?(): readonly OddAnswer[];
}

/** A source that reads page by page over a network. */
export interface PagedSource extends Source {
  /** How the reading has gone so far. */
  tempo(): Tempo;
}

/** How much a source reads at a time, and how fast. */
export interface Tempo {
  /** Pages read so far. */
  readonly pages: number;
  /** Milliseconds that a page takes, on average; 0 before the first. */
  readonly pageMs: number;
  /** Rows of a settlement in a full page. */
  readonly rowsPerPage: number;
  /** Pages that are read at the same time. */
  readonly concurrency: number;
  /** Pages a second that are let through, as far as is known; else infinite. */
  readonly perSecond: number;
}
