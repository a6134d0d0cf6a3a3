import { entryTexts } from '../../app/bank-report.ts';
import { acceptedIn } from '../../app/close-accepted.ts';
import { checklistOf } from '../../app/close-checklist.ts';
import { type CloseReport, isForceable } from '../../app/close-report.ts';
import { overdueToAsk } from '../../app/review.ts';
import type { BridgeEntry, BridgeLine } from '../../books/bridge.ts';
import { clearedFigures, hasFigures } from '../../books/clearing.ts';
import { countedParts, type OpenItem, type RollForwardLine } from '../../books/roll-forward.ts';
import type { AccruedSales } from '../../books/sale-month.ts';
import type { DecisionMade } from '../../model/accepted-difference.ts';
import { type Account, openOf } from '../../model/close.ts';
import { netAndAbsoluteSums, rescale } from '../../money/money.ts';
import { decisionRecords, decisionsLayout } from '../accept/decisions.ts';
import { bankStates } from '../bank/words.ts';
import { amountOf } from '../common/columns.ts';
import { accountName, rangeText } from '../common/phrase.ts';
import type { TableSheet, View, Workbook } from '../common/view.ts';
import {
  maxSheetRows,
  recordsSheet,
  sectionSheet,
  type TableColumn,
  tableSheet,
  textBlocks,
  withFormulas,
  withoutZeros,
  withTotals,
} from '../common/workbook.ts';
import { claimViews, feesTables } from '../fees/view.ts';
import { openOrders } from '../orders/view.ts';
import { carriedSheet } from './carried.ts';
import { exceptionSections, leadTables, signOff } from './lead.ts';
import { acceptedCells } from './month.ts';
import { rollForwardSteps, type Step, settlementsText } from './records.ts';
import { blockerNext, blockerText } from './words.ts';

/** The report as a workbook: a lead sheet, and the sheets from which its figures come. */
export function closeWorkbook(report: CloseReport, view: View): Workbook {
  const { range, bridge, decisions, blockers, orders, fees } = report;
  const [transit, entries, points] = [
    transitSheet(report),
    entriesSheet(report),
    blockersSheet(report),
  ];
  const rollForward = rollForwardSheet(report, transit);
  const accrued = report.accruedSales?.sums ?? [];
  const due = [...decisions, ...overdueToAsk(report.run)];
  const decided = recordsSheet('Decisions', decisionRecords(due, report), decisionsLayout);
  const [answer, about, ...others] = textBlocks(view);
  const exceptions = exceptionsSheet(report);
  const accepted = acceptedIn(report);
  const claims = fees && recordsSheet('Claims', claimViews(fees).records(), claimsLayout);
  const open = orders ? openOrders(orders, maxSheetRows) : [];
  return {
    title: `Close ${rangeText(range)}`,
    summary: [
      ...(answer && about ? [answer, about] : []),
      ...leadTables(report, points, rollForward),
      ...signOff(report),
      ...others,
    ],
    tables: [
      ...(blockers.length > 0 ? [points] : []),
      ...(report.carried.length > 0 ? [carriedSheet(report)] : []),
      ...(exceptions.rows.length > 0 ? [exceptions] : []),
      ...(accepted.length > 0 ? [acceptedSheet(accepted)] : []),
      withTotals(rollForward),
      withTotals(transit),
      ...(bridge.length > 0 ? [withTotals(bridgeSheet(report, entries)), entries] : []),
      ...(accrued.length > 0 ? [withTotals(accruedSheet(accrued, report))] : []),
      ...(fees ? feesTables(fees) : []),
      ...(claims && claims.rows.length > 0 ? [withTotals(claims)] : []),
      ...open.map((one) => {
        const sheet = sectionSheet('Orders to decide', one);
        return withTotals(withoutZeros(sheet, ['Refunded by shop', 'Refunded', 'Charged back']));
      }),
      ...(due.length > 0 ? [decided] : []),
    ],
  };
}

