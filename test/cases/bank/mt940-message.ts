/** A statement as SWIFT writes it: MT940, or a page of one. */
export interface Swift {
  readonly account?: string;
  readonly reference?: string;
  /** Field 28C, such as `5/1`. */
  readonly number?: string;
  /** Field 60F or 60M; absent where it is empty. */
  readonly opening?: string;
  /** Field 62F or 62M; by default what opening and entries come to. */
  readonly closing?: string;
  /** Cents of all entries, where they cannot be read off the lines. */
  readonly sum?: number;
  /** Whether this page is the first, and the last of its statement. */
  readonly isFirst?: boolean;
  readonly isLast?: boolean;
  readonly lines?: readonly string[];
}

export function swift({
  account = '37040044/532013000',
  reference = 'STARTUMSE',
  number = '1/1',
  opening = 'C260302EUR0,',
  isFirst = true,
  isLast = true,
  lines = [],
  sum = lines.reduce((total, line) => total + centsOf(line), 0),
  closing = opening && balanceAfter(opening, sum),
}: Swift): string {
  return [
    `:20:${reference}`,
    `:25:${account}`,
    ...(number && [`:28C:${number}`]),
    ...(opening && [`:60${isFirst ? 'F' : 'M'}:${opening}`]),
    ...lines,
    ...(closing && [`:62${isLast ? 'F' : 'M'}:${closing}`]),
    '-',
    '',
  ].join('\n');
}

/** Field 61 of an entry of March 2026, with text in field 86. */
export function booked(day: number, amount: string, text = '', reference = 'NONREF'): string {
  const [month, of] = ['03', String(day).padStart(2, '0')];
  return `:61:26${month}${of}${month}${of}${amount}NTRF${reference}${text && `\n:86:${text}`}`;
}

/** The cents of a well-formed field 61. */
function centsOf(line: string): number {
  const [, reversal, mark, whole, part = ''] =
    /^:61:\d{6}(?:\d{4})?(R?)([CD])[A-Z]?(\d+),(\d*)/.exec(line) ?? [];
  const cents = Number(whole ?? 0) * 100 + Number(part.padEnd(2, '0'));
  return (mark === 'C') === (reversal === '') ? cents : -cents;
}

/** A balance some cents later, on 6 March 2026. */
function balanceAfter(opening: string, cents: number): string {
  const [, mark, currency = '', whole, part = ''] =
    /^([CD])\d{6}([A-Z]{3})(\d+),(\d*)$/.exec(opening) ?? [];
  const before = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  const after = (mark === 'D' ? -before : before) + cents;
  const [euros, rest] = [Math.floor(Math.abs(after) / 100), Math.abs(after) % 100];
  return `${after < 0 ? 'D' : 'C'}260306${currency}${euros},${String(rest).padStart(2, '0')}`;
}
