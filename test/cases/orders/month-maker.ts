import { createHash } from 'node:crypto';
import { Random } from '../../support/random.ts';

/** How a shop writes its file: with item lines and offsets, or flat with `;` and decimal comma. */
export type Dialect = 'shopify' | 'plain';

/** A document of an order, such as one part of a split order. Amounts are in minor units. */
export interface Doc {
  /** As the file writes it. */
  readonly ref: string;
  readonly id: string;
  readonly total: bigint;
  /** Outstanding, or paid otherwise. */
  readonly notDue: bigint;
  readonly refunds: readonly Refund[];
  readonly soldAt: number;
  /** Only the first dialect has it in its file. */
  readonly paidAt: number;
  readonly status: 'paid' | 'unpaid' | 'cancelled';
  readonly method: string;
  readonly currency: string;
  /** The charge that the shop stored; only the second dialect has it in its file. */
  readonly charge: string;
  readonly items: number;
  /** Made to try the shop out: the mapping leaves it out. Only the second dialect says so. */
  readonly isTest: boolean;
}

export interface Refund {
  readonly amount: bigint;
  readonly at: number;
  /** Whether it was made; only the second dialect has a status for each refund. */
  readonly status: 'paid' | 'unpaid' | 'cancelled';
}

/** The last two are of no type that the profile counts. */
export type RowType =
  | 'purchase'
  | 'refund'
  | 'chargeback'
  | 'chargeback_reversal'
  | 'shop_cash_credit';

export const countedTypes: readonly RowType[] = ['purchase', 'refund', 'chargeback'];

/** A row as the service lists it; the amount in minor units of the currency. */
export interface ShopRow {
  readonly transactionId: string;
  readonly chargeId: string;
  readonly orderId: string;
  readonly type: RowType;
  readonly amount: bigint;
  readonly currency: string;
  readonly at: number;
  readonly state: 'approved' | 'declined';
  readonly note: string;
  readonly settlement: ShopSettlement;
}

export interface ShopSettlement {
  readonly id: string;
  readonly day: string;
  readonly currency: string;
  readonly status: string;
  /** The decimal places that the service writes. */
  readonly scale: number;
}

/** What is right of an order; without `net` or `due`, the amounts are not determined. */
export interface Truth {
  readonly state: string;
  /** Other names that the specification leaves open for it. */
  readonly or: readonly string[];
  /** Absent: the specification leaves it open. */
  readonly refund?: string;
  /** The net agrees: whatever is said of refunds, it is nothing to decide. */
  readonly isQuiet: boolean;
  /** A row of it was left out: it is not settled without a word. */
  readonly hasUncounted: boolean;
  /** The customer has paid too much, and nothing was given back. */
  readonly mayRefund: boolean;
  /** P − F − C, without the rows that count for no order. */
  readonly net?: bigint;
  /** E − R. */
  readonly due?: bigint;
}

/** A shop's month: its documents, the rows of the range, and what is right of them. */
export interface Month {
  readonly dialect: Dialect;
  readonly docs: readonly Doc[];
  readonly rows: readonly ShopRow[];
  /** By reference, as rows write it. */
  readonly orders: ReadonlyMap<string, Truth>;
  /** The state of each row without order, by transaction id. */
  readonly strays: ReadonlyMap<string, string>;
}

export const range = { from: '2026-03-01', to: '2026-04-05' } as const;
export const settleDays = 7;
export const timeZone = 'Europe/Madrid';
export const inScope = ['Shopify Payments', 'Karte'] as const;
/** The first and the last day of the file's sales. */
export const fileDays = { from: '2026-02-24', to: '2026-04-03' } as const;

export const decimals: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, KWD: 3, GBP: 2 };
const minute = 60_000;
/** The clocks of the shop's zone go forward on 29 March 2026 at 01:00 UTC. */
const summerTime = Date.UTC(2026, 2, 29, 1);

export const offsetAt = (at: number): number => (at >= summerTime ? 120 : 60);

/** The moment of a day and time in the shop's zone. */
export function moment(day: string, time: string): number {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const winter = wall - 60 * minute;
  return winter >= summerTime ? wall - 120 * minute : winter;
}

/** Day and time of a moment in the shop's zone: `2026-03-05T10:00:00`. */
export function wallTime(at: number): string {
  return new Date(at + offsetAt(at) * minute).toISOString().slice(0, 19);
}

