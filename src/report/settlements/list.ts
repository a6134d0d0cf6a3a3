import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { accountColumn, column, section, uuid } from '../common/blocks.ts';
import { amountText, capitalised, grouped, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { verdictTones, verdictWords } from '../common/words.ts';
import { bankListColumns } from './on-bank.ts';
import { measureOfTotals, type SettlementsReport, shownSettlements } from './report.ts';

/** So many rows of a table can be sorted at once in a browser. */
export const mostListed = 2_000;

/** The settlements, a row each, to be sorted and filtered; none where there are none. */
export function settlementList(report: SettlementsReport): readonly Section[] {
  const all = shownSettlements(report);
  if (all.length === 0) return [];
  const measure = measureOfTotals(report);
  const decisive = measure === 'gross' ? 'gross' : 'payIn';
  const amount = (title: string, minor: (one: ReconciledSettlement) => bigint | undefined) =>
    column<ReconciledSettlement>(1, title, 'amount', (one) => amountText(minor(one), one.scale));
  const table = section<ReconciledSettlement>(
    `${report.only ? 'Settlements' : 'All settlements'}: ${grouped(all.length)}`,
    all,
    [
      { ...column(1, 'Verdict', 'text', ({ verdict }) => verdictWords[verdict]), filters: true },
      column(1, 'Date', 'text', ({ settlement }) => settlement.date),
      column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
      {
        ...accountColumn<ReconciledSettlement>(
          report.names,
          1,
          ({ settlement }) => settlement.accountingToken,
        ),
        filters: true,
      },
      column(1, 'Currency', 'text', ({ settlement }) => settlement.currency),
      amount('Pay-in', ({ reported }) => reported.payIn),
      amount(`Computed ${measure}`, ({ computed }) => computed?.[decisive]),
      column(1, `${capitalised(measure)} difference`, 'difference', ({ difference, scale }) =>
        signedText(difference?.[decisive], scale),
      ),
      amount('Gross', ({ reported }) => reported.gross),
      amount('Fees', ({ reported }) => reported.fees),
      amount('Tax', ({ reported }) => reported.tax),
      column(1, 'Transactions', 'integer', ({ reported }) => String(reported.transactions)),
      ...bankListColumns(report.bank),
    ],
    undefined,
    [],
    mostListed,
  );
  const rows = table.rows.map((row, at) => {
    const one = all[at];
    return one ? { ...row, tone: verdictTones[one.verdict] } : row;
  });
  return [{ ...table, rows }];
}
