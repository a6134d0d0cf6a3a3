import { addDays, daysOfMonth, isDayIn } from '../base/calendar.ts';
import { drained } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import type { Agreement } from '../model/agreed-rates.ts';
import type { DateRange, SettlementQuery } from '../model/source.ts';
import { addMoney, type Money, moneySums } from '../money/money.ts';
import { type AgreementFault, type CheckedFees, FeeCheck } from '../reconcile/agreed/check-fees.ts';
import { decisiveMonth, numberIn, ratedRows, Volumes } from '../reconcile/agreed/price.ts';
import { ratesShown } from '../reconcile/agreed/rates-shown.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { isInSums } from '../reconcile/verdict.ts';
import type { Reading } from './read-once.ts';
import { isWhole, readSettlements } from './read-settlements.ts';
import { type RangeOptions, reconcileRange } from './reconcile-range.ts';
import type { RunReport } from './settlements-report.ts';

export interface FeesReport extends RunReport {
  readonly range: DateRange;
  readonly agreement: Agreement;
  readonly run: ReconciledRun;
  readonly fees: CheckedFees;
  /** Months whose volume decided a tier but may still grow. */
  readonly openMonths: readonly string[];
}

export type FeesVerdict = 'incomplete' | 'overcharged' | 'not_checked' | 'as_agreed';

/** The verdict. Undercharges never offset overcharges. */
export function feesVerdict({ run, fees }: Pick<FeesReport, 'run' | 'fees'>): FeesVerdict {
  if (!run.complete || fees.unknownTiers > 0) return 'incomplete';
  if (claims(fees).length > 0) return 'overcharged';
  return feeRows(fees, 'withoutRate') > 0 ? 'not_checked' : 'as_agreed';
}

/** The overcharges, tax included, by currency; without currencies that have none. */
export function claims({ lines }: CheckedFees): readonly Money[] {
  const sums = lines.map(({ over, taxOver, scale, currency }) => {
    return { minor: over + taxOver, scale, currency };
  });
  return moneySums(sums).filter(({ minor }) => minor > 0n);
}

/** A count of rows over all lines. */
export function feeRows(
  { lines }: CheckedFees,
  count: 'rows' | 'withoutRate' | 'overRows' | 'underRows',
) {
  return lines.reduce((sum, line) => sum + line[count], 0);
}

/** Fees of a month that are in headers but not in rows (reported − computed), and the agreed part of them. */
export interface MonthlyFees {
  readonly month: string;
  readonly charged: Money;
  readonly agreed: Money;
}

/** By month and currency, without months that have none. */
export function feesWithoutRow({ run, agreement }: FeesReport): readonly MonthlyFees[] {
  const months = new Map<string, MonthlyFees>();
  for (const { settlement, scale, difference, verdict } of run.settlements) {
    if (!difference?.fees || !isInSums(verdict)) continue;
    const { date, currency } = settlement;
    const month = date.slice(0, 7);
    const none = { minor: 0n, scale, currency };
    const agreed = agreement.fees
      .filter((fee) => fee.currency === currency)
      .map((fee) => numberIn(fee.amount))
      .reduce((sum, { digits, scale }) => addMoney(sum, { minor: digits, scale, currency }), none);
    const { charged } = months.get(`${month} ${currency}`) ?? { charged: none };
    const more = { minor: difference.fees, scale, currency };
    months.set(`${month} ${currency}`, { month, charged: addMoney(charged, more), agreed });
  }
  return [...months].sort(([a], [b]) => byText(a, b)).map(([, one]) => one);
}

export interface FeesAgreed {
  readonly agreement: Agreement;
  readonly faultOf: (fault: AgreementFault) => Error;
}

/** What was agreed, and which days decide. */
export interface FeesAsked extends FeesAgreed {
  /** Within how many days rows are settled. */
  readonly settleDays: number;
  /** The last day that can be read. */
  readonly lastDay: string;
}

