/**
 * A row of an answer by its columns: whole numbers and decimals as exact digits, days as YYYY-MM-DD,
 * truth as `true` and `false`.
 */
export type AnswerRow = Readonly<Record<string, string | null>>;

/** What runs the SQL of an audit over the tables of lakes. */
export interface Engine {
  /** How many ids it may hold at once; absent where that doesn't matter. */
  readonly idsAtOnce?: number;
  /**
   * Runs queries, and gives the answer of each. All that can be asked at once should be: an engine may
   * take seconds to begin. ReconError `damaged` where a table can't be read.
   */
  ask(queries: readonly string[]): Promise<readonly (readonly AnswerRow[])[]>;
  close(): Promise<void>;
}

export const engineNames = ['duckdb', 'spark'] as const;
