import type { CloseReport } from '../../app/close-report.ts';
import { keysOf } from '../../base/lists.ts';
import { closingOf, type OpenItem, type RollForwardLine } from '../../books/roll-forward.ts';
import { type Account, openOf } from '../../model/close.ts';
import type { DateRange } from '../../model/source.ts';
import type { Amount } from '../../money/money.ts';
import { decisionRecords } from '../accept/decisions.ts';
import { accountName, rangeText } from '../common/phrase.ts';
import type { SheetCell, TableSheet, View, Workbook } from '../common/view.ts';
import {
  addsUpExactly,
  columnLetters,
  columnRange,
  isFoundAsIs,
  recordsSheet,
  sectionSheet,
  type TableColumn,
  tableSheet,
  textBlocks,
} from '../common/workbook.ts';
import { closeRecords } from './records.ts';

/** The report as a workbook: the roll-forward as formulas over a sheet of pay-outs. */
export function closeWorkbook(report: CloseReport, view: View): Workbook {
  const transit = transitSheet(report);
  const sheetsOf = (name: string, title: string) =>
    view.flatMap((block) =>
      block.kind === 'section' && block.title.startsWith(title) ? sectionSheet(name, block) : [],
    );
  return {
    title: `Close ${rangeText(report.range)}`,
    summary: textBlocks(view),
    tables: [
      rollForwardSheet(report, transit),
      transit,
      recordsSheet('Open items', closeRecords(report, true)),
      ...sheetsOf('Bridge', 'Bridge'),
      ...(report.decisions.length === 0
        ? []
        : [recordsSheet('Decisions', decisionRecords(report.decisions, report))]),
      ...sheetsOf('Against closing', 'What stands'),
    ],
  };
}

const moves = {
  Settled: 'settled',
  Received: 'received',
  'Bank charges': 'charges',
  Over: 'over',
  Short: 'short',
} as const;

const titles = keysOf(moves);

function movedIn({ from }: DateRange, one: OpenItem, title: keyof typeof moves): bigint {
  const name = moves[title];
  if (name === 'settled') return one.date >= from ? one.payIn : 0n;
  return one[name] - one.before[name];
}

const tokenTitle = 'Accounting token';

/** The column by which formulas of the sheet *Roll-forward* select rows. */
const tokenColumn = {
  title: tokenTitle,
  isUnprinted: true,
  cell: ({ accountingToken }: Account) => accountingToken || 'shared',
};

const amount = (minor: bigint, { scale }: Account): Amount => ({ minor, scale });

/** The pay-outs of the range, and older ones that were in transit. */
function transitSheet({ rollForward, range, names }: CloseReport): TableSheet {
  const columns: readonly TableColumn<OpenItem>[] = [
    { title: 'Date', isKey: true, kind: 'day', cell: ({ date }) => date },
    { title: 'Settlement', cell: ({ settlementIds }) => settlementIds },
    { title: 'Account', cell: ({ accountingToken }) => accountName(names, accountingToken) },
    { title: 'Currency', cell: ({ currency }) => currency },
    {
      title: 'Opening',
      cell: (one) =>
        amount(one.date < range.from ? openOf({ ...one.before, payIn: one.payIn }) : 0n, one),
    },
    ...titles.map(
      (title): TableColumn<OpenItem> => ({
        title,
        cell: (one) => amount(movedIn(range, one, title), one),
      }),
    ),
    { title: 'Open', cell: (one) => amount(one.open, one) },
    { title: 'Due until', kind: 'day', cell: ({ dueUntil }) => dueUntil },
    { title: 'Days late', cell: ({ daysLate }) => daysLate },
    { title: 'State', cell: ({ state }) => state },
    tokenColumn,
  ];
  return tableSheet('In transit', rollForward.payouts, columns);
}

function rollForwardSheet({ rollForward, names }: CloseReport, transit: TableSheet): TableSheet {
  const { lines, payouts } = rollForward;
  const at = (line: RollForwardLine, title: string) =>
    `${columnLetters(columns, title)}${lines.indexOf(line) + 2}`;
  const cell = (line: RollForwardLine, minor: bigint, formula: string | undefined): SheetCell => {
    const result = { kind: 'amount' as const, minor, scale: line.scale };
    return formula === undefined
      ? result
      : { kind: 'formula', formula: `ROUND(${formula},${line.scale})`, result };
  };
  const sumOf = (line: RollForwardLine, title: string) => {
    const token = line.accountingToken || 'shared';
    const isFound = [token, line.currency].every(isFoundAsIs);
    const own = payouts.filter(
      (one) => one.currency === line.currency && one.accountingToken === line.accountingToken,
    );
    if (!isFound || !addsUpExactly(own.flatMap((one) => [one.payIn, one.received, one.over]))) {
      return undefined;
    }
    const range = (of: string) => columnRange(transit, of, transit.rows.length);
    const letters = (of: string) => `$${at(line, of)}`;
    return `SUMIFS(${range(title)},${range(tokenTitle)},${letters(tokenTitle)},${range('Currency')},${letters('Currency')})`;
  };
  const closingFormula = (line: RollForwardLine) => {
    const of = (title: string) => at(line, title);
    return `${of('Opening')}+${of('Changed')}+${of('Settled')}-${of('Received')}-${of('Bank charges')}+${of('Over')}-${of('Short')}`;
  };
  const columns: readonly TableColumn<RollForwardLine>[] = [
    {
      title: 'Account',
      isKey: true,
      cell: ({ accountingToken }) => accountName(names, accountingToken) || 'Shared',
    },
    { title: 'Currency', isKey: true, cell: ({ currency }) => currency },
    { title: 'Opening', cell: (line) => amount(line.opening, line) },
    { title: 'Changed', cell: (line) => amount(line.changed, line) },
    { title: 'Gross', cell: (line) => amount(line.gross, line) },
    { title: 'Fees', cell: (line) => amount(line.fees, line) },
    { title: 'Tax', cell: (line) => amount(line.tax, line) },
    {
      title: 'Pay-in difference',
      kind: 'difference',
      cell: (line) => amount(line.payInDifference, line),
    },
    ...titles.map(
      (title): TableColumn<RollForwardLine> => ({
        title,
        cell: (line) => cell(line, line[moves[title]], sumOf(line, title)),
      }),
    ),
    { title: 'Closing', cell: (line) => cell(line, closingOf(line), closingFormula(line)) },
    { title: 'Open items', cell: (line) => cell(line, line.closing, sumOf(line, 'Open')) },
    tokenColumn,
  ];
  return tableSheet('Roll-forward', lines, columns);
}
