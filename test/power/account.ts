import type { Row } from '../../src/model/row.ts';
import type { Random } from '../support/random.ts';
import { currencyCode, type Money, pricesOf, type Scale } from './prices.ts';
import { exactFee, type Rate, type Round, rounded } from './rates.ts';

/** The header of a settlement as its rows and what is planted make it. */
export interface Header {
  transactions: number;
  gross: bigint;
  fees: bigint;
  tax: bigint;
  /** What the pay-in is more than gross - fees - tax. */
  extra: bigint;
  status: string;
}

/** A settlement in the making. */
export interface Draft {
  readonly id: string;
  readonly date: string;
  rows: Row[];
  /** Rows that the service lists twice. */
  readonly repeated: Row[];
  readonly header: Header;
  /** Rows that a planted cause concerns; no other one uses them. */
  readonly taken: Set<string>;
}

/** An account with a month of settlements, of which one is the target. */
export interface Account {
  readonly token: string;
  readonly scale: Scale;
  readonly settings: AccountSettings;
  /** By payment type. */
  readonly rates: ReadonlyMap<string, Rate>;
  readonly prices: readonly bigint[];
  readonly drafts: readonly Draft[];
  readonly target: Draft;
}

/** What a class may ask of an account; the rest is drawn. */
export interface AccountSettings {
  readonly scale: Scale;
  readonly settlements: number;
  /** In one settlement, about. */
  readonly rows: number;
  /** The number of list prices; 0 if every amount may occur. */
  readonly prices: number;
  /** Of a hundred rows. */
  readonly refunds: number;
  readonly chargebacks: number;
  readonly declined: number;
  /** What fees a refund has: those of its purchase with the opposite sign, or none. */
  readonly refundFees: 'returned' | 'none';
  readonly round: Round;
  readonly ratesDiffer: boolean;
  readonly fixed: boolean;
  /** In hundredths of a percent of the fees. */
  readonly tax: bigint;
}

const paymentTypes = ['card', 'card', 'card', 'card', 'wallet', 'wallet', 'bank_transfer'];

export function drawSettings(random: Random, asked: Partial<AccountSettings>): AccountSettings {
  return {
    scale: 2,
    settlements: random.int(4, 7),
    rows: random.pick([8, 15, 30, 30, 60, 60, 100, 180, 250]),
    prices: random.pick([0, 0, 0, 0, 5, 12, 40]),
    refunds: random.pick([0, 4, 8]),
    chargebacks: random.pick([0, 0, 2]),
    declined: random.pick([0, 0, 4]),
    refundFees: random.pick(['returned', 'none']),
    round: random.pick(['half_up', 'half_up', 'half_up', 'half_up', 'half_even', 'up', 'down']),
    ratesDiffer: random.chance(50),
    fixed: random.chance(60),
    tax: random.pick([2000n, 2000n, 2100n, 1900n, 2200n, 0n]),
    ...asked,
  };
}

/** Balanced settlements of one account, each a few days after the one before. */
export function drawAccount(random: Random, settings: AccountSettings): Account {
  const { scale } = settings;
  const rates = drawRates(random, settings);
  const prices = settings.prices === 0 ? [] : pricesOf(random, settings.prices, scale);
  const drafts: Draft[] = [];
  const account = { token: drawId(random), scale, settings, rates, prices, drafts };
  const step = settings.settlements > 10 ? 1 : random.int(1, 3);
  for (let at = 0; at < settings.settlements; at += 1) {
    const day = new Date(Date.UTC(2026, 2, 1 + at * step)).toISOString().slice(0, 10);
    drafts.push(drawDraft(random, account, day));
  }
  const target = drafts[Math.floor(drafts.length / 2)];
  if (!target) throw new RangeError('An account without settlements');
  return { ...account, target };
}

