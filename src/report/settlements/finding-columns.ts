import type { Settlement } from '../../model/settlement.ts';
import { formatMinor } from '../../money/money.ts';
import type { Entry } from '../../reconcile/entry.ts';
import type { ReconciledRun } from '../../reconcile/reconciled.ts';
import { amount, type Column, integer, text } from '../common/columns.ts';
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
    text('settlement_date', ({ settlement }) => settlement?.date ?? ''),
    text('settlement_id', ({ settlement }) => settlement?.id ?? ''),
    text('accounting_token', ({ settlement }) => settlement?.accountingToken ?? ''),
    text('accounting_name', ({ settlement }) => names.get(settlement?.accountingToken ?? '') ?? ''),
    text('currency', ({ settlement }) => settlement?.currency ?? ''),
    text('weight', ({ entry }) => entry.weight),
    text('code', ({ entry }) => entry.code),
    integer('count', ({ entry }) => entry.count),
    amount('difference', ({ entry }) => differenceText(entry)),
    text('message', ({ entry }) => sentence(entry)),
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
