import { Random } from '../support/random.ts';
import {
  type Account,
  type AccountSettings,
  type Draft,
  drawAccount,
  drawSettings,
  sumOf,
} from './account.ts';
import { type Claims, claimsOf, proposalsOf } from './claim.ts';
import { type Judgement, judge } from './judge.ts';
import { knownCauses } from './known-causes.ts';
import { contradicting, isProposed, type Month, months } from './month-rules.ts';
import { newCauses } from './new-causes.ts';
import { noCauses, off } from './no-causes.ts';
import type { Cause, Planted } from './planted.ts';
import type { Target } from './report.ts';
import { explainTarget, reportAll } from './tool.ts';

export type Group =
  | 'single'
  | 'pair'
  | 'triple'
  | 'noisy'
  | 'currency'
  | 'new'
  | 'none'
  | 'rule'
  | 'no rule';

/** One settlement with its claims judged, or one month with its proposals. */
export interface Result extends Judgement {
  readonly group: Group;
  readonly name: string;
  readonly seed: number;
  /** In words, for `--failures`. */
  readonly planted: string;
  readonly claimed: string;
  /** Of a month: whether the rule is proposed, and how many proposals are contradicted. */
  readonly month?: { readonly isFound: boolean | undefined; readonly contradicted: number };
}

/** Cases of one kind; the same seed always gives the same ones. */
export interface Class {
  readonly group: Group;
  readonly name: string;
  readonly run: (seed: number) => Promise<readonly Result[]>;
}

const parts = Object.values(knownCauses).filter(({ part }) => part !== undefined);
const noise: Cause = { needs: { rows: 30 }, plant: off(2, 'fees') };

/** All classes of the bench. */
export const classes: readonly Class[] = [
  ...each('single', knownCauses),
  drawn('pair', 'pair', 12, (random) => random.sample(parts, 2)),
  drawn('triple', 'triple', 4, (random) => random.sample(parts, 3)),
  drawn('noisy', 'cause-and-noise', 4, (random) => [random.pick(parts), noise]),
  ...([0, 3] as const).flatMap((scale) => [
    drawn('currency', `known-${scale}-decimals`, 5, (random) => one(random, knownCauses), {
      scale,
    }),
    drawn('currency', `new-${scale}-decimals`, 2, (random) => one(random, newCauses), { scale }),
    drawn('none', `none-${scale}-decimals`, 2, (random) => one(random, noCauses), { scale }),
  ]),
  ...each('new', newCauses),
  ...each('none', noCauses),
  ...Object.entries(months).map(([name, month]) => monthClass(name, month)),
];

function one(random: Random, causes: Readonly<Record<string, Cause>>): readonly Cause[] {
  return [random.pick(Object.values(causes))];
}

function each(group: Group, causes: Readonly<Record<string, Cause>>): readonly Class[] {
  return Object.entries(causes).map(([name, cause]) => drawn(group, name, 1, () => [cause]));
}

/** A class with so many cases a seed, each with causes of its own. */
function drawn(
  group: Group,
  name: string,
  cases: number,
  causesOf: (random: Random) => readonly Cause[],
  settings: Partial<AccountSettings> = {},
): Class {
  const run = async (seed: number) => {
    const random = randomOf(name, seed);
    const results: Result[] = [];
    for (let at = 0; at < cases; at += 1) {
      const { account, planted } = plantedCase(random, causesOf, settings);
      const found = claimsOf(await explainTarget(account)).get(account.target.id);
      results.push({ group, name, seed, ...judged(account, planted, found) });
    }
    return results;
  };
  return { group, name, run };
}

function plantedCase(
  random: Random,
  causesOf: (random: Random) => readonly Cause[],
  settings: Partial<AccountSettings>,
): { readonly account: Account; readonly planted: readonly Planted[] } {
  for (let tries = 0; tries < 500; tries += 1) {
    const causes = causesOf(random);
    const needs = Object.assign({}, ...causes.map((cause) => cause.needs));
    const account = drawAccount(random, drawSettings(random, { ...needs, ...settings }));
    const planted = causes.flatMap(({ plant }) => plant(account, random) ?? []);
    const isWhole =
      planted.length === causes.length &&
      (causes.length === 1 || isClear(account.target, causes, planted));
    if (isWhole && isVisible(account, planted)) return { account, planted };
  }
  throw new Error('No account allows these causes');
}

