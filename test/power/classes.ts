import { Random } from '../support/random.ts';
import { type Account, type AccountSettings, drawAccount, drawSettings, sumOf } from './account.ts';
import { claimsOf, proposalsOf } from './claim.ts';
import { type Judgement, judge } from './judge.ts';
import { type Cause, knownCauses } from './known-causes.ts';
import { contradicting, isProposed, type Month, months } from './month-rules.ts';
import { newCauses } from './new-causes.ts';
import { noCauses } from './no-causes.ts';
import type { Planted } from './planted.ts';
import { explainAll, explainTarget, reportAll } from './tool.ts';

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

const parts = Object.values(knownCauses).filter(({ isPart }) => isPart);
const noise: Cause = {
  needs: { rows: 30 },
  plant: ({ target: { header } }, random) => {
    header.fees += random.pick([-2n, -1n, 1n, 2n]);
    return { kind: 'noise' };
  },
};

/** All classes of the bench. */
export const classes: readonly Class[] = [
  ...each('single', knownCauses),
  drawn('pair', 'pair', 12, (random) => random.sample(parts, 2)),
  drawn('triple', 'triple', 4, (random) => random.sample(parts, 3)),
  drawn('noisy', 'cause-and-noise', 4, (random) => [random.pick(parts), noise]),
  ...([0, 3] as const).flatMap((scale) => [
    drawn('currency', `known-${scale}-decimals`, 4, (random) => one(random, knownCauses), {
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
    const kinds = new Set(planted.map(({ kind }) => kind));
    if (kinds.size === causes.length && isVisible(account, planted)) return { account, planted };
  }
  throw new Error('No account allows these causes');
}

/** Whether each amount that causes change still shows it. */
function isVisible({ target }: Account, planted: readonly Planted[]): boolean {
  const { header, rows } = target;
  const { gross, fees, tax } = sumOf(rows.filter(({ currency }) => currency === rows[0]?.currency));
  const count = header.transactions - rows.length;
  const isOff =
    header.gross !== gross || header.fees !== fees || header.tax !== tax || header.extra !== 0n;
  const isCounted = planted.some(({ kind }) => kind === 'wrong_count');
  if (isCounted) return count !== 0 && (planted.length === 1 || isOff);
  return isOff || count !== 0 || header.status !== 'settled';
}

function monthClass(name: string, month: Month): Class {
  const group = month.rule ? 'rule' : 'no rule';
  const run = async (seed: number) => {
    const random = randomOf(name, seed);
    const account = drawAccount(random, drawSettings(random, month.needs));
    const planted = account.drafts.map((draft) => month.plant(account, draft, random));
    const found = claimsOf(await explainAll(account));
    const days = account.drafts.flatMap((draft, at): readonly Result[] => {
      const here = planted[at];
      if (!here) return [];
      const ofDay = judged({ ...account, target: draft }, [here], found.get(draft.id));
      return [{ group, name, seed, ...ofDay }];
    });
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
    return [...days, ofMonth];
  };
  return { group, name, run };
}

function judged(
  { drafts, target }: Account,
  planted: readonly Planted[],
  found: ReturnType<typeof claimsOf> extends ReadonlyMap<string, infer Found>
    ? Found | undefined
    : never,
): Omit<Result, 'group' | 'name' | 'seed'> {
  const figures = new Map(
    drafts.flatMap(({ rows }) =>
      rows.map(({ id, amount, fees, tax }) => [id, `${amount} ${fees} ${tax}`] as const),
    ),
  );
  const { claims, rivals } = found ?? { claims: [], rivals: 0 };
  return {
    ...judge({ claims, rivals }, planted, (id) => figures.get(id) ?? id),
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
