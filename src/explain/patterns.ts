import { groupedBy, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { Amounts, Settlement } from '../model/settlement.ts';
import { magnitude } from '../money/money.ts';
import { type RoundingRule, rounded } from '../money/rate.ts';
import { computedFrom, type ListedSums } from '../reconcile/computed.ts';
import { payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Rule, seenByRules, withRule } from '../reconcile/rules.ts';
import type { ReconcileSettings, RowsEnding } from '../reconcile/subject.ts';
import type { Counted } from '../reconcile/sums.ts';
import { million, roundingRules } from '../reconcile/tariffs.ts';
import { bitsOf, bitsOfChoice, bitsOfRound } from './bits.ts';
import { type Purchases, purchasesIn, type Returned, refundsIn } from './refunds.ts';
import {
  amountFigures,
  isSame,
  minus,
  noTally,
  shift,
  type Tally,
  tallyFrom,
  total,
} from './tally.ts';

const traits = ['type', 'state', 'paymentType'] as const;
type Trait = (typeof traits)[number];

/** A trait with more values does not group rows. */
const mostValues = 20;

const counts = ['settlements', 'months', 'rows', 'charges'] as const;
const amounts = ['gross', 'fees', 'tax', 'fees_and_tax', 'pay_in'] as const;
const figures = ['count', ...amountFigures] as const;

type Measure = (typeof counts)[number] | (typeof amounts)[number];
type PatternFigure = (typeof figures)[number];

/** What a pattern is measured in: a number or an amount of each settlement. `months`: 1 in the first of each. */
export interface PatternBase {
  readonly measure: Measure;
  /** Whose amounts: the listed rows', the header's, or those of the purchases that rows refund. */
  readonly of: 'rows' | 'header' | Returned;
  /** If set, only rows with this value. */
  readonly trait?: (typeof traits)[number];
  readonly value?: string;
}

/** By how much one figure of all headers differs. */
export interface PatternTerm {
  /** `contradiction`: the pay-in, beyond what the other amounts make it. */
  readonly figure: PatternFigure;
  /**
   * The base so many times; a rate of it, rounded in total or row by row; the rounding of it to a step; what the
   * amount of each row lacks of a minimum, or has above a maximum.
   */
  readonly form: 'times' | 'rate' | 'rate_by_row' | 'step' | 'minimum' | 'maximum';
  readonly base: PatternBase;
  /** Minor units for each of a count; a factor; the rate in millionths; the step or limit in minor units. */
  readonly amount: bigint;
  readonly rounding?: RoundingRule | undefined;
}

/** What holds in all settlements of an account and currency of which it says something. */
export interface Pattern {
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  readonly terms: readonly PatternTerm[];
  /** Of how many it says something, of how many that were compared, and which. */
  readonly settlements: number;
  readonly tested: number;
  readonly settlementIds: readonly string[];
  /** In how many it leaves nothing, together with the others. */
  readonly wholly: number;
  /** Terms that say the same of these settlements as the first. */
  readonly alternatives: readonly PatternTerm[];
}

/** What a pattern explains of one settlement, at its scale. */
export interface PatternPart {
  readonly pattern: Pattern;
  readonly change: Tally;
}

/** A settlement of a range, with the sums of its rows. */
export interface RangeMember {
  readonly settled: ReconciledSettlement;
  readonly listed: ListedSums;
  /** Whether the rows are kept too. */
  readonly hasRows: boolean;
  /** How reading them ended. */
  readonly outcome: RowsEnding;
}

export interface PatternsFound {
  readonly patterns: readonly Pattern[];
  /** What they explain of each settlement, by its id. */
  readonly partsOf: ReadonlyMap<string, readonly PatternPart[]>;
}

/** Whether what these parts leave of a settlement has a cause of its own; undefined if that is unknown. */
export type HasCause = (member: RangeMember, parts: readonly PatternPart[]) => boolean | undefined;

/** A term holds in at least so many settlements, and is so many bits shorter than their differences. */
const fewest = 3;
const leastBits = 6;
/** The same of a term about the rows of another one. */
const leastBitsBeside = 2;
/** Terms of one account and currency. */
const mostTerms = 8;
/** Settlements whose rest could not be searched count as contradictions beyond one of so many. */
const manyForOne = 50;
const mostAlternatives = 3;
const mostFirst = 8;
/** How rare a measure is, in bits: fees are charged for each pay-out, on the gross, or for each row. */
const rarities: Readonly<Record<Measure, number>> = {
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
/** Another term says the same if it is longer by fewer bits. */
const aboutAsLong = 4;

/** Finds what holds in all settlements of a range, beside these rules. The order does not matter. */
export function patternsIn(
  members: readonly RangeMember[],
  rules: readonly Rule[],
  settings: ReconcileSettings,
  hasCause: HasCause,
): PatternsFound {
  const accounts = groupedBy(
    members,
    ({ settled: { settlement } }) => `${settlement.accountingToken} ${settlement.currency}`,
  );
  const found = [...accounts]
    .filter(([, { length }]) => length >= fewest)
    .sort(([a], [b]) => byText(a, b))
    .map(([, all]) => new Search(all, rules, settings).found(hasCause));
  return {
    patterns: found.flatMap(({ patterns }) => patterns),
    partsOf: new Map(found.flatMap(({ partsOf }) => [...partsOf])),
  };
}

/** A settlement, at the scale of its account. */
interface Subject {
  readonly member: RangeMember;
  readonly header: Tally;
  /** Reported − computed, by all rules. */
  readonly target: Tally;
  readonly kinds: readonly (Counted & Readonly<Record<Trait, string>>)[];
}

type RowAmounts = readonly bigint[] | undefined;

/** A base, and its value in each settlement; undefined where that is unknown. */
interface Valued {
  readonly base: PatternBase;
  readonly bits: number;
  readonly values: readonly (bigint | undefined)[];
}

/** A term and what it says of each settlement; undefined where that is unknown. */
interface Weighed {
  readonly term: PatternTerm;
  readonly changes: readonly (bigint | undefined)[];
  readonly holds: readonly number[];
  readonly exceptions: readonly number[];
  readonly gain: number;
}

interface FoundTerm extends Weighed {
  readonly alternatives: readonly PatternTerm[];
}

/** An amount that may give a difference, and its bits. */
type Amount = readonly [amount: bigint, bits: number];

/** How a difference may follow from a base. */
interface Form {
  readonly form: PatternTerm['form'];
  readonly bits: number;
  readonly roundings: readonly (RoundingRule | undefined)[];
  readonly isMeant: (base: PatternBase, figure: PatternFigure) => boolean;
  readonly amounts: (
    due: bigint,
    value: bigint,
    rows: number,
    each: () => readonly bigint[],
  ) => readonly Amount[];
}

const isCount = ({ measure }: PatternBase) => (counts as readonly Measure[]).includes(measure);
const isTaxable = ({ measure }: PatternBase, figure: PatternFigure) =>
  figure !== 'count' && (measure === 'gross' || measure === 'fees' || measure === 'pay_in');

const forms: readonly Form[] = [
  {
    form: 'times',
    bits: 1,
    roundings: [undefined],
    // In many headers, one row too many is no pattern.
    isMeant: ({ measure }, figure) => figure !== 'count' || measure === 'rows',
    amounts: (due, value) => (due % value === 0n ? [[due / value, bitsOfMinor(due / value)]] : []),
  },
  {
    form: 'rate',
    bits: 2,
    roundings: roundingRules,
    isMeant: isTaxable,
    // A rate of 100 % is the amount itself.
    amounts: (due, value) => ratesOf(due, value, 1n).filter(([rate]) => magnitude(rate) < million),
  },
  {
    form: 'rate_by_row',
    bits: 5,
    roundings: roundingRules,
    isMeant: (base, figure) => isTaxable(base, figure) && base.of === 'rows',
    amounts: (due, value, rows) => ratesOf(due, value, BigInt(rows)),
  },
  {
    form: 'step',
    bits: 2,
    roundings: roundingRules,
    isMeant: ({ measure, trait, of }, figure) =>
      trait === undefined &&
      measure === (figure === 'contradiction' ? 'pay_in' : figure) &&
      (of === 'header') === (figure === 'contradiction'),
    amounts: () => [5n, 10n, 25n, 50n, 100n, 250n, 500n, 1000n].map((step) => [step, 3]),
  },
  ...(['minimum', 'maximum'] as const).map(
    (form): Form => ({
      form,
      bits: 3,
      roundings: [undefined],
      isMeant: ({ measure, of, trait = 'paymentType' }, figure) =>
        figure === 'fees' && measure === 'fees' && of === 'rows' && trait === 'paymentType',
      amounts: (due, _, __, each) => limitsOf(due, each(), form === 'minimum' ? 1n : -1n),
    }),
  ),
];

/** The minimum or maximum of the amounts of rows that makes a difference. */
function limitsOf(due: bigint, each: readonly bigint[], sign: 1n | -1n): readonly Amount[] {
  if (due < 0n === sign > 0n) return [];
  // A maximum is the minimum of the amounts with the other sign.
  const inOrder = each.map((own) => sign * own).sort((a, b) => (a < b ? -1 : 1));
  let sum = sign * due;
  for (const [at, own] of inOrder.entries()) {
    sum += own;
    const limit = sum / BigInt(at + 1);
    const isLast = limit <= (inOrder[at + 1] ?? limit);
    if (isLast) return sum % BigInt(at + 1) === 0n ? [[sign * limit, bitsOfMinor(limit)]] : [];
  }
  return [];
}

/** Rates that give a difference from a value, off by less than one for each rounding: those with the fewest digits. */
function ratesOf(due: bigint, value: bigint, roundings: bigint): readonly Amount[] {
  const [least, most] = [magnitude(due) - roundings, magnitude(due) + roundings];
  const sign = due < 0n === value < 0n ? 1n : -1n;
  const over = magnitude(value);
  const found: Amount[] = [];
  for (let unit = BigInt(million) / 10n, bits = 1; unit > 0n; unit /= 10n, bits += 1) {
    const first = (least * BigInt(million)) / (over * unit) + (least > 0n ? 1n : 0n);
    const last = (most * BigInt(million)) / (over * unit);
    if (last - first >= mostRates) return found;
    for (let digits = first; digits <= last; digits += 1n) {
      // Those with a zero at the end were found with fewer digits.
      const isNew = digits % 10n !== 0n || bits === 1;
      if (digits > 0n && isNew) found.push([sign * digits * unit, bitsOf(digits) + bits]);
    }
  }
  return found;
}

const mostRates = 6n;

function bitsOfMinor(minor: bigint): number {
  return Math.min(bitsOf(minor), bitsOfRound(minor));
}

/** The settlements from which amounts are taken: some of them may differ for another reason too. */
const mostSeeds = 5;

class Search {
  readonly #subjects: readonly Subject[];
  readonly #scale: number;
  readonly #settings: ReconcileSettings;
  readonly #bases: readonly Valued[];
  /** The amounts of rows, of the base that was looked at last. */
  #rowsOf: { readonly base: PatternBase; readonly values: Map<number, RowAmounts> } | undefined;
  /** What was charged on the purchases that each settlement refunds, where its rows are kept. */
  readonly #refunds = new Map<Subject, Readonly<Record<Returned, Tally>>>();

  constructor(
    members: readonly RangeMember[],
    rules: readonly Rule[],
    settings: ReconcileSettings,
  ) {
    this.#settings = { ...settings, rules: rules.reduce(withRule, settings.rules) };
    this.#scale = largestOf(members.map(({ settled }) => settled.scale));
    this.#subjects = [...members]
      .sort((a, b) => byText(a.settled.settlement.id, b.settled.settlement.id))
      .map((member) => this.#subject(member));
    const off = this.#subjects.filter(({ target }) => this.#differing([target]).length > 0);
    this.#bases = off.length < fewest ? [] : this.#allBases();
  }

  found(hasCause: HasCause): PatternsFound {
    const refused = new Set<string>();
    for (;;) {
      const terms = this.#terms(refused);
      const found = this.#patterns(terms);
      const isContradicted = (one: FoundTerm) => this.#isContradicted(one, terms, found, hasCause);
      const contradicted = terms.filter(isContradicted);
      if (contradicted.length === 0) return found;
      for (const { term } of contradicted) refused.add(termText(term));
    }
  }

  /**
   * Takes the term that gains most, then the one that gains most in what is left, and so on. Where that was
   * refused, its figure is left: what says less of it would only hide the contradiction.
   */
  #terms(refused: ReadonlySet<string>): readonly FoundTerm[] {
    const found: FoundTerm[] = [];
    const closed = new Set<PatternFigure>();
    let left = this.#subjects.map(({ target }) => target);
    while (found.length < mostTerms) {
      const [best, ...others] = [...this.#candidates(left, found, closed)].sort(
        (a, b) => b.gain - a.gain || byText(termText(a.term), termText(b.term)),
      );
      if (best === undefined) break;
      const { term, changes, gain } = best;
      if (refused.has(termText(term))) {
        closed.add(term.figure);
        continue;
      }
      const isSame = (one: Weighed) =>
        one.term.figure === term.figure &&
        !areBeside(one.term, term) &&
        !areSameSum(one.term.base, term.base) &&
        gain - one.gain < aboutAsLong &&
        one.changes.every((change, at) => change === changes[at]);
      const alternatives = others.filter(isSame).slice(0, mostAlternatives);
      found.push({ ...best, alternatives: alternatives.map((one) => one.term) });
      left = left.map((tally, at) => minus(tally, changed(term.figure, changes[at])));
    }
    return found;
  }

  *#candidates(
    left: readonly Tally[],
    known: readonly FoundTerm[],
    closed: ReadonlySet<PatternFigure>,
  ): Iterable<Weighed> {
    const differing = this.#differing(left);
    for (const figure of differing.filter((one) => !closed.has(one))) {
      const due = left.map((tally) => BigInt(tally[figure]));
      for (const how of forms) {
        // The amounts of a header go with its pay-in alone.
        const valued = this.#bases.filter(
          ({ base }) =>
            (base.of !== 'header' || figure === 'contradiction') && how.isMeant(base, figure),
        );
        for (const one of valued) {
          const isBeside = known.some(({ term }) => areBeside(term, { ...how, base: one.base }));
          const bits = how.bits + (isBeside ? 1 : one.bits + Math.log2(differing.length));
          const least = isBeside ? leastBitsBeside : leastBits;
          for (const [amount, ofAmount] of this.#amounts(how, due, one)) {
            for (const [place, rounding] of how.roundings.entries()) {
              const term = { figure, form: how.form, base: one.base, amount, rounding };
              const length = bits + ofAmount + (place > 0 ? 3 : 0);
              const weighed = this.#weighed(term, due, one.values, length);
              if (weighed && weighed.gain >= least) yield weighed;
            }
          }
        }
      }
    }
  }

  /** The amounts that some settlements show; those with the largest values show rates best. */
  #amounts(
    { amounts }: Form,
    due: readonly bigint[],
    { base, values }: Valued,
  ): ReadonlyMap<bigint, number> {
    const seeds = due
      .flatMap((minor, at) => {
        const value = values[at] ?? 0n;
        return minor === 0n || value === 0n ? [] : [{ minor, value, at }];
      })
      .sort((a, b) => Number(magnitude(b.value) - magnitude(a.value)))
      .slice(0, mostSeeds);
    const rowsOf = (at: number) => this.#subjects[at]?.member.listed.rows.size ?? 0;
    const eachOf = (at: number) => this.#rowsAt(base, at) ?? [];
    return new Map(
      seeds.flatMap(({ minor, value, at }) =>
        amounts(minor, value, rowsOf(at), () => charged(eachOf(at))),
      ),
    );
  }

  /** Undefined if a settlement contradicts it, or too few support it. */
  #weighed(
    term: PatternTerm,
    due: readonly bigint[],
    values: Valued['values'],
    bits: number,
  ): Weighed | undefined {
    // An amount of this size is one of so many.
    const size = Number(
      due.reduce((most, one) => (magnitude(one) > most ? magnitude(one) : most), 1n),
    );
    const holds: number[] = [];
    const exceptions: number[] = [];
    const changes: (bigint | undefined)[] = [];
    let [known, off, left, gain] = [0, 0, 0, -bits];
    for (const [at, minor] of due.entries()) {
      const value = values[at];
      const change = value === undefined ? undefined : this.#change(term, value, at, minor);
      changes.push(change);
      if (change === undefined) continue;
      known += 1;
      if (minor !== 0n) off += 1;
      if (minor !== change) left += 1;
      if (change === 0n) continue;
      if (minor === change) {
        holds.push(at);
        gain += Math.min(bitsOfMinor(minor), Math.log2(2 * size));
      } else {
        exceptions.push(at);
        // Most that do not hold are left early: a few exceptions may come first.
        if (exceptions.length > holds.length + mostFirst) return undefined;
      }
    }
    if (holds.length < fewest || 2 * exceptions.length > holds.length) return undefined;
    // Which settlements differ is told by the term, or else one by one.
    gain += bitsOfChoice(off, known) - bitsOfChoice(left, known);
    return { term, changes, holds, exceptions, gain };
  }

  /** What a term says of a settlement with this value; undefined if rows that it needs are not kept. */
  #change(
    { form, amount, rounding, base }: PatternTerm,
    value: bigint,
    at: number,
    due: bigint,
  ): bigint | undefined {
    if (form === 'minimum' || form === 'maximum') {
      const isWithin = (own: bigint) => (form === 'minimum' ? own >= amount : own <= amount);
      const each = this.#rowsAt(base, at);
      return (
        each && charged(each).reduce((sum, own) => (isWithin(own) ? sum : sum + amount - own), 0n)
      );
    }
    if (rounding === undefined) return amount * value;
    if (form === 'step') return nearest(value, amount, rounding) * amount - value;
    const inTotal = atRate(value, amount, rounding);
    const rows = this.#subjects[at]?.member.listed.rows.size ?? 0;
    // Row by row, it differs by less than one for each row.
    if (form === 'rate' || magnitude(inTotal - due) > rows) return inTotal;
    return this.#rowsAt(base, at)?.reduce((sum, own) => sum + atRate(own, amount, rounding), 0n);
  }

  #rowsAt(base: PatternBase, at: number): RowAmounts {
    if (this.#rowsOf?.base !== base) this.#rowsOf = { base, values: new Map() };
    const values = this.#rowsOf.values.get(at) ?? this.#rowValues(base, at);
    this.#rowsOf.values.set(at, values);
    return values;
  }

  #isContradicted(
    { term: { figure }, holds, exceptions }: FoundTerm,
    terms: readonly FoundTerm[],
    { partsOf }: PatternsFound,
    hasCause: HasCause,
  ): boolean {
    const ofFigure = terms.filter(({ term }) => term.figure === figure);
    const answers = exceptions.flatMap((at) => {
      const subject = this.#subjects[at];
      if (subject === undefined) return [];
      const due = BigInt(subject.target[figure]);
      // It agrees without the term.
      if (due === 0n) return [false];
      const left = ofFigure.reduce((minor, { changes }) => minor - (changes[at] ?? 0n), due);
      const { member } = subject;
      return left === 0n ? [] : [hasCause(member, partsOf.get(member.settled.settlement.id) ?? [])];
    });
    const unknown = answers.filter((answer) => answer === undefined).length;
    return answers.includes(false) || unknown * manyForOne > holds.length;
  }

  /** Puts terms about the same rows together. */
  #patterns(terms: readonly FoundTerm[]): PatternsFound {
    const groups: FoundTerm[][] = [];
    for (const one of terms) {
      const group = groups.find(([first]) => first && areBeside(first.term, one.term));
      if (group) group.push(one);
      else groups.push([one]);
    }
    const partsOf = new Map<string, PatternPart[]>();
    const changesAt = (all: readonly FoundTerm[], at: number) =>
      total(all.map(({ term, changes }) => changed(term.figure, changes[at])));
    const ids = this.#subjects.map(({ member }) => member.settled.settlement.id);
    const whole = new Set(
      ids.filter((_, at) => isSame(this.#subjects[at]?.target ?? noTally, changesAt(terms, at))),
    );
    const patterns = groups.map((group): Pattern => {
      const meant = new Set(group.flatMap((one) => [...one.holds, ...one.exceptions]));
      const settlementIds = ids.filter((_, at) => meant.has(at));
      const { accountingToken = '', currency = '' } =
        this.#subjects[0]?.member.settled.settlement ?? {};
      const pattern = {
        accountingToken,
        currency,
        scale: this.#scale,
        terms: group.map(({ term }) => term),
        settlements: settlementIds.length,
        tested: this.#subjects.length,
        settlementIds,
        wholly: settlementIds.filter((id) => whole.has(id)).length,
        alternatives: group[0]?.alternatives ?? [],
      };
      for (const [at, { member }] of this.#subjects.entries()) {
        const { settlement, scale } = member.settled;
        const change = shift(changesAt(group, at), scale - this.#scale);
        if (change === undefined || this.#differing([change]).length === 0) continue;
        partsOf.set(settlement.id, [...(partsOf.get(settlement.id) ?? []), { pattern, change }]);
      }
      return pattern;
    });
    return { patterns, partsOf };
  }

  /** The figures that differ somewhere and are checked. */
  #differing(tallies: readonly Tally[]): readonly PatternFigure[] {
    const { ignored } = this.#settings;
    return figures.filter(
      (figure) =>
        !ignored.includes(figure === 'contradiction' ? 'identity' : figure) &&
        tallies.some((tally) => tally[figure] !== noTally[figure]),
    );
  }

  #subject(member: RangeMember): Subject {
    const { settled, listed } = member;
    const { identity, rules } = this.#settings;
    const up = (tally: Tally, scale: number) => shift(tally, this.#scale - scale) ?? tally;
    const header = up(tallyFrom(identity, settled.reported), settled.scale);
    const computed = tallyFrom(identity, computedFrom(listed, this.#settings).figures);
    const kinds = listed.kinds
      .filter(({ isOwn }) => isOwn)
      .map((kind) => {
        const { count, ...sums } = seenByRules(rules, kind, kind);
        return { ...sums, ...up({ ...sums, count, contradiction: 0n }, listed.scale) };
      });
    return { member, header, target: minus(header, up(computed, listed.scale)), kinds };
  }

  #allBases(): readonly Valued[] {
    const kept = this.#subjects.filter(({ member }) => member.hasRows);
    const purchases = purchasesIn(kept.map(({ member }) => member.listed.rows));
    for (const subject of kept) this.#refunds.set(subject, this.#refunded(subject, purchases));
    const all = traits.flatMap((trait) => {
      const values = new Set(this.#subjects.flatMap(({ kinds }) => kinds.map((one) => one[trait])));
      // One value is that of all rows.
      return values.size < 2 || values.size > mostValues
        ? []
        : [...values].sort().map((value) => ({ trait, value }));
    });
    const ofRows = ['rows', ...amounts] as const;
    const bases: readonly PatternBase[] = [
      { measure: 'settlements', of: 'rows' },
      { measure: 'months', of: 'rows' },
      ...ofRows.map((measure) => ({ measure, of: 'rows' as const })),
      { measure: 'charges', of: 'rows' },
      ...amounts.map((measure) => ({ measure, of: 'header' as const })),
      ...(['in_full', 'in_part'] as const).flatMap((of) =>
        (['fees', 'tax'] as const).map((measure) => ({ measure, of })),
      ),
      ...all.flatMap((one) => ofRows.map((measure) => ({ ...one, measure, of: 'rows' as const }))),
    ];
    const bitsOfTrait = 3 + Math.log2(Math.max(1, all.length));
    return bases.flatMap((base) => {
      const values = this.#subjects.map((one) => this.#value(base, one));
      const bits = rarities[base.measure] + (base.trait === undefined ? 0 : bitsOfTrait);
      return values.every((value) => (value ?? 0n) === 0n) ? [] : [{ base, bits, values }];
    });
  }

  #value(base: PatternBase, subject: Subject): bigint | undefined {
    const { member, header, kinds } = subject;
    const { measure, of, trait } = base;
    const { rows } = member.listed;
    if (of === 'in_full' || of === 'in_part') {
      const refunds = this.#refunds.get(subject);
      return refunds && this.#amount(measure, refunds[of]);
    }
    if (measure === 'settlements') return 1n;
    if (measure === 'months') return this.#isFirstOfMonth(member) ? 1n : 0n;
    if (of === 'header') return this.#amount(measure, header);
    if (measure === 'charges') return member.hasRows ? BigInt(chargesOf(rows).size) : undefined;
    const sum = total(
      kinds.flatMap((kind) =>
        trait === undefined || kind[trait] === base.value ? { ...kind, contradiction: 0n } : [],
      ),
    );
    return measure === 'rows' ? BigInt(sum.count) : this.#amount(measure, sum);
  }

  #isFirstOfMonth({ settled: { settlement } }: RangeMember): boolean {
    const place = ({ date, id }: Settlement) => `${date} ${id}`;
    return !this.#subjects.some(({ member: { settled } }) => {
      const other = settled.settlement;
      const isSameMonth = other.date.slice(0, 7) === settlement.date.slice(0, 7);
      return isSameMonth && place(other) < place(settlement);
    });
  }

  #refunded({ member }: Subject, purchases: Purchases) {
    const { rows, currency } = member.listed;
    const own = refundsIn(rows, purchases).filter(
      ({ row }) => rows.kind(row).currency === currency,
    );
    const sum = (of: Returned) =>
      total(
        own.map((one) => {
          const tally = { ...noTally, ...one[of] };
          return shift(tally, this.#scale - rows.kind(one.row).scale) ?? tally;
        }),
      );
    return { in_full: sum('in_full'), in_part: sum('in_part') };
  }

  #amount(measure: Measure, { gross, fees, tax }: Amounts): bigint | undefined {
    const { identity } = this.#settings;
    if (measure === 'pay_in') {
      return identity === 'off' ? undefined : payInOf(identity, gross, fees, tax);
    }
    if (measure === 'fees_and_tax') return fees + tax;
    return { gross, fees, tax }[measure as 'gross'];
  }

  /** The amounts of each row of a base; undefined if they are not kept. */
  #rowValues({ measure, trait, value }: PatternBase, at: number): RowAmounts {
    const { rows, currency } = this.#subjects[at]?.member.listed ?? {};
    if (!rows || !this.#subjects[at]?.member.hasRows) return undefined;
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
}