/** Whether several causes can be told apart, and no simpler one has the same effect. */
function isClear(
  { header, rows }: Draft,
  causes: readonly Cause[],
  planted: readonly Planted[],
): boolean {
  const kinds = new Set(planted.map(({ kind }) => kind));
  const added = causes.filter(({ part }) => part === 'adds').length;
  const isCounted = kinds.has('wrong_count');
  // Whatever comes with rows that are added may be part of a missing row.
  const isOpen = isCounted || header.transactions > rows.length;
  if (kinds.size < planted.length || added > 1 || (added === 1 && isOpen)) return false;
  // A wrong count of as many rows as another cause concerns is part of that.
  const count = Math.abs(header.transactions - rows.length);
  const isSame = planted.some((one) => one.rows?.length === count || one.about?.length === count);
  return !(isCounted && isSame) && !(kinds.has('rounding') && kinds.has('noise'));
}

/** Whether the header differs from its rows, or the service says so; with a wrong count, in it too. */
function isVisible({ target }: Account, planted: readonly Planted[]): boolean {
  const { header, rows } = target;
  const { gross, fees, tax } = sumOf(rows);
  const isForeign = new Set(rows.map(({ currency }) => currency)).size > 1;
  const isOff =
    isForeign ||
    header.gross !== gross ||
    header.fees !== fees ||
    header.tax !== tax ||
    header.extra !== 0n ||
    header.status !== 'settled';
  const isCounted = planted.some(({ kind }) => kind === 'wrong_count');
  const isCountOff = header.transactions !== rows.length;
  return isCounted ? isCountOff && (isOff || planted.length === 1) : isOff || isCountOff;
}

function monthClass(name: string, month: Month): Class {
  const group = month.rule ? 'rule' : 'no rule';
  const run = async (seed: number) => {
    const random = randomOf(name, seed);
    const account = drawAccount(random, drawSettings(random, month.needs));
    const days = account.drafts.map((target) => {
      const ofDay = { ...account, target };
      return { ofDay, planted: month.plant(ofDay, random) };
    });
    const results: Result[] = [];
    for (const { ofDay, planted } of random.sample(days, 4)) {
      if (!planted) continue;
      const found = claimsOf(await explainTarget(ofDay)).get(ofDay.target.id);
      results.push({ group, name, seed, ...judged(ofDay, [planted], found) });
    }
    const proposed = proposalsOf(await reportAll(account));
    const contradicted = proposed.filter((rule) => contradicting(rule, account).length > 0);
    const isFound = month.rule && isProposed(month.rule, proposed);
    const ofMonth: Result = {
      group,
      name,
      seed,
      outcome: isFound === false || contradicted.length > 0 ? 'wrong' : 'right',
      certainty: undefined,
      isShown: false,
      planted: JSON.stringify(month.rule ?? 'no rule'),
      claimed: JSON.stringify(proposed),
      month: { isFound, contradicted: contradicted.length },
    };
    return [...results, ofMonth];
  };
  return { group, name, run };
}

function judged(
  { drafts, target }: Account,
  planted: readonly Planted[],
  found = { claims: [], rivals: 0 } as Claims,
): Omit<Result, 'group' | 'name' | 'seed'> {
  const figures = new Map(
    drafts.flatMap(({ rows }) =>
      rows.map(({ id, amount, fees, tax }) => [id, `${amount} ${fees} ${tax}`] as const),
    ),
  );
  const { claims } = found;
  return {
    ...judge(found, planted, (id) => figures.get(id) ?? id),
    planted: `${planted.map(inWords).join(' and ')} (${target.rows.length} rows)`,
    claimed: claims[0] ? `${claims[0].kinds.join('+')}: ${claims[0].message}` : '',
  };
}

function inWords({ kind, rows = [], facts = [], rounding }: Planted): string {
  const named = rows.slice(0, 3).map(({ id }) => id);
  const values = facts.map(([first = '']) => first);
  const rule = rounding ? [rounding.amount, rounding.of, ...rounding.rounds] : [];
  return [kind, ...values, ...rule, ...named].join(' ');
}

function randomOf(name: string, seed: number): Random {
  let hash = seed;
  for (const letter of name) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return new Random(hash);
}

/** Whether a settlement of 50,000 rows or more is explained within three seconds of the processor. */
export async function speed(): Promise<Target> {
  const random = new Random(1);
  const needs = { rows: 57_500, settlements: 1, refunds: 0, prices: 0 };
  const account = drawAccount(random, drawSettings(random, needs));
  knownCauses['row-not-counted']?.plant(account, random);
  const before = process.cpuUsage();
  await explainTarget(account);
  const { user, system } = process.cpuUsage(before);
  const ms = Math.round((user + system) / 1000);
  const text = `${account.target.rows.length} rows explained in ${ms} ms (target 3000)`;
  return { text, isMet: ms <= 3000 };
}
