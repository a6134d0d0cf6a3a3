import type { Row } from '../../src/model/row.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { RowsOutcome } from '../../src/model/source.ts';
import { type IdentityName, payInOf } from '../../src/reconcile/identity.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';
import type { Random } from '../support/random.ts';

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
  readonly currency: string;
  readonly scale: number;
  readonly feeRate: { readonly digits: bigint; readonly decimals: number };
  readonly taxRate: { readonly digits: bigint; readonly decimals: number };
  rows: readonly Row[];
  postings: readonly Posting[];
  outcome: RowsOutcome;
  neighbours: readonly { readonly settlement: Settlement; readonly rows: readonly Row[] }[];
  /** How the service gets from the amounts to the pay-in. */
  identity: IdentityName;
  /** Withheld from the pay-in, or added to it. */
  payInShift: bigint;
  /** What the header does to its figures in the end. */
  readonly slips: ((figures: HeaderFigures) => HeaderFigures)[];
  status: string;
  /** Rows that a cause has been at: a second cause keeps away from them. */
  readonly touched: Set<string>;
}

const currencies = [
  ['EUR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
] as const;
const feeRates = [99n, 140n, 175n, 250n, 290n];
const taxRates = [77n, 190n, 200n, 250n];

export function buildWorld(random: Random, rowCount: number, flatFee: boolean): World {
  const [currency, scale] = random.pick(currencies);
  const feeRate = { digits: random.pick(feeRates), decimals: 4 };
  const taxRate = { digits: random.pick(taxRates), decimals: 3 };
  const flat = flatFee ? BigInt(random.int(1, 30)) : 0n;
  const world: World = {
    currency,
    scale,
    feeRate,
    taxRate,
    rows: [],
    postings: [],
    outcome: buildOutcome(),
    neighbours: [],
    identity: 'gross-fees-tax',
    payInShift: 0n,
    slips: [],
    status: 'settled',
    touched: new Set(),
  };
  world.rows = Array.from({ length: rowCount }, (_, n) => anyRow(random, world, 10_000 + n, flat));
  world.postings = world.rows.map((row) => postingOf(world, row));
  return world;
}

/** A purchase, a refund of part of one, a chargeback or a correction; now and then in another currency. */
export function anyRow(random: Random, world: World, number: number, flat = 0n): Row {
  const type = random.pick([
    ...Array.from({ length: 12 }, () => 'purchase'),
    'refund',
    'refund',
    'refund',
    'chargeback',
    'adjustment',
  ]);
  const [currency, scale] = random.chance(4)
    ? random.pick(currencies)
    : [world.currency, world.scale];
  const size = BigInt(random.int(1_00, random.pick([50_00, 200_00, 900_00])));
  const amount = type === 'purchase' ? size : -size / (type === 'adjustment' ? 10n : 2n);
  const isFree = type === 'adjustment' || (type === 'chargeback' && random.chance(50));
  const fees = isFree ? 0n : halfUp(amount, world.feeRate) + (amount < 0n ? -flat : flat);
  return buildRow({
    id: uuid(number),
    chargeId: uuid(number + 500_000),
    type,
    state: random.pick([...Array.from({ length: 14 }, () => 'approved'), 'declined', 'reversed']),
    currency,
    scale,
    amount,
    fees,
    tax: halfUp(fees, world.taxRate),
  });
}

export function postingOf({ currency }: World, row: Row): Posting {
  const isOwn = row.currency === currency;
  const [gross, fees, tax] = isOwn ? [row.amount, row.fees, row.tax] : [0n, 0n, 0n];
  return { rowId: row.id, count: 1, gross, fees, tax };
}

/** The header that the world's postings and slips come to. */
export function headerOf(world: World): Settlement {
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
    transactions: world.postings.reduce((total, { count }) => total + count, 0),
    ...figures,
  });
}

export function withPayIn(world: World, { gross, fees, tax }: HeaderFigures): HeaderFigures {
  const payIn = payInOf(world.identity, gross, fees, tax) + world.payInShift;
  return { gross, fees, tax, payIn };
}

export function halfUp(amount: bigint, rate: { digits: bigint; decimals: number }): bigint {
  const unit = 10n ** BigInt(rate.decimals);
  const product = amount * rate.digits;
  const magnitude = ((product < 0n ? -product : product) * 2n + unit) / (2n * unit);
  return product < 0n ? -magnitude : magnitude;
}
