/**
 * A row of an answer by its columns: whole numbers and decimals as exact digits, days as YYYY-MM-DD,
 * truth as `true` and `false`.
 */
export type AnswerRow = Readonly<Record<string, string | null>>;

/** What runs the SQL of an audit over the tables of lakes. */
export interface Engine {
  /** How many ids it may hold at once; absent where that doesn't matter. */
  readonly idsAtOnce?: number;
  /** Runs a query. ReconError `damaged` where a table can't be read. */
  ask(query: string): Promise<readonly AnswerRow[]>;
  close(): Promise<void>;
}
