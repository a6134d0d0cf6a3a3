import { largestOf } from '../../base/lists.ts';
import { isUuid } from '../../base/uuid.ts';
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

/** The row of a page to which the other places of an id link: the last table that lists it. */
export type RowLinks = ReadonlyMap<string, { readonly section: Section; readonly row: number }>;

/** The ids that stand in several tables, so that one can be found in the other. */
export function rowLinks(sections: readonly Section[]): RowLinks {
  const [found, linked] = [new Map<string, { section: Section; row: number }>(), new Set<string>()];
  for (const section of sections) {
    for (const [row, { cells }] of section.rows.entries()) {
      for (const text of cells.map((cell) => cellText(cell, 'text')).filter(isUuid)) {
        const earlier = found.get(text)?.section;
        if (earlier && earlier !== section) linked.add(text);
        if (earlier !== section) found.set(text, { section, row });
      }
    }
  }
  return new Map([...found].filter(([id]) => linked.has(id)));
}

/** A block of a page, and its anchor for the table of contents. */
export function blockMarkup(block: Block, anchor: string, links: RowLinks): Markup {
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
        return markup`<details id="${anchor}"><summary>${block.title}</summary>
${sectionTable(block, links)}</details>
`;
      }
      return markup`<section id="${anchor}"${isShort(block) ? markup` class="whole"` : undefined}><h3>${block.title}</h3>
${sectionTable(block, links)}</section>
`;
    case 'remarks':
      return markup`<section id="${anchor}"><h3>${block.title}</h3>
${remarkList(block.remarks)}</section>
`;
  }
}

/** Whether paper should not break it. */
function isShort({ rows }: Section): boolean {
  return rows.reduce((sum, { remarks }) => sum + 1 + remarks.length, 0) <= linesOnPaper;
}

const linesOnPaper = 14;

function remarkList(remarks: readonly Remark[]): Markup {
  return markup`<ul>${remarks.map(
    ({ mark, tone, text }) => markup`<li><span class="mark ${tone}">${mark}</span> ${text}</li>
`,
  )}</ul>
`;
}

/** A section as a table. Rows move together with their remarks, and totals are in the foot. */
export function sectionTable(whole: Section, links: RowLinks = new Map()): Markup {
  const section = moveDetailsRight(whole);
  const { title, columns, rows, note } = section;
  const isSortable = rows.length > 2 && columns.every((column) => column.title !== '');
  const decisive = decisiveColumn(section);
  const linkOf = (id: string, row: number): IdLink => {
    const place = links.get(id);
    if (!place) return undefined;
    return place.section === whole && place.row === row ? 'target' : 'link';
  };
  const cells = columns.map((column, index) =>
    columnCells(section, column, index, isSortable, column === decisive, linkOf),
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
<thead><tr>${columns.map((column, at) => headOf(column, column === decisive, scaleOf(section, at)))}</tr></thead>
${bodies}${foot}</table></div>
${note === undefined ? undefined : markup`<p class="note">${note}</p>`}
`;
}

/** The amount for which a row is read: a difference if there is one, or else the first amount that is not zero. */
function decisiveColumn({ columns, rows }: Section): SectionColumn | undefined {
  const isSeen = (at: number) =>
    rows.some(({ cells }) => /[1-9]/.test(cellText(cells[at], columns[at]?.kind ?? 'text')));
  const all = [...columns.entries()].sort(([, a], [, b]) => a.priority - b.priority);
  const differences = all.filter(([, { kind }]) => kind === 'difference');
  const amounts = all.filter(([, { kind }]) => kind === 'amount' || kind === 'change');
  const seen = [...differences, ...amounts].find(([at]) => isSeen(at));
  return (seen ?? differences[0])?.[1];
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

const unitTitle = 'Currency';

function headOf(
  { title, kind, filters }: SectionColumn,
  isDecisive: boolean,
  scale: number,
): Markup {
  if (title === '') return markup`<td></td>`;
  const names = present(
    isNumeric(kind) && 'number',
    isDecisive && 'decisive',
    title === unitTitle && 'unit',
  ).join(' ');
  const isSummed = isNumeric(kind) && kind !== 'integer';
  // A browser would break a word at its hyphen.
  const words = title
    .split(/(\p{L}+-\p{L}+)/u)
    .map((word, at) => (at % 2 === 1 ? markup`<span class="short">${word}</span>` : word));
  return markup`<th scope="col"${names ? markup` class="${names}"` : undefined}${
    filters ? markup` data-filter` : undefined
  }${isSummed ? markup` data-sum="${scale}"` : undefined}>${words}</th>`;
}

const shortText = 30;

type IdLink = 'link' | 'target' | undefined;

/** The most decimal places of a column. */
function scaleOf({ rows }: Section, at: number): number {
  return largestOf([0, ...rows.map(({ cells }) => amountIn(cells[at])?.scale ?? 0)]);
}

function columnCells(
  section: Section,
  { title, kind }: SectionColumn,
  index: number,
  isSortable: boolean,
  isDecisive: boolean,
  linkOf: (id: string, row: number) => IdLink,
): readonly Markup[] {
  const { rows } = section;
  const scale = scaleOf(section, index);
  const values = rows.map(({ cells }) => cells[index]);
  const texts = values.map((value) => cellText(value, kind));
  if (!isNumeric(kind)) {
    return texts.map((text, row) => {
      const link = isUuid(text) ? linkOf(text, row) : undefined;
      const names = present(
        text.length <= shortText && 'short',
        kind === 'day' && 'day',
        isUuid(text) && 'id',
        title === unitTitle && 'unit',
        index === 0 && rows[row]?.tone,
      );
      const anchor = link === 'target' ? markup` id="row-${text}"` : undefined;
      const shown = link === 'link' ? markup`<a href="#row-${text}">${text}</a>` : text;
      return markup`<td class="${names.join(' ')}"${anchor}>${shown}</td>`;
    });
  }
  const amounts = values.map(amountIn);
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
