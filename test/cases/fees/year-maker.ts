import { createHash } from 'node:crypto';
import { Random } from '../../support/random.ts';
import {
  type Account,
  decimals,
  type FeeRow,
  type FeeSettlement,
  type FeeYear,
  type Finding,
  inMillionths,
  type Kind,
  noKinds,
  type Rate,
  type Terms,
} from './contract.ts';
import { priced, type Span, taxed } from './price-by-digits.ts';

const minute = 60_000;

/** A zone by its offsets in minutes, before and after the clocks change at a moment. */
interface Zone {
  readonly name: string;
  /** The first local day that has the new offset from its beginning. */
  readonly changed: string;
  readonly at: number;
  readonly offsets: readonly [before: number, after: number];
}

const zones: readonly Zone[] = [
  {
    name: 'Europe/Madrid',
    changed: '2026-03-30',
    at: Date.UTC(2026, 2, 29, 1),
    offsets: [60, 120],
  },
  {
    name: 'America/New_York',
    changed: '2026-03-09',
    at: Date.UTC(2026, 2, 8, 7),
    offsets: [-300, -240],
  },
  { name: 'Asia/Tokyo', changed: '2026-03-16', at: 0, offsets: [540, 540] },
];

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 1440 * minute).toISOString().slice(0, 10);
}

/** Where and when a row is. Left out: a purchase on some day of February or March. */
export interface Place {
  readonly account?: Account;
  readonly paymentType?: string;
  readonly type?: string;
  readonly state?: string;
  readonly currency?: string;
  readonly amount?: bigint;
  /** The local day and time. */
  readonly day?: string;
  readonly time?: string;
  readonly isPending?: boolean;
  readonly isOnce?: boolean;
}

/** How a row is charged. Left out: as agreed. */
export interface Charge {
  /** The tier that holds. */
  readonly terms?: Terms;
  /** Above the highest fee agreed, or below the lowest. */
  readonly by?: bigint;
  /** Priced by these terms instead. */
  readonly as?: Partial<Rate>;
  readonly fee?: bigint;
  readonly taxBy?: bigint;
  readonly tax?: bigint;
  /** What an overcharge counts as; by default `rate`. */
  readonly kind?: Kind;
}

