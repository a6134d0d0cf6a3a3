import type { RoundingRule } from '../money/rate.ts';
import type { IdentityName } from '../reconcile/identity.ts';
import type { Rounding, ScopedTariff } from '../reconcile/pricing.ts';
import type { Pattern } from './pattern.ts';
import type { Returned } from './refunds.ts';

/** Whether the header's count goes with its amounts, or is that of the listed rows. */
export type CountRule = 'follows' | 'stays';

export type Part = 'all' | 'gross' | 'fees_and_tax';

export interface NamedSettlement {
  readonly settlementId: string;
  readonly date: string;
}

/** What the sentence of each cause says beside its rows and amounts. */
export interface CauseFacts {
  /** `payIn`: what they come to, as text, if no other amount is stated. */
  missing_rows: { readonly payIn?: string };
  wrong_count: { readonly by: number };
  row_not_counted: { readonly count: CountRule };
  row_counted_twice: { readonly count: CountRule };
  row_sign: { readonly part: Part };
  /** The rows that reading removed: all copies, those of one id, or the other content of an id. */
  duplicate_rows: {
    readonly kind: 'copies' | 'one_row' | 'other_content' | 'both_contents';
    readonly count: CountRule;
  };
  /** `only`: the header has only the rows of this state. */
  state_left_out: {
    readonly state: string;
    readonly only: boolean;
    readonly count: CountRule;
    /** If set, the header has their fees and tax. */
    readonly part?: 'gross';
  };
  type_sign: { readonly type: string; readonly part: Part };
  /** A part of the amounts can be left out only if the rows are counted. */
  type_left_out: { readonly type: string; readonly part: Part; readonly count: CountRule };
  /** Amounts that have the opposite sign in all rows. */
  sign_convention: { readonly amounts: readonly ('fees' | 'tax')[] };
  /** The header leaves out the rows that say they belong to these settlements. */
  foreign_settlement_rows: {
    readonly settlementIds: readonly string[];
    readonly count: CountRule;
  };
  /**
   * `included`: the header adds the amounts as if they were its own currency; `digits`: it reads
   * their minor units with its own decimal places; `left_out`: it does not count the rows either;
   * `converted`: it has about the amounts that one `rate` gives, in its currency for one of theirs.
   * Here `stays`: the rows are counted; `follows`: they are not.
   */
  foreign_currency_rows: {
    readonly currencies: readonly string[];
    readonly reading: 'included' | 'digits' | 'left_out' | 'converted';
    readonly count: CountRule;
    readonly rate?: string;
  };
  /**
   * `rows` with `decimalPlaces`, `row`: the header has 10^power times what is listed. `header`,
   * `gross`, `fees`, `tax`: it should report 10^power times what it does.
   */
  scale_slip: {
    readonly of: 'header' | 'gross' | 'fees' | 'tax' | 'rows' | 'row';
    readonly power: number;
    readonly decimalPlaces: number | undefined;
  };
  identity: { readonly identity: IdentityName };
  fees_tax_swapped: Nothing;
  /**
   * `moved`: the header's fees include the tax, and its tax is 0; `also_in_header`: its fees and
   * its tax include it; `also_in_rows`: the same of the rows; `part`: fees and tax differ by the same amount
   * in opposite directions.
   */
  tax_in_fees: { readonly kind: 'moved' | 'also_in_header' | 'also_in_rows' | 'part' };
  /** The header has the same fee for each row of this type, which no row lists. */
  fee_without_row: { readonly type: string };
  rounding: KnownRounding | UnknownRounding;
  /**
   * `opposite_difference`: the neighbour has this settlement's difference with the other sign;
   * `negative_pay_in`: an earlier one owed this amount; `listed_there`: the header includes a row
   * that only the neighbour lists; `listed_in_both`: it leaves out one that both list; `charge`:
   * a charge has rows in both, and the header includes the neighbour's or leaves out its own;
   * `carried_balance`: several earlier ones in a row owed this amount together; `reserve`: one settlement
   * withholds or releases an amount, and several in a row together differ by it with the other sign.
   */
  neighbour: NamedSettlement & {
    readonly kind:
      | 'opposite_difference'
      | 'negative_pay_in'
      | 'listed_there'
      | 'listed_in_both'
      | 'charge_included'
      | 'charge_left_out'
      | 'carried_balance'
      | 'reserve';
    /** The settlements after the first. */
    readonly others?: readonly NamedSettlement[];
    readonly count: CountRule;
  };
  /** The pay-in lacks so many thousandths of its base, or an `amount` that these other settlements lack too. */
  withheld: {
    readonly base: 'gross' | 'pay_in' | 'amount';
    readonly thousandths?: number;
    readonly others: readonly NamedSettlement[];
  };
  pay_in_rounded: Nothing;
  /** The header's fees include a fee that belongs to no row; its tax may include the tax on it. */
  one_off_fee: Nothing;
  /** The header leaves out, or has twice, so many rows in a row: a page of the list. */
  page: { readonly is: 'left_out' | 'counted_twice'; readonly from: number };
  /** The header gives back what was charged on purchases, with their refunds. */
  refund_fees: { readonly returned: Returned };
  /** What holds in the other settlements of the range too. */
  pattern: Pick<Pattern, 'terms' | 'settlements' | 'tested' | 'scale'>;
  /** The service says out of balance, and all sums agree. */
  only_the_service: { readonly status: string };
}

