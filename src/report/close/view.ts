import { entryTexts } from '../../app/bank-report.ts';
import {
  type Blocker,
  type CloseReport,
  closeVerdict,
  isForceable,
  unexplainedAmounts,
} from '../../app/close-report.ts';
import { isDayIn } from '../../base/calendar.ts';
import { groupedBy, tableOf } from '../../base/lists.ts';
import type { BridgeEntry, BridgeLine } from '../../books/bridge.ts';
import type { Clearing } from '../../books/clearing.ts';
import type { BooksControl } from '../../books/control.ts';
import { type ChangeSinceClose, changeOf } from '../../books/drift.ts';
import {
  closingOf,
  type OpenItem,
  type RollForwardLine,
  totalsOf,
} from '../../books/roll-forward.ts';
import { type Account, type CloseRecord, openOf } from '../../model/close.ts';
import type { Names } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { moneySums } from '../../money/money.ts';
import { decisionRecords } from '../accept/decisions.ts';
import { jsonFinding } from '../bank/view.ts';
import { bankStates, businessDaysText, statementDays, statementRemark } from '../bank/words.ts';
import {
  accountColumn,
  alarm,
  column,
  facts,
  listed,
  maxPageRows,
  maxScreenRows,
  plain,
  remark,
  remarks,
  section,
  sectionIfAny,
  unsure,
} from '../common/blocks.ts';
import { amountOf, type Column, field, type Records, records } from '../common/columns.ts';
import { jsonAccount, jsonObject, jsonSettlementKey, jsonSums, jsonViews } from '../common/json.ts';
import {
  accountName,
  amountsText,
  grouped,
  moneyText,
  rangeText,
  wholeRangeText,
} from '../common/phrase.ts';
import type {
  Chart,
  Section,
  SheetCell,
  TableSheet,
  View,
  Views,
  Workbook,
} from '../common/view.ts';
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
import {
  blockerNexts,
  blockerText,
  changeWords,
  closedSentence,
  closeSummary,
  jsonPoints,
} from './words.ts';

/** The report of `recon close`. A record is a line of the roll-forward, or an open pay-out. */
export function closeViews(report: CloseReport, isOfItems = false): Views {
  return {
    view: () => [
      ...closeView(report, maxScreenRows),
      ...listed('Next', closeSummary(report).advice, '>'),
    ],
    page: () => [...closeView(report, maxPageRows, entrySections(report)), ...ageingCharts(report)],
    records: () => closeRecords(report, isOfItems),
    workbook: () => closeWorkbook(report, closeView(report, maxScreenRows)),
    ...jsonViews(() => closeJson(report)),
  };
}

function closeView(report: CloseReport, limit: number, entries: readonly Section[] = []): View {
  const { range, profile, bank, run, recorded, register } = report;
  const { answer, closed, notes } = closeSummary(report);
  const findings = [
    ...run.findings.map(remark),
    ...(bank?.statements.findings ?? []).slice(0, maxScreenRows).map(statementRemark),
  ];
  return [
    answer,
    facts([
      ['Note', recorded?.note],
      ['Register', recorded && `close ${recorded.number} in ${register}`],
      ['Range', wholeRangeText(range)],
      ['In transit', 'paid by the service, not yet booked on the bank account'],
      ['Statements', bank && statementDays(bank)],
      ['Business days', bank && businessDaysText(bank)],
      ['Profile', profile],
    ]),
    ...listed('Closed', closed.map(closedSentence)),
    ...blockerSections(report),
    ...remarks('Findings', findings),
    ...rollForwardSections(report),
    ...changeSections(report, limit),
    ...itemSections(report, limit),
    ...suspenseSections(report, limit),
    ...informationalSections(report),
    ...bridgeSections(report),
    ...entries,
    ...listed('Notes', notes),
  ];
}

function blockerSections({ blockers }: CloseReport): readonly Section[] {
  return sectionIfAny(
    'What stands against closing',
    blockers,
    [
      column.text('What', blockerText, { unbroken: 30 }),
      column.text('Amount', ({ amounts }) => amountsText(amounts), { unbroken: 30 }),
      column.text('Code', ({ code }) => code, { priority: 2 }),
      column.text('Force', (one) => (isForceable(one) ? 'with a note' : 'never')),
    ],
    {
      remarks: (one) => [plain(blockerNexts[one.code], '>')],
      toneOf: (one) => (isForceable(one) ? 'unsure' : 'bad'),
    },
  );
}

