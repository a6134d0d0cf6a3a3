/** A table as it is printed: its rows by the titles of their columns, and below the line its totals. */
export interface Printed {
  readonly rows: readonly PrintedRow[];
  readonly totals: readonly PrintedRow[];
}

export type PrintedRow = Readonly<Record<string, string>>;

/** The table with this title on a screen. Lines of remarks and notes are left out. */
export function printedTable(screen: string, title: string): Printed {
  const lines = screen.split('\n');
  const from = lines.findIndex((line) => line.startsWith(title));
  const block = lines.slice(from + 1, lines.indexOf('', from));
  const isRule = (line: string) => line.startsWith('─');
  const rules = block.flatMap((line, at) => (isRule(line) ? [at] : []));
  const [first = 0, last = block.length] = rules;
  const spans = [...(block[first] ?? '').matchAll(/─+/g)].map(({ index, 0: rule }) => {
    return [index, index + rule.length] as const;
  });
  const cellsOf = (line: string) => spans.map((span) => line.slice(...span).trim());
  const titles = block.slice(0, first).map(cellsOf);
  const keys = spans.map((_, at) => titles.flatMap((line) => line[at] || []).join(' '));
  const isRow = (line: string) =>
    !line.startsWith(' ') && spans.every(([at]) => !line[at - 1]?.trim());
  const read = (those: readonly string[]) =>
    those
      .filter((line) => isRow(line) && cellsOf(line).slice(1).some(Boolean))
      .map((line) => Object.fromEntries(cellsOf(line).map((text, at) => [keys[at], text])));
  return { rows: read(block.slice(first + 1, last)), totals: read(block.slice(last + 1)) };
}

/** The number of a printed amount, in units of its last digit; 0 for an empty cell. */
export function printedAmount(text = ''): bigint {
  return BigInt(text.replace(/[,.+]/g, ''));
}
