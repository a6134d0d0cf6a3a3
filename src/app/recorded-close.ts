import { addDays, isDayIn } from '../base/calendar.ts';
import { payoutsClosed } from '../books/carried.ts';
import { clearedFigures, noFigures } from '../books/clearing.ts';
import { ageOf } from '../books/roll-forward.ts';
import { isPaid } from '../match/match.ts';
import type { Agreement } from '../model/agreed-rates.ts';
import { type CloseRecord, openOf } from '../model/close.ts';
import type { Orders } from '../model/orders.ts';
import { rescale } from '../money/money.ts';
import type { BankReport } from './bank-report.ts';
import type { BooksSoFar } from './books-so-far.ts';
import { closeDigests, comparedDigests } from './close-digests.ts';
import { closeLadders } from './close-ladder.ts';
import type { CloseReport } from './close-report.ts';
import { closedRanges, RowDigests } from './closed-range.ts';
import { readOnce } from './read-once.ts';
import type { RangeOptions } from './reconcile-range.ts';

interface RecordedOptions extends Omit<RangeOptions, 'explains' | 'isForVerdicts'> {
  readonly books: BooksSoFar;
  readonly whose: Pick<CloseReport, 'profile' | 'names' | 'flags'>;
  /** The statements that are at hand. */
  readonly bank: Pick<BankReport, 'statements'> | undefined;
  readonly register: string | undefined;
  /** The orders and the agreed rates that are at hand. */
  readonly orders?: Orders | undefined;
  readonly agreement?: Agreement | undefined;
}

/** A close of before with the figures that were recorded, and what has changed since: reads its settlements again. */
export async function recordedClose(
  recorded: CloseRecord,
  { books, whose, bank, register, orders, agreement, ...options }: RecordedOptions,
): Promise<CloseReport> {
  const { settings, ageingAndAccepted, query } = options;
  const { range } = query;
  const rows = new RowDigests();
  const run = await readOnce([rows], { ...options, explains: false, isForVerdicts: true });
  const listed = rows.listed(run.settlements);
  const statements = bank?.statements ?? { entries: [] };
  const now = {
    range,
    run,
    bank: { statements, accepted: ageingAndAccepted?.accepted },
    names: whose.names,
  };
  const has = (name: string) => recorded.digests.some(({ of }) => of === name);
  const digests = closeDigests(now, listed, {
    settings,
    orders: has('orders') ? orders : undefined,
    agreement: has('rates') ? agreement : undefined,
  });
  const isNow = new Set(digests.map(({ of }) => of));
  const closed = closedRanges(books.closes, range, listed, books.isPosted);
  const figures = figuresOf(recorded, books.closes, closed[0]?.changes ?? []);
  return {
    ...whose,
    range,
    run,
    recorded,
    register,
    closed,
    closes: books.closes,
    ...figures,
    ladders: closeLadders({ ...figures, months: undefined, settlements: [] }),
    bank: undefined,
    orders: undefined,
    fees: undefined,
    booking: undefined,
    known: recorded.settlements,
    // What is not at hand cannot be compared.
    digests: [
      ...digests,
      ...recorded.digests.filter(({ of }) => !isNow.has(of) && (isOfFile(of) || of === 'rates')),
    ],
    blockers: [],
    decisions: [],
    clearings: [],
    causes: new Map(),
    takesZero: false,
  };
}

/** Whether what a recorded close rests on has changed: settlements, or entries of the statements at hand. */
export function isChangedSince({ closed, recorded, digests }: CloseReport): boolean {
  if (!recorded) return false;
  const { changed } = comparedDigests(recorded.digests, digests);
  const own = closed.find(({ record }) => record === recorded);
  return changed.some(isOfFile) || (own?.changes.length ?? 0) > 0;
}

/** Whether not all could be read that may have changed. */
export function isUnread({ recorded, run: { settlements, findings } }: CloseReport): boolean {
  return (
    recorded !== undefined &&
    (settlements.some(({ verdict }) => verdict === 'incomplete') ||
      findings.some(({ weight }) => weight === 'incomplete'))
  );
}

/** Whether a digest is of files at hand: statements or orders. */
const isOfFile = (of: string) => of === 'orders' || of.startsWith('statement ');

/** The figures of a close as it keeps them. Only what can be closed is recorded: all checks held, nothing was left. */
function figuresOf(
  record: CloseRecord,
  closes: readonly CloseRecord[],
  changes: CloseReport['rollForward']['changes'],
) {
  const { from, to, lines, bankAccounts, books } = record;
  const earlier = closes.filter((one) => one.to < from);
  const before = payoutsClosed({ closes: earlier });
  const payouts = [...payoutsClosed({ closes: [...earlier, record] })].map(([key, one]) => {
    const was = before.get(key);
    const moves = was && clearedFigures((name) => rescale(was[name], was.scale, one.scale));
    const more = { open: openOf(one), before: moves ?? noFigures, isChanged: true };
    return { ...one, ...more, ...ageOf(one, to), state: undefined };
  });
  const continues = earlier.some((one) => addDays(one.to, 1) === from);
  return {
    rollForward: { range: { from, to }, lines, changes, continues, payouts, toSuspense: [] },
    bridge: bankAccounts.map((one) => {
      const { cleared, over, charges, suspense, byRule, unrelated } = one;
      const movement = cleared + over + charges + suspense + byRule + unrelated;
      return { ...one, movement, residual: 0n, isProven: true, entries: [] };
    }),
    books: books.map((one) => ({ ...one, closing: one.inTransit, items: one.inTransit })),
    pending: record.settlements.filter(
      (one) => isDayIn(record, one.date) && one.status !== '' && !isPaid(one),
    ),
  };
}
