import { entryTexts } from '../../app/bank-report.ts';
import { type Blocker, type CloseReport, isForceable } from '../../app/close-report.ts';
import { isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import type { BridgeEntry, BridgeLine } from '../../books/bridge.ts';
import { type ChangeSinceClose, changeOf } from '../../books/drift.ts';
import { type OpenItem, type RollForwardLine, totalsOf } from '../../books/roll-forward.ts';
import { bankMatchesIn } from '../../match/match.ts';
import type { Account } from '../../model/close.ts';
import type { Names } from '../../model/settlement.ts';
import { moneySums } from '../../money/money.ts';
import {
  bankStates,
  businessDaysText,
  endToEndText,
  statementDays,
  statementRemark,
} from '../bank/words.ts';
import {
  accountColumn,
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
} from '../common/blocks.ts';
import { amountOf } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import {
  accountName,
  amountsText,
  grouped,
  moneyText,
  present,
  wholeRangeText,
} from '../common/phrase.ts';
import type { ReportPage, Section, View, Views } from '../common/view.ts';
import { restsOnText } from '../common/words.ts';
import { claimSections } from '../fees/view.ts';
import { openOrders } from '../orders/view.ts';
import { carriedPage, carriedSections } from './carried.ts';
import { closeJson } from './json.ts';
import { exceptionSections, ladderCharts, signOff } from './lead.ts';
import { acceptedSections, checklistSections, ladderSections } from './month.ts';
import {
  changesSinceThis,
  closeRecords,
  openItems,
  rollForwardSteps,
  type Step,
  settlementIdsOf,
  settlementsText,
} from './records.ts';
import { blockerNext, blockerText, changeWords, closedSentence, closeSummary } from './words.ts';
import { closeWorkbook } from './workbook.ts';

/** The report of `recon close`. A record is a line of the roll-forward, or an open pay-out. */
export function closeViews(report: CloseReport, isOfItems = false): Views {
  return {
    view: () => [...closeView(report), ...listed('Next', closeSummary(report).advice, '>')],
    page: () => closePage(report),
    records: () => closeRecords(report, isOfItems),
    workbook: () => closeWorkbook(report, closeView(report)),
    ...jsonViews(() => closeJson(report)),
  };
}

function closeView(report: CloseReport): View {
  return [
    ...headBlocks(report),
    ...ladderSections(report.ladders),
    ...blockerSections(report),
    ...carriedSections(report),
    ...acceptedSections(report, maxScreenRows),
    ...bodyBlocks(report, maxScreenRows),
    ...listed('Notes', closeSummary(report).notes),
  ];
}

/** The whole month for those without a terminal, and a place to sign it. */
function closePage(report: CloseReport): ReportPage {
  const { orders, fees } = report;
  return [
    ...headBlocks(report),
    ...blockerSections(report),
    ...carriedPage(report, maxPageRows),
    ...exceptionSections(report, maxPageRows),
    ...acceptedSections(report, maxPageRows),
    ...(orders ? openOrders(orders, maxPageRows) : []),
    ...(fees ? claimSections(fees, maxPageRows) : []),
    ...ladderCharts(report.ladders),
    ...bodyBlocks(report, maxPageRows),
    ...entrySections(report),
    ...listed('Notes', closeSummary(report).notes),
    ...signOff(report),
  ];
}

/** The answer, what it is about, and the checklist. */
function headBlocks(report: CloseReport): View {
  const { range, profile, recorded, register, run } = report;
  return [
    closeSummary(report).answer,
    facts([
      ['Note', recorded?.note],
      ['Register', recorded && `close ${recorded.number} in ${register}`],
      ['Range', wholeRangeText(range)],
      ['Profile', profile],
      ['Settlements rest on', restsOnText(run.settlements)],
      ['Orders', report.orders && `by settlements until ${report.orders.until}`],
    ]),
    ...checklistSections(report),
  ];
}

/** What is in transit, on the bank accounts and in the books. */
function bodyBlocks(report: CloseReport, limit: number): View {
  const { bank, run } = report;
  const findings = [
    ...run.findings.map(remark),
    ...(bank?.statements.findings ?? []).slice(0, maxScreenRows).map(statementRemark),
  ];
  return [
    facts([
      ['In transit', 'paid by the service, not yet booked on the bank account'],
      ['Statements', bank && statementDays(bank)],
      ['Business days', bank && businessDaysText(bank)],
    ]),
    ...listed('Closed', closeSummary(report).closed.map(closedSentence)),
    ...remarks('Findings', findings),
    ...rollForwardSections(report),
    ...changeSections(report, limit),
    ...itemSections(report, limit),
    ...suspenseSections(report, limit),
    ...informationalSections(report),
    ...bridgeSections(report),
    ...accruedSections(report),
  ];
}

/** Whether a decision is enough: not said where it is of all. */
const toDo = column.text<Blocker>('To do', (one) => (isForceable(one) ? 'decide' : 'put right'));

function blockerSections(report: CloseReport): readonly Section[] {
  return sectionIfAny(
    report.recorded ? 'Left to decide' : 'What stands against closing',
    report.blockers,
    [
      column.text('What', blockerText, { unbroken: 30 }),
      column.text('Amount', ({ amounts }) => amountsText(amounts), { unbroken: 30 }),
      ...(report.blockers.every(isForceable) ? [] : [toDo]),
    ],
    {
      remarks: (one) => [plain(blockerNext(one, report), '>')],
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

/** What the close found to have changed since the one before and, if it is one of before, what has changed since. */
function changeSections(report: CloseReport, limit: number): readonly Section[] {
  const { rollForward, names } = report;
  const changed = (since: string, changes: readonly ChangeSinceClose[]) =>
    changedSection(`Changed since ${since} close: ${changes.length}`, changes, names, limit);
  return [
    ...changed('the last', rollForward.changes),
    ...changed('this', changesSinceThis(report)),
  ];
}

function changedSection(
  title: string,
  changes: readonly ChangeSinceClose[],
  names: Names,
  limit: number,
): readonly Section[] {
  return sectionIfAny(
    title,
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
      column.amount('Net pay-out then', ({ before }) => before.payIn, { priority: 2 }),
      column.amount('Net pay-out now', ({ after }) => after.payIn, { priority: 2 }),
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
  const matches = report.bank ? bankMatchesIn(report.bank.matching) : [];
  const lost = new Map(
    matches.flatMap(({ state, settlements }) =>
      state === 'missing_on_bank'
        ? settlements.map(({ settlement }) => [settlement.id, settlement])
        : [],
    ),
  );
  return sectionIfAny(
    `In transit by age: ${items.length}`,
    items,
    [
      column.text('Age', ageGroupOf, { filters: true, unbroken: 20, priority: 2 }),
      column.day('Date', ({ date }) => date),
      column.day('Due until', ({ dueUntil }) => dueUntil || undefined, { priority: 2 }),
      column.text('Settlement', settlementsText),
      accountColumn(report.names, ({ accountingToken }) => accountingToken, { priority: 4 }),
      column.text('State', ({ state }) => (state ? bankStates[state][0] : ''), { priority: 3 }),
      column.text('Currency', ({ currency }) => currency),
      column.amount('Net pay-out', ({ payIn }) => payIn, { priority: 3 }),
      column.amount('Received', ({ received }) => received, { priority: 3 }),
      column.amount('Open', ({ open }) => open),
      column.integer('Days open', ({ ageDays }) => ageDays, { priority: 3 }),
      column.integer('Days late', ({ daysLate }) => daysLate),
    ],
    {
      limit,
      toneOf: ({ daysLate }) => (daysLate > 0 ? 'bad' : 'plain'),
      remarks: ({ settlementIds }) =>
        present(endToEndText(settlementIds.flatMap((id) => lost.get(id) ?? []))).map((text) =>
          plain(text),
        ),
    },
  );
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
      column.amount('Overpaid', ({ over }) => over || undefined),
      column.amount('Underpaid', ({ short }) => short || undefined),
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

/** What is on the account of accrued sales at the end of the range. */
function accruedSections({ accruedSales, names, range }: CloseReport): readonly Section[] {
  if (!accruedSales) return [];
  const { sums, until } = accruedSales;
  const title = `Accrued sales at the end of ${range.to}, by settlements until ${until}`;
  return sectionIfAny(title, sums, [
    accountColumn(names, ({ accountingToken }) => accountingToken),
    column.text('Currency', ({ currency }) => currency),
    column.amount('Amount', ({ minor, scale }) => amountOf(minor, scale)),
  ]);
}

/** What makes up the movement of a bank account: title, and figure. */
const bridgeSteps = [
  ['Cleared in transit', 'cleared'],
  ['Overpaid', 'over'],
  ['Bank charges', 'charges'],
  ['To suspense', 'suspense'],
  ['By rules', 'byRule'],
  ['Unrelated', 'unrelated'],
  ['Unexplained', 'residual'],
] as const satisfies readonly (readonly [string, keyof BridgeLine])[];

/** The steps to the movement, a section a bank account. */
export function bridgeSections({ bridge }: Pick<CloseReport, 'bridge'>): readonly Section[] {
  type Step = readonly [title: string, name: 'movement' | (typeof bridgeSteps)[number][1]];
  return bridge.map((line) => {
    const { account, currency, scale } = line;
    const shown = bridgeSteps.filter(
      ([, name]) => line[name] !== 0n || name === 'cleared' || name === 'residual',
    );
    const steps = section<Step>(
      present('Bridge to the bank statements', account, currency).join(', '),
      shown,
      [
        column.text('Step', ([title]) => title, { unbroken: 20 }),
        column.amount('Amount', ([, name]) => amountOf(line[name], scale)),
      ],
      {
        totals: [['Movement', 'movement']],
        toneOf: ([, name]) => (name === 'residual' && line.residual !== 0n ? 'bad' : 'plain'),
      },
    );
    return { ...steps, note: bridgeNote(line) };
  });
}

function bridgeColumns(scale: number, bridge: readonly BridgeLine[]) {
  const parts = bridgeSteps.flatMap(([title, name]) =>
    name === 'residual' || (name === 'byRule' && bridge.every((one) => one.byRule === 0n))
      ? []
      : [[title, name] as const],
  );
  return [['Movement', 'movement'] as const, ...parts].map(([title, name]) => {
    const priority = name === 'movement' || name === 'cleared' ? 1 : 2;
    return column.amount<BridgeEntry>(title, (one) => amountOf(one[name], scale), { priority });
  });
}

/** The entries of each bank account, to be unfolded. */
export function entrySections({ bridge }: Pick<CloseReport, 'bridge'>): readonly Section[] {
  return bridge.flatMap(({ account, currency, scale, entries }) => {
    const title = `Entries of ${account}, ${currency}: ${grouped(entries.length)}`;
    const said = (key: 'names' | 'texts') => (one: BridgeEntry) =>
      entryTexts({ entry: one.entry, part: undefined, amount: one.entry.amount }, key).join(', ');
    const columns = [
      column.day<BridgeEntry>('Date', ({ entry }) => entry.date),
      column.text<BridgeEntry>('Other side', said('names')),
      column.text<BridgeEntry>('Text', said('texts')),
      ...bridgeColumns(scale, bridge),
      column.text<BridgeEntry>('Entry', ({ entry }) => entry.id),
    ];
    const found = sectionIfAny(title, entries, columns, { limit: maxPageRows });
    return found.map((one) => ({ ...one, isFolded: true }));
  });
}

function bridgeNote({ opening, closing, currency, scale, isProven, residual }: BridgeLine) {
  const text = (minor: bigint) => moneyText({ minor, scale, currency });
  const isKnown = opening !== undefined && closing !== undefined;
  return present(
    isKnown && `Balance from ${text(opening)} to ${text(closing)}.`,
    !isProven && 'The balance of the last day is not proven.',
    residual !== 0n && 'Something is not read or not booked.',
  ).join(' ');
}
