import { scaleBand } from 'd3-scale';
import { line, symbol, symbolTriangle } from 'd3-shape';
import { largestOf } from '../../base/lists.ts';
import { cut } from '../../base/texts.ts';
import { type Drawing, type Drawn, linear, type Point, px } from './drawing.ts';
import { type Markup, markup } from './markup.ts';

/** A bar for the first figure of each point, a line for the second; what differs has a triangle above it. */
export function drawCompared({ points, names: [first, second], ...rest }: Drawn): Drawing {
  const { x, y, grid, size } = upright({ points, figures: 2, height: 280, ...rest });
  const isMarked = points.some((point) => point.isMarked);
  const bars = points.map((point, at) => {
    const [value = Number.NaN, other = Number.NaN] = point.values;
    if (Number.isNaN(value)) return undefined;
    const top = Math.min(y(value), Number.isNaN(other) ? y(value) : y(other), y(0));
    return markup`${bar(x.at(at), x.width, y(0), y(value), point.isMarked ? 'bar off' : 'bar', point)}${
      point.isMarked ? triangle(x.middle(at), top - 9) : undefined
    }`;
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
    marks: markup`${grid}${bars}
<path class="line" d="${path(points) ?? ''}"/>${dots}
${legend}`,
  };
}

/** So much of the width is needed for the figure of a bar. */
const roomOfLabel = 68;

/** A bar up or down from zero for each figure that is not zero. */
export function drawSigned({ points, ...rest }: Drawn): Drawing {
  const { x, y, grid, size } = upright({
    points,
    figures: Number.POSITIVE_INFINITY,
    height: 220,
    ...rest,
  });
  const drawn = points.flatMap((point, at) =>
    point.values.flatMap((value, figure) =>
      value ? [{ point, at, value, text: point.texts[figure] ?? '' }] : [],
    ),
  );
  const hasTexts = drawn.length * roomOfLabel <= size.width;
  const bars = drawn.map(({ point, at, value, text }) => {
    const label = markup`<text class="middle strong" x="${px(x.middle(at))}" y="${px(y(value) + (value > 0 ? -6 : 15))}">${text}</text>`;
    const tone = value > 0 ? 'off' : 'off below';
    return markup`${bar(x.at(at), x.width, y(0), y(value), tone, point)}${hasTexts ? label : undefined}`;
  });
  return {
    ...size,
    marks: markup`${grid}${bars}<path class="zero" d="M${x.left} ${px(y(0))}H${x.right}"/>`,
  };
}

/** A longer unit would reach into the legend. */
const longestUnit = 12;

/** Of few bars none is wider. */
const widest = 56;

interface Upright extends Omit<Drawn, 'names'> {
  /** So many figures of each point are drawn. */
  readonly figures: number;
  readonly height: number;
}

/** Scales for bars that stand side by side, and the grid behind them. */
function upright({ points, unit, width, figures, height }: Upright) {
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
  const barWidth = Math.min(band.bandwidth(), widest);
  const at = (index: number) => middle(index) - barWidth / 2;
  const every = Math.ceil(86 / band.step());
  const grid = markup`${ticks.map(
    (
      tick,
    ) => markup`<path class="grid" d="M${px(left)} ${tick.at}H${right}"/><text class="end quiet" x="${px(left - 8)}" y="${tick.at + 4}">${tick.text}</text>
`,
  )}<text class="quiet" x="2" y="14">${cut(unit, longestUnit)}</text>
${points.map(({ label }, index) =>
  index % every === 0
    ? markup`<text class="middle quiet" x="${px(middle(index))}" y="${height - 8}">${cut(label, 10)}</text>`
    : undefined,
)}
`;
  const x = { at, middle, width: barWidth, left: px(left), right };
  return { x, y, grid, size: { isWide: true, width, height } };
}

/** A bar from zero; pointing at it shows its figures. */
function bar(
  left: number,
  width: number,
  zero: number,
  end: number,
  name: string,
  { label, texts }: Point,
): Markup {
  // What is not zero can be seen.
  const height = Math.max(Math.abs(end - zero), 1);
  return markup`<rect class="${name}" x="${px(left)}" y="${px(Math.min(zero, end))}" width="${px(width)}" height="${px(height)}"><title>${[label, ...texts.filter(Boolean)].join('  ')}</title></rect>`;
}

function triangle(x: number, y: number): Markup {
  return markup`<path class="mark" transform="translate(${px(x)} ${px(y)}) rotate(180)" d="${symbol(symbolTriangle, 44).digits(1)() ?? ''}"/>`;
}

/** The names of what is drawn, each behind a sample of it. */
function legendOf(
  entries: readonly (readonly [name: string | undefined, sample: (left: number) => Markup])[],
): Markup {
  let left = 100;
  return markup`${entries.map(([name, sample]) => {
    if (name === undefined) return undefined;
    const [at, text] = [left, left + 20];
    left += 44 + 7 * name.length;
    return markup`${sample(at)}<text class="quiet" x="${text}" y="13">${name}</text>`;
  })}`;
}
