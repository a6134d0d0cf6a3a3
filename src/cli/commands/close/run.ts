import { dirname } from 'node:path';
import { type CloseReport, closeVerdict } from '../../../app/close-report.ts';
import { judgeSeveral } from '../../../app/close-several.ts';
import { canBeRecorded, recordClose, reopenClose } from '../../../app/record-close.ts';
import { asRecorded, isChangedSince, isUnread } from '../../../app/recorded-close.ts';
import { faultOf } from '../../../base/errors.ts';
import { readTextFile } from '../../../base/files.ts';
import type { CloseRecord } from '../../../model/close.ts';
import { closeListText, closeListViews } from '../../../report/close/list.ts';
import { closeViewsOfOne, severalCloseViews } from '../../../report/close/several.ts';
import { closeViews } from '../../../report/close/view.ts';
import {
  blockerText,
  closeSummary,
  openingTable,
  reopenedText,
} from '../../../report/close/words.ts';
import { readSharedStatements } from '../../bank.ts';
import { type AskedClose, openClosing, readClosing } from '../../closing.ts';
import type { Context, ContextOf } from '../../context.ts';
import { refuseToLoseDecisions, refuseUnapplied, writeEmptyList } from '../../decision-list.ts';
import { exitCodes } from '../../exit-codes.ts';
import { office } from '../../flags.ts';
import { type Inputs, queryOf, repeatedFlags, resolveInputs } from '../../inputs.ts';
import { printReport, resolveTarget, type Target, withOutput, writeReport } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { offerTable } from '../../profile-table.ts';
import {
  concludeProfiles,
  type ProfileRun,
  refuseWithSeveral,
  resolveProfiles,
  runSideBySide,
  throwIfAllFailed,
} from '../../profiles.ts';
import { booksOf, registerAt, startOf, traceOfCloses } from '../../registers.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import type { closeCommand } from './command.ts';

type CloseContext = ContextOf<typeof closeCommand>;

/** `recon close`: what stands in transit at the end of a range, and whether it can be closed. Returns the exit code. */
export async function close(context: CloseContext, paths: readonly string[]): Promise<number> {
  const target = resolveTarget(context, office);
  const runs = await resolveProfiles(context);
  if (runs.some(({ profile }) => profile !== undefined)) {
    return ofSeveral(runs, target, paths, context);
  }
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
  if (target.format === 'csv' && target.path === undefined && flags.format === undefined)
    messages.say('This is the roll-forward as CSV. For the report of the screen: --format table');
  return printReport(target, told.views, context, told.conclusion, exitCode);
}

/** The range as it is now and, if asked for, with the record of its close. */
async function closeNow(
  register: string,
  asked: AskedClose,
  inputs: Inputs,
  context: CloseContext,
): Promise<CloseReport> {
  const { report, host } = await readClosing(asked, inputs, context);
  return context.flags.record ? recorded(report, { register, host, inputs }, context) : report;
}

interface Recording {
  readonly register: string;
  readonly host: string;
  readonly inputs: Inputs;
}

/** A close with its record, unless something stands against it. */
async function recorded(
  report: CloseReport,
  { register, host, inputs }: Recording,
  context: CloseContext,
): Promise<CloseReport> {
  return recordClose(report, {
    register,
    ...startOf('closes', await traceOfCloses(inputs), context),
    isForced: context.flags.force ?? false,
    lock: await lockOptions(context),
    signature: signatureOf(inputs, host, context),
  });
}

