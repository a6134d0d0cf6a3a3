import type { TransactionsRead } from '../../app/read-transactions.ts';
import type { RowFilters, UnmatchedValue } from '../../app/row-filter.ts';
import type { Row } from '../../model/row.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { DateRange, SettlementFilters } from '../../model/source.ts';
import type { Names } from '../common/report.ts';

/** A row, and the settlement that lists it. */
export interface Transaction {
  readonly settlement: Settlement;
  readonly row: Row;
}

/** Which of the merchant's notes are shown: all in one place, or those with certain keys. */
export type NotesShown = 'all' | readonly string[];

/** What `recon transactions` was asked for. */
export interface TransactionsQuery {
  /** A range of settlements, or a single one. */
  readonly of:
    | { readonly range: DateRange; readonly filters: SettlementFilters }
    | { readonly settlement: string };
  readonly profile: string | undefined;
  readonly names: Names;
  readonly notes: NotesShown;
  readonly filters: RowFilters;
}

/** How it ended. */
export interface TransactionsEnd {
  readonly read: TransactionsRead;
  /** Transactions that passed the filters. */
  readonly listed: number;
  /** Values of the filters that no transaction has. */
  readonly unmatched: readonly UnmatchedValue[];
}
