import { parseDecimal } from '../../money/money.ts';
import { present } from '../../report/common/phrase.ts';
import type { Block, Remark, Section, SectionColumn } from '../../report/common/view.ts';
import { inert } from '../inert.ts';
import { alignedNumbers } from '../wrap.ts';
import { type Markup, markup } from './markup.ts';

/** A block of a view as HTML. */
export function blockMarkup(block: Block): Markup {
  switch (block.kind) {
    case 'answer':
      return markup`<header class="answer ${block.tone}"><h2>${block.label}</h2>
<p>${block.text}</p></header>
`;
    case 'facts':
      return markup`<dl>${block.facts.map(
        ([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>
`,
      )}</dl>
`;
    case 'section':
      return markup`<section><h3>${block.title}</h3>
${sectionTable(block)}</section>
`;
    case 'remarks':
      return markup`<section><h3>${block.title}</h3>
${remarkList(block.remarks)}</section>
`;
  }
}

/** Remarks as a list, each with its mark. */
function remarkList(remarks: readonly Remark[]): Markup {
  return markup`<ul>${remarks.map(
    ({ mark, tone, text }) => markup`<li><span class="mark ${tone}">${mark}</span> ${text}</li>
`,
  )}</ul>
`;
}

/**
 * A section as a table: a body for each row with its remarks, which move together, and totals in the
 * foot. A longer table can be sorted by the script of the page.
 */
export function sectionTable(whole: Section): Markup {
  const section = detailsLast(whole);
  const { title, columns, rows, note } = section;
  const isSortable = rows.length > 2 && columns.every((column) => column.title !== '');
  const [decisive] = columns
    .filter(({ kind }) => kind === 'difference')
    .sort((a, b) => a.priority - b.priority);
  const cells = columns.map((column, index) =>
    columnCells(section, column, index, isSortable, column === decisive),
  );
  const rowAt = (row: number) => {
    const { remarks } = rows[row] ?? { remarks: [] };
    const said = markup`<tr class="said"><td colspan="${columns.length}">${remarkList(remarks)}</td></tr>
`;
    return markup`<tr>${cells.map((column) => column[row])}</tr>
${remarks.length > 0 ? said : undefined}`;
  };
  const bodies = rows.map(({ isTotal }, row) =>
    isTotal ? undefined : markup`<tbody>${rowAt(row)}</tbody>`,
  );
  const totals = rows.map(({ isTotal }, row) => (isTotal ? rowAt(row) : undefined));
  const foot = rows.some(({ isTotal }) => isTotal) ? markup`<tfoot>${totals}</tfoot>` : undefined;
  // What may be wider than the screen is scrolled, with the keyboard too.
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="${title}">
<table${isSortable ? markup` class="sortable"` : undefined}>
<thead><tr>${columns.map((column) => headOf(column, column === decisive))}</tr></thead>
${bodies}${foot}</table></div>
${note === undefined ? undefined : markup`<p class="note">${note}</p>`}
`;
}

/** From this priority on, columns stand behind the others, the least important ones last. */
const leastOfDetails = 7;

function detailsLast({ columns, rows, ...section }: Section): Section {
  const weight = (at: number) => Math.max(columns[at]?.priority ?? 1, leastOfDetails - 1);
  const order = [...columns.keys()].sort((a, b) => weight(a) - weight(b));
  const ordered = <One>(all: readonly One[]) => order.flatMap((at) => all[at] ?? []);
  return {
    ...section,
    columns: ordered(columns),
    rows: rows.map((row) => ({ ...row, cells: ordered(row.cells) })),
  };
}

function headOf({ title, kind, filters }: SectionColumn, isDecisive: boolean): Markup {
  if (title === '') return markup`<td></td>`;
  const isNumber = kind !== 'text';
  const names = present(isNumber && 'number', isDecisive && 'decisive').join(' ');
  return markup`<th scope="col"${names ? markup` class="${names}"` : undefined}${
    filters ? markup` data-filter` : undefined
  }>${title}</th>`;
}

/** Texts up to this length stay on one line; half of an id does. */
const shortText = 30;

/**
 * The cells of a column from top to bottom; its numbers aligned, with what sorts them in minor units. The
 * difference that matters is marked.
 */
function columnCells(
  { rows }: Section,
  { kind }: SectionColumn,
  index: number,
  isSortable: boolean,
  isDecisive: boolean,
): readonly Markup[] {
  const texts = rows.map(({ cells }) => cells[index] ?? '');
  if (kind === 'text') {
    return texts.map((text, row) => {
      const names = present(text.length <= shortText && 'short', index === 0 && rows[row]?.tone);
      return markup`<td class="${names.join(' ')}">${text}</td>`;
    });
  }
  const scale = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
  return alignedNumbers(texts.map(inert)).map((shown, row) => {
    const text = texts[row] ?? '';
    const key = isSortable
      ? markup` data-k="${String(parseDecimal(text, scale) ?? '')}"`
      : undefined;
    const tone = kind === 'difference' ? (/[1-9]/.test(text) ? ' bad' : ' quiet') : '';
    const place = isDecisive ? ' decisive' : '';
    return markup`<td class="number${tone}${place}"${key}>${padded(shown)}</td>`;
  });
}

/** Missing decimals as spaces that are as wide as a dot and as digits. */
function padded(number: string): string {
  const digits = number.trimEnd();
  const missing = number.length - digits.length;
  if (missing === 0 || digits === '') return digits;
  const figures = '\u2007'.repeat(digits.includes('.') ? missing : missing - 1);
  return `${digits}${digits.includes('.') ? '' : '\u2008'}${figures}`;
}
