import {
  type AgreedTax,
  type Contract,
  type Days,
  type FeeRow,
  type FeeSettlement,
  type Finding,
  inMillionths,
  type Kind,
  noKinds,
  type Rate,
  type Rounding,
  type Terms,
} from './contract.ts';

/** An exact fraction; the denominator is positive. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const multiply = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const whole = (n: bigint): Fraction => ({ n, d: 1n });
const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);
const magnitude = (value: bigint) => most(value, -value);

function decimal(text: string): Fraction {
  const point = text.indexOf('.');
  const places = point < 0 ? 0 : text.length - point - 1;
  return { n: BigInt(text.replace('.', '')), d: 10n ** BigInt(places) };
}

/** An amount of the currency in minor units at a scale. */
function minor(text: string, scale: number): bigint {
  const { n, d } = multiply(decimal(text), whole(10n ** BigInt(scale)));
  if (n % d !== 0n) throw new Error(`${text} has too many decimals`);
  return n / d;
}

/** The whole numbers that a fraction of at least 0 may be rounded to: one, or both neighbours. */
function neighbours({ n, d }: Fraction, rounding?: Rounding): readonly [bigint, bigint] {
  const floor = n / d;
  const rest = n % d;
  const ceiling = rest === 0n ? floor : floor + 1n;
  if (rounding === undefined) return [floor, ceiling];
  const isUp = {
    down: false,
    up: rest > 0n,
    half_up: 2n * rest >= d,
    half_even: 2n * rest > d || (2n * rest === d && floor % 2n !== 0n),
  }[rounding];
  return isUp ? [ceiling, ceiling] : [floor, floor];
}

const mirrored = ([low, high]: readonly [bigint, bigint]) => [-high, -low] as const;

/** The lowest and the highest fee agreed for a row. */
function feeSpan(rate: Rate, terms: Terms, { amount, scale }: FeeRow): readonly [bigint, bigint] {
  if (amount < 0n && rate.sign === 'none') return [0n, 0n];
  const fixed = whole(minor(terms.fixed ?? '0', scale));
  const span = (percent = '0') => {
    const part = multiply(multiply(decimal(percent), { n: 1n, d: 100n }), whole(magnitude(amount)));
    if (rate.round !== 'parts') return neighbours(plus(part, fixed), rate.rounding);
    const [low, high] = neighbours(part, rate.rounding);
    return [low + fixed.n, high + fixed.n] as const;
  };
  const clamp = (fee: bigint) => {
    const above = terms.minimum === undefined ? fee : most(fee, minor(terms.minimum, scale));
    return terms.maximum === undefined ? above : least(above, minor(terms.maximum, scale));
  };
  const low = clamp(span(terms.percent_from ?? terms.percent)[0]);
  const high = clamp(span(terms.percent_to ?? terms.percent)[1]);
  return amount < 0n && rate.sign === 'returned' ? mirrored([low, high]) : [low, high];
}

function highestTax({ percent, rounding }: AgreedTax, fee: bigint): bigint {
  const exact = multiply(multiply(decimal(percent), { n: 1n, d: 100n }), whole(magnitude(fee)));
  const span = neighbours(exact, rounding);
  return fee < 0n ? mirrored(span)[1] : span[1];
}

/** What a group of rows adds up to; amounts in millionths. */
export interface Sums {
  rows: number;
  volume: bigint;
  charged: bigint;
  agreed: bigint;
  over: bigint;
  under: bigint;
  taxOver: bigint;
  withoutRate: number;
}

export const noSums = (): Sums => ({
  ...{ rows: 0, volume: 0n, charged: 0n, agreed: 0n },
  ...{ over: 0n, under: 0n, taxOver: 0n, withoutRate: 0 },
});

interface Verdict extends Finding {
  readonly row: FeeRow;
  /** The fee agreed that is nearest to the charged one. */
  readonly agreed: bigint | undefined;
  readonly isKept: boolean;
}