/** From opening to closing, a column an account, a section a currency. */
function rollForwardSections({ rollForward, names }: CloseReport): readonly Section[] {
  const byCurrency = groupedBy(rollForward.lines, ({ currency }) => currency);
  return [...byCurrency].map(([currency, lines]) => {
    const totals = lines.length > 1 ? totalsOf(lines) : [];
    const figure = (line: RollForwardLine, title: string, priority: number) =>
      column.amount<Step>(title, ([, , name]) => amountOf(line[name], line.scale), { priority });
    const nameOf = ({ accountingToken }: Account) =>
      accountName(names, accountingToken) || 'Shared';
    const shown = rollForwardSteps.filter(
      ([key, , name]) =>
        key === 'opening' || (key !== 'closing' && lines.some((line) => line[name] !== 0n)),
    );
    return section<Step>(
      `Roll-forward of what is in transit, ${currency}`,
      shown,
      [
        column.text('Step', ([, title]) => title, { unbroken: 20 }),
        ...lines.map((line) => figure(line, nameOf(line), 2)),
        ...totals.map((line) => figure(line, currency, 1)),
      ],
      { totals: rollForwardSteps.filter(([key]) => key === 'closing') },
    );
  });
}

function changeSections(
  { rollForward: { changes }, names, bank }: CloseReport,
  limit: number,
): readonly Section[] {
  return sectionIfAny(
    `Changed since ${bank ? 'the last' : 'this'} close: ${changes.length}`,
    changes,
    [
      column.day('Date', ({ date }) => date),
      column.text('Settlement', ({ settlementId }) => settlementId),
      accountColumn(names, ({ accountingToken }) => accountingToken, { priority: 3 }),
      column.text('Currency', ({ currency }) => currency),
      column.text('Why', ({ reason }) => changeWords[reason]),
      ...(['gross', 'fees', 'tax'] as const).map((name) =>
        column.change<ChangeSinceClose>(
          `${name[0]?.toUpperCase()}${name.slice(1)}`,
          (one: ChangeSinceClose) => changeOf(one, name),
          {
            priority: 2,
          },
        ),
      ),
      column.amount('Pay-in then', ({ before }) => before.payIn, { priority: 2 }),
      column.amount('Pay-in now', ({ after }) => after.payIn, { priority: 2 }),
      column.change('Change', (one) => changeOf(one, 'payIn')),
    ],
    { limit },
  );
}

/** Groups of pay-outs by how late they are: names, and the most days. */
const ageGroups = [
  ['In time', 0],
  ['1 to 7 days late', 7],
  ['8 to 30 days late', 30],
  ['Over 30 days late', Number.POSITIVE_INFINITY],
] as const;

function ageGroupOf({ daysLate }: OpenItem): string {
  return ageGroups.find(([, most]) => daysLate <= most)?.[0] ?? '';
}

function itemSections(report: CloseReport, limit: number): readonly Section[] {
  const items = [...openItems(report)].sort((one, other) => other.daysLate - one.daysLate);
  return sectionIfAny(
    `In transit by age: ${items.length}`,
    items,
    [
      column.text('Age', ageGroupOf, { filters: true, unbroken: 20, priority: 2 }),
      column.day('Date', ({ date }) => date),
      column.day('Due until', ({ dueUntil }) => dueUntil || undefined, { priority: 2 }),
      column.text('Settlement', ({ settlementIds }) =>
        settlementIds.length === 0 ? 'before the books begin' : settlementIds,
      ),
      accountColumn(report.names, ({ accountingToken }) => accountingToken, { priority: 4 }),
      column.text('State', ({ state }) => (state ? bankStates[state][0] : ''), { priority: 3 }),
      column.text('Currency', ({ currency }) => currency),
      column.amount('Pay-in', ({ payIn }) => payIn, { priority: 3 }),
      column.amount('Received', ({ received }) => received, { priority: 3 }),
      column.amount('Open', ({ open }) => open),
      column.integer('Days', ({ ageDays }) => ageDays, { priority: 3 }),
      column.integer('Late', ({ daysLate }) => daysLate),
    ],
    { limit, toneOf: ({ daysLate }) => (daysLate > 0 ? 'bad' : 'plain') },
  );
}

