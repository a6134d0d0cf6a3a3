import type { Cause, NamedSettlement } from '../../explain/cause.ts';
import type { Explained, Explanation } from '../../explain/explained.ts';
import { formatMinor } from '../../money/money.ts';
import type { ScopedTariff } from '../../reconcile/pricing.ts';
import { million } from '../../reconcile/tariffs.ts';
import { jsonFacts } from '../common/json.ts';

/** How certain the best explanation is, and the facts of its causes, for JSON; nothing without one. */
export function bestFacts({ best, certainty, scale }: Explained) {
  return best && { certainty, causes: causeFacts(best, scale) };
}

/** The facts of each cause as fields: `rule`, `state`, `type`, `neighbour`, `rates`, `amounts` and others. */
export function causeFacts({ causes }: Explanation, scale: number): readonly object[] {
  return causes.map(({ cause }) => ({
    code: cause.code,
    ...(jsonFacts(factsOf(cause), scale) as object),
  }));
}

function factsOf({ code, facts }: Cause): object {
  if (code === 'neighbour') {
    const { settlementId: id, date, others, ...rest } = facts;
    return { ...rest, neighbour: { id, date }, ...(others && { others: others.map(neighbour) }) };
  }
  if (code === 'withheld') {
    const { thousandths, others, base } = facts;
    const rate = thousandths === undefined ? {} : { rate: percent(BigInt(thousandths), 1) };
    return { base, ...rate, others: others.map(neighbour) };
  }
  if (code === 'rounding') {
    if (facts.of === 'unknown') return { amounts: facts.amounts, roundedRows: facts.rows };
    const { amount, base, tariffs, rowsRule, rule, of } = facts;
    return { amounts: [amount], rule, of, rowsRule, base, rates: tariffs.map(rateOf) };
  }
  return facts;
}

function neighbour({ settlementId: id, date }: NamedSettlement) {
  return { id, date };
}

function rateOf({ fixed, rate, scope }: ScopedTariff) {
  return {
    fixed: formatMinor(BigInt(Math.round((10 * fixed) / million)), 1),
    percent: percent(BigInt(rate), 4),
    ...scope,
  };
}

/** A percentage without zeros at its end. */
function percent(digits: bigint, decimals: number): string {
  return formatMinor(digits, decimals).replace(/\.?0+$/, '');
}
