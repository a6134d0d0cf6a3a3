import type { DateRange } from '../../model/source.ts';
import { formatMinor } from '../../money/money.ts';
import { rateScale } from '../../money/rate.ts';
import type { ShownRate, ShownTariffs } from '../../reconcile/agreed/rates-shown.ts';
import { million } from '../../reconcile/tariffs.ts';
import { many, present, rangeText } from '../common/phrase.ts';
import { profileTable } from '../common/rule-words.ts';
import { ruleWords } from '../explain/cause-words.ts';

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
  const { paymentType, type, currency, scale, sign, fees, tax } = one;
  const [best, ...others] = (fees ?? []).map((found) => partsOf(found, scale));
  const line = (key: string, value: unknown) => `#${key} = ${JSON.stringify(value)}`;
  const named = present(type, paymentType, currency).join(' ');
  const about = `# ${many(one.rows, 'row')}: ${named}.`;
  if (!best && fees) return [`${about} No single rate gives their fees: look at each --mid alone.`];
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

/** A tariff as the settings write it; `rounding` only if the rows show it. */
function partsOf({ tariff, rules }: ShownTariffs[number], scale: number) {
  const minor = BigInt(tariff.fixed) / BigInt(million);
  const fixed = minor === 0n ? '' : formatMinor(minor, scale);
  const percent = formatMinor(BigInt(tariff.rate), rateScale).replace(/\.?0+$/, '');
  const roundings = rules.map((rule) => ruleWords[rule]).join(' or ');
  const price = present(fixed, (percent !== '0' || fixed === '') && `${percent} %`).join(' + ');
  const rounding = rules.length === 1 ? rules[0] : undefined;
  return { percent, fixed, rounding, roundings, text: `${price}, rounded ${roundings}` };
}