/** On paper, what was charged and agreed, and by which rate. */
const claimsLayout = {
  prose: ['agreed_as'],
  aside: [
    ...['settlement_id', 'charge_id', 'order_id', 'timestamp', 'transaction_type', 'payment_type'],
    ...['tax_charged', 'tax_agreed', 'cause'],
  ],
};

/** What is on the account of accrued sales at the end of the range. */
function accruedSheet(sums: readonly AccruedSales[], { names }: CloseReport): TableSheet {
  return tableSheet<AccruedSales>('Accrued sales', sums, [
    {
      title: 'Account',
      isKey: true,
      cell: ({ accountingToken }) => accountName(names, accountingToken),
    },
    { title: 'Currency', isKey: true, cell: ({ currency }) => currency },
    { title: 'Amount', kind: 'amount', cell: ({ minor }) => minor },
  ]);
}

/** Settlements out of balance or overdue, with what was found and why. */
function exceptionsSheet(report: CloseReport): TableSheet {
  const [found] = exceptionSections(report, maxSheetRows);
  if (!found) return { name: 'Exceptions', columns: [], rows: [] };
  const { columns, rows } = sectionSheet('Exceptions', found);
  const findings = found.rows.map(({ remarks }) => remarks.map(({ text }) => text).join('. '));
  return withTotals({
    name: 'Exceptions',
    columns: [...columns, { title: 'Findings and cause', isProse: true }],
    rows: rows.map((row, at) => [...row, findings[at] ?? '']),
  });
}

/** What people accepted of the range, with their reasons. */
function acceptedSheet(lines: readonly DecisionMade[]): TableSheet {
  return tableSheet<DecisionMade>('Accepted', lines, [
    { title: 'Date', kind: 'day', cell: acceptedCells.date },
    { title: 'What', cell: acceptedCells.what },
    { title: 'Settlement, order or entry', isKey: true, cell: acceptedCells.id },
    { title: 'Currency', cell: ({ currency }) => currency },
    { title: 'Difference', cell: acceptedCells.amount },
    { title: 'Reason', isProse: true, cell: ({ reason }) => reason },
    { title: 'By', cell: ({ by }) => by },
    { title: 'On', kind: 'day', cell: ({ on }) => on },
    { title: 'Until', kind: 'day', cell: ({ until }) => until },
  ]);
}

/** `Changed` of `+ Changed before`. */
function titleOf([, words]: Step): string {
  return words.replace(/^[-+] | before$/g, '');
}

const tokenTitle = 'Account id';

/** The column by which formulas of the sheet *Roll-forward* select rows. */
const tokenColumn = {
  title: tokenTitle,
  isUnprinted: true,
  cell: ({ accountingToken }: Account) => accountingToken || 'shared',
};