/** Makes a contract and rows, and notes what is planted. Prices come from digits, tiers from the plan. */
export class YearMaker {
  readonly random: Random;
  readonly zone: Zone;
  readonly accounts: readonly Account[];
  readonly rates: Rate[] = [];
  readonly settlementTax = new Map<FeeSettlement, bigint>();
  readonly #seed: number;
  readonly #settlements = new Map<string, FeeSettlement>();
  readonly #truth = new Map<FeeRow, Finding>();
  readonly #kinds = new Map<string, Record<Kind, bigint>>();
  #count = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.#seed = seed;
    const zone = zones[seed % zones.length];
    if (!zone) throw new RangeError(`No zone for seed ${seed}`);
    this.zone = zone;
    const account = (currency: string, merchantId: string) => ({
      token: this.uuid(),
      merchantId,
      currency,
    });
    this.accounts = [
      ...[account('EUR', 'M-1001'), account('EUR', 'M-1002')],
      ...[account('JPY', 'M-1001'), account('KWD', 'M-1003')],
    ];
  }

  year(agreed_fees: FeeYear['contract']['agreed_fees'] = []): FeeYear {
    return {
      zone: this.zone.name,
      contract: { agreed_rates: this.random.shuffled(this.rates), agreed_fees },
      settlements: [...this.#settlements.values()],
      truth: this.#truth,
      settlementTax: this.settlementTax,
      kinds: this.#kinds,
    };
  }

  uuid(): string {
    const hex = createHash('sha256')
      .update(`fees ${this.#seed} ${this.#count++}`)
      .digest('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
  }

  of(currency: string): readonly Account[] {
    return this.accounts.filter((account) => account.currency === currency);
  }

  /** Agrees on a rate for a payment type of its own. */
  rate(name: string, currency: string, terms: Partial<Rate>): Rate {
    const rate = {
      name: `${name} ${currency}`,
      valid_from: '2026-01-01',
      payment_types: [name],
      currency,
      ...terms,
    };
    this.rates.push(rate);
    return rate;
  }

  /** Decimal text in a currency, of its minor units. */
  money(minor: number, currency: string): string {
    const own = decimals[currency] ?? 2;
    const text = String(minor).padStart(own + 1, '0');
    return own === 0 ? text : `${text.slice(0, -own)}.${text.slice(-own)}`;
  }

  /** Tiny, round or any. */
  amount(currency: string): bigint {
    const unit = 10 ** (decimals[currency] ?? 2);
    const { random } = this;
    return BigInt(
      random.pick([random.int(0, 200), random.int(1, 900) * unit, random.int(1, 999_999)]),
    );
  }

  /** Large, and each of another size: differences in percent are more than one unit, and never equal. */
  large(n: number): bigint {
    return BigInt(20_000 * (n + 1) + this.random.int(0, 9_999));
  }

  day(): string {
    return dayAfter('2026-02-03', this.random.int(0, 52));
  }

  /** Pay-outs are on every third day, at least a day after the row. */
  payDay(day: string): string {
    const days = (Date.parse(day) - Date.parse('2026-01-03')) / (1440 * minute);
    return dayAfter('2026-01-03', (Math.floor(days / 3) + 1) * 3);
  }

  settlement(account: Account, day: string, isPending = false): FeeSettlement {
    const key = `${account.token} ${day} ${isPending}`;
    const known = this.#settlements.get(key);
    if (known) return known;
    const { random } = this;
    const own = decimals[account.currency] ?? 2;
    const settled = random.chance(10) ? 'settled_out_of_balance' : 'settled';
    const made: FeeSettlement = {
      ...{ id: this.uuid(), day, account, rows: [], feesWithoutRow: 0n },
      scale: account.currency === 'EUR' && random.chance(20) ? 3 : own,
      status: isPending ? random.pick(['pending_settlement', 'validated']) : settled,
    };
    this.#settlements.set(key, made);
    return made;
  }

  /** Adds a row, charged by a rate or without any. Amounts given are in the currency's own scale. */
  row(rate: Rate | undefined, place: Place, charge: Charge = {}): FeeRow {
    const { random } = this;
    const account = place.account ?? random.pick(this.of(rate?.currency ?? 'EUR'));
    const currency = place.currency ?? account.currency;
    const day = place.day ?? this.day();
    const settlement = this.settlement(account, this.payDay(day), place.isPending);
    const isForeign = currency !== account.currency;
    const scale = isForeign ? (decimals[currency] ?? 2) : settlement.scale;
    const unit = 10n ** BigInt(scale - (decimals[currency] ?? 2));
    const amount = (place.amount ?? this.amount(currency)) * unit;

    const agreed = rate && priced(rate, amount, scale, charge.terms);
    const fees = rate && agreed ? this.#fees(rate, amount, scale, agreed, charge, unit) : 3n * unit;
    const asAgreed = agreed ? clamped(fees, agreed) : 0n;
    const tax = charge.tax ?? this.#tax(rate, fees, (charge.taxBy ?? 0n) * unit);
    const isTaxed = rate?.tax && rate.tax.per !== 'settlement';
    const row: FeeRow = {
      ...{ settlement, id: this.uuid(), chargeId: this.uuid(), orderId: this.uuid() },
      timestamp: this.#timestamp(day, place.time),
      type: place.type ?? 'purchase',
      paymentType: place.paymentType ?? rate?.payment_types?.[0] ?? 'voucher',
      ...{ amount, fees, tax, currency, scale, state: place.state ?? 'approved' },
      isTwice: !place.isOnce && random.chance(5),
    };
    settlement.rows.push(row);
    if (place.isPending) return row;
    const over = agreed && fees > agreed.high ? fees - agreed.high : 0n;
    this.#truth.set(row, {
      rate: rate?.name,
      over,
      under: agreed && fees < agreed.low ? agreed.low - fees : 0n,
      taxOver: isTaxed && rate.tax ? positive(tax - taxed(rate.tax, asAgreed).high) : 0n,
    });
    if (over === 0n) return row;
    const kinds = this.#kinds.get(currency) ?? { ...noKinds };
    kinds[charge.kind ?? 'rate'] += inMillionths(over, scale);
    this.#kinds.set(currency, kinds);
    return row;
  }

  #fees(
    rate: Rate,
    amount: bigint,
    scale: number,
    agreed: Span,
    charge: Charge,
    unit: bigint,
  ): bigint {
    const by = (charge.by ?? 0n) * unit;
    if (charge.fee !== undefined) return charge.fee * unit;
    if (charge.as) return priced({ ...rate, ...charge.as }, amount, scale).high;
    if (by !== 0n) return by > 0n ? agreed.high + by : agreed.low + by;
    return agreed.low + BigInt(this.random.int(0, Number(agreed.high - agreed.low)));
  }

  #tax(rate: Rate | undefined, fees: bigint, by: bigint): bigint {
    if (!rate?.tax) return BigInt(this.random.int(0, 9));
    const { low, high } = taxed(rate.tax, fees);
    return by === 0n ? this.random.pick([low, high]) : high + by;
  }

  /** A local time, as one of the ways in which ISO 8601 says it. */
  #timestamp(day: string, time?: string): string {
    const { random, zone } = this;
    const hour = random.pick(['00', '02', '06', '11', '18', '22', '23']);
    const wall = Date.parse(`${day}T${time ?? `${hour}:${random.int(10, 59)}:00`}Z`);
    const [before, after] = zone.offsets;
    const early = wall - before * minute;
    const at = early >= zone.at ? wall - after * minute : early;
    const offset = random.pick([0, 0, 330, -480]);
    const text = new Date(at + offset * minute).toISOString();
    if (offset === 0) return random.chance(50) ? text : text.replace('.000Z', 'Z');
    return text.replace('.000Z', offset > 0 ? '+05:30' : '-08:00');
  }
}

const positive = (value: bigint) => (value > 0n ? value : 0n);

function clamped(fee: bigint, { low, high }: Span): bigint {
  return fee > high ? high : fee < low ? low : fee;
}
