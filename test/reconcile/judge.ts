import type { Row } from '../../src/model/row.ts';
import { batchOf } from '../../src/model/row-batch.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { RowsOutcome } from '../../src/model/source.ts';
import type { Code, Entry } from '../../src/reconcile/entry.ts';
import {
  type ReconciledSettlement,
  reconcileSettlement,
} from '../../src/reconcile/reconcile-settlement.ts';
import { RowColumns } from '../../src/reconcile/row-columns.ts';
import type { ReconcileSettings, SettlementInput } from '../../src/reconcile/subject.ts';
import { buildOutcome, buildRow, buildSettlement } from '../support/build.ts';

export const defaultSettings: ReconcileSettings = {
  identity: 'gross-fees-tax',
  tolerance: 0n,
  ignored: [],
  expectedScales: new Map(),
  rules: {},
};

/** What a test says of a settlement; all else is the balanced default. */
export interface Case {
  readonly header?: Partial<Settlement>;
  readonly rows?: readonly Row[];
  readonly outcome?: Partial<RowsOutcome> | { readonly notRead: string };
  readonly headerConflicts?: SettlementInput['headerConflicts'];
  readonly range?: SettlementInput['range'];
  readonly settings?: Partial<ReconcileSettings>;
}

export function columnsOf(rows: readonly Row[]): RowColumns {
  const columns = new RowColumns();
  columns.add(batchOf(rows));
  return columns;
}

export function judge(given: Case = {}): ReconciledSettlement {
  const { header, rows = [buildRow()], outcome = {}, headerConflicts, range, settings } = given;
  return reconcileSettlement({
    settlement: buildSettlement(header ?? {}),
    rows: columnsOf(rows),
    outcome:
      'notRead' in outcome
        ? { notRead: { code: 'other', facts: { message: outcome.notRead } } }
        : buildOutcome(outcome),
    headerConflicts,
    range,
    settings: { ...defaultSettings, ...settings },
  });
}

function entriesOf({ discrepancies, notices }: ReconciledSettlement): readonly Entry[] {
  return [...discrepancies, ...notices];
}

export function codesOf(result: ReconciledSettlement): readonly Code[] {
  return entriesOf(result).map(({ code }) => code);
}

/** The one entry of a code; fails where there is none or more. */
export function entryOf(code: Code, result: ReconciledSettlement): Entry {
  const found = entriesOf(result).filter((entry) => entry.code === code);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} entries of ${code}`);
  return only;
}

export function eur(minor: bigint, scale = 2) {
  return { minor, scale, currency: 'EUR' };
}
