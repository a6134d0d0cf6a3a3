import { scaleBand, scaleLinear } from 'd3-scale';
import { line, symbol, symbolTriangle } from 'd3-shape';
import { largestOf, smallestOf } from '../../base/lists.ts';
import { cut } from '../../base/texts.ts';
import { valueText } from '../../model/value.ts';
import type { Chart, ChartType, Tone } from '../../report/common/view.ts';
import { cellText, inert } from '../inert.ts';
import { alignedNumbers } from '../wrap.ts';
import { type Markup, markup, sectionTable } from './blocks.ts';

interface Picture {
  readonly isWide: boolean;
  readonly width: number;
  readonly height: number;
  readonly svg: Markup;
}

/** A row of a chart's table. Its values are doubles: a picture shows only three digits. */
interface Point {
  readonly label: string;
  /** The figures as people read them, without the label. */
  readonly texts: readonly string[];
  /** The same as numbers; NaN for an empty cell. */
  readonly values: readonly number[];
  readonly isMarked: boolean;
  readonly isTotal: boolean;
  readonly tone: Tone | undefined;
}

interface ChartData {
  readonly points: readonly Point[];
  readonly names: readonly string[];
  readonly unit: string;
  /** The width of a picture that takes that of the page. */
  readonly width: number;
}

function linear(values: readonly number[], range: readonly [number, number]) {
  const [least, most] = [smallestOf([0, ...values]), largestOf([0, ...values])];
  return scaleLinear([least, least === most ? least + 1 : most], range);
}

