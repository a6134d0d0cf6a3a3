import { createHash } from 'node:crypto';
import { valueText } from '../../model/value.ts';
import { facts } from '../../report/common/blocks.ts';
import type { Chart, ReportPage, Views } from '../../report/common/view.ts';
import type { Paper, RenderOptions } from '../formats.ts';
import { blockMarkup, Markup, markup, rowLinks } from './blocks.ts';
import { chartMarkup } from './charts.ts';

/** A page for a browser, in one file: it asks for nothing else, and nothing in it acts but its script. */
export function renderPage({ page, view }: Views, options: RenderOptions): string {
  return pageMarkup((page ?? view)(), options).text;
}

const about = 'Settlement reconciliation';

function pageMarkup(whole: ReportPage, { paper = 'a4', madeAt }: RenderOptions): Markup {
  const page = whole.filter((part) => part.kind !== 'chart' || isWorthDrawing(part));
  const title = titleOf(page);
  const style = styleSheet(paper, title);
  // The policy comes before all that it is about.
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style, pageScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
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

/** Whether a chart has something to compare: one bar, or none, says no more than its figure; a ladder has its totals. */
function isWorthDrawing({ type, table: { rows } }: Chart): boolean {
  const bars = rows.filter(
    ({ cells: [, ...values], isTotal }) =>
      !isTotal && values.some((value) => /[1-9]/.test(valueText(value))),
  );
  return bars.length > (type === 'ladder' ? 0 : 1);
}

function partsMarkup(parts: ReportPage): readonly Markup[] {
  const links = rowLinks(parts.flatMap((part) => (part.kind === 'section' ? [part] : [])));
  // It stands below what the report is about.
  const head = Math.max(
    0,
    parts.findIndex(({ kind }) => kind === 'facts'),
  );
  return parts.map((part, index) => {
    const contents = index === head ? contentsMarkup(parts) : undefined;
    if (part.kind !== 'chart')
      return markup`${blockMarkup(part, anchorOf(index), links)}${contents}`;
    const opening = isFirstChart(parts, index)
      ? markup`<div class="charts" id="${anchorOf(index)}">
`
      : undefined;
    const closing = parts[index + 1]?.kind === 'chart' ? '' : '</div>\n';
    return markup`${opening}${chartMarkup(part, index)}${trusted(closing)}`;
  });
}

function isFirstChart(parts: ReportPage, index: number): boolean {
  return parts[index]?.kind === 'chart' && parts[index - 1]?.kind !== 'chart';
}

function anchorOf(index: number): string {
  return `part-${index + 1}`;
}

const fewParts = 4;

/** `Out of balance` of `Out of balance: 6 settlements`, `In transit by age` of `In transit by age, EUR`. */
function shortTitle(title: string): string {
  return title.replace(/\s*[:(,].*/s, '') || title;
}

/** Links to the titled parts of the page, the first of those of one kind; none on a short one. */
function contentsMarkup(parts: ReportPage): Markup | undefined {
  const isOneGroup = parts.filter((_, index) => isFirstChart(parts, index)).length === 1;
  const titled = new Map<string, number>();
  const add = (title: string, index: number) => {
    if (!titled.has(title)) titled.set(title, index);
  };
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'chart') {
      const title = isOneGroup ? 'Charts' : `${shortTitle(part.table.title)}, charts`;
      if (isFirstChart(parts, index)) add(title, index);
    } else if (part.kind === 'answer') {
      if (part.isOneOfSeveral) add(part.label, index);
    } else if (part.kind !== 'facts') add(shortTitle(part.title), index);
  }
  if (titled.size <= fewParts) return undefined;
  return markup`<nav aria-label="Contents"><ul>${[...titled].map(
    ([title, index]) => markup`<li><a href="#${anchorOf(index)}">${title}</a></li>
`,
  )}</ul></nav>
`;
}

