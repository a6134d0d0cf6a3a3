import type { Settlement } from '../model/settlement.ts';
import type { Identity } from '../reconcile/identity.ts';
import type { Figures, ReconciledSettlement } from '../reconcile/reconciled.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Amounts, type Delta, noAmounts, rescaleAmounts } from './delta.ts';
import type { SettlementEvidence } from './evidence.ts';

/** What is to be explained, and all that may explain it. Amounts are minor units at `scale`. */
export interface Case {
  readonly settlement: Settlement;
  readonly rows: RowColumns;
  readonly evidence: SettlementEvidence;
  readonly identity: Identity;
  readonly scale: number;
  /** What the header reports. */
  readonly header: Delta;
  /** The differences to explain, all together: reported − computed. */
  readonly target: Delta;
}

/** The case of a settlement; nothing where its rows were not read whole. */
export function caseOf(
  { settlement, scale, reported, difference }: ReconciledSettlement,
  rows: RowColumns,
  evidence: SettlementEvidence,
  identity: Identity,
): Case | undefined {
  if (difference === undefined) return undefined;
  const figures = (from: Figures) => deltaOf(from, identity);
  const [header, target] = [figures(reported), figures(difference)];
  return { settlement, rows, evidence, identity, scale, header, target };
}

function deltaOf({ transactions, gross, fees, tax, payIn = 0n }: Figures, identity: Identity) {
  return { count: transactions, gross, fees, tax, payIn: identity === 'off' ? 0n : payIn };
}

/** A row's amounts as listed, at its own scale. */
export function listedAmounts(rows: RowColumns, index: number): Amounts {
  return {
    gross: rows.amount(index),
    fees: rows.fees(index),
    tax: rows.tax(index),
  };
}

/** What one of the settlement's rows adds to its sums: nothing in another currency. */
export function amountsOfRow({ rows, settlement, scale }: Case, index: number): Amounts {
  const kind = rows.kind(index);
  if (kind.currency !== settlement.currency) return noAmounts;
  return rescaleAmounts(listedAmounts(rows, index), kind.scale, scale);
}