interface FeesRequest extends Omit<RangeOptions, 'fees' | 'explains'>, FeesAsked {}

/** The report on the fees of a range. Throws ReconError if the run cannot go on. */
export async function reportFees(request: FeesRequest & RunReport): Promise<FeesReport> {
  const { agreement, settings, names, flags, query } = request;
  return { ...(await checkFees(request)), agreement, settings, names, flags, range: query.range };
}

/** Reads a range, and compares its fees with the agreed ones. Throws ReconError if the run cannot go on. */
export async function checkFees(
  request: FeesRequest,
): Promise<Pick<FeesReport, 'run' | 'fees' | 'openMonths'>> {
  const check = await feeCheckFor(request);
  const run = await drained(
    reconcileRange({ ...request, fees: check, explains: false, isForVerdicts: true }),
  );
  return { run, ...feesFound(check, request) };
}

/** What the fees of a reading are compared with; reads the months that decide tiers, if rates have any. */
export async function feeCheckFor(request: FeesRequest): Promise<FeeCheck> {
  const { agreement, faultOf, settings } = request;
  const volumes = agreement.rates.some(({ tiers }) => tiers) && (await readVolumes(request));
  return new FeeCheck({ agreement, faultOf, rules: settings.rules, volumes });
}

/** What was found, once all settlements are read. */
export function feesFound(
  check: FeeCheck,
  request: FeesAsked,
): Pick<FeesReport, 'fees' | 'openMonths'> {
  const fees = check.checked();
  const { lastDay } = request;
  const openMonths = fees.volumeMonths.filter((month) => lastDayFor(month, request) > lastDay);
  return { fees, openMonths };
}

function lastDayFor(month: string, { settleDays }: FeesAsked): string {
  return addDays(daysOfMonth(month)?.to ?? month, settleDays);
}

/** Reads the whole months whose volumes decide the tiers of a range. */
async function readVolumes(request: FeesRequest): Promise<Volumes> {
  const { agreement, source, query, settings, ahead, settleDays, lastDay } = request;
  const capped = (day: string) => (day < lastDay ? day : lastDay);
  const first = addDays(query.range.from, -settleDays).slice(0, 7);
  const range = {
    from: `${decisiveMonth({ tier_of: 'month before' }, first)}-01`,
    to: capped(lastDayFor(query.range.to.slice(0, 7), request)),
  };
  const headers = await source.headers({ ...query, range });
  const gaps = [...(headers.missingDays ?? []), ...(headers.incompleteDays ?? [])];
  const volumes = new Volumes((month) => {
    const needed = { from: `${month}-01`, to: capped(lastDayFor(month, request)) };
    const isRead = range.from <= needed.from && !headers.unsteady;
    return isRead && !gaps.some((day) => isDayIn(needed, day));
  });
  const reading = { source, ahead, keepsDetails: true };
  for await (const { settlement, rows, outcome } of readSettlements(headers.settlements, reading)) {
    if (!isWhole(outcome)) {
      gaps.push(settlement.date);
      continue;
    }
    rows.replace(outcome.corrections);
    for (const { chosen, amount } of ratedRows(settlement, rows, agreement, settings.rules)) {
      const [rate, ...others] = chosen.rates;
      const { scale, currency } = chosen.kind;
      if (!rate?.tiers || others.length > 0) continue;
      volumes.add(rate, settlement.merchantId, chosen.month, { minor: amount, scale, currency });
    }
  }
  return volumes;
}

/** The rates that the rows of a range show; settlements that were not fully read are left out. */
export async function readRates(query: SettlementQuery, reading: Reading) {
  const { settlements } = await reading.source.headers(query);
  const read: RowColumns[] = [];
  for await (const { rows, outcome } of readSettlements(settlements, reading)) {
    if (!isWhole(outcome)) continue;
    rows.replace(outcome.corrections);
    read.push(rows);
  }
  return ratesShown(read);
}
