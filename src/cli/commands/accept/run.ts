import { isDecided, judgeDecisions } from '../../../app/accept-decisions.ts';
import { bankVerdict } from '../../../app/bank-report.ts';
import {
  acceptBankDifference,
  acceptDifference,
  type Decisions,
  decisionsOf,
  orThrow,
} from '../../../app/decisions.ts';
import { findSettlement } from '../../../app/find-settlement.ts';
import {
  linesToChange,
  pastLastDay,
  placeLine,
  type RegisterState,
} from '../../../app/place-line.ts';
import { reconcileRange } from '../../../app/reconcile-range.ts';
import { spanOf } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import type { LockOptions } from '../../../base/folder-lock.ts';
import { drained } from '../../../base/ordered.ts';
import type { AcceptedLine, DifferenceKey } from '../../../model/accepted-difference.ts';
import { differenceKinds } from '../../../model/accepted-difference.ts';
import { uuidForm } from '../../../model/row.ts';
import type { Source } from '../../../model/source.ts';
import { headerFindings } from '../../../reconcile/reconcile-run.ts';
import { acceptedChange, parseRegister, recordsOf } from '../../../register/accepted-register.ts';
import {
  daysWritten,
  readDecisions,
  type WrittenDecision,
} from '../../../register/decisions-file.ts';
import { changeKeptCsv, type KeptCsv, readKeptCsv } from '../../../register/kept-csv.ts';
import { csvText } from '../../../render/csv.ts';
import {
  type DecisionsReport,
  decisionsConclusion,
  decisionsViews,
} from '../../../report/accept/from-file.ts';
import { type AcceptReport, acceptConclusion, acceptViews } from '../../../report/accept/view.ts';
import { rangeText } from '../../../report/common/phrase.ts';
import { matchedPayouts, type NamedStatements, readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { announceExport, type Inputs, resolveInputs } from '../../inputs.ts';
import { filesAt } from '../../named-files.ts';
import { printReport, resolveTarget, type Target } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { parseDay } from '../../range.ts';
import { closedDecisions, readRegister } from '../../registers.ts';
import { withSource } from '../../source.ts';
import type { acceptCommand } from './command.ts';

type AcceptContext = ContextOf<typeof acceptCommand>;

type Done = Pick<AcceptReport, 'done' | 'lines' | 'before' | 'remaining'>;

/** `recon accept`: adds to the register of accepted differences, lists it, or removes from it. */
export async function accept(context: AcceptContext, [id]: readonly string[]): Promise<number> {
  const { from: list, ...flags } = context.flags;
  const target = resolveTarget(context);
  // Here `--from` is a file, and no day.
  const inputs = await resolveInputs({ ...context, flags });
  const register = inputs.settings.preferences.accepted;
  if (register === undefined) {
    throw new ReconError('configuration', 'The register of accepted differences is not set.', {
      hint: 'Set accepted = "accepted.csv" in the profile or RECON_ACCEPTED, or add --accepted FILE.',
    });
  }
  const today = inputs.today();
  const lock = await lockOptions(context);
  if (list !== undefined && (id !== undefined || flags.by !== undefined)) {
    const message = '--from cannot be combined with a settlement or --by.';
    throw new ReconError('usage', message, { hint: 'The list says both.' });
  }
  if (list === undefined && flags.dryRun) {
    const hint = 'Add the list of decisions: --from FILE.';
    throw new ReconError('usage', '--dry-run needs --from.', { hint });
  }
  if (list !== undefined) return acceptFromFile(list, register, target, inputs, context, lock);
  const work = async (): Promise<Done> => {
    if (flags.list) {
      if (id !== undefined) {
        const hint = 'Remove the id: --list shows the whole register.';
        throw new ReconError('usage', '--list cannot be combined with a settlement.', { hint });
      }
      return { done: 'listed', lines: (await readRegister(register, context)).lines };
    }
    if (id === undefined) {
      throw new ReconError('usage', 'No settlement given.', {
        hint: 'Add the id of a settlement, or --list to see what is accepted.',
      });
    }
    const isSettlement = uuidForm.test(id);
    if (flags.remove) {
      const kind = isSettlement ? (flags.bank ? 'bank' : 'pay_in') : 'unknown';
      return remove({ kind, id }, register, lock);
    }
    if (!isSettlement) {
      const hint = 'Add it to a file of decisions, and use --from FILE.';
      throw new ReconError('usage', 'A bank entry is accepted from a file.', { hint });
    }
    const line = await readDifference(id, today, inputs, context);
    const isClosed = await closedDecisions(inputs);
    return put(line, register, lock, { today, replaces: flags.replace ?? false, isClosed });
  };
  const report: AcceptReport = { ...(await work()), register, today, names: inputs.names };
  await printReport(target, acceptViews(report), context, acceptConclusion(report));
  return exitCodes.ok;
}

async function readDifference(
  settlementId: string,
  today: string,
  inputs: Inputs,
  context: AcceptContext,
): Promise<AcceptedLine> {
  const { difference, reason, by = '', until, account = '', bank } = context.flags;
  if (difference === undefined || reason === undefined) {
    const flag = difference === undefined ? '--difference' : '--reason';
    throw new ReconError('usage', `No ${flag} given.`, {
      hint: 'Add --difference and --reason, for example --difference -5.00 --reason "refunded in April".',
    });
  }
  const last = until === undefined ? undefined : parseDay('--until', until, today);
  const refused = pastLastDay(last, today, '--until');
  if (refused) throw refused;
  const request = { settlementId, difference, reason, by, on: today, until: last, account };
  const statements = bank && (await readBank(bank, inputs, context));
  return withSource<AcceptedLine>(inputs, context, ({ source }) => {
    announceExport(inputs, context);
    if (!statements) return acceptDifference(request, source, inputs.judgement);
    return acceptOnBank(request, source, statements, inputs);
  });
}

async function acceptOnBank(
  request: Parameters<typeof acceptDifference>[0],
  source: Source,
  statements: NamedStatements,
  inputs: Inputs,
): Promise<AcceptedLine> {
  const { settlement, findings } = await findSettlement(source, request.settlementId);
  const { date } = settlement;
  const query = { range: { from: date, to: date }, filters: inputs.filters };
  const report = await matchedPayouts(source, statements, query, inputs, {});
  const isOpen = [...findings, ...report.findings].some(({ weight }) => weight === 'incomplete');
  if (isOpen) {
    const message = `The settlements of ${date} were not fully read, so nothing can be accepted.`;
    throw new ReconError('service', message, { hint: 'Try again later.' });
  }
  const { matches } = report.matching;
  return acceptBankDifference(request, settlement, matches);
}

async function put(
  given: AcceptedLine,
  register: string,
  lock: LockOptions,
  how: Pick<RegisterState, 'today' | 'replaces' | 'isClosed'>,
): Promise<Done> {
  const { placedChange } = await changeKeptCsv(register, lock, (csv) => {
    const lines = linesToChange(csv, register);
    const placedChange = orThrow(placeLine(given, { csv, lines, register, ...how }));
    const placed = placedChange.done === 'unchanged' ? [] : [placedChange];
    return { ...acceptedChange(csv, placed, csvText), placedChange };
  });
  return { done: placedChange.done, lines: [placedChange.line], before: placedChange.before };
}

async function remove(key: DifferenceKey, register: string, lock: LockOptions): Promise<Done> {
  const { lines, remaining } = await changeKeptCsv(register, lock, (csv) => {
    const removed = recordsOf(csv, key);
    const remaining = differenceKinds.find(
      (kind) => kind !== key.kind && recordsOf(csv, { ...key, kind }).length > 0,
    );
    if (removed.length === 0) throw notInRegister(key, remaining, register);
    const { lines } = parseRegister({ ...csv, records: removed });
    return { replaced: [{ removed }], lines, remaining };
  });
  return { done: 'removed', lines, remaining };
}

function notInRegister({ kind, id }: DifferenceKey, remaining: Done['remaining'], where: string) {
  const [has, otherHint] =
    kind === 'bank'
      ? ['only with its pay-in difference', 'Remove --bank to remove that one.']
      : ['only with its bank difference', 'Add --bank to remove that one.'];
  const how = remaining ? `is in the register ${has}` : 'is not in the register';
  const hint = remaining ? otherHint : 'To see what is in it, run: recon accept --list';
  const what = kind === 'unknown' ? 'Bank entry' : 'Settlement';
  return new ReconError('usage', `${what} ${id} ${how}.`, { where, hint });
}

/** `recon accept --from`: accepts a list of decisions, all at once or not at all. Returns the exit code. */
async function acceptFromFile(
  path: string,
  register: string,
  target: Target,
  inputs: Inputs,
  context: AcceptContext,
  lock: LockOptions,
): Promise<number> {
  const { dryRun: isDryRun = false, partial = false, replace: replaces = false } = context.flags;
  const [file] = await filesAt([path], 'List of decisions');
  const written = file ? await readDecisions(file) : [];
  const decisions = await differencesNow(written.filter(isDecided), inputs, context);
  const today = inputs.today();
  const isClosed = await closedDecisions(inputs);
  const work = (csv: KeptCsv) => {
    const now = {
      csv,
      lines: linesToChange(csv, register),
      register,
      today,
      replaces,
      isClosed,
    };
    const done = judgeDecisions(written, { ...now, decisions }, partial);
    return { ...done, ...acceptedChange(csv, done.placedChanges, csvText) };
  };
  const done = isDryRun
    ? work(await readKeptCsv(register))
    : await changeKeptCsv(register, lock, work);
  const report: DecisionsReport = { ...done, file: path, register, isDryRun, names: inputs.names };
  const exitCode = exitCodeOf(report);
  const conclusion = decisionsConclusion(report);
  await printReport(target, decisionsViews(report), context, conclusion, exitCode);
  return exitCode;
}

/** 2 if no line is accepted, 4 if one that could not be read stands against it. */
function exitCodeOf({ judged, isStopped }: DecisionsReport): number {
  const isAccepted = judged.some(({ status }) => /accepted$/.test(status));
  if (isAccepted && !isStopped) return exitCodes.ok;
  return judged.some(({ status }) => status === 'not_read')
    ? exitCodes.incomplete
    : exitCodes.usage;
}

function isPayIn({ cells }: WrittenDecision): boolean {
  return cells.kind.toLowerCase() === 'pay_in';
}

/** Reads again what the lines are about. Throws ReconError unless the settlements' days were fully read. */
async function differencesNow(
  lines: readonly WrittenDecision[],
  inputs: Inputs,
  context: AcceptContext,
): Promise<Decisions> {
  const { flags, messages } = context;
  const range = spanOf(lines.flatMap(({ cells }) => daysWritten(cells.date)));
  if (!range) return new Map();
  const statements = lines.every(isPayIn)
    ? undefined
    : await readBank(flags.bank ?? [], inputs, context);
  const { filters, settings, judgement } = inputs;
  const query = { range, filters };
  const ids = new Set(lines.filter(isPayIn).map(({ cells }) => cells.settlement_id.toLowerCase()));
  return withSource(inputs, context, async ({ source }) => {
    announceExport(inputs, context);
    await messages.startProgress();
    const headers = await source.headers(query);
    const settlements = headers.settlements.filter(({ id }) => ids.has(id.toLowerCase()));
    const run = await drained(
      reconcileRange({
        source,
        query,
        headers: { ...headers, settlements },
        settings: judgement,
        explains: false,
        isForVerdicts: true,
        ahead: settings.preferences.concurrency,
        onProgress: messages.onProgress,
      }),
    );
    const bank = statements && (await matchedPayouts(source, statements, query, inputs, {}));
    messages.stop();
    const isUnread = headerFindings(headers).some(({ weight }) => weight === 'incomplete');
    if (isUnread || (bank && bankVerdict(bank) === 'incomplete')) {
      const what = isUnread ? 'The settlements' : 'The statements';
      const message = `${what} of ${rangeText(range)} were not fully read, so nothing can be accepted.`;
      const hint = 'Run recon bank to see what is missing, or try again later.';
      throw new ReconError('service', message, { hint });
    }
    return decisionsOf(run.settlements, bank?.matching.matches ?? [], bank?.accepted);
  });
}
