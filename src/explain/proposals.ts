import { rescale } from '../money/money.ts';
import { allStated, computedFrom, listedIn } from '../reconcile/computed.ts';
import type { Code } from '../reconcile/entry.ts';
import { isWithin } from '../reconcile/identity.ts';
import type { ProposedRule } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import { areAlternatives, type Rule, rulesIn, ruleText, withRule } from '../reconcile/rules.ts';
import type { ReconcileSettings, RowsEnding } from '../reconcile/subject.ts';
import { bitsOfDeviation } from './bits.ts';
import type { CauseCode } from './cause.ts';
import { explainDifference } from './explain.ts';
import { contenders, type Explained, type ExplainedCause, withProposedRule } from './explained.ts';
import { quick } from './limits.ts';
import type { PatternPart } from './pattern.ts';
import type { RangeMember } from './pattern-bases.ts';
import { type PatternsFound, patternsIn } from './patterns.ts';
import { isSame, tallyFrom, total } from './tally.ts';

/** A rule is proposed if it balances at least so many settlements of a run. */
const fewestSettlements = 3;

/** A rule of rounding is proposed if chance would give its differences once in 2^13 runs. */
const leastBits = 13;

/** What is kept of a run for testing rules that show later: sums of settlements, and rows. */
const mostKept = { settlements: 10_000, rows: 100_000 };

/** The discrepancies that a rule can resolve; no rule resolves others. */
const mended: ReadonlySet<Code> = new Set<Code>(['gross', 'fees', 'tax', 'count']);

export interface PatternsOfRange extends PatternsFound {
  /** The explanations of settlements that patterns and proposed rules help to explain, by their ids. */
  readonly explained: ReadonlyMap<string, Explained>;
}

/** Causes that fit almost any small difference, so they do not save a pattern from a contradiction. */
const vague: ReadonlySet<CauseCode> = new Set(['rounding', 'one_off_fee', 'fee_without_row']);

/** A rule, with the settlements that support it, by their ids. */
interface Candidate {
  readonly rule: Rule;
  readonly settlements: Map<string, RangeMember | undefined>;
  /** How unlikely these are by chance; of roundings only. */
  bits: number;
  /** How many tested settlements could have contradicted it. */
  tested: number;
  /** Whether a settlement contradicts it, or not all of them could be tested. */
  isContradicted: boolean;
}

/** Whether a settlement supports a rule; a balanced one that stays balanced `agrees`. */
interface RuleEvidence {
  readonly speaks: 'for' | 'agrees' | 'against' | 'neither';
  readonly bits: number;
}

/** Finds the rules that a run supports, tested on every settlement. One that contradicts a rule drops it. */
export class Proposals {
  readonly #settings: ReconcileSettings;
  readonly #candidates = new Map<string, Candidate>();
  /** Absent if the run is larger than the limit: then rules that show later cannot be tested on all of it. */
  #earlier: RangeMember[] | undefined = [];
  readonly #left = { ...mostKept };
  readonly #rounded = new Map<string, Explained>();

  constructor(settings: ReconcileSettings) {
    this.#settings = settings;
  }