export interface Judged {
  readonly rows: ReadonlyMap<FeeRow, Verdict>;
  readonly settlementTax: ReadonlyMap<FeeSettlement, bigint>;
  /** By accounting token, currency, payment type and type. */
  readonly groups: ReadonlyMap<string, Sums>;
  /** By month of the settlement date and currency. */
  readonly months: ReadonlyMap<string, Sums>;
  readonly kinds: ReadonlyMap<string, Readonly<Record<Kind, bigint>>>;
  /** By month of the settlement date and currency: what headers charge without a row. */
  readonly withoutRow: ReadonlyMap<string, { readonly charged: bigint; readonly over: bigint }>;
}

export const groupKey = (...parts: readonly string[]) => parts.join(' | ');

/** Judges what was settled in some days by CLOSING 8, with all that is known for the volumes. */
export function judge(
  contract: Contract,
  zone: string,
  all: readonly FeeSettlement[],
  { from, to }: Days,
): Judged {
  const isPaid = ({ status }: FeeSettlement) => status.startsWith('settled');
  const known = all.filter(isPaid).flatMap(({ rows }) => rows);
  const settlements = all.filter((one) => isPaid(one) && one.day >= from && one.day <= to);
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  const localDays = new Map(known.map((row) => [row, local.format(Date.parse(row.timestamp))]));
  const dayOf = (rate: Rate, row: FeeRow) =>
    (rate.day === 'settlement' ? row.settlement.day : localDays.get(row)) ?? '';

  const matches = (rate: Rate, row: FeeRow) => {
    const { account } = row.settlement;
    const day = dayOf(rate, row);
    const has = (list: readonly string[] | undefined, value: string) =>
      list === undefined || list.includes(value);
    return (
      rate.currency === row.currency &&
      day >= rate.valid_from &&
      (rate.valid_to === undefined || day <= rate.valid_to) &&
      has(rate.types, row.type) &&
      has(rate.payment_types, row.paymentType) &&
      has(rate.states, row.state) &&
      has(rate.merchant_ids, account.merchantId) &&
      has(rate.tokens, account.token)
    );
  };
  const rateOf = (row: FeeRow): Rate | undefined => {
    const found = contract.agreed_rates.filter((rate) => matches(rate, row));
    if (found.length > 1) throw new Error(`${found.map(({ name }) => name)} match ${row.id}`);
    return found[0];
  };

  const volume = (rate: Rate, merchantId: string, month: string) =>
    known
      .filter((row) => row.settlement.account.merchantId === merchantId && matches(rate, row))
      .filter((row) => dayOf(rate, row).startsWith(month))
      .reduce((sum, { amount, scale }) => sum + inMillionths(amount, scale), 0n);
  const volumes = new Map<string, bigint>();
  const termsOf = (rate: Rate, row: FeeRow): Terms => {
    if (!rate.tiers) return rate;
    const own = dayOf(rate, row).slice(0, 7);
    const month = rate.tier_of === 'month' ? own : monthBefore(own);
    const { merchantId } = row.settlement.account;
    const key = groupKey(rate.name, merchantId, month);
    const reached = volumes.get(key) ?? volume(rate, merchantId, month);
    volumes.set(key, reached);
    const tier = rate.tiers.find(({ up_to }) => up_to === undefined || reached <= minor(up_to, 6));
    return tier ?? {};
  };

  const verdicts = new Map<FeeRow, Verdict>();
  for (const row of settlements.flatMap(({ rows }) => rows)) {
    const rate = rateOf(row);
    if (!rate) {
      const nothing = { over: 0n, under: 0n, taxOver: 0n, agreed: undefined, isKept: false };
      verdicts.set(row, { row, rate: undefined, ...nothing });
      continue;
    }
    const [low, high] = feeSpan(rate, termsOf(rate, row), row);
    const agreed = most(low, least(high, row.fees));
    const isTaxed = rate.tax && rate.tax.per !== 'settlement';
    verdicts.set(row, {
      ...{ row, rate: rate.name, agreed },
      over: most(0n, row.fees - high),
      under: most(0n, low - row.fees),
      taxOver: isTaxed && rate.tax ? most(0n, row.tax - highestTax(rate.tax, agreed)) : 0n,
      isKept: row.amount < 0n && rate.sign === 'returned' && row.fees > high,
    });
  }

  const groups = new Map<string, Sums>();
  const months = new Map<string, Sums>();
  const sumsOf = ({ settlement, currency, paymentType, type }: FeeRow) => [
    at(groups, groupKey(settlement.account.token, currency, paymentType, type), noSums),
    at(months, groupKey(settlement.day.slice(0, 7), currency), noSums),
  ];
  for (const [row, { rate, agreed, over, under, taxOver }] of verdicts) {
    const value = (amount: bigint) => inMillionths(amount, row.scale);
    for (const sums of sumsOf(row)) {
      sums.rows++;
      sums.volume += value(row.amount);
      sums.charged += value(row.fees);
      sums.agreed += value(agreed ?? 0n);
      sums.over += value(over);
      sums.under += value(under);
      sums.taxOver += value(taxOver);
      if (rate === undefined) sums.withoutRate++;
    }
  }

  const settlementTax = new Map<FeeSettlement, bigint>();
  for (const rate of contract.agreed_rates) {
    if (rate.tax?.per !== 'settlement') continue;
    for (const settlement of settlements) {
      const own = settlement.rows.filter((row) => verdicts.get(row)?.rate === rate.name);
      const [first] = own;
      if (!first) continue;
      const charged = own.reduce((sum, { tax }) => sum + tax, 0n);
      const fees = own.reduce((sum, row) => sum + (verdicts.get(row)?.agreed ?? 0n), 0n);
      const over = most(0n, charged - highestTax(rate.tax, fees));
      settlementTax.set(settlement, over);
      for (const sums of sumsOf(first)) sums.taxOver += inMillionths(over, settlement.scale);
    }
  }
  const withoutRow = feesWithoutRow(contract, settlements);
  return { rows: verdicts, settlementTax, groups, months, kinds: kindsOf(verdicts), withoutRow };
}

