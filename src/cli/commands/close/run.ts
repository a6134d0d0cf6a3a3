import { type CloseReport, closeVerdict } from '../../../app/close-report.ts';
import { recordClose, reopenClose } from '../../../app/record-close.ts';
import { asRecorded, isChangedSince, isUnread } from '../../../app/recorded-close.ts';
import type { CloseRecord } from '../../../model/close.ts';
import { closeListText, closeListViews } from '../../../report/close/list.ts';
import { closeViews } from '../../../report/close/view.ts';
import {
  blockerText,
  closeSummary,
  openingTable,
  reopenedText,
} from '../../../report/close/words.ts';
import { type AskedClose, readClosing } from '../../closing.ts';
import type { ContextOf } from '../../context.ts';
import { refuseToLoseDecisions, refuseUnapplied, writeEmptyList } from '../../decision-list.ts';
import { exitCodes } from '../../exit-codes.ts';
import { office } from '../../flags.ts';
import { type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { offerTable } from '../../profile-table.ts';
import { booksOf, registerAt, startOf, traceOfCloses } from '../../registers.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import type { closeCommand } from './command.ts';

type CloseContext = ContextOf<typeof closeCommand>;

/** `recon close`: what stands in transit at the end of a range, and whether it can be closed. Returns the exit code. */
export async function close(context: CloseContext, paths: readonly string[]): Promise<number> {
  const target = resolveTarget(context, office);
  const inputs = await resolveInputs(context);
  const { flags, messages } = context;
  // Before anything is read.
  await refuseToLoseDecisions(flags.decisions, inputs.settings.preferences);
  for (const { path } of [target, ...(target.more ?? [])])
    await refuseUnapplied(path, inputs.settings.preferences);
  const register =
    flags.record || flags.reopen || flags.list ? await registerAt('closes', inputs, context) : '';
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
  const query = queryOf(inputs, context);
  const { from, to } = query.range;
  const books = await booksOf(inputs);
  if (flags.init) {
    const { report } = await readClosing({ query, books, paths }, inputs, context);
    const textFor = (profile: string) => openingTable(report, books.begin ?? from, profile);
    return offerTable('books_from', textFor, context);
  }
  const before = books.closes.find((one) => one.from === from && one.to === to);
  const shown = flags.record ? undefined : before;
  const asked = { query, books, paths };
  const found = shown
    ? await recordedNow(shown, asked, inputs, context)
    : await closeNow(register, asked, inputs, context);
  const { decisions: list, accepted, closes, booked } = flags;
  if (list !== undefined) await writeEmptyList(list, found.decisions, found, context);
  const report = { ...found, list, named: { accepted, closes, booked } };
  if (flags.record && !report.recorded) {
    messages.warn(`Not recorded: ${report.blockers.map(blockerText).join('; ')}.`);
  }
  const exitCode = exitCodeOf(asVerdict[stateOf(report)], {});
  const told = inputs.told(closeViews(report, flags.items), closeSummary(report).conclusion);
  return printReport(target, told.views, context, told.conclusion, exitCode);
}

/** The range as it is now and, if asked for, with the record of its close. */
async function closeNow(
  register: string,
  asked: AskedClose,
  inputs: Inputs,
  context: CloseContext,
): Promise<CloseReport> {
  const { flags } = context;
  const { report, host } = await readClosing(asked, inputs, context);
  if (!flags.record) return report;
  return recordClose(report, {
    register,
    ...startOf('closes', await traceOfCloses(inputs), context),
    isForced: flags.force ?? false,
    lock: await lockOptions(context),
    signature: signatureOf(inputs, host, context),
  });
}

/** A close of before, with what is there now; it is shown without any statements, too. */
async function recordedNow(
  recorded: CloseRecord,
  { paths = [], ...asked }: AskedClose,
  inputs: Inputs,
  context: CloseContext,
): Promise<CloseReport> {
  const { statements, closes: register } = inputs.settings.preferences;
  const isBare = paths.length === 0 && statements === undefined && !context.flags.sandbox;
  const now = { ...asked, paths: isBare ? undefined : paths };
  const { report, accepted } = await readClosing(now, inputs, context);
  return asRecorded(report, { recorded, register, accepted });
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
