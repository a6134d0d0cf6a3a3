import type { Row } from '../../model/row.ts';
import type { DateRange } from '../../model/source.ts';
import { rateOf, rateScale } from '../../money/rate.ts';
import { type Totals, totalsBy } from '../../reconcile/groups.ts';
import type { ReconciledRun } from '../../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { type RowFigures, rowTotalsBy } from '../../reconcile/row-totals.ts';
import { type Parts, partsBy, type SplitName, withCurrency } from '../../reconcile/split.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import { type CellColumn, column, uuid } from '../common/blocks.ts';
import { type Amount, amountOf, type Column, field } from '../common/columns.ts';
import { enumerate } from '../common/phrase.ts';
import type { Names, RunReport } from '../common/report.ts';
import type { OnBank } from './on-bank.ts';

/** Everything that the report of `recon settlements` is made of. */
export interface SettlementsReport extends RunReport {
  readonly run: ReconciledRun;
  readonly range?: DateRange | undefined;
  /** Only settlements with these verdicts are shown; totals stay whole. */
  readonly only?: readonly Verdict[] | undefined;
  /**
   * What totals are split by, where the report is about totals alone: by account otherwise, and the single
   * settlements stand beside them.
   */
  readonly splits?: readonly SplitName[] | undefined;
  /** Whether a register of accepted differences counts: then records say what is accepted. */
  readonly hasRegister?: boolean;
  /** What the bank statements have of them; absent where none are read. */
  readonly bank?: OnBank | undefined;
  /** The best explanation of each settlement that has one, by its id; absent where none is sought. */
  readonly explanations?: ReadonlyMap<string, string> | undefined;
  /** What the cause of each is called, whatever its amounts and ids, by settlement id. */
  readonly causes?: ReadonlyMap<string, string> | undefined;
  /** The command that lists all, where a terminal shows less: there, exceptions that are alike share a block. */
  readonly commandForAll?: string | undefined;
  /** The rows of each settlement that is shown, by its id; absent where a workbook lists none. */
  readonly rows?: ReadonlyMap<string, readonly Row[]> | undefined;
}

/** The amount whose differences the totals tell: without an identity nothing gives a pay-in. */
export function measureOfTotals({ settings }: Pick<SettlementsReport, 'settings'>) {
  return settings.identity === 'off' ? 'gross' : 'pay-in';
}

/** Whether `--only` lets a settlement through. */
export function isShown({ verdict }: ReconciledSettlement, only?: readonly Verdict[]): boolean {
  return only === undefined || only.includes(verdict);
}

/** The settlements to show, in the order of the report. */
export function shownSettlements(report: SettlementsReport): readonly ReconciledSettlement[] {
  return report.run.settlements.filter((settlement) => isShown(settlement, report.only));
}

/** What settlements with the same parts come to: headers and rows side by side. */
export type Line = Parts & Totals;

/** What rows with the same parts come to. */
export type RowLine = Parts & RowFigures;

/** What the totals of a report are split by. */
export function splitsOf({ splits = ['account'] }: SettlementsReport): readonly SplitName[] {
  return splits;
}

/** The totals of headers and rows, split, in order. */
export function linesOf(report: SettlementsReport): readonly Line[] {
  const { run, settings } = report;
  return totalsBy(run.settlements, partsBy(splitsOf(report)), settings.identity !== 'off');
}

/** The totals of rows alone, split, in order: headers have none by type and payment type. */
export function rowLinesOf(
  report: SettlementsReport,
  splits = splitsOf(report),
): readonly RowLine[] {
  const { run, settings } = report;
  return rowTotalsBy(run.rowTotals, partsBy(splits), settings.identity);
}

/** Whether these are the totals by account that every report has. They show no rates. */
export function isByAccount([first, second = 'currency']: readonly SplitName[]): boolean {
  return first === 'account' && second === 'currency';
}

/** Settlements or fee rates that are named one by one in sentences. */
export const maxNamed = 3;

/** Fees in per cent of gross; undefined without an amount, or where a rate would be meaningless. */
export function feesPercent(
  fees: bigint | undefined,
  gross: bigint | undefined,
): Amount | undefined {
  return fees === undefined || gross === undefined
    ? undefined
    : amountOf(rateOf(fees, gross), rateScale);
}

interface Part {
  readonly of: keyof Parts;
  readonly words: string;
  readonly title: string;
  readonly key: string;
}

const partTable: Readonly<Record<SplitName, Part>> = {
  day: { of: 'date', words: 'day', title: 'Date', key: 'settlement_date' },
  month: { of: 'month', words: 'month', title: 'Month', key: 'settlement_month' },
  account: { of: 'accountingToken', words: 'account', title: 'Account', key: 'accounting_token' },
  currency: { of: 'currency', words: 'currency', title: 'Currency', key: 'currency' },
  type: { of: 'type', words: 'type', title: 'Type', key: 'transaction_type' },
  payment: { of: 'paymentType', words: 'payment type', title: 'Payment type', key: 'payment_type' },
};

function partsOf(splits: readonly SplitName[]) {
  return withCurrency(splits).map((name) => ({ name, ...partTable[name] }));
}

/** What totals are split by, in words: `accounting token and currency`. */
export function partWords(splits: readonly SplitName[]): string {
  return enumerate(partsOf(splits).map(({ words }) => words));
}

/** The columns of records that say what a line of totals is about. */
export function partColumns(names: Names, splits: readonly SplitName[]): readonly Column<Parts>[] {
  return partsOf(splits).flatMap(({ name, of, key }) => {
    const text = (parts: Parts) => parts[of] ?? '';
    return name === 'account' ? field.account(names, text) : [field.text(key, text)];
  });
}

/** The first columns of a section of totals. */
export function partCells(
  names: Names,
  splits: readonly SplitName[],
): readonly CellColumn<Parts>[] {
  const [first] = splits.filter((name) => name !== 'currency');
  const tokenOfNamed = ({ accountingToken: token = '' }: Parts) => (names.has(token) ? token : '');
  return partsOf(splits).flatMap(({ name, of, title }) => {
    const kind = name === 'day' ? 'day' : 'text';
    const cells = column<Parts>(1, title, kind, ({ [of]: text }) => {
      // Totals are about a currency alone.
      if (text === undefined) return name === first ? 'Total' : '';
      return (name === 'account' && names.get(text)) || text || '(missing)';
    });
    if (name !== 'account') return [cells];
    return [cells, column(10, 'Accounting token', 'text', tokenOfNamed, uuid)];
  });
}
