import type { BooksSoFar } from '../../../app/books-so-far.ts';
import { Closing } from '../../../app/close-range.ts';
import { type CloseReport, closeVerdict } from '../../../app/close-report.ts';
import { recordClose, reopenClose } from '../../../app/record-close.ts';
import { isChangedSince, isUnread, recordedClose } from '../../../app/recorded-close.ts';
import { ReconError } from '../../../base/errors.ts';
import type { CloseRecord } from '../../../model/close.ts';
import { renderCsv } from '../../../render/csv.ts';
import { decisionRecords } from '../../../report/accept/decisions.ts';
import { closeListText, closeListViews } from '../../../report/close/list.ts';
import { closeViews } from '../../../report/close/view.ts';
import { blockerText, closeSummary, reopenedText } from '../../../report/close/words.ts';
import { enumerate } from '../../../report/common/phrase.ts';
import { shortCauseText } from '../../../report/explain/words.ts';
import { readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { office } from '../../flags.ts';
import { announceRange, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { endReading, printReport, resolveTarget, withOutput } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { booksOf, readAgeingAndAccepted } from '../../registers.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import { withSource } from '../../source.ts';
import type { closeCommand } from './command.ts';

type CloseContext = ContextOf<typeof closeCommand>;

/** `recon close`: what stands in transit at the end of a range, and whether it can be closed. Returns the exit code. */
export async function close(context: CloseContext, paths: readonly string[]): Promise<number> {
  const target = resolveTarget(context, office);
  const inputs = await resolveInputs(context);
  const { flags, messages } = context;
  // Before anything is read.
  const register = flags.record || flags.reopen || flags.list ? registerOf(inputs) : '';
  if (flags.reopen) {
    const record = await reopenClose({
      register,
      isNew: false,
      lock: await lockOptions(context),
      signature: signatureOf(inputs, '', context),
    });
    messages.say(`${reopenedText(record)}.`);
    return exitCodes.ok;
  }
  if (flags.list) {
    const { readCloses } = await import('../../../register/closes-register.ts');
    const closes = (await readCloses(register)) ?? [];
    const views = closeListViews({ register, closes });
    return printReport(target, views, context, [closeListText(closes)]);
  }
  const books = await booksOf(inputs);
  const { range } = queryOf(inputs, context);
  const before = books.closes.find((one) => one.from === range.from && one.to === range.to);
  const report =
    before && !flags.record
      ? await reportOfBefore(before, books, paths, inputs, context)
      : await reportNow(register, books, paths, inputs, context);
  if (flags.record && !report.recorded) {
    messages.warn(`Not recorded: ${enumerate(report.blockers.map(blockerText))}.`);
  }
  const exitCode = exitCodeOf(asVerdict[stateOf(report)], {});
  if (flags.decisions !== undefined) await writeDecisions(report, context);
  const views = closeViews(report, flags.items);
  return printReport(target, views, context, closeSummary(report).conclusion, exitCode);
}

/** What stands in transit now, and whether the range can be closed; with `--record`, closes it. */
async function reportNow(
  register: string,
  books: BooksSoFar,
  paths: readonly string[],
  inputs: Inputs,
  context: CloseContext,
): Promise<CloseReport> {
  const { flags } = context;
  const bank = await readBank(paths, inputs, context);
  const query = queryOf(inputs, context);
  return withSource(inputs, context, async ({ source, host }) => {
    const closing = new Closing({
      query,
      settings: inputs.judgement,
      books,
      ageingAndAccepted: await readAgeingAndAccepted(inputs, context),
      bank,
      today: inputs.today(),
      booked: inputs.settings.preferences.booked,
      mapping: inputs.settings.preferences.books,
      causeOf: shortCauseText,
    });
    await announceRange(query.range, inputs, context);
    const run = await closing.read({ source, ...inputs.reading });
    await endReading(source, context);
    const found = await closing.judge(run);
    if (!flags.record) return found;
    return recordClose(found, {
      register,
      isNew: flags.newRegister ?? false,
      isForced: flags.force ?? false,
      lock: await lockOptions(context),
      signature: signatureOf(inputs, host, context),
    });
  });
}

/** A close that was recorded before; statements are compared if there are any. */
async function reportOfBefore(
  record: CloseRecord,
  books: BooksSoFar,
  paths: readonly string[],
  inputs: Inputs,
  context: CloseContext,
): Promise<CloseReport> {
  const { statements, closes: register } = inputs.settings.preferences;
  const hasStatements = paths.length > 0 || statements !== undefined;
  const bank = hasStatements ? await readBank(paths, inputs, context) : undefined;
  const query = queryOf(inputs, context);
  return withSource(inputs, context, async ({ source }) => {
    await announceRange(query.range, inputs, context);
    const report = await recordedClose(record, {
      ...{ ...inputs.reading, source, query, books, bank, register },
      settings: inputs.judgement,
      ageingAndAccepted: await readAgeingAndAccepted(inputs, context),
      whose: inputs.whose,
    });
    await endReading(source, context);
    return report;
  });
}

/** The verdict; of a close of before, whether it still stands. */
function stateOf(report: CloseReport) {
  if (isUnread(report)) return 'incomplete';
  return isChangedSince(report) ? 'not_ready' : closeVerdict(report);
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

function registerOf({ settings }: Inputs): string {
  const { closes } = settings.preferences;
  if (closes !== undefined) return closes;
  throw new ReconError('configuration', 'The register of closes is not set.', {
    hint: 'Set closes = "closes.csv" in the profile or RECON_CLOSES, or add --closes FILE.',
  });
}

function signatureOf({ settings }: Inputs, service: string, { flags, clock }: CloseContext) {
  return {
    profile: settings.profile ?? '',
    service,
    at: new Date(clock.now()).toISOString(),
    by: flags.by ?? '',
    note: flags.note ?? '',
    tool: RECON_VERSION,
  };
}
