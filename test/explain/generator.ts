import { buildSettlement, uuid } from '../support/build.ts';
import { Random } from '../support/random.ts';
import type { Injected, Injection } from './injection.ts';
import {
  includeForeignCurrency,
  leaveOutForeignSettlement,
  leaveOutState,
  leaveOutType,
  turnType,
} from './injections-groups.ts';
import {
  blameNobody,
  carryOn,
  carryOver,
  chargeWithoutRow,
  miscount,
  otherIdentity,
  putTaxInFees,
  roundOtherwise,
  slipHeader,
  swapFeesAndTax,
  turnSigns,
} from './injections-header.ts';
import {
  countRowsTwice,
  includeCopies,
  includeNeighboursRow,
  leaveOutRows,
  loseRows,
  otherDecimalPlaces,
  slipRows,
  turnRow,
} from './injections-rows.ts';
import type { Trade } from './trade.ts';
import { buildWorld, headerOf, type World } from './world.ts';

/** Rows before the header, so that what is done to the header is done to what it adds up. */
export const injections: readonly Injection[] = [
  leaveOutRows,
  countRowsTwice,
  { ...loseRows, aloneOnly: true },
  includeCopies,
  slipRows,
  turnRow,
  otherDecimalPlaces,
  includeNeighboursRow,
  leaveOutForeignSettlement,
  includeForeignCurrency,
  leaveOutState,
  leaveOutType,
  turnType,
  roundOtherwise,
  carryOver,
  carryOn,
  chargeWithoutRow,
  otherIdentity,
  turnSigns,
  swapFeesAndTax,
  putTaxInFees,
  slipHeader,
  miscount,
  blameNobody,
];

/** How worlds are made: of which trades, with how many rows. */
export interface Worlds {
  readonly tradeOf: (random: Random) => Trade;
  readonly mostRows: number;
}

/** A settlement with what was done to it. */
export interface Scenario {
  readonly world: World;
  readonly says: readonly string[];
  readonly rowIds: readonly string[];
}

/** A settlement with nothing wrong. */
export function faultless(seed: number, { tradeOf, mostRows }: Worlds): World {
  const random = new Random(seed);
  return withNeighbour(random, buildWorld(random, tradeOf(random), rowCount(random, mostRows)));
}

/** A settlement with these causes in it; worlds that have no place for them are passed over. */
export function inject(
  seed: number,
  chosen: readonly Injection[],
  { tradeOf, mostRows }: Worlds,
): Scenario | undefined {
  const random = new Random(seed);
  for (let attempt = 0; attempt < 100; attempt++) {
    const trade = tradeOf(random);
    if (!chosen.every(({ suits }) => suits?.(trade) ?? true)) continue;
    const world = withNeighbour(random, buildWorld(random, trade, rowCount(random, mostRows)));
    const done: Injected[] = [];
    for (const { inject } of chosen) {
      const before = trace(world);
      const injected = inject(random, world, chosen.length === 1);
      // Rounding may come to the same, and rows that are left out may add up to nothing.
      if (injected && trace(world) !== before) done.push(injected);
    }
    if (done.length < chosen.length) continue;
    return {
      world: { ...world, rows: random.shuffled(world.rows) },
      says: done.flatMap(({ says }) => says),
      rowIds: done.flatMap(({ rowIds }) => rowIds),
    };
  }
  return undefined;
}

/** What there is to explain: the header, the rows' sums and the status. */
function trace(world: World): string {
  const { gross, fees, tax, payIn, transactions, status } = headerOf(world);
  const own = world.rows.filter(({ currency }) => currency === world.currency);
  const sums = own.map(({ amount, scale }) => `${amount} ${scale}`).join();
  return [gross, fees, tax, payIn, transactions, status, own.length, sums].join();
}

/** Two different causes that can be told apart, in the order in which they are injected. */
export function twoCauses(seed: number): readonly Injection[] {
  const random = new Random(seed);
  const possible = injections.filter(({ aloneOnly }) => !aloneOnly);
  for (;;) {
    const two = random.sample(possible, 2);
    if (new Set(two.map(({ code }) => code)).size < 2) continue;
    return possible.filter((one) => two.includes(one));
  }
}

/** From 20 to the most; as many of tens as of hundreds and of thousands. */
function rowCount(random: Random, most: number): number {
  return Math.round(20 * (most / 20) ** (random.int(0, 1000) / 1000));
}

/** The day after, with a few rows of its own. */
function withNeighbour(random: Random, world: World): World {
  const rows = Array.from({ length: random.int(2, 40) }, (_, n) =>
    world.trade.row(random, 800_000 + n),
  );
  const own = rows.filter(({ currency }) => currency === world.currency);
  const gross = own.reduce((sum, { amount }) => sum + amount, 0n);
  const fees = own.reduce((sum, row) => sum + row.fees, 0n);
  const tax = own.reduce((sum, row) => sum + row.tax, 0n);
  const settlement = buildSettlement({
    id: uuid(2),
    date: '2026-03-04',
    currency: world.currency,
    scale: world.scale,
    gross,
    fees,
    tax,
    payIn: gross - fees - tax,
    transactions: rows.length,
  });
  world.neighbours = [{ settlement, rows }];
  return world;
}
