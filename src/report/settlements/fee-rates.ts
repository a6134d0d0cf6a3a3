import { rateScale, rateText } from '../../money/rate.ts';
import type { FeeDrift } from '../../reconcile/fee-drift.ts';
import {
  type ComparedRate,
  type ComparedRates,
  type FeesCharged,
  feeRate,
  rateChange,
  rateKey,
} from '../../reconcile/fee-rates.ts';
import {
  accountColumn,
  type CellColumn,
  column,
  mostShownRows,
  plain,
  section,
} from '../common/blocks.ts';
import { feeDriftText, paymentTypeText } from '../common/fee-words.ts';
import { jsonAccount, jsonFacts } from '../common/json.ts';
import {
  capitalised,
  digitsOf,
  enumerate,
  many,
  present,
  rangeText,
  signedText,
} from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import type { Section } from '../common/view.ts';
import { mostNamed } from './notes.ts';
import type { SettlementsReport } from './report.ts';
import { rateNote } from './totals.ts';

/**
 * The fee rates beside those of the earlier range, the changed ones first, `most` of them; none if not
 * compared.
 */
export function feeRateSections(
  report: SettlementsReport,
  most = mostShownRows,
): readonly Section[] {
  const { feeRates } = report.run;
  if (!feeRates) return [];
  const { rates, range } = feeRates;
  const drifts = new Map(driftsOf(report).map((facts) => [rateKey(facts), facts]));
  const hasEarlier = rates.some(({ earlier }) => earlier);
  const hasNow = rates.some(({ now }) => now);
  const isChanged = (one: ComparedRate) => drifts.has(rateKey(one));
  const table = section<ComparedRate>(
    `Fee rates, compared with ${rangeText(range)}`,
    [...rates.filter(isChanged), ...rates.filter((one) => !isChanged(one))],
    rateColumns(report.names),
    (one) => {
      const drift = drifts.get(rateKey(one));
      const texts = present(
        drift && feeDriftText(drift),
        !one.earlier && hasEarlier && 'new: no transactions in the earlier range',
        !one.now && hasNow && 'no longer used: no transactions in this range',
      );
      return texts.map((text) => plain(text));
    },
    { most },
  );
  const cut = rates.length - most;
  const note = present(
    ...reservations(report, feeRates),
    ...feeRateNotes(report),
    cut > 0 && `Showing ${most} of ${rates.length}; --format json lists all.`,
  );
  return [{ ...table, note: note.join(' ') }];
}

function rateColumns(names: Names): readonly CellColumn<ComparedRate>[] {
  const amount = (priority: number, title: string, text: (one: ComparedRate) => string) =>
    column<ComparedRate>(priority, title, 'amount', text);
  return [
    accountColumn(names, 2, ({ accountingToken }) => accountingToken),
    column(2, 'Currency', 'text', ({ currency }) => currency),
    column(1, 'Payment type', 'text', ({ paymentType }) => paymentType || '(missing)'),
    amount(4, 'Earlier gross', ({ earlier }) => digitsOf(earlier?.gross)),
    amount(4, 'Earlier fees', ({ earlier }) => digitsOf(earlier?.fees)),
    amount(1, 'Earlier fees %', ({ earlier }) => rateText(feeRate(earlier))),
    amount(3, 'Gross', ({ now }) => digitsOf(now?.gross)),
    amount(3, 'Fees', ({ now }) => digitsOf(now?.fees)),
    amount(1, 'Fees %', ({ now }) => rateText(feeRate(now))),
    amount(1, 'Change (points)', (one) => signedText(rateChange(one), rateScale)),
  ];
}

/** How the rates are to be read, a sentence each; none if not compared. */
export function feeRateNotes({ run: { feeRates } }: SettlementsReport): readonly string[] {
  if (!feeRates) return [];
  const limit = rateText(feeRates.limit);
  return [rateNote, `Changes of more than ${limit} percentage points have a notice.`];
}

/** What has changed, with the names of accounts, and what the comparison leaves open: a sentence each. */
export function feeRateSentences(report: SettlementsReport): readonly string[] {
  const { feeRates } = report.run;
  if (!feeRates) return [];
  const drifts = driftsOf(report);
  const more = drifts.length - mostNamed;
  const named = drifts.slice(0, mostNamed).map((facts) => {
    const account = report.names.get(facts.accountingToken) ?? facts.accountingToken;
    return `${account}, ${paymentTypeText(facts)}: ${feeDriftText(facts)}.`;
  });
  return present(
    ...named,
    more > 0 && `${many(more, 'more fee rate')} changed; --format json lists all.`,
    ...reservations(report, feeRates),
  );
}

/** What of the two ranges is not in the rates, a sentence each. */
function reservations({ run }: SettlementsReport, { earlier }: ComparedRates): readonly string[] {
  const { counts } = earlier;
  if (earlier.complete && Object.values(counts).every((count) => count === 0)) {
    return ['The earlier range has no settlements, so no fee rate is compared.'];
  }
  const unread = present(!earlier.complete && 'the earlier range', !run.complete && 'this range');
  const left = (['pending', 'incomplete'] as const).filter((verdict) => counts[verdict] > 0);
  const leftOut = enumerate(left.map((verdict) => `${counts[verdict]} ${verdict}`));
  return present(
    unread.length > 0 &&
      `${capitalised(enumerate(unread))} could not be fully read, so the fee rates may be wrong.`,
    leftOut && `Not included in the earlier fee rates: ${leftOut}.`,
  );
}

function driftsOf({ run }: SettlementsReport): readonly FeeDrift[] {
  return run.findings.flatMap((one) => (one.code === 'fee_drift' ? [one.facts] : []));
}

/** With what the fee rates were compared, and whether both ranges could be read; nothing if not compared. */
export function jsonComparison({ run }: SettlementsReport) {
  const { range, limit, earlier } = run.feeRates ?? {};
  return (
    earlier && {
      range,
      settlements: earlier.counts,
      complete: earlier.complete && run.complete,
      limit: rateText(limit),
    }
  );
}

/** The rates of each payment type in per cent, rounded; null where there is none. */
export function jsonFeeRates({ run, names }: SettlementsReport): readonly object[] {
  return (run.feeRates?.rates ?? []).map((one) => {
    const { accountingToken, currency, paymentType, earlier, now } = one;
    const scale = Math.max(earlier?.gross.scale ?? 0, now?.gross.scale ?? 0);
    const change = rateChange(one);
    return {
      ...jsonAccount(accountingToken, names),
      currency,
      paymentType,
      decimalPlaces: scale,
      earlier: jsonCharged(earlier, scale),
      now: jsonCharged(now, scale),
      change: change === undefined ? null : rateText(change),
    };
  });
}

function jsonCharged(charged: FeesCharged | undefined, scale: number) {
  if (!charged) return null;
  const { transactions, gross, fees } = charged;
  const amounts = { gross: jsonFacts(gross, scale), fees: jsonFacts(fees, scale) };
  return { transactions, ...amounts, feesPercent: rateText(feeRate(charged)) || null };
}
