import { type Amounts, byDateThenId } from '../model/settlement.ts';
import { computedFrom, type ListedSums } from '../reconcile/computed.ts';
import { payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { seenByRules } from '../reconcile/rules.ts';
import type { ReconcileSettings, RowsEnding } from '../reconcile/subject.ts';
import type { Counted } from '../reconcile/sums.ts';
import { amounts, type PatternBase, type PatternMeasure, type Trait, traits } from './pattern.ts';
import { type Purchases, purchasesIn, type Returned, refundsIn, returnedForms } from './refunds.ts';
import { minus, shift, type Tally, tallyFrom, total } from './tally.ts';

/** A settlement of a range, with the sums of its rows. */
export interface RangeMember {
  readonly settled: ReconciledSettlement;
  readonly listed: ListedSums;
  /** Whether the rows are kept too. */
  readonly hasRows: boolean;
  /** How reading them ended. */
  readonly outcome: RowsEnding;
}

/** What a value of a settlement needs to know of the others. */
interface Around {
  readonly purchases: Purchases;
  /** The first settlements of months, by their ids. */
  readonly firsts: ReadonlySet<string>;
}

type RowAmounts = readonly bigint[] | undefined;

/** A settlement of a range, at the scale of its account. */
export class RangeSubject {
  readonly member: RangeMember;
  readonly header: Tally;
  /** Reported − computed, by all rules. */
  readonly target: Tally;
  /** The number of its rows. */
  readonly size: number;
  readonly kinds: readonly (Counted & Readonly<Record<Trait, string>>)[];
  readonly #scale: number;
  readonly #settings: ReconcileSettings;
  /** The amounts of rows, of the base that was looked at last. */
  #last: { readonly base: PatternBase; readonly amounts: RowAmounts } | undefined;

  constructor(member: RangeMember, scale: number, settings: ReconcileSettings) {
    const { settled, listed } = member;
    const { identity, rules } = settings;
    const up = (tally: Tally, from: number) => shift(tally, scale - from) ?? tally;
    const computed = tallyFrom(identity, computedFrom(listed, settings).figures);
    this.#scale = scale;
    this.#settings = settings;
    this.member = member;
    this.size = listed.rows.size;
    this.header = up(tallyFrom(identity, settled.reported), settled.scale);
    this.target = minus(this.header, up(computed, listed.scale));
    this.kinds = listed.kinds
      .filter(({ isOwn }) => isOwn)
      .map((kind) => {
        const { count, ...sums } = seenByRules(rules, kind, kind);
        return { ...sums, ...up({ ...sums, count, contradiction: 0n }, listed.scale) };
      });
  }

  get id(): string {
    return this.member.settled.settlement.id;
  }

  /** The value of a base; undefined if rows that it needs are not kept. */
  value(base: PatternBase, { purchases, firsts }: Around): bigint | undefined {
    const { measure, of, trait } = base;
    const { hasRows, listed } = this.member;
    if (measure === 'settlements') return 1n;
    if (measure === 'months') return firsts.has(this.id) ? 1n : 0n;
    if (of === 'header') return this.#amount(measure, this.header);
    if (of !== 'rows') return hasRows ? this.#returned(measure, of, purchases) : undefined;
    if (measure === 'charges') {
      const ids = listed.rows.where(() => true).map((row) => listed.rows.chargeId(row));
      return hasRows ? BigInt(new Set(ids.filter((id) => id !== '')).size) : undefined;
    }
    const sum = total(
      this.kinds.flatMap((kind) =>
        trait === undefined || kind[trait] === base.value ? { ...kind, contradiction: 0n } : [],
      ),
    );
    return measure === 'rows' ? BigInt(sum.count) : this.#amount(measure, sum);
  }

  /** The amounts of each row of a base; undefined if they are not kept. */
  each(base: PatternBase): RowAmounts {
    if (this.#last?.base !== base) this.#last = { base, amounts: this.#rowAmounts(base) };
    return this.#last.amounts;
  }

  #rowAmounts({ measure, trait, value }: PatternBase): RowAmounts {
    const { hasRows, listed } = this.member;
    if (!hasRows) return undefined;
    const { rows, currency } = listed;
    const meant = rows.ofKind(
      (kind) => kind.currency === currency && (trait === undefined || kind[trait] === value),
    );
    return meant.flatMap((row) => {
      const kind = rows.kind(row);
      const seen = seenByRules(this.#settings.rules, kind, { count: 1, ...rows.amounts(row) });
      const amount = this.#amount(measure, seen);
      return amount === undefined ? [] : amount * 10n ** BigInt(this.#scale - kind.scale);
    });
  }

  /** What was charged on the purchases that it refunds. */
  #returned(measure: PatternMeasure, of: Returned, purchases: Purchases): bigint | undefined {
    const { rows, currency } = this.member.listed;
    const refunds = refundsIn(rows, purchases, { currency, scale: this.#scale });
    return this.#amount(measure, total(refunds.map((one) => one[of])));
  }

  #amount(measure: PatternMeasure, { gross, fees, tax }: Amounts): bigint | undefined {
    const { identity } = this.#settings;
    if (measure === 'pay_in') {
      return identity === 'off' ? undefined : payInOf(identity, gross, fees, tax);
    }
    if (measure === 'fees_and_tax') return fees + tax;
    return { gross, fees, tax }[measure as 'gross'];
  }
}

/** A base, how rare it is, and its value in each settlement; undefined where that is unknown. */
export interface Valued {
  readonly base: PatternBase;
  readonly bits: number;
  readonly values: readonly (bigint | undefined)[];
}

/** How rare a measure is, in bits: fees are charged for each pay-out, on the gross, or for each row. */
const rarities: Readonly<Record<PatternMeasure, number>> = {
  settlements: 1,
  months: 3,
  rows: 2,
  charges: 3.5,
  gross: 2,
  fees: 2,
  tax: 2.5,
  fees_and_tax: 2.5,
  pay_in: 2.5,
};

/** A trait with more values does not group rows. */
const mostValues = 20;

/** What these settlements can be measured in. */
export function basesOf(subjects: readonly RangeSubject[]): readonly Valued[] {
  const groups = traits.flatMap((trait) => {
    const values = new Set(subjects.flatMap(({ kinds }) => kinds.map((one) => one[trait])));
    // One value is that of all rows.
    const isTelling = values.size > 1 && values.size <= mostValues;
    return isTelling ? [...values].sort().map((value) => ({ trait, value })) : [];
  });
  const ofRows = ['rows', ...amounts] as const;
  const all: readonly PatternBase[] = [
    { measure: 'settlements', of: 'rows' },
    { measure: 'months', of: 'rows' },
    ...ofRows.map((measure) => ({ measure, of: 'rows' as const })),
    { measure: 'charges', of: 'rows' },
    ...amounts.map((measure) => ({ measure, of: 'header' as const })),
    ...returnedForms.flatMap((of) =>
      (['fees', 'tax'] as const).map((measure) => ({ measure, of })),
    ),
    ...groups.flatMap((one) => ofRows.map((measure) => ({ ...one, measure, of: 'rows' as const }))),
  ];
  const bitsOfTrait = 3 + Math.log2(Math.max(1, groups.length));
  const around = aroundOf(subjects.map(({ member }) => member));
  return all.flatMap((base) => {
    const values = subjects.map((one) => one.value(base, around));
    const bits = rarities[base.measure] + (base.trait === undefined ? 0 : bitsOfTrait);
    return values.every((value) => (value ?? 0n) === 0n) ? [] : [{ base, bits, values }];
  });
}

function aroundOf(members: readonly RangeMember[]): Around {
  const kept = members.filter(({ hasRows }) => hasRows);
  const inOrder = members.map(({ settled }) => settled.settlement).sort(byDateThenId);
  const firsts = new Map(inOrder.toReversed().map(({ date, id }) => [date.slice(0, 7), id]));
  return {
    purchases: purchasesIn(kept.map(({ listed }) => listed.rows)),
    firsts: new Set(firsts.values()),
  };
}