/** Sorts, filters and adds up longer tables; on a narrow screen, moves amounts to the front. It gives back the page's texts as text, never as markup. */
const pageScript = `
'use strict';
// On a narrow screen the decisive amount and its currency follow the two columns that name their row.
// Where figures follow the first column, the decisive one may be their sum, and stays behind them.
if (matchMedia('(max-width: 64rem)').matches) {
  for (const cell of document.querySelectorAll('.decisive')) {
    const row = cell.parentElement;
    if (cell.cellIndex > 2 && !row.cells[1].classList.contains('number')) row.cells[1].after(cell);
    const unit = row.querySelector('.unit');
    if (unit && unit.cellIndex > cell.cellIndex) cell.after(unit);
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
    while (head.firstChild) button.append(head.firstChild);
    button.addEventListener('click', () => sortBy(column));
    head.append(button);
  });

  // The amounts of the rows that are shown, by currency, with the decimals of these rows.
  const unit = heads.findIndex((head) => head.classList.contains('unit'));
  const foot = document.createElement('tfoot');
  const addUp = (shown) => {
    const units = new Set(shown.map((record) => cellOf(record, unit).textContent));
    const rows = [...units].sort().map((name) => {
      const own = shown.filter((record) => cellOf(record, unit).textContent === name);
      const row = document.createElement('tr');
      heads.forEach((head, column) => {
        const cell = row.insertCell();
        cell.dataset.label = head.textContent;
        if (column === 0) cell.textContent = 'Sum';
        if (column === unit) cell.textContent = name;
        if (!('sum' in head.dataset)) return;
        cell.className = 'number';
        cell.textContent = sumOf(own.map((record) => cellOf(record, column)), Number(head.dataset.sum));
      });
      return row;
    });
    foot.replaceChildren(...rows);
  };
  const sumOf = (cells, scale) => {
    const stated = cells.filter((cell) => cell.dataset.k);
    if (stated.length === 0) return '';
    const total = stated.reduce((sum, cell) => sum + BigInt(cell.dataset.k), 0n);
    const decimals = stated.reduce(
      (most, cell) => Math.max(most, (cell.textContent.split('.')[1] ?? '').trim().length),
      0,
    );
    const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale).replace(/\\B(?=(\\d{3})+$)/g, ',');
    const rest = digits.slice(digits.length - scale, digits.length - scale + decimals);
    return (total < 0n ? '-' : '') + whole + (decimals > 0 ? '.' + rest : '');
  };

  const wanted = new Map();
  const bar = document.createElement('div');
  const count = document.createElement('p');
  const show = () => {
    for (const record of records) {
      record.hidden = [...wanted].some(
        ([column, text]) => text !== '' && cellOf(record, column).textContent !== text,
      );
    }
    const shown = records.filter((record) => !record.hidden);
    const isAll = shown.length === records.length;
    count.textContent = isAll ? '' : 'Showing ' + shown.length + ' of ' + records.length;
    if (unit >= 0) addUp(shown);
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
    if (unit >= 0 && !table.tFoot) {
      table.append(foot);
      show();
    }
  }
}
// What a phone would cut of a small table is a card a row: each cell has the title of its column.
// Of a large one the decisive amount is in sight, and the rest can be scrolled to.
if (matchMedia('(max-width: 40rem)').matches) {
  for (const table of document.querySelectorAll('.scroll > table')) {
    const titles = [...table.tHead.rows[0].cells].map((head) => head.textContent);
    const { scrollWidth, clientWidth } = table.parentElement;
    if (scrollWidth <= clientWidth || titles.length > 5) continue;
    table.classList.add('cards');
    for (const row of table.rows)
      for (const cell of row.cells)
        if (row.cells.length === titles.length) cell.dataset.label = titles[cell.cellIndex];
  }
}
`;

/** Style and script of this project, which are inserted unchanged. */
function trusted(text: string): Markup {
  return new Markup(text);
}