/** The pay-outs of the range, and older ones that were in transit. */
function transitSheet(report: CloseReport): TableSheet {
  const { rollForward, names, range, run } = report;
  const reconciled = new Map(run.settlements.map((one) => [one.settlement.id, one]));
  const isOfRange = ({ date }: OpenItem) => date >= range.from;
  const amount = (
    title: string,
    cell: (one: OpenItem) => bigint,
    isUnprinted = false,
  ): TableColumn<OpenItem> => ({ title, kind: 'amount', isUnprinted, cell });
  const moved = (title: string, name: 'received' | 'charges' | 'over' | 'short') =>
    amount(title, (one) => one[name] - one.before[name]);
  const counted = (title: string, name: 'gross' | 'fees' | 'tax') => {
    const part = (item: OpenItem) => (id: string) => {
      const one = reconciled.get(id);
      const parts = one && countedParts(one.settlement, one);
      return parts ? rescale(parts[name] ?? 0n, parts.scale, item.scale) : 0n;
    };
    const sum = (item: OpenItem) =>
      isOfRange(item) ? item.settlementIds.map(part(item)).reduce((a, b) => a + b, 0n) : 0n;
    return amount(title, sum, true);
  };
  // Of earlier days, only what the range moved or what is open.
  const moves = (one: OpenItem) => clearedFigures((name) => one[name] - one.before[name]);
  const shown = rollForward.payouts.filter(
    (one) => isOfRange(one) || one.open !== 0n || hasFigures(moves(one)),
  );
  const sheet = tableSheet<OpenItem>('In transit', shown, [
    { title: 'Date', isKey: true, kind: 'day', cell: ({ date }) => date },
    { title: 'Settlement', cell: settlementsText },
    { title: 'Account', cell: ({ accountingToken }) => accountName(names, accountingToken) },
    { title: 'Currency', cell: ({ currency }) => currency },
    amount('Opening', (one) => (isOfRange(one) ? 0n : openOf({ ...one.before, payIn: one.payIn }))),
    amount('Settled', (one) => (isOfRange(one) ? one.payIn : 0n)),
    moved('Received', 'received'),
    moved('Bank charges', 'charges'),
    moved('Overpaid', 'over'),
    moved('Underpaid', 'short'),
    amount('Open', ({ open }) => open),
    { title: 'Days late', cell: ({ open, daysLate }) => (open === 0n ? '' : daysLate) },
    { title: 'State', cell: ({ state }) => (state ? bankStates[state][0] : '') },
    { title: 'Due until', kind: 'day', isUnprinted: true, cell: ({ dueUntil }) => dueUntil },
    counted('Gross', 'gross'),
    counted('Fees', 'fees'),
    counted('Tax', 'tax'),
    tokenColumn,
  ]);
  return withoutZeros(sheet, ['Opening', ...seldom]);
}

/** Columns that are left out where there is no such thing. */
const seldom = ['Changed', 'Bank charges', 'Overpaid', 'Underpaid'];

function rollForwardSheet({ rollForward, names }: CloseReport, transit: TableSheet): TableSheet {
  const { lines, payouts } = rollForward;
  const openIn = ({ accountingToken: token, currency }: RollForwardLine) =>
    payouts.reduce((sum, one) => {
      const isOwn = one.accountingToken === token && one.currency === currency;
      return isOwn ? sum + one.open : sum;
    }, 0n);
  const sheet = tableSheet<RollForwardLine>('Roll-forward', lines, [
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
        cell: (line) => line[step[2]],
      }),
    ),
    { title: 'Open items', kind: 'amount', cell: openIn },
    { title: 'Check', kind: 'difference', cell: (line) => line.closing - openIn(line) },
    tokenColumn,
  ]);
  const payoutsOf = { of: transit, by: [tokenTitle, 'Currency'] };
  const steps = rollForwardSteps
    .map(titleOf)
    .filter((title) => transit.columns.some((one) => one.title === title));
  return withFormulas(withoutZeros(sheet, seldom), {
    ...Object.fromEntries(steps.map((title) => [title, payoutsOf])),
    'Net pay-out difference': ['Settled', '- Gross', 'Fees', 'Tax'],
    Closing: [
      'Opening',
      'Changed',
      'Settled',
      '- Received',
      '- Bank charges',
      'Overpaid',
      '- Underpaid',
    ],
    'Open items': { ...payoutsOf, title: 'Open' },
    Check: ['Closing', '- Open items'],
  });
}

const explained = [
  'Cleared in transit',
  'Overpaid',
  'Bank charges',
  'To suspense',
  'By rules',
  'Unrelated',
];

function bridgeFigures<One extends Omit<BridgeEntry, 'entry'>>(): readonly TableColumn<One>[] {
  const amount = (title: string, cell: (one: One) => bigint) =>
    ({ title, kind: 'amount', cell }) as const;
  return [
    amount('Movement', ({ movement }) => movement),
    amount('Cleared in transit', ({ cleared }) => cleared),
    amount('Overpaid', ({ over }) => over),
    amount('Bank charges', ({ charges }) => charges),
    amount('To suspense', ({ suspense }) => suspense),
    amount('By rules', ({ byRule }) => byRule),
    amount('Unrelated', ({ unrelated }) => unrelated),
  ];
}

