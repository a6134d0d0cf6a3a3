import { withoutExplainedEntries } from '../../../app/bank-check.ts';
import { KeptRows } from '../../../app/kept-rows.ts';
import { type AskedReport, reconcileSettlements } from '../../../app/reconcile-settlements.ts';
import { isShown } from '../../../app/settlements-report.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import type { Explained } from '../../../explain/explained.ts';
import type { DateRange, SettlementQuery, Source } from '../../../model/source.ts';
import { ndjsonLine } from '../../../render/json.ts';
import { grouped } from '../../../report/common/phrase.ts';
import { maxSheetRows } from '../../../report/common/workbook.ts';
import { bestFacts } from '../../../report/explain/records.ts';
import { briefExplanation, shortCauseText } from '../../../report/explain/words.ts';
import { settlementLine } from '../../../report/settlements/records.ts';
import { commandForRows, settlementsConclusion } from '../../../report/settlements/summary.ts';
import { settlementsViews, severalViews } from '../../../report/settlements/view.ts';
import { feeCheckOf } from '../../agreed.ts';
import { readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { namedIn, refuseBankConditions } from '../../exit-codes.ts';
import { office } from '../../flags.ts';
import { announceExport, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import {
  commandForAll,
  printConclusion,
  resolveTarget,
  type Target,
  withOutput,
  writeReport,
} from '../../output.ts';
import { printMapping } from '../../print-mapping.ts';
import {
  concludeProfiles,
  type ProfileRun,
  refuseWithSeveral,
  resolveProfiles,
  runSideBySide,
  throwIfAllFailed,
} from '../../profiles.ts';
import { describeRange, earlierRange } from '../../range.ts';
import { booksOf, readAgeingAndAccepted } from '../../registers.ts';
import { exitCodeOfRun } from '../../run-exit-code.ts';
import { dayNow, profileInUse } from '../../settings.ts';
import { dryRun, withSource } from '../../source.ts';
import type { settlementsCommand } from './command.ts';

type SettlementsContext = ContextOf<typeof settlementsCommand>;

export async function settlements(context: SettlementsContext): Promise<number> {
  const { init } = context.flags;
  if (init) {
    const { proposedSettlements } = await import('../../../provided/proposal.ts');
    const profile = await profileInUse(context);
    const propose: Parameters<typeof printMapping>[2] = (lines, _, payouts) =>
      proposedSettlements(lines, payouts, profile);
    return printMapping(context, init, propose, 'pair');
  }
  const target = resolveTarget(context, office);
  const runs = await resolveProfiles(context);
  const isOne = runs.some(({ profile }) => profile === undefined);
  return isOne ? ofOne(target, context) : ofSeveral(runs, target, context);
}

async function ofOne(target: Target, context: SettlementsContext): Promise<number> {
  const { flags, messages } = context;
  const { only } = flags;
  const { format } = target;
  const inputs = await resolveInputs(context);
  const query = queryOf(inputs, context);
  if (flags.dryRun) return dryRun(inputs.settings, query, context);
  const options = await optionsOf(inputs, query, target, context);
  return withSource(inputs, context, async ({ source }) => {
    announce(options, inputs, context);
    // A progress line would tear lines that are printed as they come.
    if (format !== 'ndjson') await messages.startProgress();
    const report = await withOutput(target, context, async (write) => {
      const each: Each = async (one, { explanation, facts }, asked) => {
        if (format !== 'ndjson' || asked.splitBy || !isShown(one, only)) return;
        await write(ndjsonLine(settlementLine(one, asked, explanation, facts)));
      };
      const report = await reportOf(options, source, context, each);
      await writeReport(write, inputs.told(settlementsViews(report), []).views, target);
      return report;
    });
    const exitCode = exitCodeOfRun(report.run, flags.failOn, report.bank?.report);
    printConclusion(settlementsConclusion(report), target, exitCode, messages);
    return exitCode;
  });
}

async function ofSeveral(runs: readonly ProfileRun[], target: Target, context: SettlementsContext) {
  const { flags, host, messages } = context;
  const { failOn, fromExport, dryRun, rows } = flags;
  refuseWithSeveral({ '--from-export': fromExport, '--dry-run': dryRun, '--rows': rows });
  const profiles = await withOutput(target, context, async (write) => {
    await messages.startProgress('reading the lists of settlements');
    const outcomes = await runSideBySide(runs, async ({ context }) => {
      const inputs = await resolveInputs(context);
      const options = await optionsOf(inputs, queryOf(inputs, context), target, context);
      return withSource(inputs, context, ({ source }) => {
        announce(options, inputs, context);
        return reportOf(options, source, context);
      });
    });
    messages.stop();
    throwIfAllFailed(outcomes, host);
    const banks = outcomes.flatMap((one) => ('error' in one ? [] : (one.result.bank ?? [])));
    const profiles = outcomes.map(({ profile = '', context, ...ending }) => {
      if ('error' in ending) {
        return { ...ending, profile, context, failure: faultOf(ending.error) };
      }
      const bank = ending.result.bank && withoutExplainedEntries(ending.result.bank, banks);
      const report = { ...ending.result, bank };
      return {
        profile,
        context,
        report,
        conclusion: settlementsConclusion(report),
        exitCode: exitCodeOfRun(report.run, failOn, bank?.report),
      };
    });
    await writeReport(write, severalViews(profiles), target);
    return profiles;
  });
  return concludeProfiles(profiles, target, host);
}

/** The range of `--compare` and the limit of `--drift`. Throws ReconError `usage` if the range is missing. */
function comparisonOf({ settings }: Inputs, range: DateRange, context: SettlementsContext) {
  const { compare, drift: limit = usualDrift, failOn } = context.flags;
  if (compare === undefined) {
    if (!namedIn(failOn, 'fee-drift')) return undefined;
    const hint = 'Add a range: --compare previous.';
    throw new ReconError('usage', '--fail-on fee-drift needs --compare.', { hint });
  }
  return { range: earlierRange(compare, range, dayNow(settings, context)), limit };
}

const usualDrift = 500n;

type Options = Awaited<ReturnType<typeof optionsOf>>;
type Each = NonNullable<Parameters<typeof reconcileSettlements>[1]['each']>;

/** What is read, and what it is compared with. Reads statements and registers. */
async function optionsOf(
  inputs: Inputs,
  query: SettlementQuery,
  target: Target,
  context: SettlementsContext,
) {
  const { flags } = context;
  const { range, filters } = query;
  const { judgement, whose } = inputs;
  const compare = comparisonOf(inputs, range, context);
  if (!flags.bank) refuseBankConditions(flags.failOn);
  const bank = flags.bank && (await readBank(flags.bank, inputs, context));
  const ageingAndAccepted = await readAgeingAndAccepted(inputs, context);
  const { accepted } = ageingAndAccepted;
  const asked: AskedReport & { readonly range: DateRange } = {
    range,
    settings: { profile: whose.profile, ...judgement, filters },
    ...whose,
    only: flags.only,
    commandForAll: commandForAll(target, context),
    splitBy: flags.by === 'settlement' ? undefined : flags.by,
    hasRegister: accepted !== undefined,
  };
  return {
    ...inputs.reading,
    asked,
    query,
    compare,
    settings: judgement,
    ageingAndAccepted,
    explains: flags.explain ?? true,
    fees: feeCheckOf(inputs),
    kept: flags.rows ? rowsFor(asked) : undefined,
    bank: bank && { ...bank, accepted },
    books: await booksOf(inputs),
  };
}

function announce({ asked, compare }: Options, inputs: Inputs, context: SettlementsContext): void {
  const { messages } = context;
  messages.say(`Settlements ${describeRange(asked.range)}`);
  if (compare) messages.say(`Compared with settlements ${describeRange(compare.range)}`);
  announceExport(inputs, context);
}

async function reportOf(
  { asked, ...options }: Options,
  source: Source,
  { messages, clock, signal }: SettlementsContext,
  each?: Each,
) {
  const report = await reconcileSettlements(asked, { ...options, source, tell, each });
  await clock.sleep(0, signal);
  messages.stop();
  return report;
}

function tell(explained: Explained, currency: string) {
  const explanation = briefExplanation(explained, currency);
  return {
    explanation: explained.byRule ? `${explanation} See the proposed rule.` : explanation,
    cause: shortCauseText(explained, currency),
    facts: bestFacts(explained),
  };
}

/** Keeps the rows of the settlements that a workbook shows. */
function rowsFor(request: AskedReport): KeptRows {
  const { only } = request;
  const most = grouped(maxSheetRows);
  return new KeptRows({
    most: maxSheetRows,
    tooMany: () => {
      const message = `More than ${most} transactions: a workbook lists ${most} at most.`;
      const hint = `Remove --rows, and list the transactions in a csv file: ${commandForRows(request)}`;
      return new ReconError('usage', message, { hint });
    },
    isNeeded: only && ((one) => isShown(one, only)),
  });
}
