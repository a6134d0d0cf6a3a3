import { expect, test } from 'vitest';
import { closeTwice } from './closing.ts';
import { makeMonths } from './months.ts';
import { unitsOf } from './open.ts';
import { jsonOf, type Money, minorOf } from './said.ts';
import { seeds } from './seeds.ts';

/** A point as `recon review` shows it: its number, what it is, its signed amount, and whose it is. */
const shownPoint =
  /^\d+ of (\d+)\n(.+): ([+-]?[\d,.]+) ([A-Z]{3})\n(?:(?:settlement|bank entry) (\S+) of)?/gm;

interface Shown {
  readonly title: string;
  readonly id: string;
  readonly currency: string;
  readonly minor: bigint;
}

function pointsShown(text: string): readonly Shown[] {
  return [...text.matchAll(shownPoint)].map(([, , title = '', amount = '', currency = '', id]) => {
    const minor = unitsOf(amount.replaceAll(',', '').replace('+', ''), currency);
    return { title, id: id ?? title.match(/^Order (.+), /)?.[1] ?? '', currency, minor };
  });
}

/** Net and absolute sums by currency, without those of nothing. */
function sumsOf(amounts: readonly { readonly currency: string; readonly minor: bigint }[]) {
  const sums: Record<string, readonly [net: bigint, absolute: bigint]> = {};
  for (const { currency, minor } of amounts) {
    const [net, absolute] = sums[currency] ?? [0n, 0n];
    if (minor !== 0n) sums[currency] = [net + minor, absolute + (minor < 0n ? -minor : minor)];
  }
  return sums;
}

interface Pair {
  readonly expected: Money;
  readonly received: Money;
}

interface Bank {
  readonly matches: readonly (Pair & {
    readonly settlements: readonly { readonly id: string }[];
  })[];
}

interface Orders {
  readonly orders: readonly { readonly orderRef: string; readonly difference: Money | null }[];
}

/** Kinds that a review does not ask for, or that say more of what it asks for. */
const notAsked = ['overcharged', 'currency', 'finding', 'not_covered'];

test.each(seeds)(
  'each difference has one sign and amount, and the things to decide one count, wherever they are told: seed %i',
  async (seed) => {
    for await (const { shop, month, json, screen, where } of closeTwice(makeMonths(seed), [
      'accepted = "accepted.csv"',
    ])) {
      const asked = json.blockers.filter(({ code }) => !notAsked.includes(code));
      const answers = Array.from({ length: 200 }, () => 'n');
      const env = { CI: '1', NO_COLOR: '1' };
      const run = await shop.run(['review', '--month', month.name], { answers, env, columns: 200 });
      const shown = pointsShown(run.stderr);
      const count = asked.reduce((sum, one) => sum + one.count, 0);
      expect(shown, `${where}\n${run.stderr}`).toHaveLength(count);
      const ofClose = asked.flatMap(({ amounts }) => amounts);
      const sums: Record<string, readonly [bigint, bigint]> = {};
      for (const { currency, net, absolute } of ofClose) {
        const [one, other] = sums[currency] ?? [0n, 0n];
        sums[currency] = [one + minorOf(net), other + minorOf(absolute)];
      }
      expect.soft(sumsOf(shown), where).toEqual(sums);
      if (count > 0) expect.soft(screen, where).toContain(`To decide these ${count} one by one`);

      const report = async <Report>(...args: string[]) =>
        jsonOf<Report>(await shop.run([...args, '--month', month.name, '--format', 'json']));
      const { matches } = await report<Bank>('bank');
      const { orders } = await report<Orders>('orders');
      for (const { title, id, minor } of shown) {
        const order = orders.find(({ orderRef }) => title.startsWith('Order') && orderRef === id);
        if (order?.difference) expect.soft(minor, id).toBe(minorOf(order.difference));
        const match = matches.find((one) => one.settlements.some((own) => own.id === id));
        if (!match || !title.startsWith('Pay-out')) continue;
        const { expected, received } = match;
        expect.soft(minor, `${title} ${id}`).toBe(minorOf(received) - minorOf(expected));
      }
    }
  },
);
