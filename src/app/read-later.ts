import { addDays } from '../base/calendar.ts';
import { hasTypes } from '../books/accounts.ts';
import { type BookedFigures, transactionFigures, typeFigures } from '../books/book-settlement.ts';
import { salesBefore } from '../books/sale-month.ts';
import type { AccountMapping } from '../model/account-mapping.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { Rules } from '../reconcile/rules.ts';
import { headersIn } from './match-bank.ts';
import { type Pass, type Reading, readOnce } from './read-once.ts';
import type { DecidedSettlement, RangeOptions } from './reconcile-range.ts';

/** How sales are booked by month. */
export interface SaleMonths {
  /** IANA: decides the day of a row. */
  readonly timeZone: string;
  /** Within how many days sales are settled. */
  readonly settleDays: number;
  /** The last day that can be read, YYYY-MM-DD. */
  readonly lastDay: string;
}

interface Apart {
  readonly mapping: AccountMapping;
  readonly rules: Rules;
  readonly isDetailed?: boolean | undefined;
  readonly saleMonths: SaleMonths | undefined;
}

/** What of a settlement is booked separately: its transactions, or its types and months of sale; else undefined. */
export function figuresApart(
  { reconciled, rows }: DecidedSettlement,
  { mapping, rules, isDetailed, saleMonths }: Apart,
): readonly BookedFigures[] | undefined {
  const { date } = reconciled.settlement;
  const soldOn = saleMonths && salesBefore(date, rows, saleMonths.timeZone);
  if (isDetailed) return transactionFigures(rows, rules, soldOn);
  return soldOn || hasTypes(mapping) ? typeFigures(rows, rules, soldOn) : undefined;
}

/** The settlements of the days after a range, which may pay what was sold in it. */
export interface LaterRun {
  readonly run: ReconciledRun | undefined;
  /** The last day that was read. */
  readonly until: string;
  /** Whether no day is missing. */
  readonly isWhole: boolean;
}

/** The last day within which what is sold until `day` is settled, as far as it can be read; never before `day`. All YYYY-MM-DD. */
export function lastDayOf(day: string, settleDays: number, lastDay: string): string {
  const due = addDays(day, settleDays);
  const end = due < lastDay ? due : lastDay;
  return end > day ? end : day;
}

/** Reads the days after a range within which its sales are settled, as far as there are any. */
export async function readLater(
  pass: Pass,
  { settleDays, lastDay }: SaleMonths,
  options: Reading & Pick<RangeOptions, 'query' | 'settings' | 'ageingAndAccepted'>,
): Promise<LaterRun> {
  const { source, query } = options;
  const from = addDays(query.range.to, 1);
  const to = lastDayOf(query.range.to, settleDays, lastDay);
  if (to < from) return { run: undefined, until: query.range.to, isWhole: true };
  const list = await source.headers({ ...query, range: { from, to } });
  const [gap] = [...(list.missingDays ?? []), ...(list.incompleteDays ?? [])].sort();
  const until = gap === undefined ? to : addDays(gap, -1);
  const range = { from, to: until };
  if (until < from) return { run: undefined, until, isWhole: false };
  const run = await readOnce([pass], {
    ...options,
    query: { ...query, range },
    headers: headersIn(range, list),
    keepsDetails: true,
    explains: false,
    isForVerdicts: true,
  });
  return { run, until, isWhole: gap === undefined };
}
