import type { DateRange } from '../../model/source.ts';
import { formatMinor } from '../../money/money.ts';
import { rateScale } from '../../money/rate.ts';
import type { ShownRate, ShownTariffs } from '../../reconcile/agreed/rates-shown.ts';
import { million } from '../../reconcile/tariffs.ts';
import { many, present, rangeText } from '../common/phrase.ts';
import { profileTable } from '../common/rule-words.ts';
import { ruleWords } from '../explain/cause-words.ts';

type ShownTariff = ShownTariffs[number];

/** The rates that rows show, as commented lines of a configuration file. */
export function ratesTemplate(
  shown: readonly ShownRate[],
  range: DateRange,
  profile: string,
): string {
  const rows = shown.reduce((sum, one) => sum + one.rows, 0);
  return [
    `# What ${many(rows, 'row')} of ${rangeText(range)} were charged. This is not what was agreed.`,
    '# Hold each rate against the contract, correct it, add valid_from, and remove the # of its lines.',
    ...shown.flatMap((one) => ['', ...rateLines(one, profile)]),
    '',
  ].join('\n');
}

function rateLines(one: ShownRate, profile: string): readonly string[] {
  const { paymentType, type, currency, token, scale, sign, isFree } = one;
  const [best, ...others] = one.fees;
  const [tax] = one.tax;
  const line = (key: string, value: unknown) => `#${key} = ${JSON.stringify(value)}`;
  const named = present(type, paymentType, currency).join(' ');
  const about = `# ${many(one.rows, 'row')}: ${named}${token === undefined ? '' : ` of ${token}`}.`;
  if (!best && !isFree) return [`${about} No single rate gives their fees.`];
  const price = best && parts(best, scale);
  return [
    about,
    ...notesOn(best, others, scale),
    `#[[${profileTable(profile)}.agreed_rates]]`,
    line('name', named),
    ...(type === '' ? [] : [line('types', [type])]),
    ...(paymentType === '' ? [] : [line('payment_types', [paymentType])]),
    ...(token === undefined ? [] : [line('tokens', [token])]),
    line('currency', currency),
    ...(price?.percent === '0' && price.fixed ? [] : [line('percent', price?.percent ?? '0')]),
    ...(price?.fixed ? [line('fixed', price.fixed)] : []),
    ...(best?.rules.length === 1 ? [line('rounding', best.rules[0])] : []),
    ...(sign ? [line('sign', sign)] : []),
    taxLine(one),
  ];
}

/** A rounding is proposed only if the rows show it. */
function taxLine({ tax: [tax], isTaxFree }: ShownRate): string {
  if (isTaxFree) return '#tax = { percent = "0" }';
  if (!tax) return '# No single percentage gives their tax.';
  const rounding = tax.rules.length === 1 ? `, rounding = "${tax.rules[0]}"` : '';
  return `#tax = { percent = "${percentOf(tax)}"${rounding} }`;
}

/** What the rows leave open. */
function notesOn(
  best: ShownTariff | undefined,
  others: readonly ShownTariff[],
  scale: number,
): readonly string[] {
  const text = (one: ShownTariff) => {
    const { percent, fixed } = parts(one, scale);
    const price = present(fixed, (percent !== '0' || fixed === '') && `${percent} %`);
    return `${price.join(' + ')}, rounded ${one.rules.map((rule) => ruleWords[rule]).join(' or ')}`;
  };
  const rules = best?.rules ?? [];
  return present(
    others.length > 0 && `# Other prices fit as well: ${others.map(text).join('; ')}.`,
    rules.length > 1 &&
      `# The rows do not show the rounding: ${rules.map((rule) => ruleWords[rule]).join(', ')} fit.`,
  );
}

function parts(one: ShownTariff, scale: number) {
  const fixed = BigInt(one.tariff.fixed) / BigInt(million);
  return { percent: percentOf(one), fixed: fixed === 0n ? '' : formatMinor(fixed, scale) };
}

/** `1.4`, without zeros at its end. */
function percentOf({ tariff }: ShownTariff): string {
  return formatMinor(BigInt(tariff.rate), rateScale).replace(/\.?0+$/, '');
}
