import { isDecided, judgeDecisions } from '../../../app/accept-decisions.ts';
import { bankVerdict } from '../../../app/bank-report.ts';
import { type Decisions, decisionsOf } from '../../../app/decisions.ts';
import { linesToChange } from '../../../app/place-line.ts';
import { reconcileRange } from '../../../app/reconcile-range.ts';
import { spanOf } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import type { LockOptions } from '../../../base/folder-lock.ts';
import { drained } from '../../../base/ordered.ts';
import { headerFindings } from '../../../reconcile/reconcile-run.ts';
import { acceptedChange } from '../../../register/accepted-register.ts';
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
import { rangeText } from '../../../report/common/phrase.ts';
import { type Asked, sayExported } from '../../asked.ts';
import { matchedPayouts, readBank } from '../../bank.ts';
import { closedDecisions } from '../../closes.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { filesAt } from '../../named-files.ts';
import { printReport, type Target } from '../../output.ts';
import { withSource } from '../../source.ts';
import type { acceptCommand } from './command.ts';

type AcceptContext = ContextOf<typeof acceptCommand>;

/** `recon accept --from`: accepts a list of decisions, all at once or not at all. Returns the exit code. */
export async function acceptFromFile(
  path: string,
  register: string,
  target: Target,
  asked: Asked,
  context: AcceptContext,
  lock: LockOptions,
): Promise<number> {
  const { dryRun: isDryRun = false, partial = false, replace: replaces = false } = context.flags;
  const [file] = await filesAt([path], 'List of decisions');
  const written = file ? await readDecisions(file) : [];
  const decisions = await differencesNow(written.filter(isDecided), asked, context);
  const today = asked.today();
  const isClosed = await closedDecisions(asked);
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
    return { ...done, ...acceptedChange(csv, done.placings, csvText) };
  };
  const done = isDryRun
    ? work(await readKeptCsv(register))
    : await changeKeptCsv(register, lock, work);
  const report: DecisionsReport = { ...done, file: path, register, isDryRun, names: asked.names };
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
  asked: Asked,
  context: AcceptContext,
): Promise<Decisions> {
  const { flags, messages } = context;
  const range = spanOf(lines.flatMap(({ cells }) => daysWritten(cells.date)));
  if (!range) return new Map();
  const statements = lines.every(isPayIn)
    ? undefined
    : await readBank(flags.bank ?? [], asked, context);
  const { filters, settings, judgement } = asked;
  const query = { range, filters };
  const ids = new Set(lines.filter(isPayIn).map(({ cells }) => cells.settlement_id.toLowerCase()));
  return withSource(asked, context, async ({ source }) => {
    sayExported(asked, context);
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
    const bank = statements && (await matchedPayouts(source, statements, query, asked, {}));
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
