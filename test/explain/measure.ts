import { explainDifference } from '../../src/explain/explain.ts';
import {
  type Certainty,
  contenders,
  type Explained,
  type Explanation,
} from '../../src/explain/explained.ts';
import { type Effort, thorough } from '../../src/explain/limits.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { columnsOf, defaultSettings } from '../reconcile/judge.ts';
import { inject, injections, type Scenario, twoCauses, type Worlds } from './generator.ts';
import { type Injection, sayingOf } from './injection.ts';
import { headerOf, type World } from './world.ts';

/** How often causes of one kind were injected, found, and found first. */
export interface Score {
  injected: number;
  found: number;
  first: number;
  /** Seeds that were not found, or not first. */
  readonly missed: number[];
  readonly outranked: number[];
}

/** Of so many answers of one certainty, how many were right: the best alone, or one of those named. */
interface Trust {
  given: number;
  right: number;
}

export class Measure {
  /** By the injected causes. */
  readonly scores = new Map<string, Score>();
  readonly trust: Readonly<Record<Certainty, Trust>> = {
    certain: { given: 0, right: 0 },
    likely: { given: 0, right: 0 },
    one_of_several: { given: 0, right: 0 },
  };
  /** Certain, and wrong. */
  readonly deceived: string[] = [];
  readonly #worlds: Worlds;
  readonly #effort: Effort;

  constructor(worlds: Worlds, effort: Effort = thorough) {
    this.#worlds = worlds;
    this.#effort = effort;
  }

  /** One cause each. */
  singles(seeds: readonly number[]): this {
    for (const injection of injections) {
      for (const seed of seeds) this.#count(seed, [injection]);
    }
    return this;
  }

  /** Two causes at once. */
  pairs(seeds: readonly number[]): this {
    for (const seed of seeds) this.#count(seed, twoCauses(seed));
    return this;
  }

  total(): Score {
    const sum = newScore();
    for (const { injected, found, first } of this.scores.values()) {
      sum.injected += injected;
      sum.found += found;
      sum.first += first;
    }
    return sum;
  }

  #count(seed: number, chosen: readonly Injection[]): void {
    const key = chosen.map(({ code }) => code).join(' + ');
    const scenario = inject(seed, chosen, this.#worlds);
    if (scenario === undefined) return;
    const score = this.scores.get(key) ?? newScore();
    this.scores.set(key, score);
    const explained = explainWorld(scenario.world, this.#effort);
    score.injected += 1;
    const isFound = explanationsIn(explained).some((one) => isRight(scenario, one));
    if (isFound) score.found += 1;
    else score.missed.push(seed);
    const isFirst = explained.best !== undefined && isRight(scenario, explained.best);
    if (isFirst) score.first += 1;
    else score.outranked.push(seed);
    const { certainty } = explained;
    if (certainty === undefined) return;
    this.trust[certainty].given += 1;
    if (contenders(explained).some((one) => isRight(scenario, one))) {
      this.trust[certainty].right += 1;
    } else if (certainty === 'certain') this.deceived.push(`${key} ${seed}`);
  }
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
  return explainDifference(settled, rows, evidence, { ...settings, effort });
}

function explanationsIn({ hypotheses }: Explained): readonly Explanation[] {
  return hypotheses.flatMap((one) => (one.outcome === 'explains' ? [one] : []));
}

/** Whether an explanation says what was injected, of the very rows or of others that can't be told from them. */
function isRight({ says, rowIds }: Scenario, { causes, candidates }: Explanation): boolean {
  const said = causes.map(({ cause }) => sayingOf(cause));
  const named = causes.flatMap(({ rows }) => rows.examples.map((row) => row.transactionId));
  const isSame = [...new Set(said)].sort().join() === [...new Set(says)].sort().join();
  return isSame && (candidates > 1 || rowIds.every((id) => named.includes(id)));
}

function newScore(): Score {
  return { injected: 0, found: 0, first: 0, missed: [], outranked: [] };
}
