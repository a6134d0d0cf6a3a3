import { cut } from '../base/cut.ts';
import type { Block, Remark, Section, View } from '../report/common/view.ts';
import type { Inert } from './inert.ts';

/** A label stands beside its value: a merchant's own key may be far longer than that. */
const longestLabel = 200;

/** Makes one text inert. */
type Show = (text: string) => Inert;

/** A view as it can be shown: `show` is asked for every text in it. */
export function inertView(view: View, show: Show): View<Inert> {
  return view.map((block) => inertBlock(block, show));
}

function inertBlock(block: Block, show: Show): Block<Inert> {
  switch (block.kind) {
    case 'answer':
      return { ...block, label: show(block.label), text: show(block.text) };
    case 'facts':
      return {
        ...block,
        facts: block.facts.map(([label, value]) => [show(cut(label, longestLabel)), show(value)]),
      };
    case 'section':
      return inertSection(block, show);
    case 'remarks':
      return { ...block, title: show(block.title), remarks: inertRemarks(block.remarks, show) };
  }
}

function inertSection(section: Section, show: Show): Section<Inert> {
  const { title, columns, rows, note } = section;
  return {
    ...section,
    title: show(title),
    columns: columns.map((column) => ({ ...column, title: show(column.title) })),
    rows: rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => show(cell)),
      remarks: inertRemarks(row.remarks, show),
    })),
    note: note === undefined ? undefined : show(note),
  };
}

function inertRemarks(remarks: readonly Remark[], show: Show): readonly Remark<Inert>[] {
  return remarks.map(({ mark, tone, text }) => ({ mark: show(mark), tone, text: show(text) }));
}