  /** A settlement with its rows, and with its explanation if it is out of balance. */
  add(
    settled: ReconciledSettlement,
    rows: RowColumns,
    explained: Explained | undefined,
    outcome: RowsEnding,
  ): void {
    // What holds in all settlements is learned from all figures.
    if (!allStated(settled.reported)) return;
    if (!settled.complete || (settled.verdict !== 'balanced' && !explained)) return;
    const judged = { settled, listed: listedIn(settled.settlement, rows), hasRows: true, outcome };
    const kept = this.#kept(judged);
    if (explained?.best?.codes[0] === 'rounding') {
      this.#rounded.set(settled.settlement.id, explained);
    }
    const inForce = rulesIn(this.#settings.rules);
    for (const rule of rulesFor(explained)) {
      const text = ruleText(rule);
      if (this.#candidates.has(text)) continue;
      if (inForce.some((known) => areAlternatives(rule, known))) continue;
      const isContradicted = this.#earlier === undefined;
      const candidate = { rule, settlements: new Map(), bits: 0, tested: 0, isContradicted };
      this.#candidates.set(text, candidate);
      for (const one of this.#earlier ?? []) this.#weigh(candidate, one, one);
    }
    for (const candidate of this.#candidates.values()) this.#weigh(candidate, judged, kept);
    if (kept) this.#earlier?.push(kept);
    else this.#earlier = undefined;
  }

  /** What holds in all settlements beside the rules that are `found`, and the explanations with it. */
  patterns(found: readonly ProposedRule[]): PatternsOfRange {
    const { identity } = this.#settings;
    const how = { ...this.#settings, effort: quick };
    const explain = ({ settled, listed, outcome }: RangeMember, patterns: readonly PatternPart[]) =>
      explainDifference(settled, listed.rows, { outcome, patterns }, how);
    const known = new Map<RangeMember, Explained>();
    const alone = (one: RangeMember) => {
      const explained = known.get(one) ?? explain(one, []);
      known.set(one, explained);
      return explained;
    };
    const hasCause = (one: RangeMember, parts: readonly PatternPart[]) => {
      if (!one.hasRows) return undefined;
      const { best, bitsOfUnknown, target } = explain(one, parts);
      if (!best || best.codes.some((code) => vague.has(code))) return false;
      // A wrong number of transactions shows that it has a fault of its own.
      if (best.bits >= bitsOfUnknown && target?.count === 0) return false;
      // Assumed amounts are about as long with patterns as without; other causes are not.
      const without = alone(one);
      return without.best?.assumesAmounts || best.bits < bitsOf(without);
    };
    const rules = found.map(({ rule }) => rule);
    const members = this.#earlier ?? [];
    const { patterns, partsOf } = patternsIn(members, rules, this.#settings, hasCause);
    const byRule = found.flatMap(({ settlementIds }) =>
      settlementIds.flatMap((id) => {
        const rounded = this.#rounded.get(id);
        return rounded ? [[id, withProposedRule(rounded)] as const] : [];
      }),
    );
    const byPatterns = members.flatMap((one) => {
      const { settlement, verdict, difference } = one.settled;
      const parts = partsOf.get(settlement.id);
      if (!parts || !difference || verdict === 'balanced') return [];
      // Without rows, only what patterns explain wholly can be told.
      const change = total(parts.map((part) => part.change));
      const isKnown = one.hasRows || isSame(change, tallyFrom(identity, difference));
      return isKnown ? [[settlement.id, explain(one, parts)] as const] : [];
    });
    return { patterns, partsOf, explained: new Map([...byRule, ...byPatterns]) };
  }

  /** The rules with the most support first; each settlement counts for one rule. */
  found(): readonly ProposedRule[] {
    const proposed: Candidate[] = [];
    const counted = new Set<string>();
    const most = [...this.#candidates.values()]
      .filter(({ isContradicted }) => !isContradicted)
      .sort((a, b) => b.settlements.size - a.settlements.size);
    for (const one of most) {
      const isRounding = one.rule.rule === 'rounding';
      const settlements = isRounding
        ? one.settlements
        : new Map([...one.settlements].filter(([id]) => !counted.has(id)));
      if (isRounding ? one.bits < leastBits : settlements.size < fewestSettlements) continue;
      if (proposed.some((other) => this.#isAgainst(one, other))) continue;
      if (!isRounding) for (const id of settlements.keys()) counted.add(id);
      proposed.push({ ...one, settlements });
    }
    return proposed.map(({ rule, settlements, tested }) => ({
      rule,
      settlements: settlements.size,
      tested,
      settlementIds: [...settlements.keys()],
    }));
  }

  /** Whether a settlement that one of two rules balances is out of balance with the other. */
  #isAgainst(one: Candidate, other: Candidate): boolean {
    if (areAlternatives(one.rule, other.rule)) return true;
    if (one.rule.rule === 'rounding' || other.rule.rule === 'rounding') return false;
    const all = [...one.settlements.values(), ...other.settlements.values()];
    return all.some(
      (judged) => !judged || this.#differing(judged, one.rule, other.rule).length > 0,
    );
  }

  /** Tests a rule on a settlement, and keeps the settlement if it supports the rule. */
  #weigh(candidate: Candidate, judged: RangeMember, kept: RangeMember | undefined): void {
    if (candidate.isContradicted) return;
    const { rule } = candidate;
    const isRounding = rule.rule === 'rounding';
    const { speaks, bits } = isRounding
      ? this.#evidenceOfRounding(judged, rule)
      : this.#evidenceOf(judged, rule);
    if (speaks !== 'neither') candidate.tested += 1;
    candidate.isContradicted = speaks === 'against';
    candidate.bits += bits;
    const { id } = judged.settled.settlement;
    if (speaks === 'for') candidate.settlements.set(id, kept);
  }

  /** A settlement supports a rule that removes all its differences, and contradicts one that adds a difference. */
  #evidenceOf(judged: RangeMember, rule: Rule): RuleEvidence {
    const [before, after] = [this.#differing(judged), this.#differing(judged, rule)];
    const { verdict, discrepancies } = judged.settled;
    const isOther = verdict !== 'balanced' && !discrepancies.every(({ code }) => mended.has(code));
    if (after.length === 0 && !isOther) {
      return { speaks: before.length > 0 ? 'for' : 'agrees', bits: 0 };
    }
    const isWorse = after.some((figure) => !before.includes(figure));
    return { speaks: isWorse ? 'against' : 'neither', bits: 0 };
  }

  /** A rounding must give the difference exactly if count and gross agree. */
  #evidenceOfRounding(
    judged: RangeMember,
    rule: Rule & { readonly rule: 'rounding' },
  ): RuleEvidence {
    const { listed, settled, hasRows } = judged;
    const { amount } = rule;
    const isOther = this.#differing(judged).some((one) => one === 'count' || one === 'gross');
    if (isOther) return { speaks: 'neither', bits: 0 };
    if (!hasRows) return { speaks: 'against', bits: 0 };
    const { rules, identity } = this.#settings;
    const figuresBy = (by: typeof rules) => computedFrom(listed, { identity, rules: by });
    const before = figuresBy(rules).figures[amount];
    const { figures, byRule } = figuresBy(withRule(rules, rule));
    const isUnknown = byRule.some(
      (effect) => ruleText(effect.rule) === ruleText(rule) && effect.change === undefined,
    );
    if (isUnknown) return { speaks: 'neither', bits: 0 };
    const difference = (settled.reported[amount] ?? before) - before;
    if (settled.reported[amount] !== figures[amount]) return { speaks: 'against', bits: 0 };
    const rows = listed.kinds.reduce((sum, one) => sum + (one[amount] === 0n ? 0 : one.count), 0);
    if (difference === 0n) return { speaks: 'agrees', bits: 0 };
    return { speaks: 'for', bits: bitsOfDeviation(difference, rows) };
  }

  /** What is kept of a settlement, while there is room: without its rows if these are too many. */
  #kept({ listed, ...judged }: RangeMember): RangeMember | undefined {
    if (this.#left.settlements === 0) return undefined;
    this.#left.settlements -= 1;
    // Fewer rows take as much room as a hundred.
    const room = Math.max(listed.rows.size, 100);
    const hasRows = room <= this.#left.rows;
    if (hasRows) this.#left.rows -= room;
    return { ...judged, listed: hasRows ? listed : { ...listed, rows: noRows }, hasRows };
  }

  /** The figures that differ by more than the tolerance, with some more rules. */
  #differing({ settled, listed }: RangeMember, ...more: readonly Rule[]) {
    const { reported, settlement, scale } = settled;
    const { tolerance, ignored, rules, identity } = this.#settings;
    const { figures } = computedFrom(listed, { identity, rules: more.reduce(withRule, rules) });
    const most = rescale(tolerance, settlement.scale, scale);
    const payIn = (reported.payIn ?? 0n) - (figures.payIn ?? reported.payIn ?? 0n);
    const agrees = (difference: bigint) =>
      difference === 0n || (isWithin(most, difference) && isWithin(most, payIn));
    return (['count', 'gross', 'fees', 'tax'] as const).filter(
      (figure) =>
        !ignored.includes(figure) &&
        (figure === 'count'
          ? reported.transactions !== figures.transactions
          : !agrees((reported[figure] ?? figures[figure]) - figures[figure])),
    );
  }
}

const noRows = new RowColumns();

/** The length of a settlement's difference: by its best explanation, or as unknown. */
function bitsOf({ best, bitsOfUnknown }: Explained): number {
  return Math.min(best?.bits ?? Infinity, bitsOfUnknown);
}

const roundings: readonly Rule[] = (['fees', 'tax'] as const).flatMap((amount) =>
  (['total', 'row'] as const).flatMap((of) =>
    (['half_up', 'half_even'] as const).map(
      (round) => ({ rule: 'rounding', amount, of, round }) as const,
    ),
  ),
);

function rulesFor(explained: Explained | undefined): readonly Rule[] {
  const alone = explained ? contenders(explained).filter(({ causes }) => causes.length === 1) : [];
  return alone.flatMap(({ causes }) => causes.flatMap(rulesFrom));
}

/** The rules that may make a cause normal; which one does so depends on the rows. */
function rulesFrom({ cause: { code, facts } }: ExplainedCause): readonly Rule[] {
  switch (code) {
    case 'state_left_out': {
      const { state, only, count } = facts;
      return only || state === '' ? [] : [{ rule: 'not_counted', state, count }];
    }
    case 'type_left_out': {
      const { type, part, count } = facts;
      return part !== 'all' || type === '' ? [] : [{ rule: 'not_counted', type, count }];
    }
    case 'type_sign': {
      const { type, part } = facts;
      if (type === '') return [];
      return [part === 'all' ? { rule: 'signs', type } : { rule: 'signs', type, amount: part }];
    }
    case 'sign_convention': {
      const [amount, ...others] = facts.amounts;
      return [{ rule: 'signs', amount: others.length > 0 ? 'fees_and_tax' : amount }];
    }
    case 'tax_in_fees':
      return facts.kind === 'part' ? [] : [{ rule: 'tax_in_fees', tax: facts.kind }];
    case 'rounding': {
      const amounts = facts.of === 'unknown' ? facts.amounts : [facts.amount];
      return roundings.filter((one) => 'round' in one && amounts.includes(one.amount));
    }
    default:
      return [];
  }
}
