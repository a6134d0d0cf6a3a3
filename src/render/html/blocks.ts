import { largestOf } from '../../base/lists.ts';
import type { Value } from '../../model/value.ts';
import { type Amount, rescale } from '../../money/money.ts';
import { present } from '../../report/common/phrase.ts';
import type { Block, Remark, Section, SectionColumn } from '../../report/common/view.ts';
import { cellText, inert, isNumeric, shown } from '../inert.ts';
import { alignedNumbers } from '../wrap.ts';

/** HTML in which received text is inert. Only `markup` and `trusted` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | number | undefined | Markup | readonly Content[];

/** A template of HTML. Every text in it is escaped; markup stays, lists are joined, undefined is empty. */
export function markup(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: template }, ...contents.map(written)));
}

function written(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(written).join('');
  return escaped(String(content));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return shown(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

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
      if (block.isFolded) {
        return markup`<details><summary>${block.title}</summary>
${sectionTable(block)}</details>
`;
      }
      return markup`<section><h3>${block.title}</h3>
${sectionTable(block)}</section>
`;
    case 'remarks':
      return markup`<section><h3>${block.title}</h3>
${remarkList(block.remarks)}</section>
`;
  }
}

function remarkList(remarks: readonly Remark[]): Markup {
  return markup`<ul>${remarks.map(
    ({ mark, tone, text }) => markup`<li><span class="mark ${tone}">${mark}</span> ${text}</li>
`,
  )}</ul>
`;
}

/** A section as a table. Rows move together with their remarks, and totals are in the foot. */
export function sectionTable(whole: Section): Markup {
  const section = moveDetailsRight(whole);
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

const firstDetailPriority = 7;

function moveDetailsRight({ columns, rows, ...section }: Section): Section {
  const weight = (at: number) => Math.max(columns[at]?.priority ?? 1, firstDetailPriority - 1);
  const order = [...columns.keys()].sort((a, b) => weight(a) - weight(b));
  return {
    ...section,
    columns: order.flatMap((at) => columns[at] ?? []),
    rows: rows.map((row) => ({ ...row, cells: order.map((at) => row.cells[at]) })),
  };
}

function headOf({ title, kind, filters }: SectionColumn, isDecisive: boolean): Markup {
  if (title === '') return markup`<td></td>`;
  const names = present(isNumeric(kind) && 'number', isDecisive && 'decisive').join(' ');
  return markup`<th scope="col"${names ? markup` class="${names}"` : undefined}${
    filters ? markup` data-filter` : undefined
  }>${title}</th>`;
}

const shortText = 30;

function columnCells(
  { rows }: Section,
  { kind }: SectionColumn,
  index: number,
  isSortable: boolean,
  isDecisive: boolean,
): readonly Markup[] {
  const values = rows.map(({ cells }) => cells[index]);
  const texts = values.map((value) => cellText(value, kind));
  if (!isNumeric(kind)) {
    return texts.map((text, row) => {
      const names = present(text.length <= shortText && 'short', index === 0 && rows[row]?.tone);
      return markup`<td class="${names.join(' ')}">${text}</td>`;
    });
  }
  const amounts = values.map(amountIn);
  const scale = largestOf([0, ...amounts.map((amount) => amount?.scale ?? 0)]);
  return alignedNumbers(texts.map(inert)).map((shown, row) => {
    const text = texts[row] ?? '';
    const amount = amounts[row];
    const minor = amount ? String(rescale(amount.minor, amount.scale, scale)) : '';
    const key = isSortable ? markup` data-k="${minor}"` : undefined;
    const tone = kind === 'difference' ? (/[1-9]/.test(text) ? ' bad' : ' quiet') : '';
    const place = isDecisive ? ' decisive' : '';
    return markup`<td class="number${tone}${place}"${key}>${padded(shown)}</td>`;
  });
}

function amountIn(value: Value): Amount | undefined {
  if (typeof value === 'number' || typeof value === 'bigint')
    return { minor: BigInt(value), scale: 0 };
  return typeof value === 'object' && 'minor' in value ? value : undefined;
}

/** Missing decimals as spaces that are as wide as digits. */
function padded(number: string): string {
  const digits = number.trimEnd();
  const missing = number.length - digits.length;
  if (missing === 0 || digits === '') return digits;
  const figures = '\u2007'.repeat(digits.includes('.') ? missing : missing - 1);
  return `${digits}${digits.includes('.') ? '' : '\u2008'}${figures}`;
}
