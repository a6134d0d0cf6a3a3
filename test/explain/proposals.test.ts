import { describe, expect, test } from 'vitest';
import { explainDifference } from '../../src/explain/explain.ts';
import { quick } from '../../src/explain/limits.ts';
import { Proposals } from '../../src/explain/proposals.ts';
import type { Row } from '../../src/model/row.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { type Rule, withRule } from '../../src/reconcile/rules.ts';
import type { ReconcileSettings } from '../../src/reconcile/subject.ts';
import { columnsOf, defaultSettings } from '../reconcile/judge.ts';
import type { Stated } from '../support/build.ts';
import { buildOutcome, buildSettlement, uuid } from '../support/build.ts';
import { headerOver, row } from './ask.ts';
import { inject } from './generator.ts';
import type { Injection } from './injection.ts';
import { leaveOutState, leaveOutType, turnType } from './injections-groups.ts';
import { putTaxInFees, roundOtherwise, turnSigns } from './injections-header.ts';
import { anyShop } from './shop.ts';
import { headerOf } from './world.ts';

/** A settlement of a run: its rows, and what its header says otherwise. */
interface Settled {
  readonly rows: readonly Row[];
  readonly header?: Partial<Stated>;
}

/** What a run over these settlements proposes, each as often as it says. */
function proposed(run: readonly Settled[], given: Partial<ReconcileSettings> = {}, times = 1) {
  const settings = { ...defaultSettings, ...given };
  const proposals = new Proposals(settings);
  for (const [number, { rows, header = {} }] of run.entries()) {
    const columns = columnsOf(rows.map((one) => ({ ...one, settlementId: '' })));
    const settlement = buildSettlement({ ...headerOver(rows, header), ...header });
    const outcome = buildOutcome();
    const settled = reconcileSettlement({ settlement, rows: columns, outcome, settings });
    const explained =
      settled.verdict === 'out_of_balance'
        ? explainDifference(settled, columns, { outcome }, { ...settings, effort: quick })
        : undefined;
    for (let time = 0; time < times; time++) {
      const id = uuid(number * times + time);
      proposals.add({ ...settled, settlement: { ...settlement, id } }, columns, explained, outcome);
    }
  }
  return proposals.found().map(({ rule, settlements }) => ({ rule, settlements }));
}

const declined = { state: 'declined' };
const notCounted: Rule = { rule: 'not_counted', state: 'declined', count: 'follows' };

/** So many settlements whose headers leave out two declined rows. */
function leavingOut(settlements: number): readonly Settled[] {
  return Array.from({ length: settlements }, (_, n) => {
    const kept = [row(1, [10_00n + BigInt(n), 30n, 6n]), row(2, [84_50n, 1_43n, 28n])];
    const left = [row(3, [7_35n, 25n, 5n], declined), row(4, [19_99n, 45n, 9n], declined)];
    return { rows: [...kept, ...left], header: headerOver(kept, {}) };
  });
}

const balanced: Settled = { rows: [row(1, [5_00n, 20n, 4n])] };

describe('a rule is proposed', () => {
  test('if the same cause explains three settlements', () => {
    expect(proposed([...leavingOut(3), balanced])).toEqual([{ rule: notCounted, settlements: 3 }]);
    expect(proposed([...leavingOut(2), balanced])).toEqual([]);
  });

  test('only if no balanced settlement contradicts it', () => {
    const other = { rows: [...balanced.rows, row(2, [3_00n, 10n, 2n], declined)] };
    expect(proposed([...leavingOut(3), other])).toEqual([]);
    expect(proposed([other, ...leavingOut(3)])).toEqual([]);
    // Rows without amounts contradict it too: they are counted there.
    const empty = { rows: [...balanced.rows, row(2, [0n, 0n, 0n], declined)] };
    expect(proposed([...leavingOut(3), empty])).toEqual([]);
    expect(proposed([...leavingOut(3), empty], { ignored: ['count'] })).toHaveLength(1);
  });

  test('only if no other reason keeps the settlements out of balance', () => {
    const status = 'settled_out_of_balance';
    const run = leavingOut(3).map((one) => ({ ...one, header: { ...one.header, status } }));
    expect(proposed(run)).toEqual([]);
  });

  test('only if it is new and contradicts no rule in force', () => {
    const rules = withRule({}, notCounted);
    expect(proposed(leavingOut(3), { rules })).toEqual([]);
    const stays = withRule({}, { ...notCounted, count: 'stays' });
    expect(proposed(leavingOut(3), { rules: stays })).toEqual([]);
  });

  test('with another one if neither puts out of balance what the other balances', () => {
    const refund = (amount: bigint) => row(5, [amount, 0n, 0n], { type: 'refund' });
    const turned = (more: readonly Row[] = []): Settled => {
      const rows = [row(1, [20_00n, 30n, 6n]), row(2, [15_00n, 20n, 4n]), refund(-4_00n), ...more];
      const { gross = 0n, ...rest } = headerOver(rows, {});
      const payIn = (rest.payIn ?? 0n) + 8_00n;
      return { rows, header: { ...rest, gross: gross + 8_00n, payIn } };
    };
    const signs: Rule = { rule: 'signs', type: 'refund' };
    const three = [turned(), turned(), turned()];
    expect(proposed([...leavingOut(4), ...three])).toEqual([
      { rule: notCounted, settlements: 4 },
      { rule: signs, settlements: 3 },
    ]);
    // Where declined rows count, to leave them out is wrong.
    const counting = turned([row(6, [1_00n, 5n, 1n], declined)]);
    expect(proposed([...leavingOut(4), ...three, counting])).toEqual([
      { rule: signs, settlements: 4 },
    ]);
  });
});

