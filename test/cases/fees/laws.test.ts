import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runFees, type Told, toldInJson, verdicts } from './adapter.ts';
import { asked, type Days, type FeeYear, march } from './contract.ts';
import { noSums, type Sums } from './oracle.ts';
import { type Charged, exportFees, serveFees } from './service.ts';
import { makeYear } from './year.ts';
import { YearMaker } from './year-maker.ts';

const some = ['percentage too high', 'undercharged', 'refunds', 'no rate', 'prices by row day'];
const tiered = ['volume tiers'];
const halves: readonly Days[] = [
  { from: march.from, to: '2026-03-14' },
  { from: '2026-03-15', to: march.to },
];

async function fees(charged: Charged, days: Days, contract?: object) {
  const run = await runFees(charged, days, ['--format', 'json'], contract);
  return { ...run, told: toldInJson(run) };
}

/** What two ranges say together. */
function together(parts: readonly Told[]): ReadonlyMap<string, Sums> {
  const all = new Map<string, Sums>();
  for (const [key, sums] of parts.flatMap(({ groups }) => [...groups])) {
    const sum = all.get(key) ?? noSums();
    all.set(key, sum);
    sum.rows += sums.rows;
    sum.withoutRate += sums.withoutRate;
    for (const of of ['volume', 'charged', 'agreed', 'over', 'under', 'taxOver'] as const) {
      sum[of] += sums[of];
    }
  }
  return all;
}

/** Purchases of 100.00 EUR at 1.00 %, so many minor units above or below it. */
function simple(differences: readonly bigint[], withoutRate = 0): FeeYear {
  const maker = new YearMaker(1);
  const [account] = maker.accounts;
  if (!account) throw new RangeError('No account');
  const place = { account, day: '2026-03-10', amount: 10_000n };
  const tax = { percent: '0' } as const;
  const rate = maker.rate('card', 'EUR', { percent: '1', rounding: 'down', tax });
  for (const by of differences) maker.row(rate, place, { by });
  for (let n = 0; n < withoutRate; n++) maker.row(undefined, { ...place, paymentType: 'voucher' });
  return maker.year();
}

describe('whatever is asked', () => {
  test('over and under are never netted', async () => {
    const { told, exitCode } = await fees(await serveFees(simple([5n, -5n, 0n])), march);
    const [sums] = told.groups.values();
    expect(sums).toMatchObject({ rows: 3, over: 50_000n, under: 50_000n, charged: 3_000_000n });
    expect([told.verdict, exitCode]).toEqual([verdicts.overcharged, 1]);
  });

  test('a rate that matches no row changes nothing', async () => {
    const year = makeYear(4, some);
    const charged = await serveFees(year);
    const rates = year.contract.agreed_rates;
    const others = [
      { name: 'pounds', valid_from: '2026-01-01', currency: 'GBP', percent: '9' },
      { ...rates[0], name: 'later', valid_from: '2027-01-01', valid_to: undefined },
      { ...rates[0], name: 'earlier', valid_from: '2024-01-01', valid_to: '2024-12-31' },
      { ...rates[0], name: 'elsewhere', merchant_ids: ['M-9999'] },
    ].map((rate) => JSON.parse(JSON.stringify(rate)));
    const more = await fees(charged, march, { agreed_rates: [...others, ...rates] });
    const once = await fees(charged, march);
    expect(more.told).toEqual(once.told);
    expect(more.exitCode).toBe(once.exitCode);
  });

  test('the order of the rates does not matter, and two runs print the same bytes', async () => {
    const year = makeYear(5, some);
    const charged = await serveFees(year);
    const agreed_rates = [...year.contract.agreed_rates].reverse();
    const once = await fees(charged, march);
    expect((await fees(charged, march, { agreed_rates })).told).toEqual(once.told);
    expect((await fees(charged, march)).stdout).toBe(once.stdout);
  });

  test('a row that is listed twice counts once', async () => {
    const year = simple([5n, 7n, 0n]);
    for (const { rows } of year.settlements) {
      rows.splice(0, rows.length, ...rows.map((row) => ({ ...row, isTwice: true })));
    }
    const { told } = await fees(await serveFees(year), march);
    const [sums] = told.groups.values();
    expect(sums).toMatchObject({ rows: 3, over: 120_000n, volume: 300_000_000n });
  });

  test('an export says what the service says, tiers too', async () => {
    const year = makeYear(6, [...some, ...tiered]);
    const live = await fees(await serveFees(year), march);
    const kept = await fees(await exportFees(year), march);
    expect(kept.told).toEqual(live.told);
  });

  test('the range does not change a tier', async () => {
    const charged = await exportFees(makeYear(7, tiered));
    const whole = await fees(charged, march);
    const parts: Told[] = [];
    for (const days of halves) parts.push((await fees(charged, days)).told);
    expect(together(parts)).toEqual(whole.told.groups);
    const more = await fees(charged, asked);
    const sums = more.told.months.get('2026-03 | EUR');
    expect(sums).toEqual(whole.told.months.get('2026-03 | EUR'));
  });
});

describe('the exit code', () => {
  const runs: readonly (readonly [string, FeeYear, verdict: string, Record<string, number>])[] = [
    ['as agreed', simple([0n, 0n]), verdicts.asAgreed, { '': 0, '+undercharge,+no-rate': 0 }],
    ['too much', simple([1n, 0n]), verdicts.overcharged, { '': 1, none: 0 }],
    [
      'too little',
      simple([-9n, 0n]),
      verdicts.asAgreed,
      { '': 0, '+undercharge': 1, '+no-rate': 0 },
    ],
    ['no rate', simple([0n], 2), verdicts.notChecked, { '': 0, '+no-rate': 1, '+undercharge': 0 }],
    ['too much, and no rate', simple([3n], 1), verdicts.overcharged, { '': 1, none: 0 }],
  ];
  test.each(runs)('of what cost %s', async (_, year, verdict, codes) => {
    const charged = await serveFees(year);
    expect((await fees(charged, march)).told.verdict).toBe(verdict);
    for (const [conditions, code] of Object.entries(codes)) {
      const flags = conditions === '' ? [] : ['--fail-on', conditions];
      const { exitCode } = await runFees(charged, march, flags);
      expect(`${conditions} ${exitCode}`).toBe(`${conditions} ${code}`);
    }
  });

  test('is 4 where rows are missing, and where the volume of a month needs them', async () => {
    const charged = await exportFees(makeYear(8, tiered));
    expect((await fees(charged, march)).exitCode).not.toBe(4);
    for (const day of ['2026-02-14', '2026-03-10']) {
      await rm(join(charged.folder, 'export', day), { recursive: true });
      const part = await fees(charged, march);
      expect([part.told.verdict, part.exitCode]).toEqual([verdicts.incomplete, 4]);
      expect((await runFees(charged, march, ['--fail-on', 'none'])).exitCode).toBe(4);
    }
  });
});
