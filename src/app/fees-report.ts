import { addDays, daysOfMonth, isDayIn } from '../base/calendar.ts';
import { drained } from '../base/ordered.ts';
import type { AgreedRate, Agreement } from '../model/agreed-rates.ts';
import type { DateRange } from '../model/source.ts';
import { addMoney, type Money, moneySums } from '../money/money.ts';
import { type AgreementFault, type CheckedFees, FeeCheck } from '../reconcile/agreed/check-fees.ts';
import { numberIn } from '../reconcile/agreed/price.ts';
import { decisiveMonth, Volumes } from '../reconcile/agreed/volumes.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { isWhole, type ReadingOptions, readSettlements } from './read-settlements.ts';
import { type RangeOptions, reconcileRange } from './reconcile-range.ts';
import type { RunReport } from './settlements-report.ts';

/** Everything that the report of `recon fees` is made of. */
export interface FeesReport extends RunReport {
  readonly range: DateRange;
  readonly agreement: Agreement;
  readonly run: ReconciledRun;
  readonly fees: CheckedFees;
  /** Months whose volume decided a tier and may still grow. */
  readonly openMonths: readonly string[];
}

export type FeesVerdict = 'incomplete' | 'overcharged' | 'not_checked' | 'as_agreed';

/** The verdict. Undercharges never make up for overcharges. */
export function feesVerdict(report: FeesReport): FeesVerdict {
  const { run, fees } = report;
  if (!run.complete || fees.unknownTiers > 0) return 'incomplete';
  if (claims(fees).length > 0) return 'overcharged';
  return rowsWithoutRate(fees) > 0 ? 'not_checked' : 'as_agreed';
}

/** What was charged too much, tax included, by currency; without currencies that have nothing. */
export function claims({ lines }: Pick<CheckedFees, 'lines'>): readonly Money[] {
  const over = lines.map((one) => ({ ...one, minor: one.over + one.taxOver }));
  return moneySums(over.map(({ minor, scale, currency }) => ({ minor, scale, currency }))).filter(
    ({ minor }) => minor !== 0n,
  );
}

/** The number of rows that no agreed rate matches. */
export function rowsWithoutRate({ lines }: Pick<CheckedFees, 'lines'>): number {
  return lines.reduce((sum, { withoutRate }) => sum + withoutRate, 0);
}

/** The number of rows with a fee or tax below what was agreed. */
export function rowsBelow({ lines }: Pick<CheckedFees, 'lines'>): number {
  return lines.reduce((sum, { underRows }) => sum + underRows, 0);
}

/** Fees that are in headers and not in rows, in a month, and what was agreed of them. */
export interface MonthlyFees {
  readonly month: string;
  readonly above: Money;
  readonly below: Money;
  readonly agreed: Money;
}

/** By month and currency; only what headers show. */
export function feesWithoutRow({ fees, agreement }: FeesReport): readonly MonthlyFees[] {
  const months = new Map<string, MonthlyFees>();
  for (const { settlement, minor, scale, currency } of fees.withoutRow) {
    const month = settlement.date.slice(0, 7);
    const key = `${month} ${currency}`;
    const none: Money = { minor: 0n, scale, currency };
    const known = months.get(key) ?? {
      ...{ month, above: none, below: none },
      agreed: agreement.fees
        .filter((one) => one.currency === currency)
        .map(({ amount }) => numberIn(amount))
        .reduce((sum, { digits: minor, scale }) => addMoney(sum, { minor, scale, currency }), none),
    };
    const side = minor > 0n ? 'above' : 'below';
    months.set(key, { ...known, [side]: addMoney(known[side], { minor, scale, currency }) });
  }
  return [...months.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

interface FeesRequest extends Omit<RangeOptions, 'fees' | 'explains'> {
  readonly agreement: Agreement;
  readonly faultOf: (fault: AgreementFault) => Error;
  /** Within how many days rows are settled. */
  readonly settleDays: number;
  /** The last day that can be read. */
  readonly lastDay: string;
}

/** Reads a range, and compares its fees with what was agreed. Throws ReconError if the run can't go on. */
export async function checkFees(
  request: FeesRequest,
): Promise<Pick<FeesReport, 'run' | 'fees' | 'openMonths'>> {
  const { agreement, faultOf, settings, lastDay } = request;
  const volumes = await readVolumes(request);
  const check = new FeeCheck({ agreement, faultOf, rules: settings.rules, volumes });
  const run = await drained(reconcileRange({ ...request, fees: check, explains: false }));
  const fees = check.checked();
  const lag = lagOf(agreement.rates, request.settleDays);
  const openMonths = fees.volumeMonths.filter((month) => addDays(endOf(month), lag) > lastDay);
  return { run, fees, openMonths };
}

/** Rows of a day may be settled some days later. */
function lagOf(rates: readonly AgreedRate[], settleDays: number): number {
  return rates.some(({ tiers, day }) => tiers && day === 'row') ? settleDays : 0;
}

function endOf(month: string): string {
  return daysOfMonth(month)?.to ?? month;
}

/** Reads the whole months whose volumes decide the tiers of a range; undefined without tiers. */
async function readVolumes(request: FeesRequest): Promise<Volumes | undefined> {
  const { agreement, source, query, settings, ahead, settleDays, lastDay } = request;
  const tiered = agreement.rates.filter(({ tiers }) => tiers);
  if (tiered.length === 0) return undefined;
  const lag = lagOf(tiered, settleDays);
  const first = addDays(query.range.from, -lag).slice(0, 7);
  const months = tiered.map((rate) => decisiveMonth(rate, first)).sort();
  const capped = (day: string) => (day < lastDay ? day : lastDay);
  const range = {
    from: `${months[0]}-01`,
    to: capped(addDays(endOf(query.range.to.slice(0, 7)), lag)),
  };
  const headers = await source.headers({ ...query, range });
  const gaps = [...(headers.missingDays ?? []), ...(headers.incompleteDays ?? [])];
  const volumes = new Volumes((month, { day }) => {
    const to = capped(addDays(endOf(month), day === 'row' ? settleDays : 0));
    const needed = { from: `${month}-01`, to };
    const isRead = range.from <= needed.from && needed.to <= range.to && !headers.unsteady;
    return isRead && !gaps.some((gap) => isDayIn(needed, gap));
  });
  const reading: ReadingOptions = { source, ahead, keepsDetails: true };
  for await (const { settlement, rows, outcome } of readSettlements(headers.settlements, reading)) {
    if (isWhole(outcome)) {
      rows.replace(outcome.corrections);
      volumes.add(settlement, rows, agreement, settings.rules);
    } else gaps.push(settlement.date);
  }
  return volumes;
}
