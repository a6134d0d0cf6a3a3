import { execFileSync } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programAt } from '../../support/programs.ts';
import {
  balances,
  booking,
  type Closed,
  close,
  closesFlag,
  journal,
  minorOf,
  type Posting,
  postingsOf,
  recording,
  withoutZeros,
} from './adapter.ts';
import { dayAfter, daysBetween, lastOfMonth } from './calendar.ts';
import { openMerchant } from './merchant.ts';
import { Oracle } from './oracle.ts';
import { replay } from './replay.ts';
import { seeds } from './seeds.ts';
import { type Known, makeYear, sum, tokens, type Year } from './year.ts';

const hledger = programAt('hledger');
const currencies = [...new Set(tokens.map(({ currency }) => currency))];

/** What the judge says of a range, in the words of a close. */
function judged(known: Known, before: string, to: string, recorded?: Oracle) {
  const oracle = new Oracle(known);
  const lines = tokens.map((token) => {
    const { token: _, opening: today, ...line } = oracle.rollForward(token, before, to);
    const opening = recorded?.closing(token, before) ?? today;
    return [`${token.id} ${token.currency}`, { opening, changed: today - opening, ...line }];
  });
  const bridges = currencies.map((currency) => {
    const { currency: _, ...bridge } = oracle.bridge(currency, before, to);
    return [currency, { ...bridge, residual: 0n }];
  });
  const pending = currencies.map((currency) => [currency, oracle.pending(currency, to)] as const);
  const items = [...oracle.openItems(to)];
  return {
    rollForward: Object.fromEntries(lines),
    bridges: Object.fromEntries(bridges),
    pending: Object.fromEntries(pending.filter(([, amount]) => amount !== 0n)),
    items: items.sort((a, b) => (a.settlementId < b.settlementId ? -1 : 1)),
  };
}

/** That a close says the same. It may say more of each item, but lists no others. */
function expectSame(closed: Closed, expected: ReturnType<typeof judged>): void {
  expect(closed).toMatchObject(expected);
  expect(Object.keys(closed.pending).sort()).toEqual(Object.keys(expected.pending).sort());
}

/** Some days of a range, its last one among them. */
const someDays = (from: string, to: string) =>
  daysBetween(from, to).filter((day, index) => index % 5 === 0 || day === to);

/** The ends of five ranges that follow each other, and the evenings on which they are closed. */
function closings({ year, to }: Year): readonly (readonly [string, string])[] {
  const ends = [...['01', '02', '03', '06'].map((month) => lastOfMonth(`${year}-${month}`)), to];
  return ends.map((end, index) => [end, dayAfter(end, 6 + 2 * index)] as const);
}

