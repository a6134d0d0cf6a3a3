import {
  countSettlements,
  type ExportedDay,
  isSound,
  obstacleOf,
  verdictOfDays,
} from '../../../app/export-result.ts';
import { daysOf, rangesOf } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/texts.ts';
import { addTables, exportDays } from '../../../export/export-days.ts';
import { type ExportFolder, openExportFolder } from '../../../export/export-folder.ts';
import { requireScope } from '../../../export/scope.ts';
import { daysOutside, verifyExport } from '../../../export/verify-export.ts';
import type { Names } from '../../../model/settlement.ts';
import type { Source } from '../../../model/source.ts';
import { daysText, fewOfEach, many } from '../../../report/common/phrase.ts';
import {
  exportSentence,
  exportViews,
  outsideSentences,
  problemText,
  restatementText,
  stateWords,
} from '../../../report/export/view.ts';
import { verifySentence, verifyViews } from '../../../report/verify/view.ts';
import type { Context, ContextOf } from '../../context.ts';
import { exitCodes, type FailOn, namedIn } from '../../exit-codes.ts';
import { type Inputs, rangeOf, resolveInputs } from '../../inputs.ts';
import type { Messages } from '../../messages.ts';
import { printOddAnswers, printReport, resolveTarget } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { describeRange, isRangeGiven, parseDay, resolveRange } from '../../range.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import { dayNow, readSettings } from '../../settings.ts';
import { announceRenaming, holdExport, withSource } from '../../source.ts';
import type { exportCommand } from './command.ts';

type ExportContext = ContextOf<typeof exportCommand>;

export async function runExport(
  context: ExportContext,
  [folder]: readonly string[],
): Promise<number> {
  const { verify: isCheck, existing, out = isCheck ? folder : undefined } = context.flags;
  if (out === undefined || (folder !== undefined && !isCheck)) {
    const hint = 'Name the folder with --out, or check an export with --verify FOLDER.';
    throw new ReconError('usage', "Required option '--out <folder>' not specified.", { hint });
  }
  if (isCheck) return verify(context, folder ?? out);
  return existing ? exportTables(out, context) : exportRange(out, context);
}

/** Writes a folder for each day of a range. */
async function exportRange(out: string, context: ExportContext): Promise<number> {
  const { flags, messages } = context;
  const { failOn = [] } = flags;
  refuseOverdue(failOn, out);
  const target = resolveTarget(context);
  const inputs = await resolveInputs(context);
  const { profile } = inputs.settings;
  const { days: wanted, evenIncomplete } = selectDays(inputs, context);
  return withSource(inputs, context, async (opened) => {
    const held = await holdExport(out, opened, inputs, context);
    const { folder, names } = held;
    try {
      messages.say(`Exporting settlements ${describeDays(wanted)} into ${out}`);
      announceRenaming(folder, messages);
      await messages.startProgress();
      const exporting = exportDays(wanted, { ...held, evenIncomplete });
      const reported = { folder, names, wanted, profile, target, source: opened.source };
      return await reportDays(exporting, reported, context);
    } finally {
      await folder.close();
    }
  });
}

/** `--parquet --existing`: writes the missing tables. */
async function exportTables(out: string, context: ExportContext): Promise<number> {
  const { flags, messages, clock } = context;
  const { keep } = flags;
  const target = resolveTarget(context);
  const scope = await requireScope(out);
  const lock = await lockOptions(context);
  const folder = await openExportFolder(out, { scope, addsTables: true, ...lock });
  try {
    const wanted = [...folder.days.keys()].sort();
    messages.say(`Writing the Parquet tables of ${many(wanted.length, 'day')} in ${out}`);
    await messages.startProgress();
    const exporting = addTables({ folder, clock, tool: RECON_VERSION, keep });
    const profile = scope.profile ?? undefined;
    const names = new Map();
    return await reportDays(exporting, { folder, names, wanted, profile, target }, context);
  } finally {
    await folder.close();
  }
}

interface Reported {
  readonly folder: ExportFolder;
  readonly names: Names;
  readonly wanted: readonly string[];
  readonly profile: string | undefined;
  readonly target: ReturnType<typeof resolveTarget>;
  /** Absent if nothing is read. */
  readonly source?: Source;
}

