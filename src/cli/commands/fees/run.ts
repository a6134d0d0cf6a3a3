import {
  claims,
  type FeesReport,
  feeRows,
  feesVerdict,
  readRates,
  reportFees,
} from '../../../app/fees-report.ts';
import { ReconError } from '../../../base/errors.ts';
import type { SettlementQuery } from '../../../model/source.ts';
import { ratesTemplate } from '../../../report/fees/rates.ts';
import { claimViews, feesSummary, feesViews } from '../../../report/fees/view.ts';
import { agreementAt } from '../../agreed.ts';
import type { ContextOf } from '../../context.ts';
import { ticket } from '../../flags.ts';
import { announceRange, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { printReport, resolveTarget, withOutput, writeReport } from '../../output.ts';
import { offerTable, setElsewhere } from '../../profile-table.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import { withSource } from '../../source.ts';
import type { feesCommand } from './command.ts';

type FeesContext = ContextOf<typeof feesCommand>;

export async function fees(context: FeesContext): Promise<number> {
  const { flags, messages, clock, signal } = context;
  const inputs = await resolveInputs(context);
  const query = queryOf(inputs, context);
  if (flags.init) return printRates(inputs, query, context);
  const target = resolveTarget(context, ticket);
  const agreed = await agreementAt(inputs, flags);
  if (!agreed) {
    const hint =
      (await setElsewhere('agreed_rates', inputs, context)) ||
      'Set agreed_rates in the profile. To see the rates that the transactions show: recon fees --init.';
    throw new ReconError('configuration', 'No rates are agreed.', { hint });
  }
  const { settings, judgement, whose, reading } = inputs;
  const report = await withSource(inputs, context, async ({ source }) => {
    await announceRange(query.range, inputs, context);
    const checked = await reportFees({
      ...agreed,
      ...reading,
      ...whose,
      source,
      query,
      settleDays: settings.preferences.settle_days,
      settings: { ...judgement, profile: settings.profile, filters: query.filters },
      lastDay: inputs.period?.to ?? inputs.today(),
    });
    // Lets a pending interruption through.
    await clock.sleep(0, signal);
    messages.stop();
    return checked;
  });
  const exitCode = exitCodeOfFees(report, context);
  const { more = [] } = target;
  const claim = [target, ...more].find(({ format }) => format === 'markdown');
  const rowsPath = claim?.path?.replace(/\.\w+$|$/, '.csv');
  if (rowsPath !== undefined) {
    if (more.some(({ path }) => path === rowsPath) || target.path === rowsPath) {
      const hint = 'Give the CSV another name.';
      throw new ReconError('usage', 'The rows of the claim go to this file too.', {
        where: rowsPath,
        hint,
      });
    }
    const rows = { ...target, format: 'csv', path: rowsPath, more: [] } as const;
    await withOutput(rows, context, (write) => writeReport(write, claimViews(report), rows));
  }
  const { conclusion } = feesSummary(report);
  return printReport(target, feesViews(report, rowsPath, flags.by), context, conclusion, exitCode);
}

function exitCodeOfFees(report: FeesReport, { flags: { failOn } }: FeesContext): number {
  const { fees, run } = report;
  const met = {
    overcharge: claims(fees).length > 0,
    undercharge: feeRows(fees, 'underRows'),
    'no-rate': feeRows(fees, 'withoutRate'),
    empty: run.settlements.length === 0,
  };
  return exitCodeOf(verdicts[feesVerdict(report)], met, failOn);
}

const verdicts = {
  as_agreed: 'balanced',
  not_checked: 'balanced',
  overcharged: 'out_of_balance',
  incomplete: 'incomplete',
} as const;

/** `recon fees --init`: prints the rates that the transactions show. Returns the exit code. */
async function printRates(inputs: Inputs, query: SettlementQuery, context: FeesContext) {
  const { ahead } = inputs.reading;
  const rates = await withSource(inputs, context, ({ source }) =>
    readRates(query, { source, ahead }),
  );
  return offerTable(
    'agreed_rates',
    (profile) => ratesTemplate(rates, query.range, profile),
    context,
  );
}