function at<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** The same difference on each row of a rate is its fixed part; at most one unit on each: rounding. */
function kindsOf(verdicts: ReadonlyMap<FeeRow, Verdict>): Judged['kinds'] {
  const kinds = new Map<string, Record<Kind, bigint>>();
  const byRate = new Map<string | undefined, Verdict[]>();
  for (const verdict of verdicts.values()) at(byRate, verdict.rate, () => []).push(verdict);
  for (const own of byRate.values()) {
    const others = own.filter(({ isKept }) => !isKept);
    const worth = ({ row, over }: Verdict) => inMillionths(over, row.scale);
    const isSame = others.every((one) => others[0] && worth(one) === worth(others[0]));
    const isUnit = others.every(({ over }) => over <= 1n);
    const kind = isSame ? 'fixed' : isUnit ? 'rounding' : 'rate';
    for (const one of own) {
      if (one.over === 0n) continue;
      const sums = at(kinds, one.row.currency, () => ({ ...noKinds }));
      sums[one.isKept ? 'kept' : kind] += worth(one);
    }
  }
  return kinds;
}

function feesWithoutRow(contract: Contract, settlements: readonly FeeSettlement[]) {
  const charged = new Map<string, bigint>();
  for (const { day, account, scale, feesWithoutRow } of settlements) {
    const key = groupKey(day.slice(0, 7), account.currency);
    charged.set(key, (charged.get(key) ?? 0n) + inMillionths(feesWithoutRow, scale));
  }
  const agreed = (key: string) =>
    contract.agreed_fees
      .filter(({ currency }) => key.endsWith(` ${currency}`))
      .reduce((sum, { amount }) => sum + minor(amount, 6), 0n);
  return new Map(
    [...charged]
      .filter(([, sum]) => sum !== 0n)
      .map(([key, sum]) => [key, { charged: sum, over: most(0n, sum - agreed(key)) }]),
  );
}
