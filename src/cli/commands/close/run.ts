import { addRows, closeDigests } from '../../../app/close-digests.ts';
import {
  blockersOf,
  type CloseReport,
  closeVerdict,
  decisionsOnBank,
} from '../../../app/close-report.ts';
import { decisionsDue, decisionsOf } from '../../../app/decisions.ts';
import { reconcileRange } from '../../../app/reconcile-range.ts';
import { addDays, isDayIn } from '../../../base/calendar.ts';
import { DigestSum } from '../../../base/digest-sum.ts';
import { ReconError } from '../../../base/errors.ts';
import { drained } from '../../../base/ordered.ts';
import { type BookedRun, bookRun } from '../../../books/book.ts';
import { bridge } from '../../../books/bridge.ts';
import { type Basis, carriedFrom, payoutsClosed } from '../../../books/carried.ts';
import { clearingsOf } from '../../../books/clearing.ts';
import { controlOf } from '../../../books/control.ts';
import { idsOf, planBatch, seenIn } from '../../../books/plan-batch.ts';
import { rollForward } from '../../../books/roll-forward.ts';
import { acceptingLine } from '../../../match/bank-acceptance.ts';
import { explainingDays } from '../../../match/business-days.ts';
import { bankMatchesIn, isPaid } from '../../../match/match.ts';
import { openOf } from '../../../model/close.ts';
import type { Settlement } from '../../../model/settlement.ts';
import type { HeaderList, SettlementQuery, Source } from '../../../model/source.ts';
import { parseBooked } from '../../../register/booked-register.ts';
import { readKeptCsv } from '../../../register/kept-csv.ts';
import { renderCsv } from '../../../render/csv.ts';
import { handedOnFormats } from '../../../render/formats.ts';
import { decisionRecords } from '../../../report/accept/decisions.ts';
import { closeConclusion, closeViews } from '../../../report/close/view.ts';
import { reopenedText } from '../../../report/close/words.ts';
import { causeInShort } from '../../../report/explain/words.ts';
import { whenReported } from '../../accepted.ts';
import { type Asked, queryAsked, sayBeginning, whatIsAsked } from '../../asked.ts';
import { matchedPayouts, type NamedStatements, readBank } from '../../bank.ts';
import { basisOf, closedThroughOf, closesAsked } from '../../closes.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodeOf, exitCodes } from '../../exit-codes.ts';
import { endReading, printReport, resolveTarget, withOutput } from '../../output.ts';
import { type Opened, withSource } from '../../source.ts';
import { currencyOfBooks, withBookingDays } from '../journal/booked.ts';
import type { closeCommand } from './command.ts';
import { checkRecordFlags, recordClose, reopenLast, whyNotRecorded } from './record.ts';

type CloseContext = ContextOf<typeof closeCommand>;

/** `recon close`: what stands in transit at the end of a range, and whether it can be closed. Returns the exit code. */
export async function close(context: CloseContext, paths: readonly string[]): Promise<number> {
  const target = resolveTarget(context, { formats: handedOnFormats, piped: 'csv' });
  const asked = await whatIsAsked(context);
  checkRecordFlags(asked, context);
  if (context.flags.reopen) {
    const record = await reopenLast(asked, context);
    context.messages.say(`${reopenedText(record)}.`);
    return exitCodes.ok;
  }
  const statements = await readBank(paths, asked, context);
  const query = queryAsked(asked, context);
  const report = await withSource(asked, context, async (opened) => {
    const found = await closeReport(opened, statements, query, asked, context);
    return recordClose(found, opened.host, asked, context);
  });
  if (context.flags.record && !report.recorded) context.messages.warn(whyNotRecorded(report));
  const exitCode = exitCodeOf(asVerdict[closeVerdict(report)], {});
  if (context.flags.decisions !== undefined) await writeDecisions(report, context);
  const views = closeViews(report, context.flags.items);
  await printReport(target, views, context, closeConclusion(report), exitCode);
  return exitCode;
}

/** The verdict of a run that has the same exit code. */
const asVerdict = {
  ready: 'balanced',
  closed: 'balanced',
  not_ready: 'out_of_balance',
  incomplete: 'incomplete',
} as const;

/** Writes what can be decided as a list to fill in, for `recon accept --from`. */
async function writeDecisions(report: CloseReport, context: CloseContext): Promise<void> {
  const { decisions: path, dialect = 'rfc' } = context.flags;
  await withOutput({ path }, context, async (write) => {
    for (const text of renderCsv(decisionRecords(report.decisions, report), dialect))
      await write(text);
  });
}

