import { isDay } from '../base/calendar.ts';
import {
  type BankEntry,
  detailsBy,
  type EntryPart,
  type PaymentDetails,
  type Place,
  type StatementFinding,
} from '../model/bank.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { rescale } from '../money/money.ts';
import type { Decimal } from './decimal.ts';

/**
 * What a file of a bank is, the surest first. All but the last list what was booked on their days; camt.052
 * and MT942 do so before the day is over.
 */
export const sources = ['camt.053', 'MT940', 'CSV', 'camt.052', 'MT942', 'camt.054'] as const;

export type StatementSource = (typeof sources)[number];

/** Whether files of a kind list all that was booked on their days. */
export function isOfWholeDays(source: StatementSource): boolean {
  return source !== 'camt.054';
}

/** An entry as one file has it: other files may repeat it. */
export type WrittenEntry = Omit<BankEntry, 'id'>;

/** A statement as one file has it, its amounts not yet at one scale. */
export interface WrittenStatement {
  readonly source: StatementSource;
  readonly account: string;
  readonly currency: string;
  readonly number: string;
  readonly from: string;
  readonly to: string;
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
  readonly entries: readonly WrittenEntry[];
  /** Further entries, without any date: they count in its sum, and nowhere else. */
  readonly undated: readonly WrittenEntry[];
  /** Those of the entries whose value date is not in the calendar. */
  readonly oddlyDated: readonly WrittenEntry[];
  /** Whether one of its balances, or an entry, is in another currency than the statement. */
  readonly hasOtherCurrencies: boolean;
  /** Whether all of it could be read. */
  readonly isRead: boolean;
  readonly place: Place;
}

/** Takes what is found in a file. */
export interface StatementSink {
  statement(statement: WrittenStatement): void;
  unreadable(fault: Unreadable): void;
  /** A file that is no statement. */
  other(file: string): void;
}

/** What in a record doesn't decode. */
export type Misfit = Pick<StatementFinding, 'element' | 'found' | 'expected'>;

/** Something that doesn't decode, and where. */
export interface Unreadable extends Misfit {
  readonly place: Place;
  readonly account?: string;
  readonly currency?: string;
}

/** Reads a file as bytes or as text, in pieces that may end anywhere. */
export interface Reader<Content> {
  push(piece: Content): void;
  end(): void;
}

export type TextReader = Reader<string>;

/** Whether a text is a day or, since some banks count months of 30 days, could be one: 30 February. */
export function isValueDate(text: string): boolean {
  return isDay(text) || /^\d{4}-(0[1-9]|1[0-2])-(29|3[01])$/.test(text);
}

/** Whether the value date of an entry is none of the calendar. */
export function isOddlyDated({ date, valueDate }: Pick<BankEntry, 'date' | 'valueDate'>): boolean {
  return valueDate !== '' && valueDate !== date && !isDay(valueDate);
}

export const noDetails = detailsBy(() => []);

/** All that several descriptions of a payment say: what two of them say, once. */
export function joinedDetails(all: readonly PaymentDetails[]): PaymentDetails {
  return detailsBy((field) => {
    const [only = [], ...others] = all.map((one) => one[field]).filter(({ length }) => length > 0);
    return others.length === 0 ? only : [...new Set([only, ...others].flat())];
  });
}

/** References, each once, without those that stand for nothing and without the blanks around them. */
export function references(written: readonly string[]): readonly string[] {
  const all = written
    .map((reference) => reference.trim())
    .filter((reference) => !/^(not[ _]?provided|nonref|not[ _]?available|)$/i.test(reference));
  return all.length > 1 ? [...new Set(all)] : all;
}

/** The decimal places of amounts in a currency, some of which may have more than is usual. */
export function scaleOf(
  currency: string,
  amounts: readonly (Pick<Decimal, 'scale'> | undefined)[],
): number {
  return amounts.reduce(
    (most, amount) => Math.max(most, amount?.scale ?? 0),
    minorUnitsOf(currency) ?? 0,
  );
}

/** A part of an entry, its amount not yet at the scale of the entry. */
export interface WrittenPart extends PaymentDetails {
  readonly amount: Decimal | undefined;
}

/** An entry with its amounts at one scale. */
export function entryOf({
  amount,
  parts,
  ...rest
}: Omit<WrittenEntry, 'amount' | 'scale' | 'parts'> & {
  readonly amount: Decimal;
  readonly parts: readonly WrittenPart[];
}): WrittenEntry {
  const scale = scaleOf(rest.currency, [amount, ...parts.map((part) => part.amount)]);
  return {
    ...rest,
    scale,
    amount: atScale(amount, scale),
    parts: parts.map(
      (part): EntryPart => ({ ...part, amount: part.amount && atScale(part.amount, scale) }),
    ),
  };
}

/** A number in minor units; no `scale` may be smaller than its own. */
export function atScale({ digits, scale: own }: Decimal, scale: number): bigint {
  return rescale(digits, own, scale);
}
