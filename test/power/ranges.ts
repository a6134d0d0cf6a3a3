import { Random } from '../support/random.ts';
import {
  type Account,
  type AccountSettings,
  type Draft,
  drawAccount,
  drawSettings,
} from './account.ts';
import { claimsOf, proposalsOf } from './claim.ts';
import { type Contract, type Family, families, settleBy } from './contracts.ts';
import { judge } from './judge.ts';
import { knownCauses } from './known-causes.ts';
import { type Pattern, patternsOf, saysSame } from './pattern-claim.ts';
import type { Planted } from './planted.ts';
import type { Scale } from './prices.ts';
import type { Target } from './report.ts';
import { explainAll, reportAll } from './tool.ts';

/** What is planted in a range. */
type Kind = 'contract' | 'beside faults' | 'contradicted' | 'noise';

/** A range of settlements, and what the program says that holds in all of them. */
export interface RangeResult {
  readonly kind: Kind;
  readonly name: string;
  readonly seed: number;
  /**
   * What the patterns about the account say: `same` as the contract also in settlements that it did not see, `open` if it
   * says the same only of those that it saw, and shows no contradiction. `rule` if an existing rule says it.
   */
  readonly outcome: 'same' | 'open' | 'rule' | 'other' | 'nothing';
  /** Patterns claimed where there are none, or that a settlement contradicts. */
  readonly wrong: number;
  /** Of faults beside: right as they are, and right without the contract. */
  readonly faults: { readonly right: number; readonly alone: number; readonly all: number };
  readonly planted: string;
  readonly claimed: string;
}

const none = { right: 0, alone: 0, all: 0 } as const;

const sizes = [3, 4, 5, 8, 12, 20, 40, 60] as const;
const scales: readonly Scale[] = [2, 2, 2, 0, 3];

/** Causes of one settlement that change nothing but its header, and that any settlement allows. */
const faults = ['row-not-counted', 'row-counted-twice', 'row-sign', 'missing-rows'] as const;

/** One range of each kind for a seed, and of each family. */
export async function rangesOf(seed: number): Promise<readonly RangeResult[]> {
  const results: RangeResult[] = [];
  for (const [name, family] of Object.entries(families)) {
    results.push(await contractRange(name, family, seed));
    results.push(await rangeBesideFaults(name, family, seed));
    if (seed % 4 === 0) results.push(await contradictedRange(name, family, seed));
  }
  for (let at = 0; at < noiseRanges; at += 1) results.push(await noiseRange(at, seed));
  return results;
}

/** Ranges of noise for each seed: 40 seeds have 2,000. */
const noiseRanges = 50;

function drawnAccount(random: Random, needs: Partial<AccountSettings>): Account {
  const settlements = random.pick(sizes);
  // The number of rows is like that of a small shop; the bench has many ranges.
  const rows = random.pick([8, 15, 30]);
  const scale = random.pick(scales);
  return drawAccount(random, drawSettings(random, { settlements, rows, scale, ...needs }));
}

/** A contract and an account of which at least so many settlements show it, with further settlements. */
function drawn(random: Random, { needs = {}, draw }: Family, least = 3) {
  for (let tries = 0; tries < 200; tries += 1) {
    const account = drawnAccount(random, needs);
    const contract = draw(random, account);
    const showing = account.drafts.filter((draft) => !isZero(contract, draft));
    if (showing.length >= least) {
      const settings = { ...account.settings, settlements: 15 };
      const more = drawAccount(random, settings).drafts;
      return { account, contract, more };
    }
  }
  throw new Error('No account shows this contract');
}

function isZero({ effectOn }: Contract, draft: Draft): boolean {
  return Object.values(effectOn(draft)).every((amount) => amount === 0n);
}

async function contractRange(name: string, family: Family, seed: number): Promise<RangeResult> {
  const random = randomOf(`contract ${name}`, seed);
  const { account, contract, more } = drawn(random, family);
  const seen = effectsOf(contract, [...account.drafts, ...more]);
  for (const draft of [...account.drafts, ...more]) settleBy(contract, draft);
  // Another account without a contract, in half of the ranges.
  const others = random.chance(50) ? [drawnAccount(random, {})] : [];
  const document = await reportAll(account, ...others);
  const patterns = patternsOf(document);
  const own = patterns.filter((one) => one.accountingToken === account.token);
  return {
    kind: 'contract',
    name,
    seed,
    outcome: outcomeOf(own, { account, more, seen, rules: proposalsOf(document).length }),
    wrong: patterns.length - own.length,
    faults: none,
    planted: `${contract.says}; ${account.drafts.length} settlements`,
    claimed: claimedIn(patterns, document),
  };
}

