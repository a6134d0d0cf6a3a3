/**
 * All that these cases know of fields and codes (docs/schema/close.schema.json). Whoever renames one of them
 * changes this file alone.
 */
import type { RunResult } from '../../../support/run-recon.ts';

export interface Money {
  readonly minor: string;
}

interface Amounts {
  readonly currency: string;
  readonly net: Money;
  readonly absolute: Money;
}

export interface LadderLine {
  readonly code: string;
  readonly state: string | null;
  readonly isTotal: boolean;
  readonly count: number | null;
  readonly amount: Money & { readonly amount: string };
}

export interface CloseJson {
  readonly continues: boolean;
  readonly verdict: string;
  readonly checklist: readonly {
    readonly step: string;
    readonly answer: string | null;
    readonly points: number;
    readonly count: number;
    readonly amounts: readonly Amounts[];
    readonly codes: readonly string[];
    readonly command: string;
  }[];
  readonly ladders: readonly { readonly currency: string; readonly lines: readonly LadderLine[] }[];
  readonly blockers: readonly {
    readonly code: string;
    readonly count: number;
    readonly amounts: readonly Amounts[];
  }[];
  readonly accruedSales: readonly {
    readonly accountingName: string;
    readonly currency: string;
    readonly amount: Money;
  }[];
}

/** Reads what a run wrote as JSON. */
export function jsonOf<Json>({ stdout, stderr }: RunResult): Json {
  if (!stdout.startsWith('{')) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(stdout) as Json;
}

/** Lines of a ladder by code, and state if they have one. */
export function linesOf(
  { ladders }: CloseJson,
  currency: string,
): Readonly<Record<string, LadderLine>> {
  const lines = ladders.find((one) => one.currency === currency)?.lines ?? [];
  return Object.fromEntries(
    lines.map((line) => [line.state ? `${line.code} ${line.state}` : line.code, line]),
  );
}

export const minorOf = ({ minor }: Money): bigint => BigInt(minor);
