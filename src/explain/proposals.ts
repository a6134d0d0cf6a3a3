import { rescale } from '../money/money.ts';
import { computedFrom, type ListedSums, listedIn } from '../reconcile/computed.ts';
import type { Code } from '../reconcile/entry.ts';
import { isWithin } from '../reconcile/identity.ts';
import type { ProposedRule } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import { areAlternatives, type Rule, rulesIn, ruleText, withRule } from '../reconcile/rules.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { contenders, type Explained, type ExplainedCause } from './explained.ts';

/** A cause is proposed as a rule where it explains so many settlements of a run. */
const fewestSettlements = 3;

/** What is kept of a run to test rules on that show later: so many settlements, added up, and so many rows. */
const mostKept = { settlements: 10_000, rows: 100_000 };

/** What a rule can mend: other discrepancies stay, whatever the rules. */
const mended: ReadonlySet<Code> = new Set<Code>(['gross', 'fees', 'tax', 'count']);

/** A settlement as it was judged, and its rows added up. */
interface Judged {
  readonly settled: ReconciledSettlement;
  readonly listed: ListedSums;
  /** Whether the rows themselves are at hand: rates are found in them. */
  readonly hasRows: boolean;
}

/** A rule, and what is kept of the settlements that it would balance, by their ids. */
interface Candidate {
  readonly rule: Rule;
  readonly settlements: Map<string, Judged | undefined>;
  /** Whether it puts a balanced settlement out of balance, or not all of them could be tested. */
  isContradicted: boolean;
}

/**
 * Finds the rules that a run speaks for: each makes a cause normal that explains at least three of
 * its settlements, completely and alone, and none would put a settlement out of balance that
 * balances, by itself or by another rule that is proposed.
 */
export class Proposals {
  readonly #settings: ReconcileSettings;
  /** By the text of the rule. */
  readonly #candidates = new Map<string, Candidate>();
  /** Absent once there are more than are kept: then no rule that shows later can be tested on all. */
  #balanced: Judged[] | undefined = [];
  readonly #left = { ...mostKept };

  constructor(settings: ReconcileSettings) {
    this.#settings = settings;
  }

  /** A settlement with its rows, and with what explains it, where it is out of balance. */
  add(settled: ReconciledSettlement, rows: RowColumns, explained: Explained | undefined): void {
    if (!settled.complete || (settled.verdict !== 'balanced' && !explained)) return;
    const judged = { settled, listed: listedIn(settled.settlement, rows), hasRows: true };
    if (explained) {
      this.#addExplained(judged, explained);
      return;
    }
    for (const candidate of this.#candidates.values()) {
      candidate.isContradicted ||= !this.#balances(judged, candidate.rule);
    }
    const kept = this.#balanced && this.#kept(judged);
    if (kept) this.#balanced?.push(kept);
    else this.#balanced = undefined;
  }

  /** Those that would balance the most settlements first; each settlement counts for one of them. */
  found(): readonly ProposedRule[] {
    const proposed: Candidate[] = [];
    const counted = new Set<string>();
    const most = [...this.#candidates.values()]
      .filter(({ isContradicted }) => !isContradicted)
      .sort((a, b) => b.settlements.size - a.settlements.size);
    for (const one of most) {
      const settlements = new Map([...one.settlements].filter(([id]) => !counted.has(id)));
      if (settlements.size < fewestSettlements) continue;
      if (proposed.some((other) => this.#isAgainst(one, other))) continue;
      for (const id of settlements.keys()) counted.add(id);
      proposed.push({ ...one, settlements });
    }
    return proposed.map(({ rule, settlements }) => ({ rule, settlements: settlements.size }));
  }

  /** Whether one of two rules puts out of balance what the other balances. */
  #isAgainst(one: Candidate, other: Candidate): boolean {
    if (areAlternatives(one.rule, other.rule)) return true;
    const all = [...one.settlements.values(), ...other.settlements.values()];
    return !all.every((judged) => judged && this.#balances(judged, one.rule, other.rule));
  }

  #addExplained(judged: Judged, explained: Explained): void {
    const { discrepancies, settlement } = judged.settled;
    if (!discrepancies.every(({ code }) => mended.has(code))) return;
    const alone = contenders(explained).filter(({ causes }) => causes.length === 1);
    const inForce = rulesIn(this.#settings.rules);
    for (const rule of alone.flatMap(({ causes }) => causes.flatMap(rulesFrom))) {
      if (inForce.some((known) => areAlternatives(rule, known))) continue;
      if (this.#balances(judged, rule)) {
        const { settlements } = this.#candidate(rule);
        if (!settlements.has(settlement.id)) settlements.set(settlement.id, this.#kept(judged));
      }
    }
  }

  #candidate(rule: Rule): Candidate {
    const text = ruleText(rule);
    const known = this.#candidates.get(text);
    if (known) return known;
    const balances = this.#balanced?.every((one) => this.#balances(one, rule)) ?? false;
    const candidate = { rule, settlements: new Map(), isContradicted: !balances };
    this.#candidates.set(text, candidate);
    return candidate;
  }

  /** What is kept of a settlement, as long as there is room: without its rows, where these are many. */
  #kept({ settled, listed }: Judged): Judged | undefined {
    if (this.#left.settlements === 0) return undefined;
    this.#left.settlements -= 1;
    // Few rows take as much room as a hundred.
    const room = Math.max(listed.rows.size, 100);
    const hasRows = room <= this.#left.rows;
    if (hasRows) this.#left.rows -= room;
    return { settled, listed: hasRows ? listed : { ...listed, rows: noRows }, hasRows };
  }

  /** Whether the sums agree with the header, as far as they have to, under some more rules. */
  #balances({ settled, listed, hasRows }: Judged, ...more: readonly Rule[]): boolean {
    if (!hasRows && more.some(({ rule }) => rule === 'rounding')) return false;
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

const noRows = new RowColumns();

const roundings: readonly Rule[] = (['fees', 'tax'] as const).flatMap((amount) =>
  (['total', 'row'] as const).flatMap((of) =>
    (['half_up', 'half_even'] as const).map(
      (round) => ({ rule: 'rounding', amount, of, round }) as const,
    ),
  ),
);

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