function ageingCharts(report: CloseReport): readonly Chart[] {
  const byCurrency = groupedBy(openItems(report), ({ currency }) => currency);
  return [...byCurrency].map(([currency, items]): Chart => {
    const [{ scale } = { scale: 0 }] = items;
    const groups = ageGroups.map(([name]) => {
      const own = items.filter((one) => ageGroupOf(one) === name);
      return { name, minor: own.reduce((sum, { open }) => sum + open, 0n) };
    });
    type Group = (typeof groups)[number];
    return {
      kind: 'chart',
      type: 'signedBars',
      text: 'What is in transit at the end of the range, by how many days it is late.',
      unit: currency,
      table: section<Group>(`In transit by age, ${currency}`, groups, [
        column.text('Days late', ({ name }) => name.replace(' days late', '')),
        column.difference('Open', ({ minor }) => amountOf(minor, scale)),
      ]),
    };
  });
}

function suspenseSections(
  { rollForward: { toSuspense: all }, names }: CloseReport,
  limit: number,
): readonly Section[] {
  return sectionIfAny(
    `Moved from in transit to suspense: ${all.length}`,
    all,
    [
      column.day('Day', ({ date }) => date),
      column.text('Settlement', settlementIdsOf),
      accountColumn(names, ({ accountingToken }) => accountingToken, { priority: 3 }),
      column.text('Currency', ({ currency }) => currency),
      column.amount('Over', ({ over }) => over || undefined),
      column.amount('Short', ({ short }) => short || undefined),
    ],
    { limit },
  );
}

/** What is not in the roll-forward: pending settlements, and money that no pay-out explains. */
function informationalSections({ pending, clearings, range }: CloseReport): readonly Section[] {
  const received = clearings.filter(
    ({ date, suspense, match }) => isDayIn(range, date) && suspense !== 0n && !match.rule,
  );
  const all = [
    ...pending.map((one) => ({ ...one, what: 'Pending', minor: one.payIn })),
    ...received.map((one) => ({ ...one, what: 'Received without a pay-out', minor: one.suspense })),
  ];
  const groups = groupedBy(all, ({ what, currency }) => `${what} ${currency}`).values();
  const sums = [...groups].flatMap((those) =>
    moneySums(those).map((sum) => ({ ...sum, what: those[0]?.what })),
  );
  return sectionIfAny<(typeof sums)[number]>('Not in the roll-forward', sums, [
    column.text('What', ({ what }) => what, { unbroken: 30 }),
    column.text('Currency', ({ currency }) => currency),
    column.amount('Amount', ({ minor }) => minor),
  ]);
}

function bridgeSections({ bridge }: CloseReport): readonly Section[] {
  return sectionIfAny(
    'Bridge from the bank statements to the books',
    bridge,
    [
      column.text('Bank account', ({ account }) => account),
      column.text('Currency', ({ currency }) => currency),
      ...bridgeColumns<BridgeLine>(bridge, ({ scale }) => scale),
      column.difference('Residual', ({ residual }) => residual),
    ],
    { remarks: bridgeRemarks },
  );
}

function bridgeColumns<One extends Omit<BridgeEntry, 'entry'>>(
  bridge: readonly BridgeLine[],
  scaleOf: (one: One) => number,
) {
  const hasRules = bridge.some(({ byRule }) => byRule !== 0n);
  const amount = (title: string, minor: (one: One) => bigint, priority = 1) =>
    column.amount<One>(title, (one) => amountOf(minor(one), scaleOf(one)), { priority });
  return [
    amount('Movement', ({ movement }) => movement),
    amount('Cleared in transit', ({ cleared }) => cleared),
    amount('Over', ({ over }) => over, 2),
    amount('Bank charges', ({ charges }) => charges, 2),
    amount('To suspense', ({ suspense }) => suspense, 2),
    ...(hasRules ? [amount('By rules', ({ byRule }) => byRule, 2)] : []),
    amount('Unrelated', ({ unrelated }) => unrelated, 2),
  ];
}

/** The entries of each bank account, to be unfolded. */
function entrySections({ bridge }: CloseReport): readonly Section[] {
  return bridge.flatMap(({ account, currency, scale, entries }) => {
    const title = `Entries of ${account}, ${currency}: ${grouped(entries.length)}`;
    const said = (key: 'names' | 'texts') => (one: BridgeEntry) =>
      entryTexts({ entry: one.entry, part: undefined, amount: one.entry.amount }, key).join(', ');
    const columns = [
      column.day<BridgeEntry>('Date', ({ entry }) => entry.date),
      column.text<BridgeEntry>('Other side', said('names')),
      column.text<BridgeEntry>('Text', said('texts')),
      ...bridgeColumns<BridgeEntry>(bridge, () => scale),
      column.text<BridgeEntry>('Entry', ({ entry }) => entry.id),
    ];
    const found = sectionIfAny(title, entries, columns, { limit: maxPageRows });
    return found.map((one) => ({ ...one, isFolded: true }));
  });
}