function px(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

const drawings: Readonly<Record<ChartType, (drawn: ChartData) => Picture>> = {
  barsAndLine: drawBarsAndLine,
  signedBars: drawSignedBars,
  waterfall: drawWaterfall,
  bars: drawBars,
  ladder: drawLadder,
};

const widthOnScreen = 960;
const widthOnPhone = 380;

/** A chart: title, sentence, picture (a wide one is drawn for phones too), table. `number` is unique on the page. */
export function chartMarkup({ type, text, unit, table }: Chart, number: number): Markup {
  const { title } = table;
  const [, ...names] = table.columns.map((column) => column.title);
  const points = pointsOf(table);
  const draw = (width: number) => drawings[type]({ points, names, unit, width });
  const { isWide, ...picture } = draw(widthOnScreen);
  const pictureMarkup = ({ width, height, svg }: Omit<Picture, 'isWide'>, id: string) =>
    markup`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMinYMin" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title><desc id="${id}-text">${text}</desc>
${svg}</svg>`;
  const id = `chart-${number}`;
  return markup`<figure${isWide ? markup` class="wide"` : undefined}>
<figcaption><h3>${title}</h3>
<p>${text}</p></figcaption>
${pictureMarkup(picture, id)}${isWide ? pictureMarkup(draw(widthOnPhone), `${id}-narrow`) : undefined}
<details><summary>Figures</summary>
${sectionTable(table)}</details></figure>
`;
}

function pointsOf({ columns, rows }: Chart['table']): readonly Point[] {
  return rows.map(({ cells, isTotal = false, tone }) => {
    const [label = '', ...texts] = cells.map((cell, at) =>
      cellText(cell, columns[at]?.kind ?? 'text'),
    );
    return {
      label,
      texts: alignedNumbers(texts.map(inert)).map((one) => one.trimEnd()),
      values: texts.map((one) => (one === '' ? Number.NaN : Number(one))),
      isMarked: columns.some(
        ({ kind }, at) => kind === 'difference' && /[1-9]/.test(valueText(cells[at])),
      ),
      isTotal,
      tone,
    };
  });
}

/** Rows of two lines: words and figure, and a bar below them. */
const barRows = { left: 2, right: 458, row: 42, bar: 20, text: 14 };
type Rows = typeof barRows;

const acrossRows = [barRows.left, barRows.right] as const;

/** Where each row begins and ends: a total at zero, others at the end of the row above. */
function stepsOf(points: readonly Point[]) {
  let reached = 0;
  return points.map((point) => {
    const value = point.values[0] || 0;
    const from = point.isTotal ? 0 : reached;
    reached = from + value;
    return { point, from, to: reached };
  });
}

function drawWaterfall({ points, unit }: ChartData): Picture {
  const steps = stepsOf(points);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const x = linear(ends, acrossRows);
  const bars = steps.map(({ point, from, to }, at) => {
    const next = at < steps.length - 1 ? linkAt(x(to), at, barRows) : undefined;
    return markup`${next}${arrow(x(from), x(to), at, point, barRows)}${words(point, at, unit, barRows)}
`;
  });
  return horizontalBars(points, markup`${zeroLine(x(0), points, barRows)}${bars}`);
}

/** Rows of one line: words, bar and figure beside each other. */
const lineRows = { left: 2, right: 958, row: 24, bar: 6, text: 16 };

/** Levels to one scale on the left; differences, which would be too small to be seen among them, to their own on the right. */
function drawLadder({ points, unit, width }: ChartData): Picture {
  const isNarrow = width < widthOnScreen;
  const rows = isNarrow ? { ...barRows, right: width - 2 } : lineRows;
  const figures = largestOf(points.map((one) => figureOf(one, unit).length)) * figureWidth;
  const [start, end] = isNarrow
    ? [rows.left, rows.right]
    : [labelRoom + 12, rows.right - figures - 16];
  const middle = start + (end - start) * 0.6;
  const steps = stepsOf(points.map((one, at) => (at === 0 ? { ...one, isTotal: true } : one)));
  const isOff = ({ tone, isTotal }: Point) => !isTotal && (tone === 'bad' || tone === 'unsure');
  const levels = steps.filter(({ point }) => !isOff(point));
  const x = linear(
    levels.flatMap(({ from, to }) => [from, to]),
    [start, middle - 12],
  );
  const off = points.filter(isOff).map(({ values: [value] }) => Math.abs(value || 0));
  const most = largestOf([0, ...off]);
  const beside = linear([-most, most], [middle, end]);
  const bars = steps.map(({ point, from, to }, at) => {
    const next = at < steps.length - 1 ? linkAt(x(to), at, rows) : undefined;
    const [start, end] = isOff(point) ? [beside(0), beside(to - from)] : [x(from), x(to)];
    const room = isNarrow ? undefined : labelRoom;
    return markup`${next}${arrow(start, end, at, point, rows)}${words(point, at, unit, rows, room)}
`;
  });
  const zero = off.length > 0 ? zeroLine(beside(0), points, rows) : undefined;
  return {
    isWide: true,
    width,
    height: points.length * rows.row,
    svg: markup`${zeroLine(x(0), points, rows)}${zero}${bars}`,
  };
}

const labelRoom = 330;

/** A broken line from the end of a bar to the next one. */
function linkAt(x: number, at: number, { row, bar }: Rows): Markup {
  return markup`<path class="link" d="M${px(x)} ${at * row + bar}v${row + 12}"/>`;
}

const leastWidth = 3;

/** A bar with a head that says where it goes, always wide enough to be seen; a total has none. */
function arrow(start: number, to: number, at: number, point: Point, rows: Rows): Markup {
  const top = at * rows.row + rows.bar;
  const way = to < start || (point.values[0] || 0) < 0 ? -1 : 1;
  const end = Math.abs(to - start) < leastWidth && point.values[0] ? start + way * leastWidth : to;
  const head = point.isTotal ? 0 : way * Math.min(6, Math.abs(end - start));
  return markup`<path class="${toneOf(point)}" d="M${px(start)} ${top}H${px(end - head)}L${px(end)} ${top + 6}L${px(end - head)} ${top + 12}H${px(start)}Z"/>`;
}

/** The style of a bar: what is as expected is quiet. */
function toneOf({ isTotal, tone = 'bad', values: [value = 0] }: Point): string {
  if (isTotal) return 'total';
  if (tone === 'unsure') return 'doubt';
  if (tone !== 'bad') return 'bar';
  return value < 0 ? 'off below' : 'off';
}

function drawBars({ points, unit }: ChartData): Picture {
  const values = points.map(({ values: [value] }) => value || 0);
  const x = linear(values, acrossRows);
  const bars = points.map((point, at) => {
    const [start, end] = [x(0), x(point.values[0] || 0)];
    const width = px(Math.abs(end - start));
    return markup`<rect class="${toneOf({ ...point, tone: point.tone ?? 'plain' })}" x="${px(Math.min(start, end))}" y="${at * barRows.row + barRows.bar}" width="${width}" height="12"/>${words(point, at, unit, barRows)}
`;
  });
  return horizontalBars(points, markup`${zeroLine(x(0), points, barRows)}${bars}`);
}

function horizontalBars(points: readonly Point[], svg: Markup): Picture {
  return { isWide: false, width: barRows.right + 2, height: points.length * barRows.row, svg };
}

const figureWidth = 7.6;

function figureOf({ texts: [text = ''] }: Point, unit: string): string {
  return text === '' ? 'none' : `${text} ${unit}`;
}

function words(
  point: Point,
  at: number,
  unit: string,
  { left, right, row, text }: Rows,
  room?: number,
) {
  const figure = figureOf(point, unit);
  const label = cut(point.label, Math.floor((room ?? right - figure.length * figureWidth) / 6.6));
  const y = at * row + text;
  return markup`<text${point.isTotal ? markup` class="strong"` : undefined} x="${left}" y="${y}">${label}</text><text class="end strong" x="${right}" y="${y}">${figure}</text>`;
}

function zeroLine(x: number, points: readonly Point[], { row, bar }: Rows): Markup {
  return markup`<path class="zero" d="M${px(x)} ${bar - 2}V${points.length * row - 8}"/>`;
}

function drawBarsAndLine({ points, names: [first, second], ...rest }: ChartData): Picture {
  const { x, y, bar, grid, size } = barAxes({ points, figures: 2, height: 280, ...rest });
  const isMarked = points.some((point) => point.isMarked);
  const bars = points.map((point, at) => {
    const [value = Number.NaN, other = Number.NaN] = point.values;
    if (Number.isNaN(value)) return undefined;
    const top = Math.min(y(value), Number.isNaN(other) ? y(value) : y(other), y(0));
    const mark = point.isMarked ? triangle(x.middle(at), top - 9) : undefined;
    return markup`${bar(point.isMarked ? 'bar off' : 'bar', at, value)}${mark}`;
  });
  const path = line<Point>()
    .defined(({ values }) => !Number.isNaN(values[1] ?? Number.NaN))
    .x((_, at) => x.middle(at))
    .y(({ values }) => y(values[1] ?? 0))
    .digits(1);
  const dots = points.map(({ values: [, value = Number.NaN] }, at) =>
    Number.isNaN(value)
      ? undefined
      : markup`<circle class="dot" cx="${px(x.middle(at))}" cy="${px(y(value))}" r="2.2"/>`,
  );
  const legend = legendOf([
    [first, (left) => markup`<rect class="bar" x="${left}" y="4" width="14" height="10"/>`],
    [
      second,
      (left) =>
        markup`<path class="line" d="M${left} 9h14"/><circle class="dot" cx="${left + 7}" cy="9" r="2.2"/>`,
    ],
    [isMarked ? 'Differs' : undefined, (left) => triangle(left + 7, 9)],
  ]);
  return {
    ...size,
    svg: markup`${grid}${bars}
<path class="line" d="${path(points) ?? ''}"/>${dots}
${legend}`,
  };
}

const labelWidth = 68;

function drawSignedBars({ points, ...rest }: ChartData): Picture {
  const { x, y, bar, grid, size } = barAxes({ points, figures: Infinity, height: 220, ...rest });
  const drawn = points.flatMap(({ values, texts }, at) =>
    values.flatMap((value, figure) => (value ? [{ at, value, text: texts[figure] ?? '' }] : [])),
  );
  const hasTexts = drawn.length * labelWidth <= size.width;
  const bars = drawn.map(({ at, value, text }) => {
    const label = markup`<text class="middle strong" x="${px(x.middle(at))}" y="${px(y(value) + (value > 0 ? -6 : 15))}">${text}</text>`;
    return markup`${bar(value > 0 ? 'off' : 'off below', at, value)}${hasTexts ? label : undefined}`;
  });
  return {
    ...size,
    svg: markup`${grid}${bars}<path class="zero" d="M${x.left} ${px(y(0))}H${x.right}"/>`,
  };
}

/** A longer unit would reach into the legend. */
const maxUnitLength = 12;

const maxBarWidth = 56;

interface BarAxesOptions extends Omit<ChartData, 'names'> {
  readonly figures: number;
  readonly height: number;
}

function barAxes({ points, unit, width, figures, height }: BarAxesOptions) {
  const values = points
    .flatMap((point) => point.values.slice(0, figures))
    .filter((one) => !Number.isNaN(one));
  const y = linear(values, [height - 30, 42]).nice(4);
  const format = y.tickFormat(4);
  const ticks = y
    .ticks(4)
    .map((value) => ({ at: px(y(value)), text: format(value).replace('\u2212', '-') }));
  const left = 14 + 7.5 * largestOf([3, ...ticks.map(({ text }) => text.length)]);
  const right = width - 36;
  const band = scaleBand(points.keys(), [left, right]).paddingInner(0.3).paddingOuter(0.15);
  const middle = (index: number) => (band(index) ?? left) + band.bandwidth() / 2;
  const barWidth = Math.min(band.bandwidth(), maxBarWidth);
  const every = Math.ceil(86 / band.step());
  const grid = markup`${ticks.map(
    (
      tick,
    ) => markup`<path class="grid" d="M${px(left)} ${tick.at}H${right}"/><text class="end quiet" x="${px(left - 8)}" y="${tick.at + 4}">${tick.text}</text>
`,
  )}<text class="quiet" x="2" y="14">${cut(unit, maxUnitLength)}</text>
${points.map(({ label }, index) =>
  index % every === 0
    ? markup`<text class="middle quiet" x="${px(middle(index))}" y="${height - 8}">${cut(label, 10)}</text>`
    : undefined,
)}
`;
  const bar = (name: string, index: number, value: number) => {
    const { label, texts } = points[index] ?? { label: '', texts: [] };
    const [zero, end] = [y(0), y(value)];
    // Values other than zero are always visible.
    const height = Math.max(Math.abs(end - zero), 1);
    return markup`<rect class="${name}" x="${px(middle(index) - barWidth / 2)}" y="${px(Math.min(zero, end))}" width="${px(barWidth)}" height="${px(height)}"><title>${[label, ...texts.filter(Boolean)].join('  ')}</title></rect>`;
  };
  const x = { middle, left: px(left), right };
  return { x, y, bar, grid, size: { isWide: true, width, height } };
}

function triangle(x: number, y: number): Markup {
  return markup`<path class="mark" transform="translate(${px(x)} ${px(y)}) rotate(180)" d="${symbol(symbolTriangle, 44).digits(1)() ?? ''}"/>`;
}

type Sample = readonly [name: string | undefined, drawn: (left: number) => Markup];

function legendOf(entries: readonly Sample[]): Markup {
  let left = 100;
  return markup`${entries.map(([name, sample]) => {
    if (name === undefined) return undefined;
    const [at, text] = [left, left + 20];
    left += 44 + 7 * name.length;
    return markup`${sample(at)}<text class="quiet" x="${text}" y="13">${name}</text>`;
  })}`;
}
