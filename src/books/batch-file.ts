import { spanOf } from '../base/calendar.ts';
import { isObject, parseJson } from '../base/json.ts';
import { booksSchema } from '../config/books.ts';
import type { DateRange } from '../model/source.ts';
import type { BookedBatch } from '../register/booked-register.ts';
import { type JournalFormat, journalFormats } from './formats.ts';
import type { JournalFile } from './journal-file.ts';

type Described = Pick<JournalFile, 'comments' | 'range' | 'mapping'>;

/** What a register keeps of a batch beside its entries: what it was booked from, and how it is written. */
export interface BatchAbout extends Described {
  readonly format: JournalFormat;
  /** Whose settlements they are: the host of the service. */
  readonly service: string;
  /** Empty without one. */
  readonly profile: string;
  /** The version of recon that wrote it. */
  readonly tool: string;
  /** Stands for the bytes of its file. */
  readonly digest: string;
}

/** Understands what a register keeps of a batch; undefined where another version wrote it otherwise. */
export function aboutOf({ about }: Pick<BookedBatch, 'about'>): BatchAbout | undefined {
  const value = parseJson(about);
  if (!isObject(value)) return undefined;
  const { comments, range } = value;
  const text = (key: string) => String(value[key]);
  const format = journalFormats.find((one) => one === value['format']);
  const mapping = booksSchema.safeParse(value['mapping']);
  if (format === undefined || !mapping.success || !isRange(range) || !Array.isArray(comments)) {
    return undefined;
  }
  return {
    ...{ format, range, mapping: mapping.data, comments: comments.map(String) },
    ...{ service: text('service'), profile: text('profile') },
    ...{ tool: text('tool'), digest: text('digest') },
  };
}

function isRange(value: unknown): value is DateRange {
  return isObject(value) && typeof value['from'] === 'string' && typeof value['to'] === 'string';
}

/** The file of a batch, which comes after `earlier` ones of its register. */
export function batchFile(
  { number, entries }: Pick<BookedBatch, 'number' | 'entries'>,
  { comments, range, mapping }: Described,
  earlier: readonly BookedBatch[],
): JournalFile {
  const [first] = [...earlier, { entries }];
  const ends = earlier.flatMap((one) => aboutOf(one)?.range.to ?? []);
  const booked = earlier.flatMap((one) => one.entries.flatMap(({ postings }) => postings));
  const register = first?.entries[0]?.id.slice(0, 6) ?? '';
  const date = spanOf([...ends, range.to])?.to ?? range.to;
  const batch = { number, register, date, known: new Set(booked.map(({ account }) => account)) };
  // What was restated may have been of a day outside the range.
  const held = spanOf([range.from, range.to, ...entries.map(({ date }) => date)]) ?? range;
  return { comments, entries, balances: [], range: held, mapping, batch };
}
