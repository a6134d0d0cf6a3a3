import { beforeAll, expect, test } from 'vitest';
import { laddersOf, pointsOf, salesIn, undecidedIn } from '../support/ladder.ts';
import { runRecon } from '../support/run-recon.ts';

interface Amount {
  readonly minor: string;
}

type Parts = Readonly<Record<string, Readonly<Record<string, Amount>>>>;

const json = async (...args: string[]) => JSON.parse((await runRecon([...args, '--json'])).stdout);
const total = (amounts: readonly (Amount | undefined)[]) =>
  amounts.reduce((sum, one) => sum + BigInt(one?.minor ?? 0), 0n);

const commands = ['orders', 'settlements', 'fees', 'bank', 'close'] as const;

async function reportsOf(...flags: string[]) {
  const reports = await Promise.all(
    commands.map((command) => json(command, ...flags, '--month', '2026-03')),
  );
  return Object.fromEntries(commands.map((command, at) => [command, reports[at]]));
}

/** What the reports beside a close say of a currency, by the code of the ladder. */
function figuresOf(
  reports: Awaited<ReturnType<typeof reportsOf>>,
  currency: string,
  month: string,
) {
  const isOwn = (one: { readonly currency: string }) => one.currency === currency;
  const { orders, settlements, fees, bank } = reports;
  const groups: readonly Parts[] = settlements.groups.filter(isOwn);
  const sum = (part: string, name: string) => total(groups.map((one) => one[part]?.[name]));
  const sold = orders.ladders
    .filter(isOwn)
    .flatMap((one: { readonly months: readonly { readonly month: string }[] }) => one.months)
    .filter((one: { readonly month: string }) => one.month === month);
  const moved: readonly Record<string, Amount>[] = bank.movements.filter(isOwn);
  const charged: readonly Record<string, Amount>[] = fees.lines.filter(isOwn);
  return {
    sold: total(sold.map(({ due }: { readonly due: Amount }) => due)),
    gross: sum('computed', 'gross'),
    fees: -sum('computed', 'fees'),
    feesOfFees: -total(charged.map((one) => one['charged'])),
    tax: -sum('computed', 'tax'),
    pay_in_difference: sum('difference', 'payIn'),
    pay_in: sum('reported', 'payIn'),
    received: -total(moved.flatMap((one) => [one['received'], one['earlier']])),
  };
}

let reports: Awaited<ReturnType<typeof reportsOf>>;

beforeAll(async () => {
  reports = await reportsOf('--sandbox');
}, 60_000);

test('each figure of the ladder of the sandbox is that of its own report', () => {
  const report = reports['close'];
  const ladders = laddersOf(report);
  expect(Object.keys(ladders)).toEqual(['EUR', 'JPY', 'USD']);
  for (const currency of ['EUR', 'JPY']) {
    const { feesOfFees, ...expected } = figuresOf(reports, currency, '2026-03');
    const figures = { pay_in_difference: 0n, ...ladders[currency] };
    expect(figures).toMatchObject(expected);
    expect(feesOfFees).toBe(expected.fees);
    const isOwn = (one: { readonly currency: string }) => one.currency === currency;
    expect(figures).toMatchObject({
      in_transit: BigInt(report.totals.find(isOwn).closing.minor),
      in_books: BigInt(report.checks.find(isOwn).inTransit.minor),
    });
  }
  expect(ladders['USD']).toEqual({
    sold: 0n,
    rows_in_other_currency: 12900n,
    not_in_gross: -12900n,
    gross: 0n,
  });
});

test('the orders of the month are told by recon orders as by the close: sums, counts and states', () => {
  const { orders, close } = reports;
  expect(salesIn(orders)).toEqual(salesIn(close));
  expect(undecidedIn(orders)).toEqual(pointsOf(close));
  const [step] = close.checklist;
  expect(step.command).toBe('recon orders --from 2026-03-01 --to 2026-03-31 --sandbox');
});

test('the checklist has the answers of the reports, and all points of the close', () => {
  const { checklist, blockers } = reports['close'];
  const answers = checklist.map(({ step, answer }: { step: string; answer: string | null }) => [
    step,
    answer,
  ]);
  const verdicts = commands.map((command) => [command, reports[command].verdict]);
  expect(Object.fromEntries(answers)).toEqual({ ...Object.fromEntries(verdicts), journal: null });
  const codes = checklist.flatMap((one: { readonly codes: readonly string[] }) => one.codes);
  expect(codes.sort()).toEqual(blockers.map(({ code }: { code: string }) => code).sort());
});

test('an order that is missing stands against closing, and its close is forced with a note', () => {
  const { blockers } = reports['close'];
  const missing = blockers.find(
    ({ code }: { readonly code: string }) => code === 'order_missing_in_settlements',
  );
  expect(missing).toMatchObject({
    forceable: true,
    count: 1,
    amounts: [{ currency: 'EUR', net: { amount: '-49.90' } }],
    examples: ['#ORD-99-0001'],
  });
});

/** The numbers of a printed amount, in units of its last digit. */
const printed = (text: string) => BigInt(text.replace(/[,.]/g, ''));

test('the ladders and bridges on a screen of 80 columns add up as they are printed', async () => {
  const { stdout } = await runRecon(['close', '--sandbox'], {
    columns: 80,
    env: { NO_COLOR: '1' },
  });
  const sections = stdout.split('\n\n').map((text) => text.split('\n'));
  const stepsOf = (lines: readonly string[]) =>
    lines.flatMap((line) => {
      const [name = '', ...cells] = line.split(/\s{2,}/);
      const amount = cells.findLast((cell) => /^-?[\d,]+(\.\d+)?$/.test(cell));
      return amount === undefined ? [] : [[name, printed(amount)] as const];
    });
  const ladders = sections.filter(([title]) => title?.startsWith('From the sale to the books'));
  expect(ladders).toHaveLength(3);
  for (const lines of ladders) {
    let sum: bigint | undefined;
    for (const [name, minor] of stepsOf(lines)) {
      if (name.startsWith('= ') && sum !== undefined)
        expect(`${name} ${minor}`).toBe(`${name} ${sum}`);
      sum = name.startsWith('= ') ? minor : (sum ?? 0n) + minor;
    }
  }
  const bridges = sections.filter(([title]) => title?.startsWith('Bridge to the bank'));
  expect(bridges).toHaveLength(2);
  for (const lines of bridges) {
    const steps = stepsOf(lines.slice(0, -1));
    const parts = steps.filter(([name]) => name !== 'Movement');
    expect(steps.at(-1)).toEqual(['Movement', parts.reduce((sum, [, minor]) => sum + minor, 0n)]);
  }
});
