import { active, cut, escaped, visible } from '../base/texts.ts';
import { type Value, valueText } from '../model/value.ts';
import type { CellKind } from '../report/common/columns.ts';
import type { Block, Remark, View } from '../report/common/view.ts';

declare const inertness: unique symbol;

/** Text without control sequences. Screens accept only this type. */
export type Inert = string & { readonly [inertness]: true };

/** Makes received text inert on a terminal: control characters become visible, as `\u001b`. */
export function inert(text: string): Inert {
  return visible(text) as Inert;
}

/** The most of a text that is shown: layout of longer texts would be too slow. */
const longestText = 10_000;

/** A text as a screen shows it, with no more than `longest` characters. */
export function shown(text: string, longest = longestText): Inert {
  // What acts becomes six characters.
  return cut(inert(cut(text, longest)), longest) as Inert;
}

/** Makes text inert in a CSV cell; tabs and line breaks are data there, and quoted. */
export function inertButForLines(text: string): string {
  return text.replace(active, (character, offset: number) =>
    character === '\t' || character === '\n' || (character === '\r' && text[offset + 1] === '\n')
      ? character
      : escaped(character),
  );
}

/** Makes JSON text inert: no reader of JSON sees a difference. Its own line feeds stay. */
export function inertJson(json: string): string {
  return json.replace(active, (character) => (character === '\n' ? character : escaped(character)));
}

/** A view as it can be shown: `show` makes every text in it inert. */
export function inertView(view: View, show: (text: string) => Inert): View<Inert, Inert> {
  const shownRemark = (one: Remark) => ({ ...one, mark: show(one.mark), text: show(one.text) });
  const shownBlock = (block: Block): Block<Inert, Inert> => {
    switch (block.kind) {
      case 'answer':
        return { ...block, label: show(block.label), text: show(block.text) };
      case 'facts': {
        const facts = block.facts.map(([label, value]) => [show(label), show(value)] as const);
        return { ...block, facts };
      }
      case 'remarks':
        return { ...block, title: show(block.title), remarks: block.remarks.map(shownRemark) };
      case 'section':
        return {
          ...block,
          title: show(block.title),
          columns: block.columns.map((column) => ({ ...column, title: show(column.title) })),
          rows: block.rows.map(({ cells, remarks, ...row }) => ({
            ...row,
            cells: block.columns.map(({ kind }, at) => show(cellText(cells[at], kind))),
            remarks: remarks.map(shownRemark),
          })),
          note: block.note === undefined ? undefined : show(block.note),
        };
    }
  };
  return view.map(shownBlock);
}

/** A cell as exact text. Differences and changes have their sign in both directions. */
export function cellText(value: Value, kind: CellKind): string {
  const isSigned = kind === 'difference' || kind === 'change';
  const isAbove = typeof value === 'object' && 'minor' in value && value.minor > 0n;
  return (isSigned && isAbove ? '+' : '') + valueText(value);
}

/** Whether cells of a kind are numbers, aligned at their decimal points. */
export function isNumeric(kind: CellKind): boolean {
  return kind !== 'text' && kind !== 'day';
}
