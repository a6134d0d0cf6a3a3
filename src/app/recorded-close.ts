import { addDays, isDayIn } from '../base/calendar.ts';
import { inOrderOf } from '../base/texts.ts';
import { payoutKey, payoutsClosed, settlementsClosed } from '../books/carried.ts';
import { clearedFigures } from '../books/clearing.ts';
import { changesSince } from '../books/drift.ts';
import { ageOf } from '../books/roll-forward.ts';
import { isPaid } from '../match/match.ts';
import { type CloseRecord, openOf } from '../model/close.ts';
import { rescale } from '../money/money.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import { acceptedDigest, comparedDigests } from './close-digests.ts';
import { closeLadders, laddersKept } from './close-ladder.ts';
import { type Blocker, type CloseReport, forceableCodes } from './close-report.ts';

interface AsRecorded {
  readonly recorded: CloseRecord;
  /** The file of the register. */
  readonly register: string | undefined;
  readonly accepted: AcceptedDifferences | undefined;
}

/**
 * A close of before with the figures that were recorded, and all that the register does not keep as it is found now:
 * `found` is its range, read again. Without statements at hand, nothing of the bank is found.
 */
export function asRecorded(
  found: CloseReport,
  { recorded, register, accepted }: AsRecorded,
): CloseReport {
  const figures = figuresOf(recorded, found);
  const ladders = laddersKept(recorded.rungs);
  return {
    ...found,
    ...figures,
    ...(hasStatements(found) ? {} : withoutBank),
    recorded,
    register,
    blockers: recorded.forced.flatMap(({ code: kept, count, items }): Blocker | [] => {
      const code = forceableCodes.find((one) => one === kept);
      const amounts = items.flatMap((one) => one.amounts);
      return code && items.length > 0 ? { code, count, items, amounts } : [];
    }),
    decisionsMade: recorded.steps.length > 0 ? recorded.decided : found.decisionsMade,
    ladders:
      ladders.length > 0
        ? ladders
        : closeLadders({ ...figures, months: undefined, settlements: [] }),
    known: recorded.settlements,
    digests: digestsAtHand(recorded, found, accepted),
  };
}

function hasStatements({ bank }: CloseReport): boolean {
  return bank !== undefined && bank.statements.statements.length > 0;
}

const withoutBank = { bank: undefined, clearings: [], decisions: [] } as const;

/** The digests of what is at hand now, by the names of the record: what is not at hand cannot be compared. */
function digestsAtHand(
  { digests: kept }: CloseRecord,
  { digests: found }: CloseReport,
  accepted: AcceptedDifferences | undefined,
) {
  const has = (all: CloseReport['digests'], name: string) => all.some(({ of }) => of === name);
  const now = [
    ...found.filter(({ of }) => has(kept, of) || of.startsWith('statement ')),
    ...(has(kept, 'accepted') ? [acceptedDigest(accepted)] : []),
  ];
  return [...now, ...kept.filter(({ of }) => !has(now, of))];
}

/** Whether what a recorded close rests on has changed: settlements, decisions, or the files at hand. */
export function isChangedSince({ closed, recorded, digests }: CloseReport): boolean {
  if (!recorded) return false;
  const { changed } = comparedDigests(recorded.digests, digests);
  const own = closed.find(({ record }) => record === recorded);
  const isOther = own !== undefined && own.changes.length + own.undecided.length > 0;
  return changed.some(isOfFile) || isOther;
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
function figuresOf(record: CloseRecord, found: CloseReport) {
  const { from, to, lines, bankAccounts, books } = record;
  const earlier = found.closes.filter((one) => one.to < from);
  const before = payoutsClosed({ closes: earlier });
  const states = new Map(found.rollForward.payouts.map((one) => [payoutKey(one), one.state]));
  const payouts = [...payoutsClosed({ closes: [...earlier, record] })].map(([key, one]) => {
    const was = before.get(key);
    const at = (minor = 0n) => rescale(minor, was?.scale ?? one.scale, one.scale);
    const moves = clearedFigures((name) => at(was?.[name]));
    const more = {
      open: openOf(one),
      before: { ...moves, payIn: at(was?.payIn) },
      isChanged: true,
    };
    return { ...one, ...more, ...ageOf(one, to), state: states.get(key) };
  });
  const known = settlementsClosed(earlier);
  const older = record.settlements.filter(({ date }) => date < from);
  const changes = changesSince(
    older.flatMap(({ id }) => known.get(id) ?? []),
    older.map(({ rows, ...settlement }) => ({ settlement, rows })),
  );
  const entries = new Map(
    found.bridge.map((one) => [`${one.account} ${one.currency}`, one.entries]),
  );
  return {
    rollForward: {
      ...found.rollForward,
      range: { from, to },
      lines,
      changes,
      continues: earlier.some((one) => addDays(one.to, 1) === from),
      toSuspense: hasStatements(found) ? found.rollForward.toSuspense : [],
      payouts: payouts.sort(inOrderOf(({ date, settlementIds }) => [date, ...settlementIds])),
    },
    bridge: bankAccounts.map((one) => {
      const { account, currency, cleared, over, charges, suspense, byRule, unrelated } = one;
      const movement = cleared + over + charges + suspense + byRule + unrelated;
      const own = entries.get(`${account} ${currency}`) ?? [];
      return { ...one, movement, residual: 0n, isProven: true, entries: own };
    }),
    books: books.map((one) => ({ ...one, closing: one.inTransit, items: one.inTransit })),
    pending: record.settlements.filter(
      (one) => isDayIn(record, one.date) && one.status !== '' && !isPaid(one),
    ),
  };
}