/** The closes of several profiles as one paper. They are recorded each in its register: all of them, or none. */
async function ofSeveral(
  runs: readonly ProfileRun[],
  target: Target,
  paths: readonly string[],
  context: CloseContext,
): Promise<number> {
  const { flags, host, messages } = context;
  const { fromExport, list, reopen, decisions, accepted, closes, booked } = flags;
  const ofOne = { '--from-export': fromExport, '--list': list, '--reopen': reopen };
  refuseWithSeveral({ ...ofOne, '--init': flags.init, '--decisions': decisions });
  const all = [];
  for (const run of runs) all.push({ ...run, ...(await askedOf(run.context, flags)) });
  const isBare = paths.length === 0 && all.every((one) => one.isBare) && !flags.sandbox;
  const areRecorded = all.every(({ before }) => before !== undefined);
  const isShown = isBare && areRecorded && !flags.record;
  const statements = isShown ? undefined : await readSharedStatements(paths, all, context);
  const outcomes = await runSideBySide(all, async ({ profile = '', context, ...asked }) => {
    const own = { ...asked, paths: undefined };
    return { profile, ...(await openClosing(own, asked.inputs, context, statements)) };
  });
  messages.stop();
  throwIfAllFailed(outcomes, host);
  const read = outcomes.flatMap((one) => ('error' in one ? [] : [one.result]));
  const found = new Map(
    (await judgeSeveral(read)).map((report) => [report.profile ?? '', report] as const),
  );
  // What is recorded already is shown as it was, so a run that was cut short can be repeated.
  const isToRecord = (before: CloseRecord | undefined) =>
    flags.record && (areRecorded || before === undefined);
  const canBe = (report: CloseReport | undefined) =>
    report !== undefined && canBeRecorded(report, flags.force ?? false);
  const isReady = outcomes.every(
    ({ profile = '', before }) =>
      found.has(profile) && (!isToRecord(before) || canBe(found.get(profile))),
  );
  const names = runs.map(({ profile }) => profile).join();
  const more = {
    named: { accepted, closes, booked },
    flagsOfAll: repeatedFlags({ ...flags, profile: names }),
  };
  const started: string[] = [];
  const profiles = [];
  for (const { profile = '', context: own, before, register, inputs, ...ending } of outcomes) {
    if ('error' in ending) {
      profiles.push({ ...ending, profile, context: own, failure: faultOf(ending.error) });
      continue;
    }
    const { host, accepted } = ending.result;
    let report = found.get(profile);
    if (!report) continue;
    if (before && !isToRecord(before)) {
      const { closes } = inputs.settings.preferences;
      report = asRecorded(report, { recorded: before, register: closes, accepted });
    } else if (flags.record && isReady) {
      const isNew = await isStartedBeside(register, started);
      const asked = isNew ? { ...flags, newRegister: true as const } : flags;
      const whose = { ...context, messages: own.messages, flags: asked };
      report = await recorded(report, { register, host, inputs }, whose);
      started.push(register);
    } else if (flags.record) {
      const why = canBe(report) ? [] : report.blockers.map(blockerText);
      own.messages.warn(`Not recorded: ${why.join('; ') || 'another profile cannot be closed'}.`);
    }
    const exitCode = exitCodeOf(asVerdict[stateOf(report)], {});
    report = { ...report, ...more };
    const views = closeViewsOfOne(report, flags.items);
    const told = inputs.told(views, closeSummary(report).conclusion);
    profiles.push({ ...told, profile, context: own, report, exitCode });
  }
  const views = severalCloseViews(profiles);
  await withOutput(target, context, (write) => writeReport(write, views, target));
  return concludeProfiles(profiles, target, host);
}

/** Whether this run began a register beside one that is missing: that there is another one is no sign of a wrong path. */
async function isStartedBeside(register: string, started: readonly string[]): Promise<boolean> {
  const isBeside = started.some((one) => one !== register && dirname(one) === dirname(register));
  return isBeside && (await readTextFile(register)) === undefined;
}

/** What a profile is asked to close, and its close of before. */
async function askedOf(context: Context, { record }: CloseContext['flags']) {
  const inputs = await resolveInputs(context);
  const query = queryOf(inputs, context);
  const books = await booksOf(inputs);
  const { from, to } = query.range;
  return {
    inputs,
    query,
    books,
    before: books.closes.find((one) => one.from === from && one.to === to),
    register: record ? await registerAt('closes', inputs, context) : '',
    isBare: inputs.settings.preferences.statements === undefined,
  };
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
