import { cut } from '../../base/texts.ts';
import { type Drawing, type Drawn, linear, type Point, px } from './drawing.ts';
import { type Markup, markup } from './markup.ts';

const lying = { width: 460, left: 2, right: 458, row: 42 };

/** Each figure goes on where the one before it ended, and points that way; a total goes back to zero. */
export function drawWaterfall({ points, unit }: Drawn): Drawing {
  let reached = 0;
  const steps = points.map((point) => {
    const value = point.values[0] || 0;
    const from = point.isTotal ? 0 : reached;
    reached = from + value;
    return { point, from, to: reached };
  });
  const x = linear(
    steps.flatMap(({ from, to }) => [from, to]),
    [lying.left, lying.right],
  );
  const bars = steps.map(({ point, from, to }, at) => {
    const top = at * lying.row + 20;
    const [start, end] = [x(from), x(to)];
    const head = point.isTotal ? 0 : Math.sign(end - start) * Math.min(6, Math.abs(end - start));
    const link =
      at < steps.length - 1
        ? markup`<path class="link" d="M${px(end)} ${top}v${lying.row + 12}"/>`
        : undefined;
    return markup`${link}<path class="${tone(point, to - from)}" d="M${px(start)} ${top}H${px(end - head)}L${px(end)} ${top + 6}L${px(end - head)} ${top + 12}H${px(start)}Z"/>${words(point, at, unit)}
`;
  });
  return lyingDrawing(points, markup`${zeroLine(x(0), points)}${bars}`);
}

function tone({ isTotal }: Point, change: number): string {
  if (isTotal) return 'total';
  return change < 0 ? 'off below' : 'off';
}

/** A bar from zero for the first figure of each point. */
export function drawLengths({ points, unit }: Drawn): Drawing {
  const x = linear(
    points.map(({ values: [value] }) => value || 0),
    [lying.left, lying.right],
  );
  const bars = points.map((point, at) => {
    const [start, end] = [x(0), x(point.values[0] || 0)];
    const width = px(Math.abs(end - start));
    return markup`<rect class="${point.isTotal ? 'total' : 'bar'}" x="${px(Math.min(start, end))}" y="${at * lying.row + 20}" width="${width}" height="12"/>${words(point, at, unit)}
`;
  });
  return lyingDrawing(points, markup`${zeroLine(x(0), points)}${bars}`);
}

function lyingDrawing(points: readonly Point[], marks: Markup): Drawing {
  return { isWide: false, width: lying.width, height: points.length * lying.row, marks };
}

/** What a bar is, and its figure, on a line above it. */
function words({ label, texts: [text = ''] }: Point, at: number, unit: string): Markup {
  const y = at * lying.row + 14;
  const figure = text === '' ? 'none' : `${text} ${unit}`;
  return markup`<text x="${lying.left}" y="${y}">${cut(label, 44)}</text><text class="end strong" x="${lying.right}" y="${y}">${figure}</text>`;
}

function zeroLine(x: number, points: readonly Point[]): Markup {
  return markup`<path class="zero" d="M${px(x)} 18V${points.length * lying.row - 8}"/>`;
}
