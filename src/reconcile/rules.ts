import type { RowKind } from '../model/row-batch.ts';

/** Rows that headers leave out: those of the state, of the type, or of both. */
interface NotCounted {
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  /** `stays`: the header's number of transactions has them, and only its amounts do not. */
  readonly count: 'follows' | 'stays';
}

/** Amounts with the opposite sign in the header: those named, or all; in rows of the type, or in all. */
interface OppositeSign {
  readonly type?: string | undefined;
  readonly amount?: SignedAmount | undefined;
}

export const signedAmounts = ['fees', 'tax', 'fees_and_tax', 'gross'] as const;
type SignedAmount = (typeof signedAmounts)[number];

/** How headers round an amount. By which tariff, and how rows round it, is what the rows show. */
interface RoundedAmount {
  readonly amount: 'fees' | 'tax';
  /** What is rounded: each row, or the total, once. */
  readonly of: 'row' | 'total';
  readonly round: 'half_up' | 'half_even';
}

/**
 * `moved`: the header's fees include the tax, and its tax is 0; `also_in_header`: they include it
 * though it stands in the tax as well; `also_in_rows`: the rows' fees do.
 */
export const taxesInFees = ['moved', 'also_in_header', 'also_in_rows'] as const;
type TaxInFees = (typeof taxesInFees)[number];

/** What is normal here, in the form of a profile's table `rules`: nothing, unless it is said. */
export interface Rules {
  /** Of those that name a row, the first decides. */
  readonly not_counted?: readonly NotCounted[] | undefined;
  readonly signs?: readonly OppositeSign[] | undefined;
  readonly rounding?: readonly RoundedAmount[] | undefined;
  readonly tax_in_fees?: TaxInFees | undefined;
}

/** A single rule. */
export type Rule =
  | RowRule
  | ({ readonly rule: 'rounding' } & RoundedAmount)
  | { readonly rule: 'tax_in_fees'; readonly tax: TaxInFees };

/** One that says how each row counts. */
export type RowRule =
  | ({ readonly rule: 'not_counted' } & NotCounted)
  | ({ readonly rule: 'signs' } & OppositeSign);

/** In the order in which they apply. */
export const ruleNames: readonly Rule['rule'][] = [
  'not_counted',
  'signs',
  'rounding',
  'tax_in_fees',
];

/** All rules, in the order in which they apply. */
export function rulesIn({ not_counted = [], signs = [], rounding = [], tax_in_fees: tax }: Rules) {
  return [
    ...not_counted.map((one): Rule => ({ rule: 'not_counted', ...one })),
    ...signs.map((one): Rule => ({ rule: 'signs', ...one })),
    ...rounding.map((one): Rule => ({ rule: 'rounding', ...one })),
    ...(tax ? [{ rule: 'tax_in_fees', tax } satisfies Rule] : []),
  ];
}

/** The same rules and one more, which comes after those of its own name. */
export function withRule(rules: Rules, { rule, ...one }: Rule): Rules {
  if ('tax' in one) return { ...rules, tax_in_fees: one.tax };
  return { ...rules, [rule]: [...(rules[rule as 'signs'] ?? []), one] };
}

/** The lines of a profile's table `rules`: keys with a value, or the entries of a list, as in TOML. */
export function ruleLines(
  rules: Rules,
): readonly (readonly [key: string, value: string | readonly string[]])[] {
  const { tax_in_fees: tax, ...lists } = rules;
  return [
    ...Object.entries(lists).map(([key, entries = []]) => {
      const tables = entries.map((entry) => {
        // What holds where nothing is said need not be said.
        const said = Object.entries(entry).filter((one) => one.join() !== 'count,follows');
        return `{ ${said.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')} }`;
      });
      return [key, tables] as const;
    }),
    ...(tax ? [['tax_in_fees', JSON.stringify(tax)] as const] : []),
  ];
}

