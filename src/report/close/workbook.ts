import type { CloseReport } from '../../app/close-report.ts';
import { closingOf, type OpenItem, type RollForwardLine } from '../../books/roll-forward.ts';
import { type Account, openOf } from '../../model/close.ts';
import type { DateRange } from '../../model/source.ts';
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
import { closeRecords, rollForwardSteps, type Step } from './records.ts';

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

/** The steps that the range moves, pay-out by pay-out. */
const moves = ['settled', 'received', 'charges', 'over', 'short'] as const;

type Move = (typeof moves)[number];

function isMove(name: Step[2]): name is Move {
  return moves.some((one) => one === name);
}

/** `Changed` of `+ Changed before`. */
function titleOf([, words]: Step): string {
  return words.replace(/^[-+] | before$/g, '');
}

function movedIn({ from }: DateRange, one: OpenItem, name: Move): bigint {
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

/** The pay-outs of the range, and older ones that were in transit. */
function transitSheet({ rollForward, range, names }: CloseReport): TableSheet {
  const columns: readonly TableColumn<OpenItem>[] = [
    { title: 'Date', isKey: true, kind: 'day', cell: ({ date }) => date },
    { title: 'Settlement', cell: ({ settlementIds }) => settlementIds },
    { title: 'Account', cell: ({ accountingToken }) => accountName(names, accountingToken) },
    { title: 'Currency', cell: ({ currency }) => currency },
    { title: 'Opening', kind: 'amount', cell: (one) => openBefore(range, one) },
    ...rollForwardSteps.flatMap((step): readonly TableColumn<OpenItem>[] => {
      const [, , name] = step;
      if (!isMove(name)) return [];
      return [{ title: titleOf(step), kind: 'amount', cell: (one) => movedIn(range, one, name) }];
    }),
    { title: 'Open', kind: 'amount', cell: ({ open }) => open },
    { title: 'Due until', kind: 'day', cell: ({ dueUntil }) => dueUntil },
    { title: 'Days late', cell: ({ daysLate }) => daysLate },
    { title: 'State', cell: ({ state }) => state },
    tokenColumn,
  ];
  return tableSheet('In transit', rollForward.payouts, columns);
}

function openBefore({ from }: DateRange, { date, before, payIn }: OpenItem): bigint {
  return date < from ? openOf({ ...before, payIn }) : 0n;
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
  const added = rollForwardSteps.filter(
    ([, , name]) => name === 'opening' || name === 'changed' || isMove(name),
  );
  const stepIn = (line: RollForwardLine, step: Step) => {
    const [, , name] = step;
    if (isMove(name)) return cell(line, line[name], sumOf(line, titleOf(step)));
    if (name !== 'closing') return line[name];
    const terms = added.map((one) => (one[1].startsWith('-') ? '-' : '+') + at(line, titleOf(one)));
    return cell(line, closingOf(line), terms.join('').slice(1));
  };
  const columns: readonly TableColumn<RollForwardLine>[] = [
    {
      title: 'Account',
      isKey: true,
      cell: ({ accountingToken }) => accountName(names, accountingToken) || 'Shared',
    },
    { title: 'Currency', isKey: true, cell: ({ currency }) => currency },
    ...rollForwardSteps.map(
      (step): TableColumn<RollForwardLine> => ({
        title: titleOf(step),
        kind: step[2] === 'payInDifference' ? 'difference' : 'amount',
        cell: (line) => stepIn(line, step),
      }),
    ),
    { title: 'Open items', cell: (line) => cell(line, line.closing, sumOf(line, 'Open')) },
    tokenColumn,
  ];
  return tableSheet('Roll-forward', lines, columns);
}