/** The effects before the headers are settled, for they are made of rows. */
function effectsOf(contract: Contract, drafts: readonly Draft[]) {
  return new Map(drafts.map((draft) => [draft, contract.effectOn(draft)]));
}

interface Truth {
  readonly account: Account;
  readonly more: readonly Draft[];
  readonly seen: ReturnType<typeof effectsOf>;
  readonly rules: number;
}

/** Several patterns about an account hold together, such as one for gross and one for the pay-in. */
function outcomeOf(patterns: readonly Pattern[], truth: Truth): RangeResult['outcome'] {
  const { account, more, seen, rules } = truth;
  if (patterns.length === 0) return rules > 0 ? 'rule' : 'nothing';
  const terms = patterns.flatMap((one) => one.terms);
  const planted = (draft: Draft) => seen.get(draft) ?? { gross: 0n, fees: 0n, tax: 0n, extra: 0n };
  const says = (terms: Pattern['terms'], drafts: readonly Draft[]) =>
    saysSame(terms, drafts, planted, account.scale);
  if (!says(terms, account.drafts)) return 'other';
  if (says(terms, more)) return 'same';
  return 'open';
}

/** The same with one or two faults in settlements of the range, and those faults without the contract. */
async function rangeBesideFaults(name: string, family: Family, seed: number): Promise<RangeResult> {
  const random = randomOf(`beside ${name}`, seed);
  const { account, contract, more } = drawn(random, family, 5);
  const count = account.drafts.length >= 8 ? random.int(1, 2) : 1;
  const planted = random.sample(account.drafts, count).flatMap((target) => {
    const one = knownCauses[random.pick(faults)]?.plant({ ...account, target }, random);
    return one ? [{ target, one }] : [];
  });
  const alone = await rightAbout(account, planted);
  const seen = effectsOf(contract, [...account.drafts, ...more]);
  for (const draft of [...account.drafts, ...more]) settleBy(contract, draft);
  const document = await reportAll(account);
  const patterns = patternsOf(document);
  return {
    kind: 'beside faults',
    name,
    seed,
    outcome: outcomeOf(patterns, { account, more, seen, rules: proposalsOf(document).length }),
    wrong: 0,
    faults: { right: await rightAbout(account, planted), alone, all: planted.length },
    planted: `${contract.says}; ${account.drafts.length} settlements; ${planted.map(({ one }) => one.kind).join()}`,
    claimed: claimedIn(patterns, document),
  };
}

async function rightAbout(
  account: Account,
  planted: readonly { readonly target: Draft; readonly one: Planted }[],
): Promise<number> {
  const claims = claimsOf(await explainAll(account));
  const figures = new Map(
    account.drafts.flatMap(({ rows }) =>
      rows.map(({ id, amount, fees, tax }) => [id, `${amount} ${fees} ${tax}`] as const),
    ),
  );
  const right = planted.filter(({ target, one }) => {
    const found = claims.get(target.id) ?? { claims: [], rivals: 0 };
    // What holds in all settlements is a claim of its own, beside that about this one.
    const [first, ...others] = found.claims.map((claim) => {
      const kinds = claim.kinds.filter((kind) => kind !== 'pattern');
      return { ...claim, kinds };
    });
    const own = { claims: first ? [first, ...others] : [], rivals: found.rivals };
    return judge(own, [one], (id) => figures.get(id) ?? id).outcome === 'right';
  });
  return right.length;
}

/** A contract that holds in all settlements but one, of which it would say something. */
async function contradictedRange(name: string, family: Family, seed: number): Promise<RangeResult> {
  const random = randomOf(`contradicted ${name}`, seed);
  const { account, contract } = drawn(random, family);
  const showing = account.drafts.filter((draft) => !isZero(contract, draft));
  const without = random.pick(showing);
  const planted = contract.says;
  for (const draft of account.drafts) if (draft !== without) settleBy(contract, draft);
  const document = await reportAll(account);
  const patterns = patternsOf(document);
  return {
    kind: 'contradicted',
    name,
    seed,
    outcome: patterns.length === 0 ? 'nothing' : 'other',
    wrong: patterns.length,
    faults: none,
    planted: `${planted}, but not on ${without.date}; ${account.drafts.length} settlements`,
    claimed: claimedIn(patterns, document),
  };
}

