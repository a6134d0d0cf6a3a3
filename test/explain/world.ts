import type { Row } from '../../src/model/row.ts';
import type { RowsOutcome } from '../../src/model/source.ts';
import { type IdentityName, payInOf } from '../../src/reconcile/identity.ts';
import type { Stated } from '../support/build.ts';
import { buildOutcome, buildSettlement } from '../support/build.ts';
import type { Random } from '../support/random.ts';
import type { Trade } from './trade.ts';

/** What the header adds up: a row as the header sees it. */
export interface Posting {
  /** The listed row that it comes from, or an id of its own. */
  readonly rowId: string;
  readonly count: number;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
}

export interface HeaderFigures {
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly payIn: bigint;
}

/** A settlement in the making: faultless at first, until causes are injected. */
export interface World {
  readonly trade: Trade;
  readonly currency: string;
  readonly scale: number;
  rows: readonly Row[];
  postings: readonly Posting[];
  outcome: RowsOutcome;
  neighbours: readonly { readonly settlement: Stated; readonly rows: readonly Row[] }[];
  /** How the service gets from the amounts to the pay-in. */
  identity: IdentityName;
  /** Withheld from the pay-in, or added to it. */
  payInShift: bigint;
  /** By how much the header's count is wrong. */
  miscounted: number;
  /** What the header does to its figures in the end. */
  readonly slips: ((figures: HeaderFigures) => HeaderFigures)[];
  status: string;
  /** Rows that a cause has been at: a second cause keeps away from them. */
  readonly touched: Set<string>;
}

export function buildWorld(random: Random, trade: Trade, rowCount: number): World {
  const rows = Array.from({ length: rowCount }, (_, n) => trade.row(random, 10_000 + n));
  const { currency, scale } = trade;
  return {
    trade,
    currency,
    scale,
    rows,
    postings: rows.map((row) => postingOf(trade, row)),
    outcome: buildOutcome(),
    neighbours: [],
    identity: 'gross-fees-tax',
    payInShift: 0n,
    miscounted: 0,
    slips: [],
    status: 'settled',
    touched: new Set(),
  };
}

export function postingOf({ currency }: Pick<Trade, 'currency'>, row: Row): Posting {
  const isOwn = row.currency === currency;
  const [gross, fees, tax] = isOwn ? [row.amount, row.fees, row.tax] : [0n, 0n, 0n];
  return { rowId: row.id, count: 1, gross, fees, tax };
}

/** The header that the world's postings and slips come to. */
export function headerOf(world: World): Stated {
  const sum = (value: (posting: Posting) => bigint) =>
    world.postings.reduce((total, posting) => total + value(posting), 0n);
  let figures: HeaderFigures = {
    gross: sum(({ gross }) => gross),
    fees: sum(({ fees }) => fees),
    tax: sum(({ tax }) => tax),
    payIn: 0n,
  };
  figures = withPayIn(world, figures);
  for (const slip of world.slips) figures = slip(figures);
  return buildSettlement({
    currency: world.currency,
    scale: world.scale,
    status: world.status,
    transactions: world.postings.reduce((total, { count }) => total + count, world.miscounted),
    ...figures,
  });
}

export function withPayIn(world: World, { gross, fees, tax }: HeaderFigures): HeaderFigures {
  const payIn = payInOf(world.identity, gross, fees, tax) + world.payInShift;
  return { gross, fees, tax, payIn };
}
