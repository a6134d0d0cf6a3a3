import { spanOf } from '../base/calendar.ts';
import { largestOf } from '../base/lists.ts';
import type { AccountMapping } from '../model/account-mapping.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { DateRange } from '../model/source.ts';
import { formatMinor } from '../money/money.ts';
import type { BalanceOfAccount } from './book.ts';

export interface JournalFile {
  /** Notes for formats that have comments. */
  readonly comments: readonly string[];
  /** By date. */
  readonly entries: readonly JournalEntry[];
  /** The balances at the end of the range. */
  readonly balances: readonly BalanceOfAccount[];
  readonly range: DateRange;
  readonly mapping: AccountMapping;
  /** Set for a numbered batch, which has no balances: a later batch may have earlier days. */
  readonly batch?: BatchMark | undefined;
}

/** The number of a batch in its register, which shows a missing or repeated import. */
interface BatchMark {
  readonly number: number;
  /** The same in all batches of a register, and unique to it. */
  readonly register: string;
  /** The last day of the ranges up to this batch. */
  readonly date: string;
  readonly known: ReadonlySet<string>;
}

/** The accounts and currencies of the postings, sorted. */
export function declaredIn({ entries, balances }: Pick<JournalFile, 'entries' | 'balances'>) {
  const postings = [...balances, ...entries.flatMap((entry) => entry.postings)];
  const accounts = new Set(postings.map(({ account }) => account));
  const currencies = new Set([...balances, ...entries].map(({ currency }) => currency));
  return { accounts: [...accounts].sort(), currencies: [...currencies].sort() };
}

/** The postings of an entry, with aligned amounts, and the ids that differ from those of the entry. */
export function postingTexts({ scale, currency, settlementIds, postings }: JournalEntry) {
  const amounts = postings.map(({ minor }) => `${formatMinor(minor, scale)} ${currency}`);
  const wide = largestOf(postings.map(({ account }) => account.length));
  const long = largestOf(amounts.map(({ length }) => length));
  return postings.map(({ account, transactionId, settlementId }, at) => ({
    line: `${account.padEnd(wide)}  ${(amounts[at] ?? '').padStart(long)}`,
    transactionId,
    settlementId: transactionId === '' && settlementIds.length > 1 ? settlementId : '',
  }));
}

/** What to do if an assertion fails although the journal is right. */
export const onFailure =
  'If this assertion fails, the file was imported twice, or pay-outs of other days are still in transit or were cleared elsewhere: see assertions in recon journal --init.';

/** A text on one line, without control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

interface Batch {
  readonly number: number;
  readonly entries: readonly JournalEntry[];
}

/** A batch that was written before, and the last day of its range, if it is known. */
interface EarlierBatch extends Pick<Batch, 'entries'> {
  readonly lastDay?: string | undefined;
}

/** The file of a batch, with the `earlier` batches of its register. */
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
  // A restated settlement may be of a day outside the range.
  const held = spanOf([range.from, range.to, ...entries.map(({ date }) => date)]) ?? range;
  return { comments, entries, balances: [], range: held, mapping, batch };
}
