import { toml, tomlEscaped } from '../../base/texts.ts';
import type { AgreedPrice, AgreedRate } from '../../model/agreed-rates.ts';
import type { DateRange } from '../../model/source.ts';
import { formatMinor } from '../../money/money.ts';
import { rateScale } from '../../money/rate.ts';
import type { AgreementFault, FeeDifference } from '../../reconcile/agreed/check-fees.ts';
import type { ShownRate, ShownTariffs } from '../../reconcile/agreed/rates-shown.ts';
import { million } from '../../reconcile/tariffs.ts';
import { amountText, enumerate, grouped, many, present, rangeText } from '../common/phrase.ts';
import { profileTable } from '../common/rule-words.ts';
import { ruleWords } from '../explain/rate-words.ts';

/** The rates that rows were charged, as commented lines of a configuration file. */
export function ratesTemplate(
  shown: readonly ShownRate[],
  range: DateRange,
  profile: string,
): string {
  const rows = shown.reduce((sum, one) => sum + one.rows, 0);
  return [
    `# What ${many(rows, 'transaction')} of ${rangeText(range)} were charged. This is not what was agreed.`,
    '# Hold each rate against the contract, correct it, add valid_from, and remove the # of its lines.',
    ...shown.flatMap((one) => ['', ...rateLines(one, profile)]),
    '',
  ].join('\n');
}

function rateLines(one: ShownRate, profile: string): readonly string[] {
  const { paymentType, type, currency, scale, sign, fees, tax } = one;
  const [best, ...others] = (fees ?? []).map((found) => partsOf(found, scale));
  const line = (key: string, value: string | readonly string[]) => `#${key} = ${toml(value)}`;
  const named = present(type, paymentType, currency).join(' ');
  const about = `# ${many(one.rows, 'transaction')}: ${tomlEscaped(named)}.`;
  if (!best && fees)
    return [
      `${about} No single rate gives their fees: look at each merchant alone, with --mid ID.`,
    ];
  const percent = tax ? tax[0] && partsOf(tax[0], 0) : { percent: '0', rounding: undefined };
  const rounding = percent?.rounding && `, rounding = "${percent.rounding}"`;
  return present(
    about,
    others.length > 0 &&
      `# Other prices fit as well: ${others.map(({ text }) => text).join('; ')}.`,
    best && !best.rounding && `# Several roundings fit: ${best.roundings}.`,
    `#[[${profileTable(profile)}.agreed_rates]]`,
    line('name', named),
    type !== '' && line('types', [type]),
    paymentType !== '' && line('payment_types', [paymentType]),
    line('currency', currency),
    (best?.percent !== '0' || !best.fixed) && line('percent', best?.percent ?? '0'),
    best?.fixed && line('fixed', best.fixed),
    best?.rounding && line('rounding', best.rounding),
    sign && line('sign', sign),
    percent
      ? `#tax = { percent = "${percent.percent}"${rounding ?? ''} }`
      : '# No single percentage gives their tax.',
  );
}

/** A tariff as in the settings; `rounding` only if the rows show it. */
function partsOf({ tariff, rules }: ShownTariffs[number], scale: number) {
  const minor = BigInt(tariff.fixed) / BigInt(million);
  const fixed = minor === 0n ? '' : formatMinor(minor, scale);
  const percent = formatMinor(BigInt(tariff.rate), rateScale).replace(/\.?0+$/, '');
  const roundings = rules.map((rule) => ruleWords[rule]).join(' or ');
  const price = present(fixed, (percent !== '0' || fixed === '') && `${percent} %`).join(' + ');
  const rounding = rules.length === 1 ? rules[0] : undefined;
  return { percent, fixed, rounding, roundings, text: `${price}, rounded ${roundings}` };
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

/** The agreed fee of a row, or the tax of a settlement, as an equation: `1.4 % of 300.00 = 4.20`. */
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

/** What is wrong in the settings. */
export function agreementFaultText(
  { rates, tooPrecise, kind, rowId }: AgreementFault,
  all: readonly AgreedRate[],
): string {
  const keys = enumerate(rates.map((one) => `agreed_rates[${all.indexOf(one)}] (${one.name})`));
  const { type, paymentType, state, currency, scale, settlementId } = kind;
  const values = present(type, paymentType, state, currency).join(', ');
  const row = `transaction ${rowId} of settlement ${settlementId} (${values})`;
  return tooPrecise
    ? `${keys} has more decimals in ${tooPrecise} than ${row}, which has ${scale}.`
    : `${keys} apply to the same transaction: ${row}.`;
}
