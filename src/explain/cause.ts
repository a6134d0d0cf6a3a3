import type { RoundingRule } from '../money/rate.ts';
import type { IdentityName } from '../reconcile/identity.ts';
import type { Rounding, ScopedTariff } from '../reconcile/pricing.ts';

/** Whether the header's count goes with its amounts, or is that of the listed rows. */
export type CountRule = 'follows' | 'stays';

export type Part = 'all' | 'gross' | 'fees_and_tax';

export interface NamedSettlement {
  readonly settlementId: string;
  readonly date: string;
}

/** What each cause says beside its rows and amounts: what its sentence is made of. */
export interface CauseFacts {
  missing_rows: Nothing;
  wrong_count: { readonly by: number };
  row_not_counted: { readonly count: CountRule };
  row_counted_twice: { readonly count: CountRule };
  row_sign: { readonly part: Part };
  /** Of the rows that reading removed: all copies, those of one id, or the other content of an id. */
  duplicate_rows: {
    readonly kind: 'copies' | 'one_row' | 'other_content' | 'both_contents';
    readonly count: CountRule;
  };
  /** `only`: the header has only the rows of this state. */
  state_left_out: {
    readonly state: string;
    readonly only: boolean;
    readonly count: CountRule;
    /** Their fees and tax are there. */
    readonly part?: 'gross';
  };
  type_sign: { readonly type: string; readonly part: Part };
  /** A part of the amounts can be left out only where the rows are counted. */
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
   * their minor units with its own decimal places; `left_out`: it doesn't count the rows either.
   * Here `stays`: the rows are counted; `follows`: they are not, even if their amounts are added.
   */
  foreign_currency_rows: {
    readonly currencies: readonly string[];
    readonly reading: 'included' | 'digits' | 'left_out';
    readonly count: CountRule;
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
   * `moved`: the header's fees include the tax, and its tax is 0; `also_in_header`: they include it
   * though it stands in the tax as well; `also_in_rows`: the rows' fees do; `part`: fees and tax
   * differ by the same amount in opposite directions, whatever it consists of.
   */
  tax_in_fees: { readonly kind: 'moved' | 'also_in_header' | 'also_in_rows' | 'part' };
  /** The header has the same fee for each row of this type, which no row lists. */
  fee_without_row: { readonly type: string };
  rounding: RoundedOtherwise | RoundedSomehow;
  /**
   * `opposite_difference`: the neighbour has this settlement's difference with the other sign;
   * `negative_pay_in`: an earlier one owed this amount; `listed_there`: the header includes a row
   * that only the neighbour lists; `listed_in_both`: it leaves out one that both list; `charge`:
   * a charge has rows in both, and the header includes the neighbour's or leaves out its own;
   * `carried_balance`: several earlier ones in a row owed this amount together; `reserve`: what one
   * lacks that has been withheld, or has too much because it was released, others in a row make up.
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
    /** Those after the first, where there are several. */
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
  /** The header's fees have a fee that stands for itself, and its tax may have the tax on it. */
  one_off_fee: Nothing;
  /** The header leaves out, or has twice, so many rows in a row: a page of the list. */
  page: { readonly is: 'left_out' | 'counted_twice'; readonly from: number };
  /** The service says out of balance, and all sums agree. */
  only_the_service: { readonly status: string };
}

/** By these tariffs, the rows' own amounts follow from `base`, rounded by `rowsRule`. */
interface RoundedOtherwise extends Rounding {
  readonly amount: 'fees' | 'tax';
  readonly base: 'gross' | 'fees';
  readonly tariffs: readonly ScopedTariff[];
  readonly rowsRule: RoundingRule;
}

/** No rule gives the difference, but so many rounded rows may well differ by as much. */
interface RoundedSomehow {
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

/** The causes that differ in nothing but what becomes of the count. */
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

/** Whether the header leaves rows out, or has them twice: the usual ways in which rows go wrong. */
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