async function reportDays(
  exporting: AsyncIterable<ExportedDay>,
  { folder, names, wanted, profile, target, source }: Reported,
  context: ExportContext,
): Promise<number> {
  const { flags, messages } = context;
  const { out = '', quiet = false, failOn = [] } = flags;
  // The table says the same.
  const isOnScreen = target.format === 'table' && target.path === undefined && !quiet;
  const days: ExportedDay[] = [];
  let failure: unknown;
  try {
    for await (const day of exporting) {
      days.push(day);
      if (!isOnScreen) await messages.aside(async () => showDay(day, messages));
    }
  } catch (error) {
    // The days before it are published: report them first.
    failure = error;
  }
  messages.stop();
  const isBound = days.some(({ state }) => state !== 'incomplete');
  const renamed = isBound ? folder.changedNames : [];
  const outside = await daysOutside(folder.days, wanted);
  if (!quiet || target.path !== undefined) {
    const report = { folder: out, names, asked: wanted, profile, days, renamed, outside };
    await printReport(target, exportViews(report), context, [exportSentence(report)]);
  }
  printUnwritten(days, messages);
  if (!isOnScreen) for (const text of outsideSentences(outside)) messages.warn(text);
  if (source) printOddAnswers(source, messages);
  if (failure !== undefined) throw failure;
  return exitCodeOf(verdictOfDays(days), metBy(days), failOn);
}

function selectDays(inputs: Inputs, context: ExportContext) {
  const { flags } = context;
  const today = dayNow(inputs.settings, context);
  const flag = '--publish-incomplete';
  const named = (flags.publishIncomplete ?? []).map((text) => parseDay(flag, text, today));
  const evenIncomplete = new Set(named.toSorted());
  const isRange = evenIncomplete.size === 0 || isRangeGiven(flags);
  const days = isRange ? [...daysOf(rangeOf(inputs, context))] : [...evenIncomplete];
  const outside = named.find((day) => !days.includes(day));
  if (outside === undefined) return { days, evenIncomplete };
  throw new ReconError('usage', `${outside} is outside the range.`, {
    where: flag,
    hint: 'Extend the range, or remove it to export only the days of --publish-incomplete.',
  });
}

/** Exports cannot meet this condition. */
function refuseOverdue(failOn: readonly FailOn[], folder: string): void {
  if (!namedIn(failOn, 'overdue')) return;
  throw new ReconError('usage', 'An export does not check the age of pending settlements.', {
    where: '--fail-on overdue',
    hint: `Export first, then run: recon settlements --from-export ${shellWord(folder)} --fail-on +overdue`,
  });
}

function showDay({ day, state, verdict, restatements, problems }: ExportedDay, messages: Messages) {
  for (const one of restatements)
    messages.say(`${day} ${stateWords[state]}: ${restatementText(one)}`);
  const how = state === 'incomplete' ? 'not written' : 'published incomplete';
  const label = verdict === 'incomplete' ? `${day} ${how}` : day;
  const { few, more } = fewOfEach(problems, (one) => obstacleOf(one)?.code);
  for (const one of few) messages.warn(`${label}: ${problemText(one)}`);
  for (const { kind, count } of more) {
    messages.warn(`${label}: ${many(count, 'more settlement')} not fully read (${kind})`);
  }
}

function printUnwritten(days: readonly ExportedDay[], messages: Messages): void {
  const unwritten = days.filter(({ state }) => state === 'incomplete');
  if (unwritten.length === 0) return;
  messages.warn(
    `Next: run recon export again for ${daysText(unwritten.map(({ day }) => day))}. ` +
      'If it still fails, contact the provider.',
  );
  const unreadable = unwritten.filter(({ problems }) =>
    problems.some((one) => obstacleOf(one)?.code.startsWith('unreadable_')),
  );
  if (unreadable.length === 0) return;
  messages.warn(
    `Records of ${daysText(unreadable.map(({ day }) => day))} cannot be read. If the provider does ` +
      'not correct them, add --publish-incomplete DAY to publish the day without them.',
  );
}

function metBy(days: readonly ExportedDay[]) {
  return {
    pending: days.some(({ settlements }) => settlements.pending > 0),
    'unknown-status': days.some(({ unknownStatuses }) => unknownStatuses > 0),
    empty: countSettlements(days) === 0,
    'unusual-scale': days.some(({ unusualScales }) => unusualScales > 0),
  };
}

/** `--verify`: checks an export. */
async function verify(context: Context, folder: string): Promise<number> {
  const { flags } = context;
  const target = resolveTarget(context);
  const range = isRangeGiven(flags)
    ? resolveRange(flags, dayNow(await readSettings(context), context))
    : undefined;
  const report = await verifyExport(folder, range);
  const isGood = isSound(report);
  if (!flags.quiet || !isGood) {
    await printReport(target, verifyViews(report), context, [verifySentence(report)]);
  }
  return isGood ? exitCodes.ok : exitCodes.incomplete;
}

function describeDays(days: readonly string[]): string {
  const [range, ...others] = rangesOf(days);
  return range && others.length === 0 ? describeRange(range) : `of ${daysText(days)}`;
}
