/** The best of several rounds: it disturbs least. */
export function least(values: readonly number[]): number {
  return Math.min(...values);
}

/** What is usual among several rounds. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle - 1)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Three digits that count, and no fewer than the whole number. */
export function short(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(1, Math.abs(value)))));
  return value.toFixed(digits);
}

/** A line of a table: its name, and columns below each other. */
export function print(name: string, ...cells: readonly string[]): void {
  console.log(name.padEnd(32) + cells.map((cell) => cell.padStart(10)).join(''));
}

/** The best and the usual figure against their target. */
export function judge(name: string, best: number, usual: number, most: number): void {
  const verdict = usual <= most ? 'met' : best <= most ? 'met at best' : 'MISSED';
  print(name, short(best), short(usual), `<= ${most}`, `  ${verdict}`);
}
