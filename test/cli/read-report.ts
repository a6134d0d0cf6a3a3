import { expect } from 'vitest';
import { parseCsv } from '../render/parse-csv.ts';

/** The JSON report, as far as tests look at it. */
export interface Report {
  readonly verdict: string;
  readonly range: { readonly from: string; readonly to: string };
  readonly settings: Readonly<Record<string, unknown>>;
  readonly completeness: {
    readonly complete: boolean;
    readonly settlements: number;
    readonly transactions: number;
  };
  readonly groups: readonly ReportGroup[];
  readonly settlements: readonly ReportSettlement[];
  readonly findings: readonly ReportEntry[];
  readonly notes: readonly string[];
}

export interface ReportSettlement {
  readonly id: string;
  readonly date: string;
  readonly accountingName: string | null;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly serviceSays: string;
  readonly sumsSay: string;
  readonly verdict: string;
  readonly verdictReason: string | null;
  readonly complete: boolean;
  readonly reported: Figures;
  readonly computed: Figures | null;
  readonly difference: Figures | null;
  readonly discrepancies: readonly ReportEntry[];
  readonly notices: readonly ReportEntry[];
}

interface ReportGroup {
  readonly accountingToken: string;
  readonly accountingName: string | null;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly settlements: Readonly<Record<string, number>>;
  readonly reported: Measures;
  readonly computed: Measures;
  readonly difference: Measures;
  readonly outOfBalance: { readonly net: Amount; readonly absolute: Amount } | null;
  readonly pendingPayIn: Amount;
  readonly unknownStatus: PendingPart;
  readonly overdue: PendingPart;
}

export interface ReportEntry {
  readonly code: string;
  readonly weight: string;
  readonly message: string;
  readonly count: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

interface PendingPart {
  readonly settlements: number;
  readonly payIn: Amount;
}

interface Amount {
  readonly amount: string;
  readonly minor: string;
}

type Measures = Readonly<Record<'gross' | 'fees' | 'tax' | 'payIn', Amount>>;
type Figures = Measures & { readonly transactions: number };

/** Reads what `--format json` prints. */
export function readReport(stdout: string): Report {
  return JSON.parse(stdout) as Report;
}

/** Reads what `--format ndjson` prints. */
export function readLines(stdout: string): readonly Readonly<Record<string, unknown>>[] {
  expect(stdout.endsWith('\n')).toBe(true);
  return stdout
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Reads what `--format csv` prints, a record a row. */
export function readRecords(stdout: string): readonly Readonly<Record<string, string>>[] {
  const [columns = [], ...rows] = parseCsv(stdout, ',');
  return rows.map((row) => {
    expect(row).toHaveLength(columns.length);
    return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']));
  });
}

/** Gross, fees, tax, pay-in, count. */
export function amounts(figures: Figures | Measures | null): string {
  if (figures === null) return 'none';
  const { gross, fees, tax, payIn } = figures;
  const count = 'transactions' in figures ? [figures.transactions] : [];
  return [...[gross, fees, tax, payIn].map(({ amount }) => amount), ...count].join(' ');
}

/** The codes of entries. */
export function codes(entries: readonly ReportEntry[]): string {
  return entries.map(({ code }) => code).join(' ');
}

/**
 * That lines of rows, in JSON, come to what is computed from the settlements in the totals. A row in another
 * currency counts as a transaction of its settlement, but is in no line.
 */
export function expectLinesToAddUp(report: string): void {
  const { groups, settlements } = JSON.parse(report) as {
    readonly groups: readonly Counted[];
    readonly settlements: readonly (Counted & { readonly discrepancies: readonly ReportEntry[] })[];
  };
  const own = settlements
    .filter(({ verdict }) => ['balanced', 'out_of_balance'].includes(verdict))
    .map(({ computed, discrepancies, ...one }) => {
      const others = discrepancies.find(({ code }) => code === 'currency')?.count ?? 0;
      const transactions = Number(computed['transactions']) - others;
      return { ...one, computed: { ...computed, transactions } };
    });
  expect(sums(groups)).toEqual(sums(own));
}

interface Counted {
  readonly verdict: string;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly computed: Readonly<Record<string, { readonly minor: string } | number>>;
}

/** Computed figures by currency, all at six decimal places; those that are zero left out. */
function sums(items: readonly Counted[]): Readonly<Record<string, bigint>> {
  const totals: Record<string, bigint> = {};
  for (const { currency, decimalPlaces, computed } of items) {
    for (const [measure, one] of Object.entries(computed)) {
      const minor = typeof one === 'number' ? BigInt(one) : BigInt(one.minor);
      const raised = minor * 10n ** BigInt(6 - decimalPlaces);
      const key = `${currency} ${measure}`;
      totals[key] = (totals[key] ?? 0n) + (typeof one === 'number' ? minor : raised);
    }
  }
  return Object.fromEntries(Object.entries(totals).filter(([, sum]) => sum !== 0n));
}