function bridgeRemarks({ opening, closing, currency, scale, isProven, residual }: BridgeLine) {
  const text = (minor: bigint) => moneyText({ minor, scale, currency });
  const isKnown = opening !== undefined && closing !== undefined;
  return [
    ...(isKnown ? [plain(`balance from ${text(opening)} to ${text(closing)}`)] : []),
    ...(isProven ? [] : [unsure('the balance of the last day is not proven')]),
    ...(residual === 0n ? [] : [alarm('something is not read or not booked')]),
  ];
}

/** The steps of a roll-forward: key in CSV, title, and figure. Those with a minus are subtracted. */
const rollForwardSteps = [
  ['opening', 'Opening', 'opening'],
  ['changed', '+ Changed before', 'changed'],
  ['gross', 'Gross', 'gross'],
  ['fees', '- Fees', 'fees'],
  ['tax', '- Tax', 'tax'],
  ['pay_in_difference', '+ Pay-in difference', 'payInDifference'],
  ['settled', '+ Settled', 'settled'],
  ['received', '- Received', 'received'],
  ['bank_charges', '- Bank charges', 'charges'],
  ['over', '+ Over', 'over'],
  ['short', '- Short', 'short'],
  ['closing', 'Closing', 'closing'],
] as const satisfies readonly (readonly [string, string, keyof RollForwardLine])[];

const lineFigures: readonly Column<RollForwardLine>[] = [
  field.text('currency', (line) => line.currency),
  field.integer('decimal_places', (line) => line.scale),
  ...rollForwardSteps.map(([key, , name]) =>
    field.amount<RollForwardLine>(key, (line) => line[name]),
  ),
];

/** A row an accounting token and currency. New columns go to the end. */
function rollForwardColumns(names: Names): readonly Column<RollForwardLine>[] {
  return [...field.account<RollForwardLine>(names, (line) => line.accountingToken), ...lineFigures];
}

/** A row an open pay-out. New columns go to the end. */
function itemColumns(names: Names): readonly Column<OpenItem>[] {
  return [
    field.list('settlement_id', ({ settlementIds }) => settlementIds),
    field.day('date', ({ date }) => date),
    field.day('due_until', ({ dueUntil }) => dueUntil || undefined),
    ...field.account<OpenItem>(names, ({ accountingToken }) => accountingToken),
    field.text('currency', ({ currency }) => currency),
    field.integer('decimal_places', ({ scale }) => scale),
    field.amount('pay_in', ({ payIn }) => payIn),
    field.amount('received', ({ received }) => received),
    field.amount('bank_charges', ({ charges }) => charges),
    field.amount('over', ({ over }) => over),
    field.amount('short', ({ short }) => short),
    field.amount('open', ({ open }) => open),
    field.integer('age_days', ({ ageDays }) => ageDays),
    field.integer('days_late', ({ daysLate }) => daysLate),
    field.text('state', ({ state }) => state),
  ];
}

/** The lines of the roll-forward, or the open pay-outs. */
function closeRecords(report: CloseReport, isOfItems: boolean): Records {
  return isOfItems
    ? records(itemColumns(report.names), openItems(report))
    : records(rollForwardColumns(report.names), report.rollForward.lines);
}

function openItems({ rollForward }: Pick<CloseReport, 'rollForward'>): readonly OpenItem[] {
  return rollForward.payouts.filter(({ open }) => open !== 0n);
}

function jsonOfRecord(record: CloseRecord) {
  const { number, at, by, note } = record;
  return { number, at, by, note, forced: jsonPoints(record) };
}

