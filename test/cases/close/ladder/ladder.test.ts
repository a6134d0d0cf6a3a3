import { expect, test } from 'vitest';
import { printedAmount, printedTable } from '../../../support/screen.ts';
import { type Closing, closeTwice } from './closing.ts';
import { makeMonths } from './months.ts';
import { linesOf, minorOf } from './said.ts';
import { expectLadderOnScreen } from './screen.ts';
import { seeds } from './seeds.ts';
import type { Figure } from './truth.ts';

/** Lines of which no page says what their number counts. */
const uncounted: ReadonlySet<string> = new Set(['received']);

const nothing: Figure = { count: 0, net: 0n, absolute: 0n };

const shown = (amount: bigint, count: number | null | undefined) => ({ amount, count });

/** Rows of orders of the month that are not yet settled in it: pending, or after it. */
function withLater(lines: Readonly<Record<string, Figure>>): Readonly<Record<string, Figure>> {
  const { pending_rows = nothing, settled_after = nothing, ...others } = lines;
  const count = pending_rows.count + settled_after.count;
  const net = pending_rows.net + settled_after.net;
  return { ...others, later: { count, net, absolute: 0n } };
}

function figureOf({ count, amount }: { count: number | null; amount: { minor: string } }): Figure {
  return { count: count ?? -1, net: BigInt(amount.minor), absolute: 0n };
}

/** Every figure of the ladders and every difference, each with its count. */
function expectLadders({ json, truth, where }: Closing): void {
  const currencies = Object.keys(truth.ladder);
  expect(json.ladders.map(({ currency }) => currency).sort(), where).toEqual(currencies.sort());
  for (const [currency, lines] of Object.entries(truth.ladder)) {
    const expected = withLater(lines);
    const said = withLater(
      Object.fromEntries(
        Object.entries(linesOf(json, currency)).map(([key, line]) => [key, figureOf(line)]),
      ),
    );
    for (const key of new Set([...Object.keys(expected), ...Object.keys(said)])) {
      if (key === 'in_books') continue;
      const [a, b] = [expected[key] ?? nothing, said[key] ?? nothing];
      // The opening of the first month is an amount, not pay-outs.
      const isLump = key === 'opening' && !json.continues;
      const counts = b.count >= 0 && !uncounted.has(key) && !isLump;
      expect
        .soft(shown(b.net, counts ? b.count : 0), `${where}: ${currency} ${key}`)
        .toEqual(shown(a.net, counts ? a.count : 0));
    }
    const { in_books } = linesOf(json, currency);
    if (in_books) expect.soft(BigInt(in_books.amount.minor)).toBe(truth.inBooks[currency] ?? 0n);
  }
}

/** Every point with its count and its sums, and none that is not one. */
function expectPoints({ json, truth, where }: Closing): void {
  const judged = json.blockers.filter(({ code }) => !truth.unjudged.has(code));
  const expected = Object.entries(truth.points).filter(
    ([key]) => !truth.unjudged.has(key.split(' ')[0] ?? ''),
  );
  const counts = Object.fromEntries(judged.map(({ code, count }) => [code, count]));
  const trueCounts: Record<string, number> = {};
  for (const [key, { count }] of expected) {
    const code = key.split(' ')[0] ?? '';
    trueCounts[code] = (trueCounts[code] ?? 0) + count;
  }
  expect.soft(counts, where).toEqual(trueCounts);
  const said = judged.flatMap(({ code, amounts }) =>
    amounts.map(({ currency, net, absolute }) => {
      return [`${code} ${currency}`, { net: BigInt(net.minor), absolute: BigInt(absolute.minor) }];
    }),
  );
  const withSum = expected.flatMap(([key, { net, absolute }]) =>
    absolute === 0n ? [] : [[key, { net, absolute }]],
  );
  const withAmount = said.filter(([, one]) => (one as { absolute: bigint }).absolute !== 0n);
  expect.soft(Object.fromEntries(withAmount), where).toEqual(Object.fromEntries(withSum));
}

/** Each step of the checklist has the points of its codes, and their sums. */
function expectChecklist({ json, where }: Closing): void {
  const inSteps = json.checklist.flatMap(({ codes }) => codes).sort();
  expect.soft(inSteps, where).toEqual(json.blockers.map(({ code }) => code).sort());
  for (const { step, points, count, codes, amounts } of json.checklist) {
    const own = json.blockers.filter(({ code }) => codes.includes(code));
    const sums: Record<string, readonly [bigint, bigint]> = {};
    for (const { currency, net, absolute } of own.flatMap((one) => one.amounts)) {
      const [a, b] = sums[currency] ?? [0n, 0n];
      sums[currency] = [a + minorOf(net), b + minorOf(absolute)];
    }
    const said = amounts.map(({ currency, net, absolute }) => {
      return [currency, [minorOf(net), minorOf(absolute)]];
    });
    const whole = own.reduce((all, one) => all + one.count, 0);
    expect
      .soft({ points, count }, `${where} ${step}`)
      .toEqual({ points: own.length, count: whole });
    expect.soft(Object.fromEntries(said), `${where} ${step}`).toEqual(sums);
  }
}

/** The printed ladders, and how many points are printed. */
function expectScreen({ json, screen, where }: Closing): void {
  expectLadderOnScreen(screen, json, where);
  const steps = printedTable(screen, 'Checklist').rows;
  const toDecide = steps.reduce((sum, row) => sum + printedAmount(row['To decide']), 0n);
  const decided = json.blockers.filter(({ code }) => code !== 'currency');
  const points = BigInt(decided.reduce((sum, { count }) => sum + count, 0));
  const headline = points === 0n ? 'READY TO CLOSE' : `NOT READY: ${points} TO DECIDE`;
  expect.soft(screen.split('\n')[0], where).toBe(headline);
  expect.soft(toDecide, where).toBe(points);
}

test.each(seeds)(
  'two months are closed, one after another, with the figures that are true: seed %i',
  async (seed) => {
    const merchant = makeMonths(seed);
    for await (const closing of closeTwice(merchant)) {
      const { json, truth, exitCode, where } = closing;
      const isReady = Object.keys(truth.points).length === 0;
      expect.soft(json.verdict, where).toBe(isReady ? 'ready' : 'not_ready');
      expect.soft(exitCode, where).toBe(isReady ? 0 : 1);
      if (merchant.isQuiet) expect(isReady).toBe(true);
      expectLadders(closing);
      expectPoints(closing);
      expectChecklist(closing);
      expectScreen(closing);
    }
  },
);
