import type { Settlement } from '../../model/settlement.ts';
import { formatMinor } from '../../money/decimal.ts';
import type { Entry } from '../../reconcile/entry.ts';
import type { ReconciledRun } from '../../reconcile/reconciled.ts';
import { amountColumn, type Column, integerColumn, textColumn } from '../common/columns.ts';
import { sentence } from '../common/wording.ts';
import type { Names } from './report.ts';

/** Something found, and the settlement it was found in; none where it concerns the run. */
export interface Finding {
  readonly settlement: Settlement | undefined;
  readonly entry: Entry;
}

/** All that was found in a run: settlement by settlement, then across them. */
export function findingsOf({ settlements, findings }: ReconciledRun): readonly Finding[] {
  return [
    ...settlements.flatMap(({ settlement, discrepancies, notices }) =>
      [...discrepancies, ...notices].map((entry) => ({ settlement, entry })),
    ),
    ...findings.map((entry) => ({ settlement: undefined, entry })),
  ];
}

/** A row a finding. New columns go to the end. */
export function findingColumns(names: Names): readonly Column<Finding>[] {
  return [
    textColumn('settlement_date', ({ settlement }) => settlement?.date ?? ''),
    textColumn('settlement_id', ({ settlement }) => settlement?.id ?? ''),
    textColumn('accounting_token', ({ settlement }) => settlement?.accountingToken ?? ''),
    textColumn(
      'accounting_name',
      ({ settlement }) => names.get(settlement?.accountingToken ?? '') ?? '',
    ),
    textColumn('currency', ({ settlement }) => settlement?.currency ?? ''),
    textColumn('weight', ({ entry }) => entry.weight),
    textColumn('code', ({ entry }) => entry.code),
    integerColumn('count', ({ entry }) => entry.count),
    amountColumn('difference', ({ entry }) => differenceText(entry)),
    textColumn('message', ({ entry }) => sentence(entry)),
  ];
}

/** What is reported beyond what was computed; empty where the entry compares nothing. */
function differenceText(entry: Entry): string {
  if (!('difference' in entry.facts)) return '';
  const { difference } = entry.facts;
  return typeof difference === 'number'
    ? String(difference)
    : formatMinor(difference.minor, difference.scale);
}
