import type { Chart, ChartForm } from '../../report/common/page.ts';
import { inert } from '../inert.ts';
import { alignedNumbers } from '../wrap.ts';
import { sectionTable } from './blocks.ts';
import type { Drawing, Drawn, Point } from './drawing.ts';
import { drawLengths, drawWaterfall } from './lying-bars.ts';
import { type Markup, markup } from './markup.ts';
import { drawCompared, drawSigned } from './standing-bars.ts';

const drawings: Readonly<Record<ChartForm, (drawn: Drawn) => Drawing>> = {
  compared: drawCompared,
  signed: drawSigned,
  waterfall: drawWaterfall,
  lengths: drawLengths,
};

/** A chart with its title, a sentence, its picture and its table; `number` tells it from others of the page. */
export function chartMarkup({ form, text, unit, table }: Chart, number: number): Markup {
  const { title } = table;
  const [, ...names] = table.columns.map((column) => column.title);
  const { isWide, width, height, marks } = drawings[form]({ points: pointsOf(table), names, unit });
  const id = `chart-${number}`;
  const picture = markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title><desc id="${id}-text">${text}</desc>
${marks}</svg>`;
  const scrolled = markup`<div class="scroll" tabindex="0" role="group" aria-label="${title}">${picture}</div>`;
  return markup`<figure${isWide ? markup` class="wide"` : undefined}>
<figcaption><h3>${title}</h3>
<p>${text}</p></figcaption>
${isWide ? scrolled : picture}
<details><summary>Figures</summary>
${sectionTable(table)}</details></figure>
`;
}

function pointsOf({ columns, rows }: Chart['table']): readonly Point[] {
  const shouldBeZero = columns.flatMap(({ kind }, at) => (kind === 'difference' ? at : []));
  return rows.map(({ cells, isTotal = false }) => {
    const [label = '', ...texts] = cells;
    return {
      label,
      texts: alignedNumbers(texts.map(inert)).map((one) => one.trimEnd()),
      values: texts.map((one) => (one === '' ? Number.NaN : Number(one))),
      isMarked: shouldBeZero.some((at) => /[1-9]/.test(cells[at] ?? '')),
      isTotal,
    };
  });
}