/** Whether two rules are about the same rows or amounts, so that only one of them can be in force. */
export function areAlternatives(one: Rule, other: Rule): boolean {
  if (one.rule === 'not_counted' && other.rule === 'not_counted') {
    return one.state === other.state && one.type === other.type;
  }
  if (one.rule === 'signs' && other.rule === 'signs') {
    const isSame = turnedBy(one).some((amount) => turnedBy(other).includes(amount));
    return one.type === other.type && isSame;
  }
  if (one.rule === 'rounding' && other.rule === 'rounding') return one.amount === other.amount;
  return one.rule === 'tax_in_fees' && other.rule === 'tax_in_fees';
}

/** The amounts whose sign an entry changes. */
function turnedBy({ amount }: OppositeSign): readonly ('gross' | 'fees' | 'tax')[] {
  if (amount === 'fees_and_tax') return ['fees', 'tax'];
  return amount === undefined ? ['gross', 'fees', 'tax'] : [amount];
}

/** Equal rules, and only those, have the same text. */
export function ruleText(rule: Rule): string {
  return JSON.stringify(Object.entries(rule).sort());
}

/** How many rows, and what they come to; minor units at one scale. */
export interface Counted {
  readonly count: number;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
}

/** The rules about the rows of a kind: the one that leaves them out, or those that turn their signs. */
export function rowRules(
  { not_counted = [], signs = [] }: Rules,
  kind: Pick<RowKind, 'state' | 'type'>,
): readonly RowRule[] {
  const isMeant = ({ state = kind.state, type = kind.type }: Partial<NotCounted>) =>
    state === kind.state && type === kind.type;
  const left = not_counted.find(isMeant);
  if (left) return [{ rule: 'not_counted', ...left }];
  return signs.filter(isMeant).map((one) => ({ rule: 'signs', ...one }));
}

/** What rows count as by a rule that gives the same for their sums as for each of them. */
export function countedBy<Sums extends Counted>(
  rule: Exclude<Rule, { rule: 'rounding' }>,
  sums: Sums,
): Sums {
  const { count, fees, tax } = sums;
  switch (rule.rule) {
    case 'not_counted':
      return { ...sums, count: rule.count === 'stays' ? count : 0, gross: 0n, fees: 0n, tax: 0n };
    case 'signs': {
      const turned = turnedBy(rule);
      const signed = (name: (typeof turned)[number]) =>
        turned.includes(name) ? -sums[name] : sums[name];
      return { ...sums, gross: signed('gross'), fees: signed('fees'), tax: signed('tax') };
    }
    case 'tax_in_fees':
      if (rule.tax === 'moved') return { ...sums, fees: fees + tax, tax: 0n };
      return { ...sums, fees: rule.tax === 'also_in_header' ? fees + tax : fees - tax };
  }
}

/** What rows of a kind count as by all rules but those of rounding, which are about totals. */
export function seenByRules<Sums extends Counted>(
  rules: Rules,
  kind: Pick<RowKind, 'state' | 'type'>,
  sums: Sums,
): Sums {
  const seen = rowRules(rules, kind).reduce((seen, rule) => countedBy(rule, seen), sums);
  const { tax_in_fees: tax } = rules;
  return tax ? countedBy({ rule: 'tax_in_fees', tax }, seen) : seen;
}

/**
 * How often each amount of a row of a kind counts by the rules, and how often its tax counts as fees;
 * nothing where the row does not count at all.
 */
export function factorsBy(rules: Rules, kind: Pick<RowKind, 'state' | 'type'>) {
  const none = { count: 1, gross: 0n, fees: 0n, tax: 0n };
  const gross = seenByRules(rules, kind, { ...none, gross: 1n });
  const fees = seenByRules(rules, kind, { ...none, fees: 1n });
  const tax = seenByRules(rules, kind, { ...none, tax: 1n });
  if (gross.count === 0) return undefined;
  return {
    gross: Number(gross.gross),
    fees: Number(fees.fees),
    taxInFees: Number(tax.fees),
    tax: Number(tax.tax),
  };
}
