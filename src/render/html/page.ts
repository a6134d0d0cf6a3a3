import { createHash } from 'node:crypto';
import { facts } from '../../report/common/blocks.ts';
import type { ReportPage, Views } from '../../report/common/view.ts';
import type { RenderOptions } from '../renderer.ts';
import { blockMarkup } from './blocks.ts';
import { chartMarkup } from './charts.ts';
import { Markup, markup } from './markup.ts';
import { styleSheet } from './style-sheet.ts';

/** A page for a browser, in one file: it asks for nothing else, and nothing in it acts but its script. */
export function renderPage({ page, view }: Views, options: RenderOptions): string {
  return pageMarkup((page ?? view)(), options).text;
}

const about = 'Settlement reconciliation';

function pageMarkup(page: ReportPage, { paper = 'a4', madeAt }: RenderOptions): Markup {
  const style = styleSheet(paper);
  // The policy comes before all that it is about.
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style, pageScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(page)}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<h1>${about}</h1>
${partsMarkup(withCreationTime(page, madeAt))}</main>
<script>${trusted(pageScript)}</script>
</body>
</html>
`;
}

/** Allows only this style and this script, by their hashes. */
function policy(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return (
    `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; ` +
    "base-uri 'none'; form-action 'none'"
  );
}

function titleOf(page: ReportPage): string {
  const answer = page.find((part) => part.kind === 'answer');
  const [fact] = page.find((part) => part.kind === 'facts')?.facts ?? [];
  return [about, answer?.label, fact?.[1]].filter(Boolean).join(' · ');
}

function withCreationTime(page: ReportPage, madeAt: string | undefined): ReportPage {
  if (madeAt === undefined) return page;
  return [...page.slice(0, 1), facts([['Created', madeAt]]), ...page.slice(1)];
}

function partsMarkup(parts: ReportPage): readonly Markup[] {
  return parts.map((part, index) => {
    if (part.kind !== 'chart') return blockMarkup(part);
    const isFirst = parts[index - 1]?.kind !== 'chart';
    const isLast = parts[index + 1]?.kind !== 'chart';
    return markup`${
      isFirst
        ? markup`<div class="charts">
`
        : undefined
    }${chartMarkup(part, index)}${
      isLast
        ? markup`</div>
`
        : undefined
    }`;
  });
}

/**
 * The script of a page, for browsers: it sorts longer tables by the buttons that it makes of their
 * heads, and offers to filter them by columns that are meant for it; on a phone, it moves differences
 * to the front. Without it all stands there as well. It takes texts from the page and gives them back as text, never as markup.
 */
const pageScript = `
'use strict';
// On a phone the difference stands behind the two columns that say what it is about.
if (matchMedia('(max-width: 40rem)').matches) {
  for (const cell of document.querySelectorAll('.decisive')) {
    if (cell.cellIndex > 2) cell.parentElement.cells[1].after(cell);
  }
}
for (const table of document.querySelectorAll('table.sortable')) {
  const records = [...table.tBodies];
  const heads = [...table.tHead.rows[0].cells];
  const cellOf = (record, column) => record.rows[0].cells[column];

  // Minor units may be more than a number holds. Empty cells come last.
  const keyOf = (cell) => {
    const { k } = cell.dataset;
    return k === undefined ? cell.textContent : k === '' ? null : BigInt(k);
  };
  const sortBy = (column) => {
    const isUp = heads[column].getAttribute('aria-sort') !== 'ascending';
    const keys = new Map(records.map((record) => [record, keyOf(cellOf(record, column))]));
    const compare = (one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      if (a === b) return 0;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b === isUp ? -1 : 1;
    };
    for (const record of records.sort(compare).reverse()) table.tHead.after(record);
    for (const head of heads) head.removeAttribute('aria-sort');
    heads[column].setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', () => sortBy(column));
    head.replaceChildren(button);
  });

  const wanted = new Map();
  const bar = document.createElement('div');
  const count = document.createElement('p');
  const show = () => {
    let shown = 0;
    for (const record of records) {
      record.hidden = [...wanted].some(
        ([column, text]) => text !== '' && cellOf(record, column).textContent !== text,
      );
      if (!record.hidden) shown += 1;
    }
    count.textContent = shown === records.length ? '' : 'Showing ' + shown + ' of ' + records.length;
  };
  const addFilter = (column) => {
    const texts = new Set(records.map((record) => cellOf(record, column).textContent));
    if (texts.size < 2) return;
    const label = document.createElement('label');
    const select = document.createElement('select');
    label.append(heads[column].textContent, ' ', select);
    select.add(new Option('All', ''));
    for (const text of [...texts].sort()) select.add(new Option(text, text));
    select.addEventListener('change', () => {
      wanted.set(column, select.value);
      show();
    });
    bar.append(label);
  };
  heads.forEach((head, column) => {
    if ('filter' in head.dataset) addFilter(column);
  });
  if (bar.childElementCount > 0) {
    bar.className = 'filters';
    count.setAttribute('role', 'status');
    bar.append(count);
    table.parentElement.before(bar);
  }
}
`;

/** Style and script of our own, which must stay as they are. */
function trusted(text: string): Markup {
  return new Markup(text);
}
