/** The figures of several rounds: the smallest disturbs least, the median is what is usual. */
interface Figures {
  readonly min: number;
  readonly median: number;
}

function figuresOf(values: readonly number[]): Figures {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle - 1)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { min: sorted[0] ?? 0, median };
}

/** One measured quantity as a line: its name, its figures, the single rounds. */
export function print(name: string, values: readonly number[], unit: string): void {
  const digits = unit === '' ? 2 : 0;
  const { min, median } = figuresOf(values);
  const cell = (value: number) => value.toFixed(digits).padStart(8);
  const rounds = values.map((value) => value.toFixed(digits)).join(' ');
  console.log(`${name.padEnd(38)}${cell(min)}${cell(median)} ${unit.padEnd(9)}${rounds}`);
}

/** Quantities against their target. */
export function judge(name: string, values: readonly number[], most: number): void {
  print(name, values, '');
  compare(figuresOf(values), most);
}

/** The ratio of two quantities that were measured in turn, smallest by smallest, against its target. */
export function judgeRatio(
  name: string,
  values: readonly number[],
  others: readonly number[],
  most: number,
): void {
  const [one, other] = [figuresOf(values), figuresOf(others)];
  const ratio = { min: one.min / other.min, median: one.median / other.median };
  const cell = (value: number) => value.toFixed(2).padStart(8);
  console.log(`${name.padEnd(38)}${cell(ratio.min)}${cell(ratio.median)}`);
  compare(ratio, most);
}

function compare({ min, median }: Figures, most: number): void {
  const verdict = median <= most ? 'met' : min <= most ? 'met at best' : 'MISSED';
  console.log(`${`  target: at most ${most}`.padEnd(38)}${verdict.padStart(16)}`);
}
