import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonWithDigest, parseJsonWithDigest } from '../../src/export/layout.ts';
import { type Listed, settlement, since, startNights } from './nights.ts';
import { purchases } from './service.ts';
import { settlementOn } from './shop.ts';

/** A settlement of a day whose fees include one more that no transaction has. */
function withFee(day: number, cents = 25, more: Partial<Listed['header']> = {}): Listed {
  const header = { settlementId: settlementOn(day), ...more };
  // Another number of transactions each day: else a rate or a step would say the same.
  const rows = purchases(day);
  return settlement(day, { header, rows, off: { fees: cents, amountPayIn: -cents } });
}

const days = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);

test('what holds in all settlements is news once, and its settlements are not news', async () => {
  const { becomes, night } = await startNights(days(2, 6).map((day) => withFee(day)));
  const first = await night(7, ...since);
  expect([first.exitCode, first.kinds]).toEqual([1, ['pattern 06']]);
  expect(first.report.news[0]?.details.join()).toMatch(
    /^In all 5 EUR settlements of .*: the settlement's fees are 0\.25 EUR higher\. Ask the provider/,
  );
  expect(first.report.profiles[0]?.known.settlements).toBe(5);
  await becomes(days(2, 8).map((day) => withFee(day)));
  const second = await night(9);
  expect([second.exitCode, second.report.verdict, second.kinds]).toEqual([1, 'out_of_balance', []]);
  expect(second.report.profiles[0]?.known.settlements).toBe(7);
});

test('settlements are news until three of them show what holds in all', async () => {
  const { becomes, night } = await startNights([withFee(2)]);
  expect((await night(3, ...since)).kinds).toEqual(['out_of_balance 02']);
  await becomes([withFee(2), withFee(3)]);
  expect((await night(4)).kinds).toEqual(['out_of_balance 03']);
  await becomes([withFee(2), withFee(3), withFee(4)]);
  expect((await night(5)).kinds).toEqual(['pattern 04']);
});

test('a settlement that differs in another way too is news, with both causes', async () => {
  const { becomes, night } = await startNights(days(2, 8).map((day) => withFee(day)));
  await night(9, ...since);
  const odd = settlement(9, { off: { fees: 25, amountGross: 1000, amountPayIn: 975 } });
  await becomes([...days(2, 8).map((day) => withFee(day)), odd]);
  const { kinds, report } = await night(10);
  expect(kinds).toEqual(['out_of_balance 09']);
  expect(report.news[0]?.details.join(' ')).toContain("the settlement's fees are 0.25 EUR higher");
});

test('each account has its own news', async () => {
  const stores = { accountingToken: '9a41c0de-58b2-4f6e-8d17-c3b5e2a70942' };
  const inStores = days(10, 13).map((day) => withFee(day, 40, stores));
  const { night } = await startNights([...days(2, 5).map((day) => withFee(day)), ...inStores]);
  expect((await night(14, ...since)).kinds).toEqual(['pattern 05', 'pattern 13']);
});

test('a state of an older recon, which knows no patterns, is read', async () => {
  const { out, becomes, night } = await startNights(days(2, 6).map((day) => withFee(day)));
  await night(7, ...since);
  const path = join(out, 'nightly.json');
  const { patterns, ...older } = parseJsonWithDigest(await readFile(path, 'utf8')) ?? {};
  expect(Object.values(patterns ?? {})).toContain('2026-03-06');
  await writeFile(path, jsonWithDigest(older));
  await becomes(days(2, 7).map((day) => withFee(day)));
  expect((await night(8)).kinds).toEqual(['pattern 07']);
});
