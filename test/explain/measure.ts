import { type Cause, causeText } from '../../src/explain/cause.ts';
import { explainDifference } from '../../src/explain/explain.ts';
import type { Explained, Explanation } from '../../src/explain/explained.ts';
import { type Effort, thorough } from '../../src/explain/limits.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { columnsOf, defaultSettings } from '../reconcile/judge.ts';
import { inject, injections, type Scenario, twoCauses } from './generator.ts';
import type { Injection } from './injection.ts';
import { headerOf, type World } from './world.ts';

/** How often causes of one kind were injected, found, and found first (or among equals). */
export interface Score {
  injected: number;
  found: number;
  first: number;
  /** Seeds that were not found, or not first. */
  readonly missed: number[];
  readonly outranked: number[];
}

export function explainWorld(world: World, effort: Effort = thorough): Explained {
  const rows = columnsOf(world.rows);
  const { outcome, neighbours } = world;
  const settings = defaultSettings;
  const settled = reconcileSettlement({ settlement: headerOf(world), rows, outcome, settings });
  const evidence = {
    outcome,
    neighbours: neighbours.map(({ settlement, rows }) => ({ settlement, rows: columnsOf(rows) })),
  };
  return explainDifference(settled, rows, evidence, { identity: settings.identity, effort });
}

/** The place of the injected causes among the complete explanations; −1 where they aren't. */
function placeOf({ causes, rowIds }: Scenario, { hypotheses }: Explained): number {
  const expected = causes.map(causeKey).sort().join();
  return hypotheses.findIndex(
    (one) =>
      one.outcome === 'explains' &&
      one.causes
        .map(({ cause }) => causeKey(cause))
        .sort()
        .join() === expected &&
      namesRows(one, rowIds),
  );
}

/** Two rounding rules often come to the same: any of them will do. */
function causeKey(cause: Cause): string {
  return cause.code === 'rounding' ? cause.code : causeText(cause);
}

/** The very rows, or others that can't be told from them. */
function namesRows({ causes, candidates }: Explanation, rowIds: readonly string[]): boolean {
  const named = causes.flatMap(({ rows }) => rows.examples.map((row) => row.transactionId));
  return candidates > 1 || rowIds.every((id) => named.includes(id));
}

function count(score: Score, seed: number, chosen: readonly Injection[], effort: Effort): void {
  const scenario = inject(seed, chosen);
  const explained = explainWorld(scenario.world, effort);
  const place = placeOf(scenario, explained);
  score.injected += 1;
  if (place < 0) score.missed.push(seed);
  else score.found += 1;
  if (place >= 0 && place < 1) score.first += 1;
  else score.outranked.push(seed);
}

/** One cause each, by cause. */
export function scoreSingles(seeds: readonly number[], effort: Effort = thorough) {
  const scores = new Map<string, Score>();
  for (const injection of injections) {
    const score = scores.get(injection.code) ?? newScore();
    scores.set(injection.code, score);
    for (const seed of seeds) count(score, seed, [injection], effort);
  }
  return scores;
}

/** Two causes at once. */
export function scorePairs(seeds: readonly number[], effort: Effort = thorough) {
  const scores = new Map<string, Score>();
  for (const seed of seeds) {
    const chosen = twoCauses(seed);
    const key = chosen.map(({ code }) => code).join(' + ');
    const score = scores.get(key) ?? newScore();
    scores.set(key, score);
    count(score, seed, chosen, effort);
  }
  return scores;
}

export function total(scores: ReadonlyMap<string, Score>): Score {
  const sum = newScore();
  for (const { injected, found, first } of scores.values()) {
    sum.injected += injected;
    sum.found += found;
    sum.first += first;
  }
  return sum;
}

function newScore(): Score {
  return { injected: 0, found: 0, first: 0, missed: [], outranked: [] };
}
