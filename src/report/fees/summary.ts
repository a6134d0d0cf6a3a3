import {
  claims,
  type FeesReport,
  feeRows,
  feesVerdict,
  feesWithoutRow,
} from '../../app/fees-report.ts';
import type { AgreedPrice, AgreedRate } from '../../model/agreed-rates.ts';
import { formatMinor } from '../../money/money.ts';
import type { AgreementFault, FeeDifference } from '../../reconcile/agreed/check-fees.ts';
import { adviceForIncomplete, incompleteSentences } from '../common/partial-words.ts';
import {
  amountText,
  command,
  enumerate,
  grouped,
  many,
  moneyText,
  present,
} from '../common/phrase.ts';
import { entrySentence } from '../common/words.ts';
import { ruleWords } from '../explain/cause-words.ts';
import { completenessText } from '../settlements/summary.ts';

/** The answer in a few words. */
export function feesLabel(report: FeesReport): string {
  const amounts = claims(report.fees).map(
    ({ minor, scale, currency }) => `${currency} ${grouped(formatMinor(minor, scale))}`,
  );
  const rows = many(feeRows(report.fees, 'withoutRate'), 'row');
  return {
    incomplete: 'INCOMPLETE',
    overcharged: `OVERCHARGED (${amounts.join(', ')})`,
    not_checked: `NOT CHECKED (${rows} without a rate)`,
    as_agreed: report.run.settlements.length === 0 ? 'NOTHING FOUND' : 'AS AGREED',
  }[feesVerdict(report)];
}

/** The answer in a few sentences. */
export function feesHeadline({ fees }: FeesReport): string {
  const [above, below] = [feeRows(fees, 'overRows'), feeRows(fees, 'underRows')];
  const without = feeRows(fees, 'withoutRate');
  return present(
    `Fees of ${many(feeRows(fees, 'rows') - without, 'row')} were compared with the agreed rates.`,
    above > 0
      ? `${many(above, 'row costs', 'rows cost')} more than agreed: ${enumerate(claims(fees).map(moneyText))} with tax.`
      : 'None costs more than agreed.',
    below > 0 && `${many(below, 'row costs', 'rows cost')} less than agreed.`,
    without > 0 && `${many(without, 'row has', 'rows have')} no agreed rate.`,
  ).join(' ');
}

/** Whether everything was read, in words. */
export function feesCompleteness({ run, fees }: FeesReport): string {
  const { unknownTiers } = fees;
  const rows = many(unknownTiers, 'row');
  if (unknownTiers === 0 || !run.complete) return completenessText({ run });
  return `NO: the volume that decides the tier of ${rows} is not fully known`;
}

/** What `recon fees` comes to, for those who do not see the report. */
export function feesConclusion(report: FeesReport): readonly string[] {
  const findings = report.run.findings.map(entrySentence);
  return [`${feesLabel(report)}. ${feesHeadline(report)}`, ...findings, ...feesNotes(report)];
}

/** What a reader has to know beside the figures, each a sentence. */
export function feesNotes(report: FeesReport): readonly string[] {
  const { run, openMonths, agreement } = report;
  const { pending } = run.counts;
  const untaxed = agreement.rates.filter(({ tax }) => !tax).map(({ name }) => name);
  return present(
    ...incompleteSentences(run.settlements),
    pending > 0 && `Not checked: ${many(pending, 'pending settlement')}.`,
    openMonths.length > 0 &&
      `The volume of ${enumerate(openMonths)} is not final, so the tiers may still change.`,
    untaxed.length > 0 && `No tax is agreed for ${enumerate(untaxed)}, so it is not checked.`,
    feesWithoutRow(report).length > 0 && 'Fees in headers without a row are in no claim.',
  );
}

/** What to do next, each a sentence. */
export function feesAdvice({ run, fees, flags, range }: FeesReport): readonly string[] {
  const days = `--from ${range.from} --to ${range.to}`;
  return present(
    ...adviceForIncomplete(run.findings, ['Run the command again: not everything was read.']),
    claims(fees).length > 0 && `Claim: ${command('recon fees', days, '--output claim.md', flags)}`,
    feeRows(fees, 'withoutRate') > 0 && 'Without a rate: add the agreed rate of these rows.',
  );
}

/** The price that was agreed: `0.25 + 1.4 % of 300.00, at least 0.30, rounded down`. */
function priceText(price: AgreedPrice, { rounding }: AgreedRate, of: string): string {
  const { percent, percent_from: from, percent_to: to, fixed, minimum, maximum } = price;
  const part = percent ?? (from && `${from} % to ${to}`);
  return present(
    present(fixed, part && `${part} %${of}`).join(' + '),
    minimum && `at least ${minimum}`,
    maximum && `at most ${maximum}`,
    rounding && `rounded ${ruleWords[rounding]}`,
  ).join(', ');
}

/** How the agreed fee of a row comes about: `1.4 % of 300.00 = 4.20`; or the tax of a settlement. */
export function agreedFeeText(one: FeeDifference): string {
  const { amount, line, rate, price, agreedFee, agreedTax, ids } = one;
  const { scale } = line;
  const of = ` of ${grouped(amountText(amount < 0n ? -amount : amount, scale))}`;
  if (ids.id === '') return `tax of ${price.percent} %${of} = ${amountText(agreedTax, scale)}`;
  const sign = amount < 0n ? rate.sign : 'charged';
  const how =
    sign === 'none'
      ? 'no fee on negative amounts'
      : present(priceText(price, rate, of), sign === 'returned' && 'returned').join(', ');
  return `${how} = ${amountText(agreedFee, scale)}`;
}

/** Why the settings cannot be right. */
export function agreementFaultText(
  { rates, misfit, kind, rowId }: AgreementFault,
  all: readonly AgreedRate[],
): string {
  const keys = enumerate(rates.map((one) => `agreed_rates[${all.indexOf(one)}] (${one.name})`));
  const { type, paymentType, state, currency, scale, settlementId } = kind;
  const values = present(type, paymentType, state, currency).join(', ');
  const row = `row ${rowId} of settlement ${settlementId} (${values})`;
  return misfit
    ? `${keys} has more decimals in ${misfit} than ${row}, which has ${scale}.`
    : `${keys} apply to the same row: ${row}.`;
}