/** Reads all that a close is made of, and judges it. */
async function closeReport(
  { source }: Opened,
  statements: NamedStatements,
  { range, filters }: SettlementQuery,
  asked: Asked,
  context: CloseContext,
): Promise<CloseReport> {
  const { judgement, settings, names } = asked;
  const { identity } = judgement;
  if (identity === 'off') {
    const message = 'Without an identity, the roll-forward cannot tell fees from tax.';
    throw new ReconError('usage', message, { hint: 'Choose one with --identity.' });
  }
  const closes = await closesAsked(asked);
  const basis = basisOf(closes, range.from, asked);
  const reportedBy = await whenReported(asked, context);
  await sayBeginning(range, asked, context);
  const wide = { from: basis.closes.at(-1)?.from ?? addDays(basis.through, 1), to: range.to };
  const headers = await headersSince(source, { range: wide, filters }, basis);
  const isOfRange = (day: string) => isDayIn(range, day);
  const ofRange = {
    ...headers,
    settlements: headers.settlements.filter(({ date }) => isOfRange(date)),
    // An export need not have the days around, which only explain entries.
    missingDays: (headers.missingDays ?? []).filter(isOfRange),
    incompleteDays: (headers.incompleteDays ?? []).filter(isOfRange),
  };
  const rows = new DigestSum();
  const causes = new Map<string, string>();
  const run = await drained(
    reconcileRange({
      ...{ source, query: { range, filters }, headers: ofRange },
      ...{ settings: judgement, whenReported: reportedBy, explains: true, isForVerdicts: true },
      ...{ onProgress: context.messages.onProgress, ahead: settings.preferences.concurrency },
    }),
    ({ reconciled: { settlement }, rows: read, explained }) => {
      addRows(rows, settlement.id, read);
      if (explained) causes.set(settlement.id, causeInShort(explained, settlement.currency));
    },
  );
  const pending = run.settlements.filter(({ verdict }) => verdict === 'pending');
  const pendingIds = new Set(pending.map(({ settlement }) => settlement.id));
  const isSettled = (one: Settlement) =>
    isDayIn(range, one.date) ? !pendingIds.has(one.id) : isPaid(one);
  const bank = await matchedPayouts(
    { headers: async () => headers },
    statements,
    { range: wide, filters },
    asked,
    reportedBy,
  );
  await endReading(source, context);
  const { businessDays, matching } = bank;
  const matches = bankMatchesIn(matching);
  const carried = carriedFrom(basis, matches);
  const clearings = clearingsOf(matches, {
    ...{ statements: statements.statements, businessDays, isSettled, carried },
  });
  const forward = rollForward({
    ...{ range, basis, carried, identity, matches, clearings, businessDays },
    settlements: headers.settlements.filter(isSettled),
    reconciled: run.settlements,
  });
  const booked = bookRun({
    ...{ run, identity, names, per: 'settlement', includesPending: false, clearings, range },
    accountFor: (purpose) => purpose,
    acceptedOnBank: (match) => acceptingLine(match, reportedBy.accepted),
  });
  const books = controlOf(forward, booked.entries, basis);
  const lines = bridge({ range, statements, matches, clearings, businessDays });
  const standing = {
    ...{ range, run, bank, rollForward: forward, bridge: lines, books },
    ...{ closes: basis.closes, today: asked.today() },
    notBooked: await notBookedIn(context.flags.booked, booked, { range, run, bank }),
    closedThrough: closedThroughOf(closes, asked),
  };
  return {
    ...{ range, run, bank, rollForward: forward, bridge: lines, clearings, books, names, closes },
    ...{ profile: settings.profile, flags: asked.repeated, takesZero: basis.takesZero },
    pending: headers.settlements.filter((one) => one.date <= range.to && !isSettled(one)),
    blockers: blockersOf(standing),
    decisions: decisionsDue(
      decisionsOf(run.settlements, decisionsOnBank({ bank, range }), bank.accepted),
    ),
    ...{
      causes,
      recorded: undefined,
      digests: closeDigests({ range, run, bank, names }, rows, judgement),
    },
  };
}

/** The entries of a range that a register of bookings does not have, by their ids; undefined without one. */
async function notBookedIn(
  register: string | undefined,
  { entries: all, foreign, settlements }: BookedRun,
  { range, run, bank: { matching } }: Pick<CloseReport, 'range' | 'run' | 'bank'>,
): Promise<readonly string[] | undefined> {
  if (register === undefined) return undefined;
  const { batches } = parseBooked(await readKeptCsv(register), register);
  const own = currencyOfBooks(batches);
  const entries = all.filter((one) => !own || !foreign.has(one) || one.currency === own);
  const plan = planBatch(
    batches.map(withBookingDays).flatMap((batch) => batch.entries),
    {
      ...{ entries, range, settled: idsOf(settlements), isWhole: true },
      listed: idsOf(run.settlements),
      bank: seenIn(matching),
    },
    batches.length + 1,
    { reversesMissing: false, strays: new Set() },
  );
  return [...plan.entries, ...plan.missing, ...plan.heldBack].map(({ id }) => id);
}

/** The headers of a range and of the days around it, and of what the last close left open before it. */
async function headersSince(
  source: Source,
  { range, filters }: SettlementQuery,
  basis: Basis,
): Promise<HeaderList> {
  const list = await source.headers({ range: explainingDays(range), filters });
  const known = new Set(list.settlements.map(({ id }) => id));
  const open = [...payoutsClosed(basis).values()]
    .filter((one) => openOf(one) !== 0n)
    .flatMap(({ settlementIds }) => settlementIds.filter((id) => !known.has(id)));
  const others = await Promise.all(open.map((id) => source.header(id)));
  return {
    ...list,
    settlements: [...list.settlements, ...others.flatMap(({ settlements }) => settlements)],
    unreadable: [...list.unreadable, ...others.flatMap(({ unreadable }) => unreadable)],
  };
}
