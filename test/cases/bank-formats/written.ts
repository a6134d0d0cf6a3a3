import type { Random } from '../../support/random.ts';
import type { Account, Country, Truth } from './truth.ts';

/** A line of a file, and where in it stands what a fault may change. */
export interface Line {
  readonly text: string;
  readonly kind: 'frame' | 'balance' | 'entry' | 'detail' | 'total';
  readonly amount?: string;
  /** A date as it stands in the line. */
  readonly date?: string;
  /** The same date as no calendar has it. */
  readonly noDate?: string;
  readonly currency?: string;
  readonly account?: string;
  /** The day of an entry that stands in a line of its own. */
  readonly day?: string;
  /** The line with another value there; without it, the first place where the value stands is meant. */
  readonly swap?: (part: Part, value: string) => string;
}

export type Part = 'amount' | 'date' | 'currency' | 'account';

/** A file with what it says. */
export interface Written {
  readonly name: string;
  readonly lines: readonly Line[];
  /** What ends a line. */
  readonly end: string;
  readonly encoding?: Encoding;
  /** The mapping in the profile, in TOML; none for what needs none. */
  readonly settings?: readonly string[];
  /** How it was written, for a person who looks at a failure. */
  readonly how?: string;
  /** Whether a lost or doubled entry contradicts something in the file. */
  readonly isProved: boolean;
  /** The balance before the first entry. */
  readonly saysOpening: boolean;
  readonly saysClosing: boolean;
  /** The file states its first and its last day. */
  readonly saysDays: boolean;
  /** A page can be lost, if the file doesn't claim its days. */
  readonly isPaged?: boolean;
  /** What is booked according to it, if it is not all of the truth. */
  readonly accounts?: readonly Account[];
}

export type Encoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be' | 'latin1' | 'utf16le-bare';

/** A form of statements: how a month is written in it. */
export interface Form {
  readonly name: string;
  readonly country: Country;
  readonly write: (truth: Truth, random: Random) => Written;
}

export const line = (kind: Line['kind'], text: string, rest: Partial<Line> = {}): Line => ({
  kind,
  text,
  ...rest,
});

export function bytesOf({
  lines,
  end,
  encoding = 'utf8',
}: Pick<Written, 'lines' | 'end' | 'encoding'>): Buffer {
  const text = lines.map((each) => each.text + end).join('');
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8-bom':
      return Buffer.from(`\ufeff${text}`, 'utf8');
    case 'utf16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf16le-bare':
      return Buffer.from(text, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'latin1':
      return Buffer.from(text, 'latin1');
  }
}

/** A field of a fixed width, with blanks after it; nothing of it may be lost. */
export function field(value: string, width: number): string {
  if (value.length > width) throw new RangeError(`${value} is longer than ${width}`);
  return value.padEnd(width, ' ');
}

export function number(value: number, width: number): string {
  const text = String(Math.abs(value)).padStart(width, '0');
  if (text.length > width) throw new RangeError(`${value} has more than ${width} digits`);
  return text;
}

/** Whole words in lines of a width. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** Pieces of a width, whatever they cut. */
export function cut(text: string, width: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += width) pieces.push(text.slice(at, at + width));
  return pieces;
}

/** A day in parts, for forms that write it in their own way. */
export function partsOf(day: string): { y: string; yy: string; m: string; d: string } {
  const [y = '', m = '', d = ''] = day.split('-');
  return { y, yy: y.slice(2), m, d };
}
