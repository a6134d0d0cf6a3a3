import type { RowViews } from '../common/row-views.ts';
import { mostShownRows } from '../common/sections.ts';
import { transactionColumns } from './columns.ts';
import {
  documentOpening,
  jsonEnd,
  transactionLine,
  transactionObject,
  transactionsSummary,
} from './document.ts';
import type { Transaction, TransactionsEnd, TransactionsQuestion } from './report.ts';
import { firstTransactions, transactionsEnd } from './view.ts';

/** The output of `recon transactions`. */
export function transactionsViews(
  question: TransactionsQuestion,
): RowViews<Transaction, TransactionsEnd> {
  const { names, notes } = question;
  return {
    columns: transactionColumns(names, notes),
    document: {
      opening: documentOpening(question),
      list: 'transactions',
      row: transactionObject(names, notes),
      closing: jsonEnd,
    },
    line: transactionLine(names, notes),
    lastLine: (end) => transactionsSummary(question, end),
    mostShown: mostShownRows,
    shown: (rows) => firstTransactions(question, rows),
    end: (end, shown) => transactionsEnd(question, end, shown),
  };
}
