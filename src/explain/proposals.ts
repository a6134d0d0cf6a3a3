import { rescale } from '../money/money.ts';
import { computedFrom, type ListedSums, listedIn } from '../reconcile/computed.ts';
import type { Code } from '../reconcile/entry.ts';
import { isWithin } from '../reconcile/identity.ts';
import type {
  ProposedRule,
  ReconciledSettlement,
  ReconcileSettings,
} from '../reconcile/reconciled.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import {
  areAlternatives,
  type Rule,
  rulesIn,
  ruleText,
  taxesInFees,
  withRule,
} from '../reconcile/rules.ts';
import { contenders, type Explained, type ExplainedCause } from './explained.ts';

/** A cause is proposed as a rule where it explains so many settlements of a run. */
const fewestSettlements = 3;

/** Where there would be more rules to test than these, none is proposed. */
const mostTested = 10_000;

/** So many rows of balanced settlements are looked through for rates; beyond that, no rounding is proposed. */
const mostRowsForRates = 500_000;

/** What a rule can mend: other discrepancies stay, whatever the rules. */
const mended: ReadonlySet<Code> = new Set<Code>(['gross', 'fees', 'tax', 'count']);

/** A settlement as it was judged, and its rows added up. */
interface Judged {
  readonly settled: ReconciledSettlement;
  readonly listed: ListedSums;
}

/** A rule, and the ids of the settlements that it would balance. */
interface Candidate {
  readonly text: string;
  readonly rule: Rule;
  readonly settlements: Set<string>;
}

/**
 * Finds the rules that a run speaks for: each makes a cause normal that explains at least three of
 * its settlements, completely and alone, and none would put a settlement out of balance that
 * balances, by itself or by another rule that is proposed.
 */
export class Proposals {
  readonly #settings: ReconcileSettings;
  readonly #candidates = new Map<string, Candidate>();
  /** The texts of rules that put a balanced settlement out of balance. */
  readonly #contradicted = new Set<string>();
  #rowsForRates = mostRowsForRates;

  constructor(settings: ReconcileSettings) {
    this.#settings = settings;
  }

