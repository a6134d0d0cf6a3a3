import type { CarriedPoint, CloseReport } from '../../app/close-report.ts';
import { groupedBy } from '../../base/lists.ts';
import { type Money, moneySums } from '../../money/money.ts';
import { column, plain, section, sectionIfAny } from '../common/blocks.ts';
import { amountOf } from '../common/columns.ts';
import { jsonSums } from '../common/json.ts';
import { amountsText, firstOf, grouped, present, rangeText } from '../common/phrase.ts';
import type { Section, TableSheet } from '../common/view.ts';
import { tableSheet } from '../common/workbook.ts';
import { blockerText } from './words.ts';

const titleOf = ({ carried }: CloseReport) =>
  `Left open by force in earlier closes: ${grouped(carried.length)}`;

/** What earlier closes left open by force and still is, a row a close and kind, with the first few by name. */
export function carriedSections(report: CloseReport): readonly Section[] {
  const groups = groupedBy(report.carried, ({ record, code }) => `${record.number} ${code}`);
  return sectionIfAny<readonly CarriedPoint[]>(
    titleOf(report),
    [...groups.values()],
    [
      column.text('Closed', (those) => closedDays(those[0])),
      column.text('Still so', (those) => wordsOf(those), { unbroken: 30 }),
      column.text('Amount', (those) => amountsText(those.flatMap(({ amounts }) => amounts)), {
        unbroken: 30,
      }),
    ],
    {
      remarks: (those) => [plain(namesOf(those), '=')],
      toneOf: () => 'unsure',
      limit: groups.size,
    },
  );
}

function closedDays(one: CarriedPoint | undefined): string {
  return one ? rangeText(one.record) : '';
}

function wordsOf(those: readonly CarriedPoint[]): string {
  const [first] = those;
  return first ? blockerText({ code: first.code, count: those.length }) : '';
}

/** `1042 (-19.99 EUR) and 1043 (+5.00 EUR); 1 of them counted above`. */
function namesOf(those: readonly CarriedPoint[]): string {
  const names = those.map(({ id, amounts }) =>
    amounts.length === 0 ? id : `${id} (${amountsText(amounts)})`,
  );
  const counted = those.filter(({ isCounted }) => isCounted).length;
  const isAll = counted === those.length;
  return present(
    firstOf(names),
    counted > 0 && `${isAll ? '' : `${grouped(counted)} of them `}counted above`,
  ).join('; ');
}

/** A row an order, settlement or entry, and currency. */
function carriedLines({ carried }: CloseReport) {
  return carried.flatMap((point) => {
    const sums: readonly (Money | undefined)[] = moneySums(point.amounts);
    return (sums.length === 0 ? [undefined] : sums).map((sum) => ({ point, sum }));
  });
}

type Line = ReturnType<typeof carriedLines>[number];

/** The same for a page, each by name. */
export function carriedPage(report: CloseReport, limit: number): readonly Section[] {
  const lines = carriedLines(report);
  if (lines.length === 0) return [];
  return [
    section<Line>(
      titleOf(report),
      lines,
      [
        column.text('Closed', ({ point }) => rangeText(point.record)),
        column.text('Still so', ({ point }) => wordsOf([point])),
        column.text('Order, settlement or entry', ({ point }) => point.id),
        column.text('Currency', ({ sum }) => sum?.currency),
        column.amount('Amount', ({ sum }) => sum && amountOf(sum.minor, sum.scale)),
        column.text('Counted above', ({ point }) => (point.isCounted ? 'yes' : 'no')),
      ],
      { toneOf: () => 'unsure', limit },
    ),
  ];
}

export function carriedSheet(report: CloseReport): TableSheet {
  return tableSheet<Line>('Left open', carriedLines(report), [
    { title: 'Closed from', kind: 'day', cell: ({ point }) => point.record.from },
    { title: 'Closed to', kind: 'day', cell: ({ point }) => point.record.to },
    { title: 'Still so', cell: ({ point }) => wordsOf([point]) },
    { title: 'Order, settlement or entry', isKey: true, cell: ({ point }) => point.id },
    { title: 'Currency', cell: ({ sum }) => sum?.currency },
    { title: 'Amount', cell: ({ sum }) => sum && amountOf(sum.minor, sum.scale) },
    { title: 'Against this close', cell: ({ point }) => (point.isCounted ? 'counted' : '') },
    { title: 'Note', isProse: true, cell: ({ point }) => point.record.note },
  ]);
}

export function jsonCarried(point: CarriedPoint) {
  const { record, code, id, amounts, isCounted } = point;
  const { number: close, from, to } = record;
  const message = `Forced in the close of ${rangeText(record)}: ${wordsOf([point])}: ${namesOf([point])}.`;
  return { close, from, to, code, id, amounts: jsonSums(amounts), isCounted, message };
}