/** By these tariffs, the rows' own amounts follow from `base`, rounded by `rowsRule`. */
interface KnownRounding extends Rounding {
  readonly amount: 'fees' | 'tax';
  readonly base: 'gross' | 'fees';
  readonly tariffs: readonly ScopedTariff[];
  readonly rowsRule: RoundingRule;
}

/** No rule gives the difference, but so many rounded rows may well differ by as much. */
interface UnknownRounding {
  readonly of: 'unknown';
  readonly amounts: readonly ('fees' | 'tax')[];
  readonly rows: number;
}

type Nothing = Readonly<Record<string, never>>;

export type CauseCode = keyof CauseFacts;

export type Cause<Codes extends CauseCode = CauseCode> = {
  [C in Codes]: { readonly code: C; readonly facts: CauseFacts[C] };
}[Codes];

export function cause<C extends CauseCode>(code: C, facts: CauseFacts[C]): Cause<C> {
  return { code, facts };
}

/** How far decimal places slip: between the currencies of the world, by at most three. */
export const scalePowers = [1, 2, 3, -1, -2, -3] as const;

/** Two forms of a cause: with and without its rows in the count. */
export function causesBy(causeOf: (count: CountRule) => Cause): Readonly<Record<CountRule, Cause>> {
  return { follows: causeOf('follows'), stays: causeOf('stays') };
}

/** Whether the header's count does not go with its amounts, as it usually would. */
export function leavesCount({ code, facts }: Cause): boolean {
  if (code === 'foreign_currency_rows')
    return (facts.reading === 'left_out') !== (facts.count === 'follows');
  if (code === 'duplicate_rows' && facts.kind === 'other_content') return false;
  return 'count' in facts && facts.count === 'stays';
}

/** Whether the header leaves rows out or has them twice, the usual mistakes. */
export function isUsualOfRows(code: CauseCode): boolean {
  return code === 'row_not_counted' || code === 'row_counted_twice';
}

const texts = new WeakMap<Cause, string>();

/** Equal causes, and only those, have the same text: it orders them and tells them apart. */
export function causeText(cause: Cause): string {
  const known = texts.get(cause);
  if (known !== undefined) return known;
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
  const text = `${cause.code} ${JSON.stringify(cause.facts, plain)}`;
  texts.set(cause, text);
  return text;
}

/** What decides how rare a cause is: its code, and its kind if it has one. */
type CauseForm = {
  [C in CauseCode]: CauseFacts[C] extends { readonly kind: infer Kind extends string }
    ? `${C} ${Kind}`
    : CauseFacts[C] extends { readonly of: infer Of extends string }
      ? `${C} ${Of}`
      : C;
}[CauseCode];

/**
 * How rare each cause is: with n bits, it occurs in one of 2^n settlements that are out of
 * balance and in which it is possible. A cause that needs a trace, such as a row that says it belongs
 * elsewhere, is likely if the trace is there.
 */