/** Settlements that are off for no reason: each by some units, by a price, or by a round amount, or not at all. */
async function noiseRange(at: number, seed: number): Promise<RangeResult> {
  const random = randomOf(`noise ${at}`, seed);
  const account = drawnAccount(random, {});
  const [share, most] = [random.pick([30, 67, 100]), random.pick([1, 5, 50, 2_000])];
  const figures = random.sample(['gross', 'fees', 'tax', 'extra'] as const, random.int(1, 2));
  for (const { header } of account.drafts) {
    if (!random.chance(share)) continue;
    for (const figure of figures) {
      header[figure] += BigInt(random.int(1, most)) * random.pick([1n, -1n]);
    }
  }
  const document = await reportAll(account);
  const patterns = patternsOf(document);
  return {
    kind: 'noise',
    name: figures.join(' and '),
    seed,
    outcome: patterns.length === 0 ? 'nothing' : 'other',
    wrong: patterns.length,
    faults: none,
    planted: `up to ${most} units in ${figures.join()}; ${account.drafts.length} settlements`,
    claimed: claimedIn(patterns, document),
  };
}

function claimedIn(patterns: readonly Pattern[], document: unknown): string {
  const rules = proposalsOf(document).map((rule) => JSON.stringify(rule));
  return [...patterns.map(({ message }) => message), ...rules].join(' | ');
}

function randomOf(name: string, seed: number): Random {
  let hash = seed;
  for (const letter of name) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return new Random(hash);
}

/** Whether a range is not judged right. */
export function isMissed({ kind, outcome, wrong, faults }: RangeResult): boolean {
  const isPlanted = kind === 'contract' || kind === 'beside faults';
  const isSaid = ['same', 'open', 'rule'].includes(outcome);
  return wrong > 0 || (isPlanted && !isSaid) || faults.right < faults.alone;
}

const outcomes = ['same', 'open', 'rule', 'other', 'nothing'] as const;

/** A line for each family, and the sums. */
export function* rangeTable(results: readonly RangeResult[]): Generator<string> {
  const line = (first: string, others: readonly unknown[]) =>
    first.padEnd(52) + others.map((one) => String(one).padStart(9)).join('');
  yield line('ranges', ['all', ...outcomes, 'wrong']);
  const keys = [...new Set(results.map(({ kind, name }) => `${kind}: ${name}`))].sort();
  for (const key of keys) {
    const own = results.filter(({ kind, name }) => `${kind}: ${name}` === key);
    const counts = outcomes.map((one) => own.filter(({ outcome }) => outcome === one).length);
    yield line(key, [own.length, ...counts, own.reduce((sum, { wrong }) => sum + wrong, 0)]);
  }
  yield '';
}

/** The targets of ranges. */
export function rangeTargets(results: readonly RangeResult[]): readonly Target[] {
  const of = (kind: Kind) => results.filter((one) => one.kind === kind);
  const isRight = ({ outcome }: RangeResult) =>
    outcome === 'same' || outcome === 'rule' || outcome === 'open';
  const shareOf = (kind: Kind, what: string): Target => {
    const all = of(kind);
    const right = all.filter(isRight).length;
    const text = `${what}: ${right} of ${all.length} (target at least 95 %)`;
    return { text, isMet: right * 100 >= all.length * 95 };
  };
  const wrong = (kind: Kind): Target => {
    const all = of(kind);
    const count = all.filter((one) => one.wrong > 0).length;
    return {
      text: `false patterns, ${kind}: ${count} of ${all.length} (target 0)`,
      isMet: count === 0,
    };
  };
  const beside = of('beside faults').map(({ faults }) => faults);
  const sum = (part: 'right' | 'alone' | 'all') =>
    beside.reduce((total, one) => total + one[part], 0);
  const [right, alone] = [sum('right'), sum('alone')];
  const text = `faults beside a contract: ${right} of ${sum('all')} right, ${alone} without it (target at least 95 % of these)`;
  return [
    shareOf('contract', 'right contract first'),
    shareOf('beside faults', 'right contract first, beside faults'),
    wrong('contract'),
    wrong('contradicted'),
    wrong('noise'),
    { text, isMet: right * 100 >= alone * 95 },
  ];
}
