import { expect, test } from 'vitest';
import type { FaultKind } from './faults.ts';
import { isInMonth, type Line, netOf, type Payout, paidOf, sum } from './ledger.ts';
import { makeMonth, names } from './month.ts';
import { truthOf } from './truth.ts';

const all = Array.from({ length: 40 }, (_, index) => index + 1).flatMap((seed) =>
  names.map((name) => ({ name, seed, ...makeMonth(name, seed) })),
);

/** By how much a fault alone moves what is stated against what the lines come to. */
function moved(kind: FaultKind, payout: Payout, line: Line | undefined): bigint | undefined {
  const net = line?.net ?? 0n;
  if (kind === 'line_removed' || kind === 'carried_removed' || kind === 'id_cleared') return net;
  if (kind === 'line_added') return -net;
  if (kind === 'sign_flipped') return -2n * net;
  if (kind === 'no_rows') return paidOf(payout);
  const isUnmoved = [
    'paid_unreadable',
    'currency_missing',
    'unreadable',
    'files_differ',
    'fees_changed',
    'no_payout_id',
    'carried_changed',
  ];
  return isUnmoved.includes(kind) || kind === 'batch_missing' ? 0n : undefined;
}

test('what is paid is what the lines come to, and a fault moves it by its own amount', () => {
  for (const { provider, faults } of all)
    for (const payout of provider.payouts) {
      expect(sum([paidOf(payout), -netOf(payout.lines)]), payout.id).toBe(0n);
      for (const { gross, fees, net, kind } of payout.lines)
        if (kind !== 'carried') expect(gross - fees, payout.id).toBe(net);
      const own = faults.filter((one) => one.payout === payout);
      if (!payout.stated || !isInMonth(payout)) continue;
      const difference = sum(payout.stated) - netOf(payout.told);
      const [fault] = own;
      const by = fault ? moved(fault.kind, payout, fault.line) : 0n;
      if (by !== undefined) expect(difference, payout.id).toBe(by);
      else expect(difference, payout.id).not.toBe(0n);
    }
});

test('batches are numbered without a gap, and what one carries over arrives in the next', () => {
  for (const { provider } of all.filter(({ name }) => name === 'adyen')) {
    for (const account of new Set(provider.payouts.map((payout) => payout.account))) {
      const own = provider.payouts.filter((payout) => payout.account === account);
      const numbers = [...new Set(own.map(({ number }) => Number(number)))].sort((a, b) => a - b);
      expect(numbers.map((number, at) => number - at)).toEqual(numbers.map(() => numbers[0]));
      for (const { lines, number, currency } of own) {
        const net = (some: readonly Line[], text: string) =>
          netOf(some.filter((line) => line.text === text));
        const follower = own.find(
          (one) => one.currency === currency && Number(one.number) === Number(number) + 1,
        );
        const out = net(lines, `Balancetransfer to batch ${Number(number) + 1}`);
        if (Number(number) !== numbers.at(-1))
          expect(net(follower?.lines ?? [], `Balancetransfer from batch ${number}`)).toBe(-out);
      }
    }
  }
});

test('forty seeds have all that may befall files, and all that may be in them', () => {
  const planted = (name: string) =>
    [
      ...new Set(
        all
          .filter((one) => one.name === name)
          .flatMap(({ faults }) => faults.map(({ kind }) => kind)),
      ),
    ].sort();
  expect(Object.fromEntries(names.map((name) => [name, planted(name)]))).toMatchInlineSnapshot(`
    {
      "adyen": [
        "amount_changed",
        "batch_missing",
        "carried_changed",
        "carried_removed",
        "currency_missing",
        "files_differ",
        "line_added",
        "line_removed",
        "no_payout",
        "no_rows",
        "paid_changed",
        "paid_unreadable",
        "sign_flipped",
        "unreadable",
      ],
      "shopify": [
        "amount_changed",
        "fees_changed",
        "line_added",
        "line_removed",
        "no_payout",
        "no_rows",
        "not_in_lines",
        "paid_changed",
        "paid_unreadable",
        "sign_flipped",
        "unreadable",
      ],
      "stripe": [
        "amount_changed",
        "files_differ",
        "id_cleared",
        "line_added",
        "line_removed",
        "no_payout",
        "no_payout_id",
        "no_rows",
        "paid_changed",
        "paid_unreadable",
        "sign_flipped",
        "unreadable",
      ],
    }
  `);
  const payouts = all.flatMap(({ provider }) => provider.payouts.filter(isInMonth));
  const has = (fits: (payout: Payout) => boolean) => payouts.some(fits);
  expect(has((payout) => paidOf(payout) < 0n)).toBe(true);
  expect(has(({ parts }) => parts.length > 1)).toBe(true);
  expect(has(({ isCarried }) => isCarried)).toBe(true);
  expect(has(({ lines }) => lines.some(({ fees }) => fees < 0n))).toBe(true);
  expect(has(({ lines }) => lines.some(({ sale }) => sale !== undefined))).toBe(true);
  const textsOf = ({ lines }: Payout) => lines.map((line) => Object.values({ ...line }).join());
  expect(has((payout) => new Set(textsOf(payout)).size < payout.lines.length)).toBe(true);
  const months = all.map((one) => ({ ...one, truth: truthOf(one) }));
  expect([...new Set(months.map(({ truth }) => truth.verdict))].sort()).toEqual([
    ...['balanced', 'incomplete', 'out_of_balance'],
  ]);
});
