import type { RowKind } from '../model/row-batch.ts';
import { amountsBy, type Counted } from './sums.ts';

/** Rows that headers do not include: by state, type or both. */
interface NotCounted {
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  /** `stays`: they are in the header's number of transactions, but not in its amounts. */
  readonly count: 'follows' | 'stays';
}

/** Amounts with the opposite sign in the header. An absent amount or type means all. */
interface OppositeSign {
  readonly type?: string | undefined;
  readonly amount?: SignedAmount | undefined;
}

export const signedAmounts = ['fees', 'tax', 'fees_and_tax', 'gross'] as const;
type SignedAmount = (typeof signedAmounts)[number];

/** How headers round an amount. The tariff, and the rounding of rows, are found in the rows. */
interface RoundedAmount {
  readonly amount: 'fees' | 'tax';
  readonly of: 'row' | 'total';
  readonly round: 'half_up' | 'half_even';
}

/**
 * `moved`: the header's fees include the tax, and its tax is 0; `also_in_header`: they include it, and
 * its tax has it as well; `also_in_rows`: the fees of rows include it, and their tax has it as well.
 */
export const taxesInFees = ['moved', 'also_in_header', 'also_in_rows'] as const;
type TaxInFees = (typeof taxesInFees)[number];

/** What is normal here, as in a profile's table `rules`. */
export interface Rules {
  /** The first that matches a row applies. */
  readonly not_counted?: readonly NotCounted[] | undefined;
  readonly signs?: readonly OppositeSign[] | undefined;
  readonly rounding?: readonly RoundedAmount[] | undefined;
  readonly tax_in_fees?: TaxInFees | undefined;
}

export type Rule =
  | RowRule
  | ({ readonly rule: 'rounding' } & RoundedAmount)
  | { readonly rule: 'tax_in_fees'; readonly tax: TaxInFees };

type RowRule =
  | ({ readonly rule: 'not_counted' } & NotCounted)
  | ({ readonly rule: 'signs' } & OppositeSign);

/** All rules, in the order in which they apply. */
export function rulesIn({ not_counted = [], signs = [], rounding = [], tax_in_fees: tax }: Rules) {
  return [
    ...not_counted.map((one): Rule => ({ rule: 'not_counted', ...one })),
    ...signs.map((one): Rule => ({ rule: 'signs', ...one })),
    ...rounding.map((one): Rule => ({ rule: 'rounding', ...one })),
    ...(tax ? [{ rule: 'tax_in_fees', tax } satisfies Rule] : []),
  ];
}

/** The rules with one more, after those of the same name. */
export function withRule(rules: Rules, { rule, ...one }: Rule): Rules {
  if ('tax' in one) return { ...rules, tax_in_fees: one.tax };
  return { ...rules, [rule]: [...(rules[rule as 'signs'] ?? []), one] };
}

/** The rules as TOML: a value for each key, or the entries of its list. */
export function ruleLines(
  rules: Rules,
): readonly (readonly [key: string, value: string | readonly string[]])[] {
  const { tax_in_fees: tax, ...lists } = rules;
  return [
    ...Object.entries(lists).map(([key, entries = []]) => {
      const tables = entries.map((entry) => {
        // `follows` is the default.
        const written = Object.entries(entry).filter((one) => one.join() !== 'count,follows');
        return `{ ${written.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')} }`;
      });
      return [key, tables] as const;
    }),
    ...(tax ? [['tax_in_fees', JSON.stringify(tax)] as const] : []),
  ];
}

/** Whether two rules are about the same rows or amounts, so only one of them can apply. */
export function areAlternatives(one: Rule, other: Rule): boolean {
  if (one.rule === 'not_counted' && other.rule === 'not_counted') {
    return one.state === other.state && one.type === other.type;
  }
  if (one.rule === 'signs' && other.rule === 'signs') {
    const isSame = negatedBy(one).some((amount) => negatedBy(other).includes(amount));
    return one.type === other.type && isSame;
  }
  if (one.rule === 'rounding' && other.rule === 'rounding') return one.amount === other.amount;
  return one.rule === 'tax_in_fees' && other.rule === 'tax_in_fees';
}

function negatedBy({ amount }: OppositeSign): readonly ('gross' | 'fees' | 'tax')[] {
  if (amount === 'fees_and_tax') return ['fees', 'tax'];
  return amount === undefined ? ['gross', 'fees', 'tax'] : [amount];
}

/** A text that only equal rules share. */
export function ruleText(rule: Rule): string {
  return JSON.stringify(Object.entries(rule).sort());
}

/** The rules for rows of a kind: the one that leaves them out, or those that change signs. */
export function rowRules(
  { not_counted = [], signs = [] }: Rules,
  kind: Pick<RowKind, 'state' | 'type'>,
): readonly RowRule[] {
  const isMeant = ({ state = kind.state, type = kind.type }: Partial<NotCounted>) =>
    state === kind.state && type === kind.type;
  const omission = not_counted.find(isMeant);
  if (omission) return [{ rule: 'not_counted', ...omission }];
  return signs.filter(isMeant).map((one) => ({ rule: 'signs', ...one }));
}

/** Rows or their totals after one rule. */
export function countedBy<Sums extends Counted>(
  rule: Exclude<Rule, { rule: 'rounding' }>,
  sums: Sums,
): Sums {
  const { count, fees, tax } = sums;
  switch (rule.rule) {
    case 'not_counted':
      return { ...sums, count: rule.count === 'stays' ? count : 0, gross: 0n, fees: 0n, tax: 0n };
    case 'signs': {
      const negated = negatedBy(rule);
      const amounts = amountsBy((name) => (negated.includes(name) ? -sums[name] : sums[name]));
      return { ...sums, ...amounts };
    }
    case 'tax_in_fees':
      if (rule.tax === 'moved') return { ...sums, fees: fees + tax, tax: 0n };
      return { ...sums, fees: rule.tax === 'also_in_header' ? fees + tax : fees - tax };
  }
}

/** Rows of a kind, or their totals, after all rules but those of rounding. */
export function seenByRules<Sums extends Counted>(
  rules: Rules,
  kind: Pick<RowKind, 'state' | 'type'>,
  sums: Sums,
): Sums {
  const seen = rowRules(rules, kind).reduce((seen, rule) => countedBy(rule, seen), sums);
  const { tax_in_fees: tax } = rules;
  return tax ? countedBy({ rule: 'tax_in_fees', tax }, seen) : seen;
}

/** The factors of the rules on amounts of a row; undefined if the row does not count. */
export function factorsBy(rules: Rules, kind: Pick<RowKind, 'state' | 'type'>) {
  const { gross, fees, tax } = amountsBy((one) => {
    const single = amountsBy((name) => (name === one ? 1n : 0n));
    return seenByRules(rules, kind, { count: 1, ...single });
  });
  if (gross.count === 0) return undefined;
  return {
    gross: Number(gross.gross),
    fees: Number(fees.fees),
    taxInFees: Number(tax.fees),
    tax: Number(tax.tax),
  };
}
