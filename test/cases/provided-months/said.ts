import type { RunResult } from '../../support/run-recon.ts';

/** What is used of the JSON of `recon settlements` and `recon explain`, by its schema. */
interface AmountJson {
  readonly amount: string;
}

export interface FiguresJson {
  readonly transactions: number | null;
  readonly gross: AmountJson | null;
  readonly fees: AmountJson | null;
  readonly tax: AmountJson | null;
  readonly payIn: AmountJson | null;
}

interface MoneyJson extends AmountJson {
  readonly currency: string;
}

export interface MissingJson {
  readonly kind: 'numbers' | 'carried' | 'no_payout' | 'no_rows' | 'files_differ';
  readonly account: string;
  readonly from: string;
  readonly to?: string;
  readonly out?: MoneyJson;
  readonly arrived?: MoneyJson;
  readonly rows?: number;
  readonly sum?: MoneyJson;
  readonly examples?: readonly string[];
  readonly files?: readonly string[];
}

interface FindingJson {
  readonly code: string;
  readonly weight: string;
  readonly message: string;
  readonly count: number;
  readonly facts: { readonly examples?: readonly MissingJson[] };
}

interface RowJson {
  readonly transactionId: string;
  readonly type: string;
  readonly amount: MoneyJson;
  readonly fees: MoneyJson;
}

interface TestedJson {
  readonly codes: readonly string[];
  readonly outcome: string;
  readonly rows: readonly RowJson[];
  readonly candidates: number;
  readonly message: string;
}

export interface SettlementJson {
  readonly id: string;
  readonly date: string;
  readonly currency: string;
  readonly verdict: string;
  readonly serviceSays: string;
  readonly restsOn?: readonly string[];
  readonly reported: FiguresJson;
  readonly computed: FiguresJson | null;
  readonly difference: FiguresJson | null;
  readonly discrepancies: readonly FindingJson[];
  readonly paymentReferences: readonly string[];
  readonly explanation: string | null;
  readonly certainty?: string | null;
  /** Of `recon explain`. */
  readonly tested?: readonly TestedJson[];
}

export interface ReportJson {
  readonly verdict: string;
  readonly exitCode?: number;
  readonly profile?: string;
  readonly completeness: {
    readonly complete: boolean;
    readonly settlements: number;
    readonly transactions: number;
  };
  readonly settlements: readonly SettlementJson[];
  readonly findings: readonly FindingJson[];
}

export function jsonOf<Json>({ stdout, stderr, exitCode }: RunResult): Json {
  try {
    return JSON.parse(stdout) as Json;
  } catch {
    throw new Error(`exit code ${exitCode}: ${stdout.slice(0, 500)}${stderr}`);
  }
}