export const dayOf = (at: number): string => wallTime(at).slice(0, 10);

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 1440 * minute).toISOString().slice(0, 10);
}

export function daysUntil(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / (1440 * minute);
}

/** A reference as rows write it, by what the mapping of the dialect says. */
export function normalised(ref: string, dialect: Dialect): string {
  if (dialect === 'shopify') return ref.replace(/^#/, '');
  return /^\d+$/.test(ref) ? ref.replace(/^0+(?=\d)/, '') : ref;
}

/** A part of an order's total. */
type Share = (total: bigint) => bigint;

export interface OrderOptions {
  readonly total?: bigint;
  readonly currency?: string;
  readonly soldAt?: number;
  readonly paidAt?: number;
  readonly status?: Doc['status'];
  readonly method?: string;
  readonly notDue?: Share;
  /** Refunded by the shop; long before the end of the range, unless told otherwise. */
  readonly back?: Share;
  readonly backAt?: number;
  /** A refund that the shop tried to make, and that failed or was cancelled. */
  readonly triedBack?: Share;
  /** Of another method, beside a line that the service pays. */
  readonly isElsewhere?: boolean;
  /** The shop keeps the charge in its file. */
  readonly keepsCharge?: boolean;
}

/** A row of an order: of all of it, and with its reference, unless told otherwise. */
export interface RowOptions {
  readonly amount?: Share;
  readonly charge?: string;
  /** An empty one: the row has no notes. */
  readonly note?: string;
  readonly currency?: string;
  readonly isPending?: boolean;
  readonly isDeclined?: boolean;
  /** So many days after the payment. */
  readonly after?: number;
  /** The day of its settlement; some days after the row by default. */
  readonly settledOn?: string;
}

/** What else is right of an order; see `Truth`. */
interface Besides {
  readonly or?: readonly string[];
  readonly mayRefund?: boolean;
}

/** An order that is being made: its documents, its rows, and in the end what is right of it. */
export class ShopOrder {
  readonly ref: string;
  /** As rows write it. */
  readonly key: string;
  readonly charge: string;
  readonly #orderId: string;
  readonly #maker: MonthMaker;
  #paidAt = 0;
  #currency = '';
  #total = 0n;
  #due = 0n;
  #net = 0n;
  #hasUncounted = false;

  constructor(maker: MonthMaker, ref: string) {
    this.#maker = maker;
    this.ref = ref;
    this.key = normalised(ref, maker.dialect);
    this.charge = maker.uuid();
    this.#orderId = maker.uuid();
  }

  /** Adds a document to it. */
  doc(options: OrderOptions): this {
    const { notDue = none, back = none, triedBack = none, keepsCharge, ...others } = options;
    const { isElsewhere = false, backAt, ...rest } = others;
    const currency = rest.currency ?? (this.#currency || this.#maker.currency());
    const soldAt = rest.soldAt ?? (this.#paidAt || this.#maker.early());
    const total = rest.total ?? this.#maker.amount(currency);
    const at = backAt ?? moment('2026-03-26', '18:00');
    const failed = this.#maker.random.pick(['unpaid', 'cancelled'] as const);
    const refunds: readonly Refund[] = [
      { amount: triedBack(total), at, status: failed },
      { amount: back(total), at, status: 'paid' },
    ];
    const doc: Doc = {
      status: 'paid',
      method: inScope[this.#maker.dialect === 'shopify' ? 0 : 1],
      paidAt: soldAt,
      ...rest,
      ref: this.ref,
      id: this.#maker.nextId(),
      ...{ total, currency, soldAt, notDue: notDue(total) },
      refunds: refunds.filter(({ amount }) => amount > 0n),
      charge: keepsCharge ? this.charge : '',
      items: this.#maker.random.pick([1, 1, 1, 2, 3]),
      isTest: false,
    };
    this.#maker.docs.push(doc);
    this.#currency = currency;
    this.#paidAt = this.#maker.dialect === 'shopify' ? doc.paidAt : soldAt;
    this.#total += total;
    if (doc.status === 'paid' && !isElsewhere) this.#due += total - doc.notDue - back(total);
    return this;
  }

  pay(options: RowOptions = {}): this {
    return this.#add('purchase', 1n, options);
  }

  refund(options: RowOptions = {}): this {
    return this.#add('refund', -1n, options);
  }

  chargeBack(options: RowOptions = {}): this {
    return this.#add('chargeback', -1n, options);
  }

  /** A row of a type that the profile does not count. */
  leftOut(options: RowOptions = {}): this {
    const type = this.#maker.random.pick(['chargeback_reversal', 'shop_cash_credit'] as const);
    return this.#add(type, 1n, options);
  }

  /** Says what is right of it; of its refunds `open` or `quiet`, where the specification says no more. */
  is(state: string, refund = 'none', { or = [], mayRefund = false }: Besides = {}): this {
    const due = state === 'out_of_scope' ? 0n : this.#due;
    // The row of an order that is ambiguous counts for neither.
    const net = state === 'ambiguous' ? 0n : this.#net;
    const amounts = ['conflicting', 'other_currency'].includes(state) ? {} : { net, due };
    const isQuiet = refund === 'quiet';
    const isOpen = isQuiet || refund === 'open' || amounts.net === undefined;
    const said = { state, or, isQuiet, mayRefund, hasUncounted: this.#hasUncounted };
    this.#maker.orders.set(this.key, { ...said, ...(!isOpen && { refund }), ...amounts });
    return this;
  }

  #add(type: RowType, sign: bigint, options: RowOptions): this {
    const { amount = all, isPending = false, after = 0, settledOn } = options;
    const row = {
      type,
      chargeId: options.charge ?? this.charge,
      orderId: this.#orderId,
      amount: sign * amount(this.#total),
      currency: options.currency ?? this.#currency,
      at: this.#paidAt + (after * 1440 + this.#maker.random.int(0, 3)) * minute,
      state: options.isDeclined ? 'declined' : 'approved',
      note: options.note ?? this.key,
    } as const;
    this.#maker.row(row, isPending, settledOn);
    const isCounted = countedTypes.includes(type);
    if (!isCounted) this.#hasUncounted = true;
    const isRead = settledOn === undefined || settledOn <= range.to;
    if (!options.isDeclined && isCounted && isRead) this.#net += row.amount;
    return this;
  }
}

export const none: Share = () => 0n;
export const all: Share = (total) => total;
export const half: Share = (total) => total / 2n;

/** Makes documents, rows and what is right of them, piece by piece. */
export class MonthMaker {
  readonly random: Random;
  readonly dialect: Dialect;
  readonly #name: string;
  readonly docs: Doc[] = [];
  readonly orders = new Map<string, Truth>();
  readonly #rows: ShopRow[] = [];
  readonly #strays = new Map<string, string>();
  readonly #settlements = new Map<string, ShopSettlement>();
  #count = 0;

  constructor(seed: number, dialect: Dialect) {
    this.random = new Random(seed * 2 + (dialect === 'plain' ? 1 : 0));
    this.dialect = dialect;
    this.#name = `${dialect} ${seed}`;
  }

  month(): Month {
    return {
      dialect: this.dialect,
      docs: this.random.shuffled(this.docs),
      rows: this.random.shuffled(this.#rows),
      orders: this.orders,
      strays: this.#strays,
    };
  }

  /** A UUID that is new in this month, and the same for the same seed. */
  uuid(): string {
    const hex = createHash('sha256')
      .update(`${this.#name} ${this.#count++}`)
      .digest('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
  }

  /** Long before the end of the range: whatever is not settled is late. */
  early(): number {
    return this.#within('2026-03-01', 27);
  }

  /** So near to the end of the range that nothing is late. */
  fresh(): number {
    return this.#within('2026-03-30', 4);
  }

  /** Within the days of the file, but before the range. */
  old(): number {
    return this.#within('2026-02-24', 5);
  }

  #within(first: string, days: number): number {
    const day = dayAfter(first, this.random.int(0, days - 1));
    const hour = this.random.pick(['00', '03', '08', '12', '17', '21', '23']);
    return moment(day, `${hour}:${this.random.int(10, 59)}`);
  }

  /** Of few sizes: amounts must tell nothing. Each is a multiple of 12. */
  amount(currency: string): bigint {
    const unit = { JPY: 120n, KWD: 1200n }[currency] ?? 240n;
    return unit * BigInt(this.random.pick([1, 2, 5, 10, 25, 125, 500]));
  }

  currency(): string {
    return this.random.pick(['EUR', 'EUR', 'JPY', 'KWD']);
  }

  #reference(): string {
    const number = 1000 + this.#count++;
    if (this.random.chance(10)) return this.dialect === 'shopify' ? `#DE${number}` : `DE${number}`;
    if (this.dialect === 'shopify') return `#${number}`;
    return this.random.pick([`${number}`, `0000${number}`, `A-00${number}`, `${number}/2026`]);
  }

  nextId(): string {
    return String(700_000_000 + this.#count++);
  }

  /** Begins an order with one document. */
  order(options: OrderOptions = {}): ShopOrder {
    return new ShopOrder(this, this.#reference()).doc(options);
  }

  /** Repeats the last document with another total. */
  contradict(): void {
    const last = this.docs.at(-1);
    if (last) this.docs.push({ ...last, total: last.total + 1n });
  }

  /** A document that only tries the shop out, without a row. */
  trial(): void {
    const currency = this.currency();
    const soldAt = this.early();
    const total = this.amount(currency);
    const ids = { ref: this.#reference(), id: this.nextId(), charge: '' };
    const money = { total, currency, notDue: 0n, refunds: [] };
    const rest = { status: 'paid', method: inScope[1], items: 1, isTest: true } as const;
    this.docs.push({ ...ids, ...money, ...rest, soldAt, paidAt: soldAt });
  }

  row(
    row: Omit<ShopRow, 'transactionId' | 'settlement'>,
    isPending = false,
    settledOn = '',
  ): ShopRow {
    const wished = dayAfter(dayOf(row.at), this.random.int(2, 5));
    const within = wished < range.from ? range.from : wished > range.to ? range.to : wished;
    const day = settledOn || within;
    const settlement = this.#settlement(day, row.currency, isPending);
    const made = { ...row, transactionId: this.uuid(), settlement };
    this.#rows.push(made);
    return made;
  }

  #settlement(day: string, currency: string, isPending: boolean): ShopSettlement {
    const key = `${day} ${currency} ${isPending}`;
    const known = this.#settlements.get(key);
    if (known) return known;
    const status = isPending ? this.random.pick(['pending_settlement', 'validated']) : 'settled';
    const own = decimals[currency] ?? 2;
    // Some settlements in euros have three decimal places.
    const scale = currency === 'EUR' && this.random.chance(15) ? 3 : own;
    const made = { id: this.uuid(), day, currency, status, scale };
    this.#settlements.set(key, made);
    return made;
  }

  /** Rows that belong to no order, and rows that the rules do not count. */
  addStrays(times: number): void {
    const keys = [...this.orders.keys()];
    for (let n = 0; n < times * 2; n++) {
      const near = this.random.pick(keys);
      const wrong = [`${near}-1`, `X${near}`, `${near}0000`, 'cart-88', '', near.toLowerCase()];
      const note = this.random.pick(wrong.filter((one) => !this.orders.has(one)));
      this.#stray('purchase', this.early(), 'unknown_to_shop', note);
      const early = moment('2026-02-23', '23:30');
      const late = moment('2026-04-04', '00:30');
      this.#stray('purchase', this.random.pick([early, late]), 'not_covered');
      const first = moment('2026-02-24', '00:30');
      const last = moment('2026-04-03', '23:30');
      this.#stray('purchase', this.random.pick([first, last]), 'unknown_to_shop');
      const refund = this.dialect === 'plain' ? 'refund_unknown' : 'not_covered';
      this.#stray('refund', this.early(), refund);
      this.#stray('chargeback', this.early(), 'not_covered');
      this.row({ ...this.#rowWithout('purchase', this.early(), near), state: 'declined' });
      // What this type means, nobody said.
      this.row(this.#rowWithout('shop_cash_credit', this.early(), ''));
    }
  }

  #stray(type: RowType, at: number, state: string, note = ''): void {
    this.#strays.set(this.row(this.#rowWithout(type, at, note)).transactionId, state);
  }

  #rowWithout(type: RowType, at: number, note: string) {
    const currency = this.currency();
    const amount = this.amount(currency) * (type === 'purchase' ? 1n : -1n);
    const ids = { chargeId: this.uuid(), orderId: this.uuid() };
    return { ...ids, type, at, note, currency, amount, state: 'approved' as const };
  }
}
