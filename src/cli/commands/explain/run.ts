import { explainIds, explainRange } from '../../../app/explain-settlement.ts';
import { ReconError } from '../../../base/errors.ts';
import type { ChargeSource } from '../../../model/charge.ts';
import { many } from '../../../report/common/phrase.ts';
import { explainConclusion, explainViews } from '../../../report/explain/view.ts';
import type { ExplainReport } from '../../../report/explain/words.ts';
import { feeCheckOf } from '../../agreed.ts';
import type { ContextOf } from '../../context.ts';
import { printFailures, requireSome } from '../../failure.ts';
import { isShortId } from '../../flag.ts';
import { ticket } from '../../flags.ts';
import { announceExport, queryOf, rangeOf, resolveInputs } from '../../inputs.ts';
import {
  printConclusion,
  printOddAnswers,
  resolveTarget,
  withOutput,
  writeReport,
} from '../../output.ts';
import { describeRange, filtersOf, isRangeGiven } from '../../range.ts';
import { readAgeingAndAccepted } from '../../registers.ts';
import { exitCodeOfRun } from '../../run-exit-code.ts';
import { wholeIds } from '../../short-ids.ts';
import { type Opened, withSource } from '../../source.ts';
import type { explainCommand } from './command.ts';

type ExplainContext = ContextOf<typeof explainCommand>;

export async function explain(context: ExplainContext, named: readonly string[]): Promise<number> {
  const { flags, messages, clock, signal } = context;
  checkUsage(context, named);
  const target = resolveTarget(context, { ...ticket, piped: 'table' });
  const inputs = await resolveInputs(context);
  const query = named.length === 0 ? queryOf(inputs, context) : undefined;
  // Where short ids are looked for.
  const days = isRangeGiven(flags) ? rangeOf(inputs, context) : undefined;
  const ageingAndAccepted = await readAgeingAndAccepted(inputs, context);
  const work = async ({ source }: Opened, charges?: ChargeSource) => {
    const isChosen = flags.neighbours !== undefined || flags.neighbourRows === true;
    const request = {
      source,
      settings: inputs.judgement,
      ageingAndAccepted,
      fees: feeCheckOf(inputs),
      neighbourDays: flags.neighbours,
      neighbourRows: flags.neighbourRows ?? false,
      isDeep: flags.deep || isChosen || inputs.exported !== undefined,
      within: inputs.exported && flags.neighbours === undefined ? inputs.period : undefined,
      charges,
      ...inputs.reading,
    };
    if (query) messages.say(`Settlements ${describeRange(query.range)}`);
    announceExport(inputs, context);
    const ids = await wholeIds(named, source, inputs, context, days);
    const report = await withOutput(target, context, async (write) => {
      const what = query ? undefined : `reading ${many(ids.length, 'settlement')}`;
      await messages.startProgress(what);
      const explained = query ? await explainRange(query, request) : await explainIds(ids, request);
      if (!query) requireSome(explained.settlements, explained.failures, context);
      // Lets a pending interruption through.
      await clock.sleep(0, signal);
      messages.stop();
      const { profile } = inputs.settings;
      const report: ExplainReport = {
        ...explained,
        settings: { ...inputs.judgement, profile, filters: query?.filters ?? {} },
        ...inputs.whose,
        listsAll: flags.all,
      };
      await writeReport(write, inputs.told(explainViews(report), []).views, target);
      return report;
    });
    const { verdict, settlements, range } = report;
    const reconciled = range?.run.settlements ?? settlements.map((one) => one.reconciled);
    const exitCode = exitCodeOfRun({ verdict, settlements: reconciled }, flags.failOn);
    printConclusion(explainConclusion(report), target, exitCode, messages);
    // The report of a range has them among its findings.
    if (!query) printOddAnswers(source, messages);
    printFailures(report.failures, context);
    return exitCode;
  };
  return withSource(inputs, context, work, flags.charges);
}

/** Throws ReconError `usage` unless either settlements or a range are named. */
function checkUsage({ flags }: ExplainContext, ids: readonly string[]): void {
  const isRange = isRangeGiven(flags) || Object.keys(filtersOf(flags)).length > 0;
  if (ids.length > 0 && isRange && !ids.some(isShortId)) {
    throw new ReconError('usage', 'Settlement ids cannot be combined with a range or filters.', {
      hint: 'Remove the ids, or the range and filters.',
    });
  }
  const isWhole = flags.sandbox || flags.fromExport !== undefined;
  if (ids.length > 0 || isRangeGiven(flags) || isWhole) return;
  throw new ReconError('usage', 'No settlement or range given.', {
    hint: 'Add the ids of settlements, or a range: --from and --to, --on DAY, or --month YYYY-MM.',
  });
}
