import { describe, expect, test } from 'vitest';
import { runFees } from './adapter.ts';
import { march, type Rate } from './contract.ts';
import { type Charged, serveFees } from './service.ts';
import { YearMaker } from './year-maker.ts';

const terms = {
  ...{ name: 'cards 2026', valid_from: '2026-01-01', currency: 'EUR', rounding: 'down' },
  ...{ types: ['purchase'], payment_types: ['card'] },
} as const;
const cards = { ...terms, percent: '1.4' };
const later = { ...cards, name: 'cards later' };
const yen = { ...cards, name: 'yen 2026', currency: 'JPY' };
const dinars = { ...cards, name: 'dinars 2026', currency: 'KWD' };
const rent = { name: 'terminal rent', every: 'month', amount: '29.00', currency: 'EUR' };
const first = { up_to: '100000.00', percent: '0.8' };
const last = { percent: '0.6' };
const tiers = (...list: readonly object[]) =>
  ({ ...terms, tier_by: 'volume', tier_of: 'month before', tiers: list }) as const;

/** A purchase of 100.00 EUR by card on 10 March. */
async function purchase(): Promise<{ readonly charged: Charged; readonly row: string }> {
  const maker = new YearMaker(1);
  const place = { day: '2026-03-10', time: '12:00:00', amount: 10_000n };
  const { id } = maker.row(maker.rate('card', 'EUR', cards as Partial<Rate>), place);
  return { charged: await serveFees(maker.year()), row: id };
}

async function refusal(contract: object) {
  const { charged, row } = await purchase();
  const { exitCode, stdout, stderr } = await runFees(
    charged,
    march,
    ['--format', 'json'],
    contract,
  );
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('config.toml');
  return { stderr, row };
}

describe('settings that are in order are taken', () => {
  test.each<[string, object[], fees?: object[]]>([
    ['one rate', [cards]],
    [
      'dates that follow',
      [
        { ...cards, valid_to: '2026-03-10' },
        { ...later, valid_from: '2026-03-11' },
      ],
    ],
    ['the same dates for another type', [cards, { ...later, types: ['refund'] }]],
    ['whole yen', [cards, { ...yen, fixed: '25', minimum: '1', maximum: '5000' }]],
    ['fewer decimals than the currency has', [{ ...cards, maximum: '5' }]],
    ['a percentage of many decimals', [{ ...cards, percent: '1.400000' }]],
    ['a fixed part alone', [{ ...terms, fixed: '1.40' }]],
    ['fees without a row', [cards], [rent]],
  ])('%s', async (_, agreed_rates, agreed_fees = []) => {
    const { charged } = await purchase();
    const contract = { agreed_rates, agreed_fees };
    const run = await runFees(charged, march, ['--format', 'json'], contract);
    expect(`${run.exitCode} ${run.stderr}`).toMatch(/^0 /);
  });
});

describe('rates that contradict each other are refused, with the row', () => {
  const eve = { ...cards, valid_to: '2026-03-10' };
  test.each([
    ['two that match it', cards, { ...later, payment_types: undefined }],
    ['dates that overlap on its day', eve, { ...later, valid_from: '2026-03-10' }],
  ])('%s', async (_, one, other) => {
    const agreed_rates = JSON.parse(JSON.stringify([one, other]));
    const { stderr, row } = await refusal({ agreed_rates });
    for (const part of ['agreed_rates', one.name, other.name, row]) expect(stderr).toContain(part);
  });
});

describe('settings that cannot be are refused, with file and key', () => {
  test.each<[string, key: string, rate: object]>([
    ['yen with decimals', 'fixed', { ...yen, fixed: '25.5' }],
    ['yen with zeros behind the point', 'fixed', { ...yen, fixed: '25.00' }],
    ['dinars with four decimals', 'fixed', { ...dinars, fixed: '0.0255' }],
    ['half a cent', 'fixed', { ...cards, fixed: '0.255' }],
    ['a minimum of half a cent', 'minimum', { ...cards, minimum: '0.005' }],
    ['a maximum of half a cent', 'maximum', { ...cards, maximum: '5.005' }],
    ['half a cent at the edge of a tier', 'up_to', tiers({ ...first, up_to: '0.005' }, last)],
    ['half a cent in a tier', 'fixed', tiers(first, { ...last, fixed: '0.005' })],
    ['an unknown key', 'percnt', { ...cards, percnt: '1.4' }],
    ['an unknown key of the tax', 'rate', { ...cards, tax: { percent: '20', rate: '1' } }],
    ['an unknown key of a tier', 'upto', tiers({ percent: '1', upto: '1.00' }, last)],
    ['an unknown day', 'day', { ...cards, day: 'posting' }],
    ['an unknown rounding', 'rounding', { ...cards, rounding: 'nearest' }],
    ['an unknown round', 'round', { ...cards, round: 'each' }],
    ['an unknown sign', 'sign', { ...cards, sign: 'back' }],
    ['an unknown tax', 'per', { ...cards, tax: { percent: '20', per: 'day' } }],
    ['an unknown period of tiers', 'tier_of', { ...tiers(first, last), tier_of: 'year' }],
    ['a number instead of text', 'percent', { ...cards, percent: 1.4 }],
    ['an amount as a number', 'fixed', { ...cards, fixed: 1 }],
    ['a decimal comma', 'percent', { ...cards, percent: '1,4' }],
    ['no currency', 'currency', { name: 'x', valid_from: '2026-01-01', percent: '1' }],
    ['no such day', 'valid_from', { ...cards, valid_from: '2026-02-30' }],
    ['an end before the beginning', 'valid_to', { ...cards, valid_to: '2025-12-31' }],
    ['minimum above maximum', 'minimum', { ...cards, minimum: '2.00', maximum: '1.00' }],
    ['a percentage and bounds', 'percent', { ...cards, percent_from: '1', percent_to: '2' }],
    ['one bound alone', 'percent_to', { ...terms, percent_from: '1' }],
    [
      'bounds the wrong way round',
      'percent_from',
      { ...terms, percent_from: '2', percent_to: '1' },
    ],
    ['tiers that fall', 'up_to', tiers(first, { up_to: '1.00', percent: '1' }, last)],
  ])('%s', async (_, key, rate) => {
    const { stderr } = await refusal({ agreed_rates: [rate] });
    expect(stderr).toMatch(new RegExp(`\\b${key}\\b`));
    expect(stderr).toContain('agreed_rates');
  });

  test.each<[string, object]>([
    ['amount', { ...rent, amount: '29.005' }],
    ['every', { ...rent, every: 'week' }],
    ['evry', { ...rent, evry: 'month' }],
  ])('fees without a row: %s', async (key, fee) => {
    const { stderr } = await refusal({ agreed_rates: [cards], agreed_fees: [fee] });
    expect(stderr).toMatch(new RegExp(`\\b${key}\\b`));
    expect(stderr).toContain('agreed_fees');
  });

  test('graduated tiers, which are left out for now', async () => {
    const rate = { ...tiers(first, last), tier_by: 'graduated' };
    const { stderr } = await refusal({ agreed_rates: [rate] });
    for (const part of ['tier_by', 'graduated', 'volume']) expect(stderr).toContain(part);
  });
});
