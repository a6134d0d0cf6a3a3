import type { AgreedRate } from '../../model/agreed-rates.ts';
import { rescale } from '../../money/money.ts';
import { splitBy } from '../split.ts';

/** The amounts of a line, in minor units at its scale. */
export const lineAmounts = [
  ...(['volume', 'charged', 'agreed', 'over', 'under', 'unchecked'] as const),
  ...(['taxCharged', 'taxAgreed', 'taxOver', 'taxUnder'] as const),
] as const;

/** The numbers of rows of a line. */
const lineCounts = ['rows', 'withoutRate', 'overRows', 'underRows'] as const;

/** What rows have in common that are charged alike. */
interface LineKey {
  /** Of the settlement, YYYY-MM. */
  readonly month: string;
  readonly accountingToken: string;
  readonly currency: string;
  readonly paymentType: string;
  readonly type: string;
  /** Absent if none was agreed. */
  readonly rate: AgreedRate | undefined;
}

/**
 * What rows were charged, and what was agreed: `charged` = `agreed` + `over` − `under`, and tax likewise,
 * as far as it was agreed. Fees of rows without a rate are `unchecked`.
 */
export interface FeeLine
  extends LineKey,
    Record<(typeof lineAmounts)[number], bigint>,
    Record<(typeof lineCounts)[number], number> {
  readonly scale: number;
}

/** A line without rows. */
export function emptyLine(key: LineKey, scale: number): FeeLine {
  const amounts = Object.fromEntries(lineAmounts.map((name) => [name, 0n]));
  const counts = Object.fromEntries(lineCounts.map((name) => [name, 0]));
  return { ...amounts, ...counts, ...key, scale } as FeeLine;
}

/** The lines with the same parts added up, in the order of the parts; at the largest scale among them. */
export function linesBy<Parts extends object>(
  lines: readonly FeeLine[],
  partsOf: (line: FeeLine) => Parts,
): readonly (FeeLine & Parts)[] {
  return splitBy(lines, partsOf).map(([parts, own]) => ({ ...own.reduce(added), ...parts }));
}

function added(a: FeeLine, b: FeeLine): FeeLine {
  const sum = { ...a, scale: Math.max(a.scale, b.scale) };
  for (const name of lineCounts) sum[name] = a[name] + b[name];
  for (const name of lineAmounts) {
    sum[name] = rescale(a[name], a.scale, sum.scale) + rescale(b[name], b.scale, sum.scale);
  }
  return sum;
}