/** From the opening to the closing balance of each bank account, and what explains it. */
function bridgeSheet({ bridge }: CloseReport, entries: TableSheet): TableSheet {
  const off = ({ opening = 0n, movement, closing = 0n }: BridgeLine) =>
    opening + movement - closing;
  const [movement, ...others] = bridgeFigures<BridgeLine>();
  const sheet = tableSheet<BridgeLine>('Bridge', bridge, [
    { title: 'Bank account', isKey: true, cell: ({ account }) => account },
    { title: 'Currency', isKey: true, cell: ({ currency }) => currency },
    { title: 'Opening balance', kind: 'amount', cell: ({ opening }) => opening },
    ...(movement ? [movement] : []),
    { title: 'Closing balance', kind: 'amount', cell: ({ closing }) => closing },
    ...others,
    { title: 'Unexplained', kind: 'difference', cell: ({ residual }) => residual },
    {
      title: 'Check',
      kind: 'difference',
      cell: (one) => (one.closing === undefined ? '' : off(one)),
    },
  ]);
  const booked = { of: entries, by: ['Bank account', 'Currency'] };
  return withFormulas(withoutZeros(sheet, explained.slice(1)), {
    ...Object.fromEntries(['Movement', ...explained].map((title) => [title, booked])),
    Unexplained: ['Movement', ...explained.map((title) => `- ${title}`)],
    Check: ['Opening balance', 'Movement', '- Closing balance'],
  });
}

/** The booked entries of all bank accounts, and what each is for. */
function entriesSheet({ bridge }: CloseReport): TableSheet {
  const all = bridge.flatMap(({ account, currency, scale, entries }) =>
    entries.map((one) => ({ ...one, account, currency, scale })),
  );
  type Entry = (typeof all)[number];
  const said = (key: 'names' | 'texts') => (one: Entry) =>
    entryTexts({ entry: one.entry, part: undefined, amount: one.entry.amount }, key).join(', ');
  const sheet = tableSheet<Entry>('Bank entries', all, [
    { title: 'Bank account', isKey: true, cell: ({ account }) => account },
    { title: 'Date', kind: 'day', cell: ({ entry }) => entry.date },
    { title: 'Currency', cell: ({ currency }) => currency },
    ...bridgeFigures<Entry>(),
    { title: 'Other side', cell: said('names') },
    { title: 'Text', isProse: true, cell: said('texts') },
    { title: 'Entry', isUnprinted: true, cell: ({ entry }) => entry.id },
  ]);
  return withoutZeros(sheet, explained.slice(1));
}

/** What stands against closing, a row a currency. */
function blockersSheet(report: CloseReport): TableSheet {
  const { blockers } = report;
  const steps = new Map(
    checklistOf(report).flatMap(({ step, points }) => points.map((one) => [one, step] as const)),
  );
  const lines = blockers.flatMap((blocker) => {
    const sums = netAndAbsoluteSums(blocker.amounts);
    return (sums.length === 0 ? [undefined] : sums).map((sum) => ({ blocker, sum }));
  });
  type Line = (typeof lines)[number];
  return tableSheet<Line>('Against closing', lines, [
    { title: 'What', isKey: true, cell: ({ blocker }) => blockerText(blocker) },
    { title: 'Step', cell: ({ blocker }) => steps.get(blocker) },
    { title: 'Currency', cell: ({ sum }) => sum?.currency },
    { title: 'Net', cell: ({ sum }) => sum && amountOf(sum.net, sum.scale) },
    { title: 'Absolute', cell: ({ sum }) => sum && amountOf(sum.absolute, sum.scale) },
    { title: 'Force', cell: ({ blocker }) => (isForceable(blocker) ? 'with a note' : 'never') },
    { title: 'To do', isProse: true, cell: ({ blocker }) => blockerNext(blocker, report) },
    { title: 'Code', isUnprinted: true, cell: ({ blocker: { code } }) => code },
  ]);
}