const priors: Readonly<Record<CauseForm, number>> = {
  // Merchants report lists with missing rows most often.
  missing_rows: 3,
  // The number is counted apart from the amounts; it is rarely wrong by itself.
  wrong_count: 6,
  // A row that came too late, or was taken back.
  row_not_counted: 5,
  // As above, but most repetitions are noticed by the id of the row.
  row_counted_twice: 6,
  // Refunds may be added by mistake; purchases are rarely subtracted.
  row_sign: 8,
  // The list repeated rows, so the header may have them twice too.
  'duplicate_rows copies': 1,
  'duplicate_rows one_row': 4,
  // Only one of the two listed contents counts.
  'duplicate_rows other_content': 1,
  'duplicate_rows both_contents': 2,
  // Declined or pending rows are often listed and not paid.
  state_left_out: 3,
  // Refunds and chargebacks are often settled elsewhere, or have the sign of a purchase.
  type_left_out: 4,
  type_sign: 4,
  // The document gives no signs for fees and tax.
  sign_convention: 4,
  // The row itself says that it belongs elsewhere.
  foreign_settlement_rows: 1,
  // A header has one currency, so other rows need some treatment.
  foreign_currency_rows: 2,
  // Yen and dinar are often written with two decimal places; but then in all settlements.
  'scale_slip header': 5,
  'scale_slip gross': 7,
  'scale_slip fees': 7,
  'scale_slip tax': 7,
  // The service may overlook that some rows have other decimal places.
  'scale_slip rows': 2,
  // A single row is rarely read differently from others like it.
  'scale_slip row': 8,
  // The document gives no equation, so another one is likely.
  identity: 3,
  // An error in a program affects all settlements and is soon corrected.
  fees_tax_swapped: 5,
  // "Exclusive of tax" and "tax on the fees" can be read both ways (doc 2.7, 2.8).
  'tax_in_fees moved': 4,
  'tax_in_fees also_in_header': 5,
  'tax_in_fees also_in_rows': 5,
  // It only says that two differences cancel out.
  'tax_in_fees part': 8,
  // Known for chargebacks, possible for other types.
  fee_without_row: 6,
  // Set-up and monthly fees are known, but any amount could be one.
  one_off_fee: 8,
  // Lists are read in pages.
  page: 4,
  // Reserves, taxes at the source and loans are kept back from each pay-in.
  withheld: 4,
  // Some banks pay no cents.
  pay_in_rounded: 7,
  // Totals that are rounded once are common; another rule per row is less common.
  'rounding row': 5,
  'rounding total': 4,
  // Every amount is rounded; the size of the difference decides the rest.
  'rounding unknown': 4,
  // Two settlements rarely differ by the same amount by chance.
  'neighbour opposite_difference': 2,
  // The next pay-in is reduced by an amount owed.
  'neighbour negative_pay_in': 2,
  // A negative balance is carried on until sales cover it; a reserve is released at once.
  'neighbour carried_balance': 3,
  'neighbour reserve': 4,
  // A row was moved by a day; many rows there may fit by chance.
  'neighbour listed_there': 7,
  // The row or its charge is in both, so one has it wrongly.
  'neighbour listed_in_both': 2,
  'neighbour charge_included': 3,
  'neighbour charge_left_out': 3,
  // Services differ in whether a refund gives back the fee of its purchase.
  refund_fees: 4,
  // The range has shown it.
  pattern: 0,
  // Nothing else differs.
  only_the_service: 0,
};

const unusual = 2;

/** The bits of a cause before anything is known of its rows. */
export function priorOf(cause: Cause): number {
  const { facts } = cause;
  const rarities = [
    leavesCount(cause) && !('part' in facts && facts.part === 'gross'),
    'part' in facts && facts.part !== 'all',
    'only' in facts && facts.only,
  ];
  return priors[formOf(cause)] + unusual * rarities.filter(Boolean).length;
}

function formOf({ code, facts }: Cause): CauseForm {
  const kind = 'kind' in facts ? ` ${facts.kind}` : 'of' in facts ? ` ${facts.of}` : '';
  return `${code}${kind}` as CauseForm;
}