function drawRates(random: Random, { ratesDiffer, fixed, scale }: AccountSettings) {
  const one = (): Rate => ({
    share: random.pick([90n, 120n, 140n, 150n, 175n, 190n, 250n, 290n]),
    fixed: fixed ? cents(random.pick([5n, 10n, 25n, 30n, 35n]), scale) : 0n,
  });
  const common = one();
  const types = [...new Set(paymentTypes)];
  return new Map(types.map((type) => [type, ratesDiffer ? one() : common]));
}

/** Hundredths of a euro, in an amount of the same weight in another currency. */
export function cents(amount: bigint, scale: Scale): bigint {
  return scale === 3 ? amount * 5n : amount;
}

function drawDraft(random: Random, account: Omit<Account, 'target'>, date: string): Draft {
  const { settings } = account;
  const id = drawId(random);
  const most = Math.max(4, Math.floor((settings.rows * random.int(70, 130)) / 100));
  const rows: Row[] = [];
  for (let at = 0; at < most; at += 1) rows.push(drawRow(random, account, { id, date, at }, rows));
  const header = { transactions: rows.length, ...sumOf(rows), extra: 0n, status: 'settled' };
  return { id, date, rows, repeated: [], header, taken: new Set() };
}

/** A row like those of the account. */
export function drawRow(
  random: Random,
  { settings, rates, prices }: Pick<Account, 'settings' | 'rates' | 'prices'>,
  { id, date, at }: { readonly id: string; readonly date: string; readonly at: number },
  earlier: readonly Row[] = [],
): Row {
  const { scale, refunds, chargebacks, declined, refundFees, round, tax } = settings;
  const drawn = random.int(1, 100);
  const isRefund = drawn <= refunds;
  const isChargeback = !isRefund && drawn <= refunds + chargebacks;
  const purchases = isRefund
    ? earlier.filter(({ type, state }) => type === 'purchase' && state === 'approved')
    : [];
  const back = purchases.length > 0 ? random.pick(purchases) : undefined;
  const paymentType = back?.paymentType ?? random.pick(paymentTypes);
  const price =
    prices.length > 0
      ? random.pick(prices.slice(0, 1 + random.int(0, prices.length - 1)))
      : drawAmount(random);
  const amount = back && random.chance(70) ? back.amount : price;
  const rate = rates.get(paymentType);
  if (!rate) throw new RangeError(`No rate for ${paymentType}`);
  const charged = isChargeback ? cents(1500n, scale) : rounded(exactFee(amount, rate), round);
  const fees = isRefund ? (refundFees === 'none' ? 0n : -charged) : charged;
  const minute = String(at % 60).padStart(2, '0');
  const hour = String(Math.floor(at / 60) % 24).padStart(2, '0');
  return {
    id: drawId(random),
    chargeId: back?.chargeId ?? drawId(random),
    orderId: back?.orderId ?? drawId(random),
    settlementId: id,
    timestamp: `${date}T${hour}:${minute}:00Z`,
    type: isRefund ? 'refund' : isChargeback ? 'chargeback' : 'purchase',
    paymentType,
    state: !isRefund && !isChargeback && random.chance(declined) ? 'declined' : 'approved',
    currency: currencyCode[scale],
    scale,
    amount: isRefund || isChargeback ? -amount : amount,
    fees,
    tax: rounded({ over: fees * tax, under: 10_000n }, round),
    notes: [],
  };
}

function drawAmount(random: Random): bigint {
  const [least, most] = random.pick([
    [300, 2000],
    [2000, 8000],
    [2000, 8000],
    [8000, 40000],
  ] as const);
  return BigInt(random.int(least, most));
}

export function sumOf(rows: readonly Row[]): Money {
  const sum = { gross: 0n, fees: 0n, tax: 0n };
  for (const { amount, fees, tax } of rows) {
    sum.gross += amount;
    sum.fees += fees;
    sum.tax += tax;
  }
  return sum;
}

function drawId(random: Random): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.int(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}