const termText = ({ amount, ...term }: PatternTerm) => JSON.stringify([`${amount}`, term]);

/** Whether two terms are about the same rows in the same form. */
function areBeside(
  one: Pick<PatternTerm, 'form' | 'base'>,
  other: Pick<PatternTerm, 'form' | 'base'>,
): boolean {
  const [a, b] = [one.base, other.base];
  const isSameCount =
    !(isCount(a) || isCount(b)) || a.measure === b.measure || a.trait !== undefined;
  return (
    one.form === other.form &&
    a.trait === b.trait &&
    a.value === b.value &&
    a.of === b.of &&
    isSameCount
  );
}

/** Whether it is the header's amount and that of all its rows: they differ only where something else does. */
function areSameSum(a: PatternBase, b: PatternBase): boolean {
  const isWhole = a.trait === undefined && b.trait === undefined && a.measure === b.measure;
  return isWhole && (a.of === 'header' || b.of === 'header');
}

function changed(figure: PatternFigure, change = 0n): Tally {
  return { ...noTally, [figure]: figure === 'count' ? Number(change) : change };
}

function nearest(value: bigint, step: bigint, rule: RoundingRule): bigint {
  const steps = rounded(magnitude(value), step, rule);
  return value < 0n ? -steps : steps;
}

function atRate(value: bigint, rate: bigint, rule: RoundingRule): bigint {
  return nearest(value * rate, BigInt(million), rule);
}

/** The fees of rows on which one is charged: a limit does not concern refunds. */
function charged(each: readonly bigint[]): readonly bigint[] {
  return each.filter((own) => own > 0n);
}

function chargesOf(rows: RowColumns): ReadonlySet<string> {
  const charges = new Set(rows.where(() => true).map((row) => rows.chargeId(row)));
  charges.delete('');
  return charges;
}
