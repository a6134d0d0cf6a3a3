import { largestOf } from '../base/lists.ts';
import { grouped } from '../report/common/phrase.ts';
import type { Block, Section, View } from '../report/common/view.ts';
import { type ListRenderer, readableList } from './formats.ts';
import { type Inert, inert, inertView, isNumeric } from './inert.ts';
import { alignedNumbers, widthOf } from './wrap.ts';

/** For tickets: only the parts for the provider, if a report has such parts. */
export const markdown: ListRenderer = {
  report: (views) => [renderMarkdown((views.ticket ?? views.view)())],
  list: (views) => readableList(views, renderMarkdown),
};

/** A view as Markdown, to be pasted into a ticket. It reads well before it is rendered too. */
export function renderMarkdown(view: View): string {
  return inertView(view, escaped)
    .map((block) => `${blockLines(block).join('\n')}\n`)
    .join('\n');
}

function blockLines(block: Block<Inert, Inert>): readonly string[] {
  switch (block.kind) {
    case 'answer':
      return [`## ${block.label}`, '', paragraph(block.text)];
    case 'facts':
      return block.facts.map(([label, value]) => `- **${label}:** ${value}`);
    case 'section':
      return sectionLines(block);
    case 'remarks':
      return [`### ${block.title}`, '', ...block.remarks.map(({ text }) => item(text))];
  }
}

function sectionLines({ title, columns, rows, note }: Section<Inert, Inert>): readonly string[] {
  const cells = columns.map(({ kind, title: head }, index) => {
    const values = rows.map((row) => row.cells[index] ?? inert(''));
    const shown = [head, ...(isNumeric(kind) ? alignedNumbers(values) : values)];
    const width = largestOf([3, ...shown.map(widthOf)]);
    const padded = shown.map((cell) => {
      const space = ' '.repeat(width - widthOf(cell));
      return isNumeric(kind) ? space + cell : cell + space;
    });
    const rule = isNumeric(kind) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width);
    return [...padded.slice(0, 1), rule, ...padded.slice(1)];
  });
  const lines = [...Array(rows.length + 2).keys()].map(
    (line) => `| ${cells.map((column) => column[line] ?? '').join(' | ')} |`,
  );
  const remarks = rows.flatMap((row) => {
    const named = row.cells.map((cell, at) =>
      isNumeric(columns[at]?.kind ?? 'text') ? grouped(cell) : cell,
    );
    return row.remarks.map(({ text }) => item(`${named.filter(Boolean).join(', ')}: ${text}`));
  });
  return [
    `### ${title}`,
    '',
    ...lines,
    ...(remarks.length > 0 ? ['', ...remarks] : []),
    ...(note === undefined ? [] : ['', paragraph(note)]),
  ];
}

const item = (text: string): string => `- ${paragraph(text)}`;

/** What would begin a list, a heading or a rule. */
const blockStart = /^(\d*)([-+=.)])/;

function paragraph(text: string): string {
  return text.trimStart().replace(blockStart, '$1\\$2');
}

/** What has a meaning inside a line. An underscore inside a word has none. */
const special = /[\\`*[\]|~#$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** Text that becomes a link or a mention anywhere except in code. */
const calling = /@|:\/\/|\bwww\./giu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Any text, escaped so it adds no Markdown or HTML. */
function escaped(text: string): Inert {
  return inert(text)
    .replace(special, '\\$&')
    .replace(/[&<>]/g, (character) => entities[character] ?? '')
    .replace(calling, '`$&`') as Inert;
}
