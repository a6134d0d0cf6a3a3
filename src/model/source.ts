import type { Money } from '../money/money.ts';
import type { Row } from './row.ts';
import type { RowBatch } from './row-batch.ts';
import type { Settlement } from './settlement.ts';

/** A part of an answer that deviates from the service's document, but was understood. */
export interface OddAnswer {
  /** For example `status.response`. */
  readonly field: string;
  /** As JSON, shortened; `nothing` if missing. */
  readonly found: string;
  readonly expected: string;
}

/** What a field must hold; `object`: a record must be one; `sum`: what other amounts of its line give. */
export const fieldForms = [
  'text',
  'minor_units',
  'count',
  'scale',
  'date',
  'object',
  'amount',
  'sum',
] as const;

export type FieldForm = (typeof fieldForms)[number];

/** A record with a field that cannot be decoded. It is not used, so the data are incomplete. */
export interface UnreadableRecord extends OddAnswer {
  /** Its id; empty if not readable. */
  readonly record: string;
  readonly expected: FieldForm;
}

/** Why it is uncertain whether the walks of a list read everything. */
export type UnsteadyReason =
  /** They end, but list different records, or another number than announced. */
  | 'walks_disagree'
  /** Pages repeat earlier records. */
  | 'no_progress'
  /** Far more is listed than announced, or than a run reads. */
  | 'too_long';

/** The most settlements that a list of headers may hold. */
export const mostSettlements = 100_000;

/** Records asked for in a page: the default of headers, the maximum of rows, as documented (doc 4.4, 8). */
export const pageSizes = { headers: 50, rows: 100 };

export interface HeaderList {
  /** By date, then id; each id once. */
  readonly settlements: readonly Settlement[];
  /** All headers of each id that the service lists differently; the first one counts. */
  readonly conflicts: readonly (readonly Settlement[])[];
  readonly unreadable: readonly UnreadableRecord[];
  /** Set unless all were certainly read. */
  readonly unsteady?: UnsteadyReason;
  /** Days of the query that the source does not have, in order. */
  readonly missingDays?: readonly string[];
  /** Days of the query that the source has, but not completely. */
  readonly incompleteDays?: readonly string[];
  /** What settlement files lack, or do not agree on. */
  readonly gaps?: readonly FileGap[];
  /** Files whose lines, all or some, are in others too, where they count. */
  readonly repeatedFiles?: readonly RepeatedFile[];
}

/** Something that is missing from the settlement files of a provider. */
export type FileGap =
  /** Pay-outs by their numbers: no file has them. */
  | {
      readonly kind: 'numbers';
      readonly account: string;
      readonly from: string;
      readonly to: string;
    }
  /** One pay-out carries over an amount that does not arrive in the next. */
  | {
      readonly kind: 'carried';
      readonly account: string;
      readonly from: string;
      readonly to: string;
      readonly out: Money;
      readonly arrived: Money;
    }
  /** Rows of which no pay-out is listed, or a pay-out of which no rows are. */
  | {
      readonly kind: 'no_payout' | 'no_rows';
      readonly account: string;
      readonly from: string;
      readonly rows: number;
      readonly sum: Money;
      /** Ids of the first of them. */
      readonly examples: readonly string[];
    }
  /** Two files list a row differently. */
  | {
      readonly kind: 'files_differ';
      readonly account: string;
      readonly from: string;
      readonly files: readonly string[];
    };

export interface RepeatedFile {
  readonly file: string;
  readonly lines: number;
}

export interface RowsOutcome {
  /** Set unless all were certainly read. */
  readonly unsteady?: UnsteadyReason;
  readonly unreadable: readonly UnreadableRecord[];
  /** Rows that the service lists more than once, with the number of copies after the first. */
  readonly repeated: readonly { readonly row: Row; readonly copies: number }[];
  /** All rows of each id that one walk lists differently; the first one counts. */
  readonly conflicts: readonly (readonly Row[])[];
  /** Rows that replace earlier ones with the same ids. */
  readonly corrections: readonly Row[];
}

/** A request for settlements; the filters are the service's own (doc 4.3). */
export interface SettlementQuery {
  readonly range: DateRange;
  readonly filters: SettlementFilters;
}

/** Dates, YYYY-MM-DD, inclusive. */
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

/** The number of optional requests that may still be sent; sending one reduces it. */
export interface Allowance {
  left: number;
}

/** A source of settlements, such as the service's API. */
export interface Source {
  /** Whether a failure to read rows is an old one, so other settlements may still be readable. */
  readonly isRecord?: true;
  /** The headers of a range. Fails if that takes more requests than allowed. */
  headers(query: SettlementQuery, allowance?: Allowance): Promise<HeaderList>;
  /** The header of one id; an empty list if there is none. */
  header(id: string): Promise<HeaderList>;
  /** Each id once. The lowest `priority` is first. An allowance stops at the announced number. */
  rows(
    header: Settlement,
    priority: number,
    allowance?: Allowance,
  ): AsyncGenerator<RowBatch, RowsOutcome, void>;
  /** The deviations in the service's answers so far, each once. */
  oddAnswers?(): readonly OddAnswer[];
}

export interface PagedSource extends Source {
  tempo(): Tempo;
}

/** How much a paged source reads at a time, and how fast. */
export interface Tempo {
  readonly pages: number;
  /** On average; 0 before the first. */
  readonly pageMs: number;
  readonly rowsPerPage: number;
  readonly concurrency: number;
  /** The known limit of pages a second, else infinite. */
  readonly perSecond: number;
}
