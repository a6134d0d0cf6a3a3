/** The figures of several rounds: the smallest disturbs least, the median is what is usual. */
export interface Figures {
  readonly min: number;
  readonly median: number;
}

export function figuresOf(values: readonly number[]): Figures {
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

/** A ratio against its target. */
export function judge(name: string, values: readonly number[], most: number): void {
  print(name, values, '');
  const { min, median } = figuresOf(values);
  const verdict = median <= most ? 'met' : min <= most ? 'met at best' : 'MISSED';
  console.log(`${`  target: at most ${most}`.padEnd(38)}${verdict.padStart(16)}`);
}
