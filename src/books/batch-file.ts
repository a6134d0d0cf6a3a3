import { spanOf } from '../base/calendar.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { JournalFile } from './journal-file.ts';

/** A batch of entries that are written together. */
interface Batch {
  readonly number: number;
  readonly entries: readonly JournalEntry[];
}

/** A batch that was written before, and the last day of its range, if it is known. */
interface EarlierBatch extends Pick<Batch, 'entries'> {
  readonly lastDay?: string | undefined;
}

/** The file of a batch, which comes after `earlier` ones of its register. */
export function batchFile(
  { number, entries }: Batch,
  { comments, range, mapping }: Pick<JournalFile, 'comments' | 'range' | 'mapping'>,
  earlier: readonly EarlierBatch[],
): JournalFile {
  const [first] = [...earlier, { entries }];
  const ends = earlier.flatMap(({ lastDay }) => lastDay ?? []);
  const booked = earlier.flatMap((one) => one.entries.flatMap(({ postings }) => postings));
  const register = first?.entries[0]?.id.slice(0, 6) ?? '';
  const date = spanOf([...ends, range.to])?.to ?? range.to;
  const batch = { number, register, date, known: new Set(booked.map(({ account }) => account)) };
  // What was restated may have been of a day outside the range.
  const held = spanOf([range.from, range.to, ...entries.map(({ date }) => date)]) ?? range;
  return { comments, entries, balances: [], range: held, mapping, batch };
}