/** The report in JSON: facts about it, and its lists by name. */
function closeJson(report: CloseReport) {
  const { names, rollForward, bridge, books, blockers, recorded } = report;
  const { closed, notes } = closeSummary(report);
  return {
    about: {
      range: report.range,
      profile: report.profile,
      verdict: closeVerdict(report),
      businessDays: report.bank && businessDaysText(report.bank),
      continues: rollForward.continues,
      takesZero: report.takesZero,
      closed: closed.map((one) => {
        const { number, from, to, at, by, note } = one.record;
        return { number, from, to, at, by, note, message: closedSentence(one) };
      }),
      recorded: recorded && jsonOfRecord(recorded),
      unexplained: recorded?.unexplained ?? jsonSums(unexplainedAmounts(blockers)),
      notes,
    },
    lists: {
      lines: ['line', rollForward.lines.map(jsonObject(rollForwardColumns(names)))],
      totals: ['total', totalsOf(rollForward.lines).map(jsonObject(lineFigures))],
      items: ['item', openItems(report).map(jsonItem(names))],
      changes: ['change', rollForward.changes.map((one) => jsonChange(one, names))],
      toSuspense: ['toSuspense', rollForward.toSuspense.map((one) => jsonSuspense(one, names))],
      pending: ['pending', report.pending.map((one) => jsonPending(one, names))],
      bridge: ['bankAccount', bridge.map(jsonBridge)],
      checks: ['check', books.map(jsonCheck)],
      blockers: ['blocker', blockers.map(jsonBlocker)],
      statementFindings: [
        'statementFinding',
        (report.bank?.statements.findings ?? []).map(jsonFinding),
      ],
    },
  } as const;
}

function jsonItem(names: Names) {
  const cells = jsonObject(itemColumns(names).filter(({ key }) => key !== 'settlement_id'));
  return (one: OpenItem) => ({ settlements: jsonIds(one.settlementIds), ...cells(one) });
}

function jsonIds(settlementIds: readonly string[]) {
  return settlementIds.map((id) => ({ id }));
}

function jsonOwner({ accountingToken, currency, scale }: Account, names: Names) {
  return { ...jsonAccount(accountingToken, names), currency, scale };
}

function jsonChange(one: ChangeSinceClose, names: Names) {
  const { settlementId, date, reason, before, after } = one;
  const changed = tableOf(['gross', 'fees', 'tax', 'payIn'], (name) => changeOf(one, name));
  return {
    settlements: jsonIds([settlementId]),
    date,
    reason,
    ...jsonOwner(one, names),
    before: before.payIn,
    after: after.payIn,
    difference: changed.payIn,
    ...changed,
  };
}

function jsonSuspense(one: Clearing, names: Names) {
  const { date, over, short } = one;
  return {
    date,
    settlements: jsonIds(settlementIdsOf(one)),
    ...jsonOwner(one, names),
    over,
    short,
  };
}

/** The ids of the settlements that are cleared together. */
function settlementIdsOf({ settlement, match }: Clearing): readonly string[] {
  return settlement ? [settlement.id] : match.settlements.map((one) => one.settlement.id);
}

function jsonPending(one: CloseReport['pending'][number], names: Names) {
  const { status, currency, scale, payIn } = one;
  return { ...jsonSettlementKey(one, names), status, currency, scale, payIn };
}

function jsonBridge(line: BridgeLine) {
  const { account, currency, scale, isProven, opening, residual, closing, entries } = line;
  return {
    account,
    currency,
    scale,
    isProven,
    opening,
    ...bridgeMinors(line),
    residual,
    closing,
    entries: entries.map((one) => {
      const { id, date } = one.entry;
      return { id, date, ...bridgeMinors(one) };
    }),
  };
}

function bridgeMinors(figures: Omit<BridgeEntry, 'entry'>) {
  const { movement, cleared, over, charges: bankCharges, suspense, byRule, unrelated } = figures;
  return { movement, cleared, over, bankCharges, suspense, byRule, unrelated };
}

function jsonCheck({ currency, scale, closing, items, inTransit, suspense }: BooksControl) {
  const holds = closing === items && closing === inTransit;
  return { currency, scale, holds, closing, items, inTransit, suspense };
}

function jsonBlocker(one: Blocker) {
  return {
    code: one.code,
    forceable: isForceable(one),
    count: one.count,
    amounts: jsonSums(one.amounts),
    examples: one.examples.slice(0, mostExamples),
    message: blockerText(one),
    next: blockerNexts[one.code],
  };
}

const mostExamples = 10;

/** The report as a workbook: the roll-forward as formulas over a sheet of pay-outs. */
function closeWorkbook(report: CloseReport, view: View): Workbook {
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
type Step = (typeof rollForwardSteps)[number];

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