/** The style of a page for screen, phone and paper, whose foot has its name. What a colour says is also said by a word, a sign or a shape. */
function styleSheet(paper: Paper, name: string): string {
  return `
:root {
  --paper: #fff; --ink: #1b2430; --quiet: #586374; --rule: #dde2e9; --wash: #f5f7f9;
  --good: #17734a; --bad: #b3261e; --unsure: #855600;
  --bar: #c4cfdd; --line: #234f8f; --below: #e58f86; --total: #586374;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --paper: #14181e; --ink: #e5e9ef; --quiet: #9ba6b5; --rule: #2e3641; --wash: #1b2129;
    --good: #72cf9a; --bad: #ff8e84; --unsure: #e5b555;
    --bar: #455366; --line: #8fb7f7; --below: #a5504a; --total: #9ba6b5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 120rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { margin: 0 0 1rem; font-size: .95rem; font-weight: 400; color: var(--quiet); }
h2 { margin: 0; font-size: 1rem; letter-spacing: .06em; }
h3 { margin: 0 0 .5rem; font-size: 1.05rem; line-height: 1.35; overflow-wrap: anywhere; }
p { margin: 0; overflow-wrap: anywhere; }
section { margin-top: 2.5rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.unsure { color: var(--unsure); }
.quiet { color: var(--quiet); }

.answer { margin: 0 0 1.5rem; padding: .25rem 0 .25rem 1rem; border-left: 5px solid currentColor; }
.answer p { max-width: 76rem; font-size: 1.3rem; line-height: 1.4; color: var(--ink); }
* + .answer:not(h1 + .answer) { margin-top: 4rem; }
dl { margin: 0; }
section + dl, details + dl, .charts + dl { margin-top: 2.5rem; }
dl div { display: grid; grid-template-columns: 10rem 1fr; gap: 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }

.scroll { overflow-x: auto; }
.scroll:focus-visible, button:focus-visible, select:focus-visible, summary:focus-visible {
  outline: 2px solid var(--line); outline-offset: 2px;
}
table { border-collapse: collapse; font-size: .8125rem; line-height: 1.4; }
th, td { padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
th { font-weight: 600; vertical-align: bottom; }
thead { border-bottom: 1.5px solid var(--quiet); }
tbody { border-bottom: 1px solid var(--rule); }
tfoot { border-top: 1.5px solid var(--quiet); }
tfoot td:first-child { font-weight: 600; }
.short { white-space: nowrap; }
a { color: inherit; text-decoration: underline dotted var(--quiet); text-underline-offset: 3px; }
a:hover { text-decoration-style: solid; }
:target { background: var(--wash); outline: 2px solid var(--line); outline-offset: 2px; }
nav { margin-top: 1.25rem; font-size: .875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
nav li { display: block; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: pre; }
.said td { padding: 0 0 .5rem 1rem; }
.said ul { max-width: 62rem; }
ul { margin: 0; padding: 0; list-style: none; }
li { display: grid; grid-template-columns: 1.1rem 1fr; overflow-wrap: anywhere; }
.mark { font-weight: 700; }
.note { margin-top: .5rem; color: var(--quiet); font-size: .875rem; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin-bottom: .75rem; font-size: .875rem; }
select {
  max-width: 16rem; padding: .2rem .4rem; border: 1px solid var(--quiet); border-radius: 4px;
  background: var(--paper); color: inherit; font: inherit;
}
th button {
  padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: inherit; cursor: pointer;
}
th button { text-decoration: underline dotted var(--quiet); text-underline-offset: 3px; }
th button:hover { text-decoration-style: solid; }
[aria-sort="ascending"] button::after { content: "\\a0\\2191"; }
[aria-sort="descending"] button::after { content: "\\a0\\2193"; }

.charts {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr));
  gap: 2.5rem 3rem; margin-top: 2.5rem;
}
figure { margin: 0; min-width: 0; max-width: 36rem; }
figure.wide { grid-column: 1 / -1; max-width: none; }
figcaption p, summary { color: var(--quiet); font-size: .875rem; }
figcaption p { margin-bottom: .75rem; max-width: 62rem; }
summary { width: max-content; margin-top: .25rem; cursor: pointer; }
details table { margin-top: .5rem; }
svg { display: block; width: 100%; height: auto; }
.wide svg { max-width: 76rem; }
.wide svg + svg { display: none; }
svg text {
  font-size: 12.5px; fill: var(--ink); font-variant-numeric: tabular-nums;
  paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round;
}
svg .quiet { fill: var(--quiet); font-size: 12px; }
svg .strong { font-weight: 600; }
svg .middle { text-anchor: middle; }
svg .end { text-anchor: end; }
svg path { fill: none; }
svg .grid { stroke: var(--rule); }
svg .zero { stroke: var(--quiet); }
svg .link { stroke: var(--quiet); stroke-dasharray: 2 2; }
svg .bar { fill: var(--bar); }
svg .line { stroke: var(--line); stroke-width: 1.5; }
svg .dot { fill: var(--line); }
svg .off { fill: var(--bad); }
svg .bar.off { fill: var(--below); }
svg .below { fill: var(--below); stroke: var(--bad); }
svg .total { fill: var(--total); }
svg .doubt { fill: var(--unsure); }
svg .mark { fill: var(--bad); }

@media (max-width: 90rem) {
  th, td { padding-right: .4rem; }
}
@media screen and (max-width: 64rem) {
  /* The first eight characters name a settlement. */
  .id { white-space: nowrap; }
  .id:not(:target, :focus-within) { max-width: 9ch; overflow: hidden; text-overflow: ellipsis; }
}
@media (max-width: 40rem) {
  main { padding: 1.25rem 1rem 3rem; }
  dl div { display: block; margin-bottom: .4rem; }
  .answer p { font-size: 1.1rem; }
  .wide svg { display: none; }
  .wide svg + svg { display: block; }
  tr:not(.said) > td:last-child { white-space: nowrap; }
  td.short:first-child:not(.day) { min-width: 6.5rem; white-space: normal; }
  .said ul { position: sticky; left: 1rem; width: calc(100vw - 4rem); }
  .cards, .cards :is(tbody, tfoot, td) { display: block; }
  .cards thead, .cards td:empty { display: none; }
  .cards tr:not(.said) { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .25rem 1rem; padding: .5rem 0; }
  .cards td { padding: 0; text-align: left; overflow-wrap: anywhere; }
  .cards :is(.short, .number, .id), .cards tr > td:last-child { white-space: normal; }
  .cards .id:not(:target, :focus-within) { max-width: none; }
  .cards [data-label]::before { display: block; content: attr(data-label); font-size: .75rem; font-weight: 400; color: var(--quiet); }
}

@page { size: ${paper === 'a4' ? 'A4' : 'letter'} landscape; margin: 14mm 14mm 16mm;
  font: 8pt system-ui, sans-serif;
  @bottom-left { content: "${name.replaceAll(/[^\w .,:()·-]/gu, '')}"; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); }
}
@media print {
  html { font-size: 12px; }
  body { font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  table { font-size: 8pt; min-width: 45%; }
  th, td { padding: .12rem .5rem .12rem 0; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  .scroll { overflow: visible; }
  section, .charts { margin-top: 8mm; }
  .charts { gap: 8mm; }
  .wide svg { max-width: 205mm; }
  figure svg { max-height: 140mm; }
  nav { display: none; }
  .whole, dl, thead, tbody, figure, tr, svg, li { break-inside: avoid; }
  h2, h3, figcaption, section:has(> ul):has(+ .charts) { break-after: avoid; }
  details, label { display: none; }
  .charts { grid-template-columns: 1fr 1fr; }
  th button { display: contents; }
}
`;
}
