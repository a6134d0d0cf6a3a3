import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { profileSettings } from './adapter.ts';
import { asked } from './contract.ts';
import { judge, type Sums } from './oracle.ts';
import { exportFees } from './service.ts';
import { makeYear, seeds } from './year.ts';

const everything = { from: '2026-01-01', to: '2026-12-31' };

describe.each(seeds)('what is made of seed %i', (seed) => {
  const year = makeYear(seed);
  const judged = judge(year.contract, year.zone, year.settlements, everything);

  test('is what the definitions say, row by row', () => {
    expect(judged.rows.size).toBe(year.truth.size);
    const wrong = [...year.truth].flatMap(([row, { rate, over, under, taxOver }]) => {
      const found = judged.rows.get(row);
      const isSame =
        found?.rate === rate &&
        found?.over === over &&
        found.under === under &&
        found.taxOver === taxOver;
      return isSame ? [] : [{ row: { ...row, settlement: row.settlement.day }, rate, over, found }];
    });
    expect(wrong).toEqual([]);
  });

  test('has the kinds and the taxes that were planted', () => {
    expect(judged.kinds).toEqual(year.kinds);
    expect(judged.settlementTax).toEqual(year.settlementTax);
  });

  test('adds up: charged − agreed = over − under, and each month has what its rows have', () => {
    const groups = [...judged.groups.values()];
    for (const sums of groups.filter(({ withoutRate }) => withoutRate === 0)) {
      expect(sums.charged - sums.agreed).toBe(sums.over - sums.under);
    }
    const total = (list: readonly Sums[], of: 'over' | 'agreed' | 'taxOver' | 'volume') =>
      list.reduce((sum, sums) => sum + sums[of], 0n);
    for (const of of ['over', 'agreed', 'taxOver', 'volume'] as const) {
      expect(total(groups, of)).toBe(total([...judged.months.values()], of));
    }
  });

  test('has something of everything in the range that is asked for', () => {
    const { rows, kinds, groups, withoutRow } = judge(
      ...([year.contract, year.zone, year.settlements, asked] as const),
    );
    for (const currency of ['EUR', 'JPY', 'KWD']) {
      const found = Object.entries(kinds.get(currency) ?? {}).filter(([, sum]) => sum > 0n);
      expect(found.map(([kind]) => kind).sort()).toEqual(['fixed', 'kept', 'rate', 'rounding']);
      const own = [...groups].filter(([key]) => key.includes(` ${currency} `));
      for (const of of ['over', 'under', 'taxOver', 'withoutRate'] as const) {
        expect(own.filter(([, sums]) => sums[of] > 0).length).toBeGreaterThan(0);
      }
    }
    expect([...withoutRow.values()].map(({ over }) => over)).toEqual(
      expect.arrayContaining([0n, 200_000_000n, 1_250_000n]),
    );
    const list = [...rows.keys()];
    expect(new Set(list.map(({ scale }) => scale))).toEqual(new Set([0, 2, 3]));
    expect(list.some(({ isTwice }) => isTwice)).toBe(true);
    expect(list.some(({ currency }) => currency === 'USD')).toBe(true);
  });
});

test('what is made is what the service lists, and what the settings say', async () => {
  const year = makeYear(1);
  const charged = await exportFees(year);
  const days = ['--from', asked.from, '--to', asked.to];
  const run = await charged.run(
    ['transactions', ...days, ...charged.source, '--format', 'csv'],
    {},
  );
  expect(run.exitCode).toBe(0);
  const cells: readonly Readonly<Record<string, string>>[] = parseCsv(run.stdout, {
    columns: true,
  });
  const listed = cells.map((row) =>
    ['transaction_id', 'amount_minor', 'fees_minor', 'tax_minor', 'payment_type'].map(
      (name) => row[name],
    ),
  );
  const made = year.settlements
    .filter(({ day }) => day >= asked.from && day <= asked.to)
    .flatMap(({ rows }) => rows)
    .map(({ id, amount, fees, tax, paymentType }) => [
      ...[id, String(amount), String(fees), String(tax), paymentType],
    ]);
  expect(listed.sort()).toEqual(made.sort());

  const text = `[profiles.shop]\n${profileSettings(year.zone, year.contract)}`;
  const settings = { time_zone: year.zone, ...year.contract };
  expect(parseToml(text)).toEqual({ profiles: { shop: JSON.parse(JSON.stringify(settings)) } });
});
