import { groupedBy, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import { magnitude } from '../money/money.ts';
import { type Rule, withRule } from '../reconcile/rules.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { bitsOfChoice } from './bits.ts';
import {
  areBeside,
  areSameSum,
  changed,
  type Pattern,
  type PatternFigure,
  type PatternPart,
  type PatternTerm,
  termText,
} from './pattern.ts';
import { basesOf, type RangeMember, RangeSubject, type Valued } from './pattern-bases.ts';
import { bitsOfMinor, type Form, forms } from './pattern-forms.ts';
import { amountFigures, isSame, minus, noTally, shift, type Tally, total } from './tally.ts';

const figures: readonly PatternFigure[] = ['count', ...amountFigures];

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

/** The settlements from which amounts are taken: some of them may differ for another reason too. */
const mostSeeds = 5;

class Search {
  readonly #subjects: readonly RangeSubject[];
  readonly #scale: number;
  readonly #settings: ReconcileSettings;
  readonly #bases: readonly Valued[];

  constructor(
    members: readonly RangeMember[],
    rules: readonly Rule[],
    settings: ReconcileSettings,
  ) {
    this.#settings = { ...settings, rules: rules.reduce(withRule, settings.rules) };
    this.#scale = largestOf(members.map(({ settled }) => settled.scale));
    this.#subjects = [...members]
      .sort((a, b) => byText(a.settled.settlement.id, b.settled.settlement.id))
      .map((member) => new RangeSubject(member, this.#scale, this.#settings));
    const off = this.#subjects.filter(({ target }) => this.#differing([target]).length > 0);
    this.#bases = off.length < fewest ? [] : basesOf(this.#subjects);
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
      const largest = due.reduce(
        (most, one) => (magnitude(one) > most ? magnitude(one) : most),
        1n,
      );
      // An amount of this size is one of so many.
      const mostBits = Math.log2(2 * Number(largest));
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
              const weighed = this.#weighed(term, how, due, one.values, length, mostBits);
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
    const seeds = this.#subjects
      .flatMap((subject, at) => {
        const [minor, value] = [due[at] ?? 0n, values[at] ?? 0n];
        return minor === 0n || value === 0n ? [] : [{ minor, value, subject }];
      })
      .sort((a, b) => Number(magnitude(b.value) - magnitude(a.value)))
      .slice(0, mostSeeds);
    return new Map(
      seeds.flatMap(({ minor, value, subject }) => amounts(minor, value, subject, base)),
    );
  }

  /** Undefined if a settlement contradicts it, or too few support it. */
  #weighed(
    term: PatternTerm,
    how: Form,
    due: readonly bigint[],
    values: Valued['values'],
    bits: number,
    mostBits: number,
  ): Weighed | undefined {
    const holds: number[] = [];
    const exceptions: number[] = [];
    const changes: (bigint | undefined)[] = [];
    let [known, off, left, gain] = [0, 0, 0, -bits];
    for (const [at, subject] of this.#subjects.entries()) {
      const [minor, value] = [due[at] ?? 0n, values[at]];
      const change = value === undefined ? undefined : how.change(term, value, subject, minor);
      changes.push(change);
      if (change === undefined) continue;
      known += 1;
      if (minor !== 0n) off += 1;
      if (minor !== change) left += 1;
      if (change === 0n) continue;
      if (minor === change) {
        holds.push(at);
        gain += Math.min(bitsOfMinor(minor), mostBits);
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
      return left === 0n ? [] : [hasCause(subject.member, partsOf.get(subject.id) ?? [])];
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
    const whole = new Set(
      this.#subjects.filter(({ target }, at) => isSame(target, changesAt(terms, at))),
    );
    const patterns = groups.map((group): Pattern => {
      const meant = new Set(group.flatMap((one) => [...one.holds, ...one.exceptions]));
      const concerned = this.#subjects.filter((_, at) => meant.has(at));
      const { accountingToken = '', currency = '' } =
        this.#subjects[0]?.member.settled.settlement ?? {};
      const pattern = {
        accountingToken,
        currency,
        scale: this.#scale,
        terms: group.map(({ term }) => term),
        settlements: concerned.length,
        tested: this.#subjects.length,
        settlementIds: concerned.map(({ id }) => id),
        wholly: concerned.filter((one) => whole.has(one)).length,
        alternatives: group[0]?.alternatives ?? [],
      };
      for (const [at, { id, member }] of this.#subjects.entries()) {
        const change = shift(changesAt(group, at), member.settled.scale - this.#scale);
        if (change === undefined || this.#differing([change]).length === 0) continue;
        partsOf.set(id, [...(partsOf.get(id) ?? []), { pattern, change }]);
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
}