  /** A settlement with its rows, and with what explains it, where it is out of balance. */
  add(settled: ReconciledSettlement, rows: RowColumns, explained: Explained | undefined): void {
    if (!settled.complete || this.#contradicted.size > mostTested) return;
    if (settled.verdict === 'balanced') {
      this.#addBalanced({ settled, listed: listedIn(settled.settlement, rows) });
    } else if (explained) {
      this.#addExplained({ settled, listed: listedIn(settled.settlement, rows) }, explained);
    }
  }

  /** Those that would balance the most settlements first; each settlement counts for one of them. */
  found(): readonly ProposedRule[] {
    if (this.#contradicted.size > mostTested) return [];
    const proposed: Candidate[] = [];
    const counted = new Set<string>();
    const most = [...this.#candidates.values()]
      .filter(({ text }) => !this.#contradicted.has(text))
      .sort((a, b) => b.settlements.size - a.settlements.size);
    for (const one of most) {
      const settlements = new Set([...one.settlements].filter((id) => !counted.has(id)));
      if (settlements.size < fewestSettlements) continue;
      if (proposed.some((other) => this.#isAgainst(one, other))) continue;
      for (const id of settlements) counted.add(id);
      proposed.push({ ...one, settlements });
    }
    return proposed.map(({ rule, settlements }) => ({ rule, settlements: settlements.size }));
  }

  #isAgainst(one: Candidate, other: Candidate): boolean {
    return (
      areAlternatives(one.rule, other.rule) ||
      this.#contradicted.has(one.text + other.text) ||
      this.#contradicted.has(other.text + one.text)
    );
  }

  #addBalanced(judged: Judged): void {
    const isNew = (rule: Rule) => !this.#contradicted.has(ruleText(rule));
    const rounding = roundings.filter(isNew);
    const { size } = judged.listed.rows;
    const isAffordable = size <= this.#rowsForRates;
    if (isAffordable && rounding.length > 0) this.#rowsForRates -= size;
    for (const rule of rounding) {
      if (!isAffordable || !this.#balances(judged, rule)) this.#contradicted.add(ruleText(rule));
    }
    for (const rule of rulesAbout(judged.listed)) {
      if (isNew(rule) && !this.#balances(judged, rule)) this.#contradicted.add(ruleText(rule));
    }
  }

  #addExplained(judged: Judged, explained: Explained): void {
    const { settled, listed } = judged;
    if (!settled.discrepancies.every(({ code }) => mended.has(code))) return;
    const alone = contenders(explained).filter(({ causes }) => causes.length === 1);
    for (const rule of alone.flatMap(({ causes }) => causes.flatMap(rulesFrom))) {
      if (rulesIn(this.#settings.rules).some((known) => areAlternatives(rule, known))) continue;
      if (!this.#balances(judged, rule)) continue;
      const text = ruleText(rule);
      const candidate = this.#candidates.get(text) ?? { text, rule, settlements: new Set() };
      this.#candidates.set(text, candidate);
      candidate.settlements.add(settled.settlement.id);
      for (const other of [...rulesAbout(listed), ...roundings]) {
        const both = text + ruleText(other);
        if (this.#contradicted.has(both) || areAlternatives(rule, other)) continue;
        if (!this.#balances(judged, rule, other)) this.#contradicted.add(both);
      }
    }
  }

  /** Whether the sums agree with the header, as far as they have to, under some more rules. */
  #balances({ settled, listed }: Judged, ...more: readonly Rule[]): boolean {
    const { reported, settlement, scale } = settled;
    const { tolerance, ignored, rules, identity } = this.#settings;
    const { figures } = computedFrom(listed, { identity, rules: more.reduce(withRule, rules) });
    const most = rescale(tolerance, settlement.scale, scale);
    const payIn = (reported.payIn ?? 0n) - (figures.payIn ?? reported.payIn ?? 0n);
    const agrees = (difference: bigint) =>
      difference === 0n || (isWithin(most, difference) && isWithin(most, payIn));
    return (
      (ignored.includes('count') || reported.transactions === figures.transactions) &&
      (['gross', 'fees', 'tax'] as const).every(
        (measure) => ignored.includes(measure) || agrees(reported[measure] - figures[measure]),
      )
    );
  }
}

const roundings: readonly Rule[] = (['fees', 'tax'] as const).flatMap((amount) =>
  (['total', 'row'] as const).flatMap((of) =>
    (['half_up', 'half_even'] as const).map(
      (round) => ({ rule: 'rounding', amount, of, round }) as const,
    ),
  ),
);

/** All rules that a cause could become and that are about these rows, but for those of rounding. */
function* rulesAbout({ kinds }: ListedSums): Iterable<Rule> {
  const present = kinds.filter(({ count }) => count > 0);
  const counts = ['follows', 'stays'] as const;
  for (const state of new Set(present.map((kind) => kind.state))) {
    for (const count of counts) yield { rule: 'not_counted', state, count };
  }
  for (const type of new Set(present.map((kind) => kind.type))) {
    for (const count of counts) yield { rule: 'not_counted', type, count };
    yield { rule: 'signs', type };
    for (const amount of ['gross', 'fees_and_tax'] as const) yield { rule: 'signs', type, amount };
  }
  for (const amount of ['fees', 'tax', 'fees_and_tax'] as const) yield { rule: 'signs', amount };
  for (const tax of taxesInFees) yield { rule: 'tax_in_fees', tax };
}

/** The rules that may make a cause normal: which of them does depends on the rows. */
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
    case 'rounding':
      if (facts.of === 'unknown') return [];
      return roundings.filter((one) => 'round' in one && one.amount === facts.amount);
    default:
      return [];
  }
}
