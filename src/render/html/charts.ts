import type { Chart, ChartForm } from '../../report/common/view.ts';
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

/** In units of a picture, which are pixels where it has its own size. */
const widthOnScreen = 960;
const widthOnPhone = 380;

/** A chart with its title, a sentence, its picture (one as wide as the page is drawn for a phone too) and its table; `number` tells it from others of the page. */
export function chartMarkup({ form, text, unit, table }: Chart, number: number): Markup {
  const { title } = table;
  const [, ...names] = table.columns.map((column) => column.title);
  const points = pointsOf(table);
  const drawn = (width: number) => drawings[form]({ points, names, unit, width });
  const { isWide, ...picture } = drawn(widthOnScreen);
  const pictureMarkup = ({ width, height, marks }: Omit<Drawing, 'isWide'>, id: string) =>
    markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title><desc id="${id}-text">${text}</desc>
${marks}</svg>`;
  const id = `chart-${number}`;
  return markup`<figure${isWide ? markup` class="wide"` : undefined}>
<figcaption><h3>${title}</h3>
<p>${text}</p></figcaption>
${pictureMarkup(picture, id)}${isWide ? pictureMarkup(drawn(widthOnPhone), `${id}-narrow`) : undefined}
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
