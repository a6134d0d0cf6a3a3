import { isDay } from '../base/calendar.ts';
import type { OtherFile } from '../base/other-kinds.ts';
import type { TextReader } from '../base/text-reader.ts';
import type { EntryPart, PaymentDetails, Place, StatementFinding } from '../model/bank.ts';
import { atScale, type Decimal, scaleOf } from '../money/decimal.ts';
import type { EntryColumns, WrittenEntry } from './entry-columns.ts';

/** Kinds of statements, the most reliable first. camt.052 and MT942 are made during the day. */
export const sources = [
  'camt.053',
  'MT940',
  'CODA',
  'Norma 43',
  'CFONB 120',
  'BAI2',
  'OFX',
  'CSV',
  'camt.052',
  'MT942',
  'camt.054',
] as const;

export type StatementSource = (typeof sources)[number];

/** Whether statements of a kind list everything booked on their days. */
export function isOfWholeDays(source: StatementSource): boolean {
  return source !== 'camt.054';
}

/** Whether statements of a kind are made when their days are over. */
export function isOfClosedDays(source: StatementSource): boolean {
  return !(['camt.052', 'MT942', 'camt.054'] as const).some((one) => one === source);
}

/** Whether every statement of an account has a number, so that a lost one shows. */
export function isNumbered(source: StatementSource): boolean {
  return source === 'MT940' || source === 'CODA';
}

/** A statement as one file has it, its amounts not yet at one scale. */
export interface WrittenStatement {
  readonly source: StatementSource;
  /** The mapping of a CSV file, where the profile has it. */
  readonly setting?: string;
  readonly account: string;
  readonly currency: string;
  readonly number: string;
  readonly from: string;
  readonly to: string;
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
  readonly entries: EntryColumns;
  /** Entries without any date: they count only in the sum of the statement. */
  readonly undated: readonly WrittenEntry[];
  /** Whether a balance or an entry is in another currency than the statement. */
  readonly hasOtherCurrencies: boolean;
  readonly isRead: boolean;
  /** Rows whose balance is not the one before plus their amount, if each states one: stated − computed. */
  readonly breaks?: readonly { readonly place: Place; readonly difference: Decimal }[];
  readonly place: Place;
}

export interface StatementSink {
  statement(statement: WrittenStatement): void;
  unreadable(fault: Unreadable): void;
  /** Receives the name of a file that is not read. */
  other(file: string, what: OtherFile): void;
}

export interface ElementFault extends Pick<StatementFinding, 'element' | 'found' | 'expected'> {
  /** The key of the mapping that names the column. */
  readonly key?: string;
}

export interface Unreadable
  extends ElementFault,
    Partial<Pick<StatementFinding, 'code' | 'setting'>> {
  readonly place: Place;
  readonly account?: string;
  readonly currency?: string;
}

export interface StatementFormat extends StatementReading {
  matches(beginning: string): boolean;
}

/** How a file is read. */
export interface StatementReading {
  /** The encoding that the file or the mapping names, if any. */
  encodingOf?(beginning: string): string | undefined;
  /** Whether it tells of characters that its texts cannot have, as XML does. */
  readonly tellsOddCharacters?: true;
  reader(file: string, sink: StatementSink): TextReader;
}

/** Whether a text is a day, or could be one with months of 30 days: 30 February. */
export function isValueDate(text: string): boolean {
  return isDay(text) || /^\d{4}-(0[1-9]|1[0-2])-(29|3[01])$/.test(text);
}

/** A part of an entry, its amounts not yet at the scale of the entry. */
export interface WrittenPart extends PaymentDetails {
  readonly amount: Decimal | undefined;
  readonly charges?: Decimal | undefined;
}

export function entryOf(
  entry: Omit<WrittenEntry, 'amount' | 'charges' | 'scale' | 'parts'> & {
    readonly amount: Decimal;
    readonly charges?: Decimal | undefined;
    readonly parts: readonly WrittenPart[];
  },
): WrittenEntry {
  const { amount, charges, parts, currency } = entry;
  const ofParts = parts.flatMap((part) => [part.amount, part.charges]);
  const scale = scaleOf(currency, [amount, charges, ...ofParts]);
  return {
    ...entry,
    scale,
    amount: atScale(amount, scale),
    charges: charges && atScale(charges, scale),
    parts: parts.map(
      (part): EntryPart => ({
        ...part,
        amount: part.amount && atScale(part.amount, scale),
        charges: part.charges && atScale(part.charges, scale),
      }),
    ),
  };
}