describe.each(seeds)('a year: seed %i', (seed) => {
  const year = makeYear(seed);
  const start = dayAfter(year.from, -1);

  test('the roll-forward, the open items and the bridge are those of CLOSING', async () => {
    const merchant = await openMerchant(year);
    const known = await merchant.becomes(dayAfter(year.to, 20));
    const month = String(1 + (seed % 11)).padStart(2, '0');
    const end = lastOfMonth(`${year.year}-${month}`);
    const next = lastOfMonth(dayAfter(end, 1).slice(0, 7));
    const ranges = [
      [start, year.to],
      [dayAfter(`${year.year}-${month}-01`, -1), end],
      [end, next],
      [dayAfter(end, -14), dayAfter(end, 3)],
    ] as const;
    for (const [before, to] of ranges) {
      const closed = await close(merchant, dayAfter(before, 1), to);
      expectSame(closed, judged(known, before, to));
    }
  });

  test('the laws hold in what the command says by itself', async () => {
    const merchant = await openMerchant(year);
    await merchant.becomes(dayAfter(year.to, 5));
    let last: Closed | undefined;
    for (const month of ['04', '05', '06']) {
      const end = lastOfMonth(`${year.year}-${month}`);
      const closed = await close(merchant, `${year.year}-${month}-01`, end);
      const lines = Object.entries(closed.rollForward);
      for (const [key, line] of lines) {
        const of = (...names: readonly string[]) => sum(names.map((name) => line[name] ?? 0n));
        const more = of('opening', 'changed', 'settled', 'over');
        expect(more - of('received', 'bankCharges', 'short')).toBe(line['closing']);
        expect(of('gross', 'payInDifference') - of('fees', 'tax')).toBe(line['settled']);
        if (last) expect(line['opening']).toBe(last.rollForward[key]?.['closing']);
      }
      const open = closed.items.map((item) => item['open'] as bigint);
      expect(sum(open)).toBe(sum(lines.map(([, line]) => line['closing'] ?? 0n)));
      last = closed;
    }
  });

  test('the journal holds every account on every day', async () => {
    const merchant = await openMerchant(year);
    for (const [to, evening] of closings(year).slice(3)) {
      const known = await merchant.becomes(evening);
      const { stdout } = await journal(merchant, year.from, to);
      const postings = postingsOf(stdout);
      const held = replay(known, year.from, to);
      for (const day of someDays(year.from, to)) {
        expect({ day, ...balances(postings, day) }).toEqual({
          day,
          ...withoutZeros(held.get(day)),
        });
      }
    }
  });

  test.runIf(hledger)('the journals of its months pass hledger in one file', async () => {
    const merchant = await openMerchant(year);
    const known = await merchant.becomes(dayAfter(year.to, 5));
    const all = join(merchant.folder, 'all.journal');
    for (const month of ['01', '02', '03', '04']) {
      const output = join(merchant.folder, `${month}.journal`);
      const range = ['--month', `${year.year}-${month}`, '--bank', merchant.statements];
      const format = ['--for', 'hledger', '--fail-on', 'none', '--output', output];
      await merchant.run(['journal', ...range, ...format]);
      await appendFile(all, `include ${output}\n`);
    }
    const ask = (...args: string[]) =>
      execFileSync(hledger ?? '', ['-f', all, ...args], { encoding: 'utf8' });
    expect(ask('check', '--strict')).toBe('');
    const web = replay(known, year.from, `${year.year}-04-30`).get(`${year.year}-04-30`);
    const [amount = '0', currency = 'EUR'] = ask('bal', '-N', '^Transit Web$').trim().split(' ');
    expect(minorOf(amount, currency)).toBe(web?.get('in_transit EUR Web') ?? 0n);
  });

  test('a year that is booked and closed: what is closed stays, what is learnt comes after it', async () => {
    // What is restated after a close has a judge of its own, in closed-stays-true.
    const steady = {
      ...year,
      payouts: year.payouts.map((one) => ({ ...one, restated: undefined })),
    };
    const merchant = await openMerchant(steady);
    const [register, closes] = ['booked.csv', 'closes.csv'].map((name) =>
      join(merchant.folder, name),
    ) as [string, string];
    const postings: Posting[] = [];
    const closedFlag = [closesFlag, closes];
    let before = start;
    let recorded: Oracle | undefined;
    for (const [index, [to, evening]] of closings(year).entries()) {
      const known = await merchant.becomes(evening);
      const output = join(merchant.folder, `${index + 1}.csv`);
      const isFirst = index === 0;
      const flags = [...booking(register, output, isFirst), ...(isFirst ? [] : closedFlag)];
      const booked = await journal(merchant, year.from, to, flags);
      expect(booked.stderr).toContain(`Batch ${index + 1}`);
      const batch = postingsOf(await readFile(output, 'utf8'));
      // What belongs to a closed day is posted on the first day after it, and says of which day it is.
      expect(batch.filter(({ day }) => day <= before || day > to)).toEqual([]);
      const wrong = batch.filter(
        ({ day, ofDay }) => day !== (ofDay > before ? ofDay : dayAfter(before, 1)),
      );
      expect(wrong).toEqual([]);
      postings.push(...batch);
      const held = replay(known, year.from, to);
      for (const day of someDays(dayAfter(before, 1), to)) {
        expect({ day, ...balances(postings, day) }).toEqual({
          day,
          ...withoutZeros(held.get(day)),
        });
      }
      const seen = await close(merchant, dayAfter(before, 1), to, [
        ...recording(closes, isFirst),
        ...['--booked', register],
      ]);
      expectSame(seen, judged(known, before, to, recorded));
      expect(seen.blockers.filter(({ forceable }) => !forceable)).toEqual([]);
      recorded = new Oracle(known);
      before = to;
    }
    const again = await merchant.run(['journal', '--booked', register, '--batch', '2']);
    expect(again.stdout).toBe(await readFile(join(merchant.folder, '2.csv'), 'utf8'));
  });
});