const injections: readonly Injection[] = [
  leaveOutState,
  leaveOutType,
  turnType,
  turnSigns,
  putTaxInFees,
  roundOtherwise,
];
const seeds = Array.from({ length: 9 }, (_, seed) => seed);
const worlds = { tradeOf: anyShop, mostRows: 60 };
/** Rows in another currency are no matter of these rules. */
const leniently = { ignored: ['currency'] } as const;

describe('a rule undoes its cause, to the last minor unit', () => {
  test.each(injections)('$code', (injection) => {
    let ruled = 0;
    for (const seed of seeds) {
      const world = inject(seed, [injection], worlds)?.world;
      if (!world) continue;
      const { rows } = world;
      const header = headerOf(world);
      const [found] = proposed([{ rows, header }], leniently, 6);
      if (!found) continue;
      ruled += 1;
      const rules = withRule({}, found.rule);
      const judged = (changes: Partial<Stated> = {}) =>
        reconcileSettlement({
          settlement: { ...header, ...changes },
          rows: columnsOf(rows),
          outcome: world.outcome,
          settings: { ...defaultSettings, ...leniently, rules },
        });
      const { difference, byRule } = judged();
      expect([seed, byRule.map(({ rule }) => rule)]).toEqual([seed, [found.rule]]);
      const none = { transactions: 0, gross: 0n, fees: 0n, tax: 0n, payIn: 0n };
      expect([seed, difference]).toEqual([seed, none]);
      const codes = (changes: Partial<Stated>) =>
        judged(changes).discrepancies.map(({ code }) => code);
      expect(codes({ fees: header.fees + 1n, payIn: header.payIn - 1n })).toEqual(['fees']);
      expect(codes({ transactions: header.transactions + 1 })).toEqual(['count']);
    }
    expect(ruled).toBeGreaterThan(1);
  });

  test('and the rows it leaves out are in no other cause', () => {
    const [one] = leavingOut(1);
    const rows = [...(one?.rows ?? []), row(5, [7_35n, 25n, 5n])];
    const settings = { ...defaultSettings, rules: withRule({}, notCounted) };
    const settlement = buildSettlement(headerOver(rows, one?.header ?? {}));
    const columns = columnsOf(rows);
    const outcome = buildOutcome();
    const settled = reconcileSettlement({ settlement, rows: columns, outcome, settings });
    const how = { ...settings, effort: quick };
    const { best, rivals } = explainDifference(settled, columns, { outcome }, how);
    // The declined row of the same amounts is left out already.
    expect([best?.codes, best?.candidates, rivals]).toEqual([['row_not_counted'], 1, []]);
    expect(best?.causes[0]?.rows.examples).toMatchObject([{ transactionId: uuid(5) }]);
  });
});

describe('a pattern holds beside a settlement that has something else too', () => {
  /** What patterns say of six settlements with a fee of their own, in the last of which a header is changed. */
  function beside(change: (rows: readonly Row[]) => Partial<Stated>) {
    const proposals = new Proposals(defaultSettings);
    for (const at of [0n, 1n, 2n, 3n, 4n, 5n]) {
      const rows = [
        row(1, [10_00n + at, 30n, 6n]),
        row(2, [84_50n, 1_43n + at, 28n]),
        row(3, [19_99n + 7n * at, 45n, 9n]),
        row(4, [19_99n + 7n * at, 45n, 9n]),
      ];
      const sums = headerOver(rows, at === 5n ? change(rows) : {});
      const { gross = 0n, fees = 0n, tax = 0n } = sums;
      const header = { ...sums, fees: fees + 25n, payIn: gross - fees - 25n - tax };
      const columns = columnsOf(rows.map((one) => ({ ...one, settlementId: '' })));
      const settlement = buildSettlement({ ...header, id: uuid(Number(at)) });
      const outcome = buildOutcome();
      const settings = defaultSettings;
      const settled = reconcileSettlement({ settlement, rows: columns, outcome, settings });
      const how = { ...settings, effort: quick };
      const explained = explainDifference(settled, columns, { outcome }, how);
      proposals.add(settled, columns, explained, outcome);
    }
    return proposals.patterns([]).patterns.map(({ settlements, wholly }) => [settlements, wholly]);
  }

  test('if that has a cause of its own, be it one of two rows', () => {
    expect(beside((rows) => headerOver(rows.slice(0, -1), {}))).toEqual([[6, 5]]);
  });

  test('but not if nothing explains it', () => {
    expect(beside((rows) => headerOver(rows, { fees: 2_00n }))).toEqual([]);
  });
});
