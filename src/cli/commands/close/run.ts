import { addRows, closeDigests } from '../../../app/close-digests.ts';
import {
  blockersOf,
  type CloseReport,
  closeVerdict,
  decisionsOnBank,
  isForceable,
  unexplainedAmounts,
} from '../../../app/close-report.ts';
import { decisionsDue, decisionsOf } from '../../../app/decisions.ts';
import { type RangeOptions, reconcileRange } from '../../../app/reconcile-range.ts';
import { addDays, isDayIn } from '../../../base/calendar.ts';
import { DigestSum } from '../../../base/digest-sum.ts';
import { ReconError } from '../../../base/errors.ts';
import { drained } from '../../../base/ordered.ts';
import { bookRun } from '../../../books/book.ts';
import { bridge } from '../../../books/bridge.ts';
import { type Basis, carriedFrom, payoutsClosed } from '../../../books/carried.ts';
import { clearingsOf } from '../../../books/clearing.ts';
import { controlOf } from '../../../books/control.ts';
import { rollForward } from '../../../books/roll-forward.ts';
import { acceptingLine } from '../../../match/bank-acceptance.ts';
import { explainingDays } from '../../../match/business-days.ts';
import { bankMatchesIn, isPaid } from '../../../match/match.ts';
import { type CloseRecord, closesInForce, openOf } from '../../../model/close.ts';
import type { Settlement } from '../../../model/settlement.ts';
import type { DateRange, HeaderList, SettlementQuery, Source } from '../../../model/source.ts';
import { netAndAbsoluteSums } from '../../../money/money.ts';
import { addClose } from '../../../register/closes-register.ts';
import { renderCsv } from '../../../render/csv.ts';
import { decisionRecords } from '../../../report/accept/decisions.ts';
import { closeViews } from '../../../report/close/view.ts';
import { blockerText, closeSummary, reopenedText } from '../../../report/close/words.ts';
import { enumerate } from '../../../report/common/phrase.ts';
import { shortCauseText } from '../../../report/explain/words.ts';
import { matchedPayouts, type NamedStatements, readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { office } from '../../flags.ts';
import { announceRange, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { endReading, printReport, resolveTarget, withOutput } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { basisOf, closedThroughOf, closesOf, whenReported } from '../../registers.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import { type Opened, withSource } from '../../source.ts';
import { notBookedIn } from '../journal/booked.ts';
import type { closeCommand } from './command.ts';

type CloseContext = ContextOf<typeof closeCommand>;

/** `recon close`: what stands in transit at the end of a range, and whether it can be closed. Returns the exit code. */
export async function close(context: CloseContext, paths: readonly string[]): Promise<number> {
  const target = resolveTarget(context, office);
  const inputs = await resolveInputs(context);
  const { flags, messages } = context;
  // Before anything is read.
  if (flags.record || flags.reopen) registerOf(inputs);
  if (flags.reopen) {
    const record = await reopenLast(inputs, context);
    messages.say(`${reopenedText(record)}.`);
    return exitCodes.ok;
  }
  const statements = await readBank(paths, inputs, context);
  const query = queryOf(inputs, context);
  const report = await withSource(inputs, context, async (opened) => {
    const found = await closeReport(opened, statements, query, inputs, context);
    return recordClose(found, opened.host, inputs, context);
  });
  if (flags.record && !report.recorded) {
    messages.warn(`Not recorded: ${enumerate(report.blockers.map(blockerText))}.`);
  }
  const exitCode = exitCodeOf(asVerdict[closeVerdict(report)], {});
  if (flags.decisions !== undefined) await writeDecisions(report, context);
  const views = closeViews(report, flags.items);
  await printReport(target, views, context, closeSummary(report).conclusion, exitCode);
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
  query: SettlementQuery,
  inputs: Inputs,
  context: CloseContext,
): Promise<CloseReport> {
  const { range, filters } = query;
  const { judgement, settings, names } = inputs;
  const { identity } = judgement;
  if (identity === 'off') {
    const message = 'Without an identity, the roll-forward cannot tell fees from tax.';
    throw new ReconError('usage', message, { hint: 'Choose one with --identity.' });
  }
  const closes = await closesOf(inputs);
  const basis = basisOf(closes, range.from, inputs);
  const reportedBy = await whenReported(inputs, context);
  await announceRange(range, inputs, context);
  const since = { from: basis.closes.at(-1)?.from ?? addDays(basis.through, 1), to: range.to };
  const headers = await headersSince(source, { range: since, filters }, basis);
  const reading = { source, query, headers: headersIn(range, headers), whenReported: reportedBy };
  const { run, rows, causes } = await readRange(reading, inputs, context);
  const bank = await matchedPayouts(
    { headers: async () => headers },
    statements,
    { range: since, filters },
    inputs,
    reportedBy,
  );
  await endReading(source, context);
  const pending = new Set(
    run.settlements.flatMap(({ verdict, settlement }) =>
      verdict === 'pending' ? settlement.id : [],
    ),
  );
  const isSettled = (one: Settlement) =>
    isDayIn(range, one.date) ? !pending.has(one.id) : isPaid(one);
  const { businessDays } = bank;
  const matches = bankMatchesIn(bank.matching);
  const carried = carriedFrom(basis, matches);
  const clearings = clearingsOf(matches, { ...statements, businessDays, isSettled, carried });
  const movements = { range, statements, matches, clearings, businessDays };
  const forward = rollForward({
    ...movements,
    basis,
    carried,
    identity,
    settlements: headers.settlements.filter(isSettled),
    reconciled: run.settlements,
  });
  const booked = bookRun({
    run,
    identity,
    names,
    per: 'settlement',
    includesPending: false,
    clearings,
    range,
    accountFor: (purpose) => purpose,
    acceptedOnBank: (match) => acceptingLine(match, reportedBy.accepted),
  });
  const found = {
    range,
    run,
    bank,
    rollForward: forward,
    bridge: bridge(movements),
    books: controlOf(forward, booked.entries, basis),
  };
  const decisions = decisionsOf(run.settlements, decisionsOnBank(found), bank.accepted);
  return {
    ...found,
    clearings,
    names,
    closes,
    causes,
    profile: settings.profile,
    flags: inputs.repeated,
    takesZero: basis.takesZero,
    pending: headers.settlements.filter((one) => one.date <= range.to && !isSettled(one)),
    blockers: blockersOf({
      ...found,
      closes: basis.closes,
      today: inputs.today(),
      notBooked: await notBookedIn(context.flags.booked, booked, found),
      closedThrough: closedThroughOf(closes, inputs),
    }),
    decisions: decisionsDue(decisions),
    digests: closeDigests({ range, run, bank, names }, rows, judgement),
    recorded: undefined,
  };
}

/** The headers of a range alone. An export need not have the days around, which only explain entries. */
function headersIn(range: DateRange, headers: HeaderList): HeaderList {
  const isOfRange = (day: string) => isDayIn(range, day);
  return {
    ...headers,
    settlements: headers.settlements.filter(({ date }) => isOfRange(date)),
    missingDays: (headers.missingDays ?? []).filter(isOfRange),
    incompleteDays: (headers.incompleteDays ?? []).filter(isOfRange),
  };
}

/** Reconciles the settlements of a range, with a digest of their rows, and the causes by settlement id. */
async function readRange(
  reading: Pick<RangeOptions, 'source' | 'query' | 'headers' | 'whenReported'>,
  { judgement, settings }: Inputs,
  { messages }: CloseContext,
) {
  const rows = new DigestSum();
  const causes = new Map<string, string>();
  const run = await drained(
    reconcileRange({
      ...reading,
      settings: judgement,
      explains: true,
      isForVerdicts: true,
      onProgress: messages.onProgress,
      ahead: settings.preferences.concurrency,
    }),
    ({ reconciled: { settlement }, rows: read, explained }) => {
      addRows(rows, settlement.id, read);
      if (explained) causes.set(settlement.id, shortCauseText(explained, settlement.currency));
    },
  );
  return { run, rows, causes };
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

function registerOf({ settings }: Pick<Inputs, 'settings'>): string {
  const { closes } = settings.preferences;
  if (closes !== undefined) return closes;
  throw new ReconError('configuration', 'The register of closes is not set.', {
    hint: 'Set closes = "closes.csv" in the profile or RECON_CLOSES, or add --closes FILE.',
  });
}

function signed(inputs: Inputs, service: string, context: CloseContext) {
  const { flags, clock } = context;
  return {
    profile: inputs.settings.profile ?? '',
    service,
    at: new Date(clock.now()).toISOString(),
    by: flags.by ?? '',
    note: flags.note ?? '',
    tool: RECON_VERSION,
  };
}

/** Reopens the last close of the profile, and records that. Throws ReconError if there is none. */
async function reopenLast(inputs: Inputs, context: CloseContext): Promise<CloseRecord> {
  const lock = await lockOptions(context);
  const who = signed(inputs, '', context);
  return addClose(registerOf(inputs), { isNew: false, lock }, (records) => {
    const last = closesInForce(records, who.profile).at(-1);
    if (!last) throw new ReconError('usage', 'No close to reopen.', { where: registerOf(inputs) });
    const { service, from, to, number: reopens } = last;
    const number = records.length + 1;
    return { ...who, ...nothingClosed, service, from, to, reopens, number };
  });
}

const nothingClosed = {
  forced: [],
  lines: [],
  bankAccounts: [],
  books: [],
  unexplained: [],
  payouts: [],
  digests: [],
};

/** Adds a close to the register, unless something stands against it that is not forced. */
async function recordClose(
  report: CloseReport,
  service: string,
  inputs: Inputs,
  context: CloseContext,
): Promise<CloseReport> {
  const { flags } = context;
  if (!flags.record) return report;
  const { blockers, bridge: bankAccounts, rollForward, books, digests } = report;
  const isForced = (flags.force ?? false) && blockers.every(isForceable);
  if (closeVerdict(report) !== 'ready' && !isForced) return report;
  const lock = await lockOptions(context);
  const options = { isNew: flags.newRegister ?? false, lock };
  const recorded = await addClose(registerOf(inputs), options, (records) => {
    refuseOthers(records, report, inputs);
    return {
      ...signed(inputs, service, context),
      ...report.range,
      number: records.length + 1,
      reopens: undefined,
      forced: blockers.map(({ code }) => code),
      lines: rollForward.lines,
      bankAccounts,
      books,
      unexplained: netAndAbsoluteSums(unexplainedAmounts(blockers)),
      payouts: rollForward.payouts.filter(({ isChanged }) => isChanged),
      digests,
    };
  });
  return { ...report, recorded };
}

/** Another run may have closed or reopened a range meanwhile. */
function refuseOthers(
  records: readonly CloseRecord[],
  { closes }: CloseReport,
  { settings }: Inputs,
): void {
  const own = closesInForce(records, settings.profile ?? '');
  const numbers = (all: readonly CloseRecord[]) => all.map(({ number }) => number).join();
  if (numbers(own) === numbers(closes)) return;
  const message = 'The register of closes has changed during this run.';
  throw new ReconError('locked', message, { hint: 'Run the command again.' });
}
