import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { accountColumn, column, mostListed, sectionIfAny, uuid } from '../common/blocks.ts';
import { amountText, capitalised, grouped, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { verdictTones, verdictWords } from '../common/words.ts';
import { bankListColumns } from './on-bank.ts';
import { measureOfTotals, type SettlementsReport, shownSettlements } from './report.ts';

/** The settlements, a row each, to be sorted and filtered; none where there are none. */
export function settlementList(report: SettlementsReport): readonly Section[] {
  const all = shownSettlements(report);
  const measure = measureOfTotals(report);
  const decisive = measure === 'gross' ? 'gross' : 'payIn';
  const tokenOf = ({ settlement }: ReconciledSettlement) => settlement.accountingToken;
  const amount = (title: string, minor: (one: ReconciledSettlement) => bigint | undefined) =>
    column<ReconciledSettlement>(1, title, 'amount', (one) => amountText(minor(one), one.scale));
  return sectionIfAny<ReconciledSettlement>(
    `${report.only ? 'Settlements' : 'All settlements'}: ${grouped(all.length)}`,
    all,
    [
      { ...column(1, 'Verdict', 'text', ({ verdict }) => verdictWords[verdict]), filters: true },
      column(1, 'Date', 'text', ({ settlement }) => settlement.date),
      column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
      { ...accountColumn(report.names, 1, tokenOf), filters: true },
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
    { most: mostListed, toneOf: ({ verdict }) => verdictTones[verdict] },
  );
}
