import type { Measure } from '../../reconcile/entry.ts';
import type { ReconciledSettlement, Verdict } from '../../reconcile/reconciled.ts';
import { accountColumn } from '../common/account-column.ts';
import { amountText, signedText } from '../common/amount-text.ts';
import { capitalised, many } from '../common/phrase.ts';
import { settlementRemarks } from '../common/remarks.ts';
import { type CellColumn, cellColumn as column, section, uuid } from '../common/sections.ts';
import { pendingText } from '../common/totals.ts';
import type { Section } from '../common/view.ts';
import { measureWords, verdictWords } from '../common/words.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';

const order: readonly Verdict[] = ['out_of_balance', 'incomplete', 'pending', 'balanced'];
const measures: readonly Measure[] = ['gross', 'fees', 'tax', 'payIn'];

/** A section a verdict. Balanced settlements are shown where they are asked for. */
export function settlementSections(report: SettlementsReport): readonly Section[] {
  const shown = shownSettlements(report);
  return order
    .filter((verdict) => verdict !== 'balanced' || report.only?.includes(verdict))
    .map((verdict) => ({ verdict, rows: shown.filter((one) => one.verdict === verdict) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ verdict, rows }) =>
      section(title(verdict, rows.length, report), columnsOf(verdict, report), rows, (one) =>
        settlementRemarks(one, report.explanations?.get(one.settlement.id)),
      ),
    );
}

function title(verdict: Verdict, count: number, report: SettlementsReport): string {
  const due = verdict === 'pending' ? `, to be paid in: ${pendingText(report)}` : '';
  return `${capitalised(verdictWords[verdict])}: ${many(count, 'settlement')}${due}`;
}

/** On a narrow screen what is waited for stays, and elsewhere what is off. */
function columnsOf(
  verdict: Verdict,
  report: SettlementsReport,
): readonly CellColumn<ReconciledSettlement>[] {
  const [first, second] = verdict === 'pending' ? [5, 1] : [1, 5];
  const decisive: Measure = report.settings.identity === 'off' ? 'gross' : 'payIn';
  const differences = measures.map((measure) =>
    column<ReconciledSettlement>(
      measure === decisive ? first : 6,
      `${capitalised(measureWords[measure])} difference`,
      'difference',
      (one) => signedText(one.difference?.[measure], one.scale),
    ),
  );
  return [
    column(3, 'Date', 'text', ({ settlement }) => settlement.date),
    column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
    accountColumn(report.names, 4, ({ settlement }) => settlement.accountingToken),
    column(2, 'Currency', 'text', ({ settlement }) => settlement.currency),
    column(second, 'Pay-in', 'amount', (one) => amountText(one.reported.payIn, one.scale)),
    ...differences,
  ];
}
