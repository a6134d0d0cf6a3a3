import { areSameIds, IdTable, idWords, noId, putIdWords } from '../../base/id-table.ts';
import { grown } from '../../base/lists.ts';
import { inOrderOf } from '../../base/texts.ts';
import { isUuid, writeUuid } from '../../base/uuid.ts';
import type { Orders } from '../../model/orders.ts';
import type { Row } from '../../model/row.ts';
import { figuresPerRow, kindKey, type RowBatch, type RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import { magnitude } from '../../money/money.ts';
import { factorsBy, type Rules } from '../../reconcile/rules.ts';
import { type OrderKey, orderKeys, type RowSide } from './order-match.ts';

/** The names of the types of rows; without any, the sign of an amount decides. */
export interface RowTypes {
  readonly purchases: readonly string[];
  readonly refunds: readonly string[];
  readonly chargebacks: readonly string[];
}

interface RowReading {
  readonly rules: Rules;
  readonly types: RowTypes;
  /** The key of the note that has the merchant's reference. */
  readonly note: string;
}

interface OrderRowKind {
  readonly kind: RowKind;
  readonly settlement: Settlement;
  /** 1, -1 by rule, or 0 if the rows do not count. */
  readonly factor: number;
  /** Whether its type is one of those that count, and one of refunds. */
  readonly isOfType: boolean;
  readonly isRefund: boolean;
  /** Its rows, and their total. */
  rows: number;
  minor: bigint;
  /** Refunds that the service adds: their rows, and twice their amount, which `minor` has too much. */
  readonly turned: { rows: number; minor: bigint };
}

/** In place of an order. */
const noOrder = -1;
const severalOrders = -2;

const mostNoteKeys = 20;
const fewest = 1024;
const ids = { transaction: 0, charge: 1, order: 2 } as const;
const wordsPerRow = 3 * idWords;

/** The rows of a range in columns, each with the order that its strongest key names. */
export class OrderRows {
  size = 0;
  readonly #orders: Orders;
  readonly #reading: RowReading;
  readonly #kinds: OrderRowKind[] = [];
  readonly #numberOfKind = new Map<RowKind | string, number>();
  readonly #chargesOfFile = new OwnerTable();
  readonly #ambiguous = new Set<number>();
  /** What rows that no own key joins to an order say of themselves. */
  readonly #told = new Map<number, Readonly<Record<'timestamp' | 'reference', string>>>();
  /** The keys of the notes of rows without the merchant's reference. */
  readonly otherNotes = new Set<string>();
  readonly #otherIds = new Map<number, Pick<Row, 'id' | 'chargeId'>>();
  #amounts = new Float64Array(fewest);
  #moments = new Float64Array(fewest);
  #kindOf = new Int32Array(fewest);
  #orderOf = new Int32Array(fewest);
  #keyOf = new Int32Array(fewest);
  #ids = new Int32Array(fewest * wordsPerRow);
  /** The rows sorted by order, and the first place of each order. */
  #sorted = new Int32Array(0);
  #starts = new Int32Array(0);

  constructor(orders: Orders, reading: RowReading) {
    this.#orders = orders;
    this.#reading = reading;
    orders.eachCharge((words, at, order) => this.#chargesOfFile.claim(words, at, order));
  }

  /** The kinds of rows of each settlement, also of those that do not count. */
  get kinds(): readonly Readonly<OrderRowKind>[] {
    return this.#kinds;
  }

  isAmbiguous(order: number): boolean {
    return this.#ambiguous.has(order);
  }

  add(settlement: Settlement, batch: RowBatch): void {
    for (let index = 0; index < batch.length; index += 1) {
      const number = this.#kindNumber(settlement, batch, index);
      const kind = this.#kind(number);
      const amount = (batch.figures[index * figuresPerRow] ?? 0) * (kind.factor || 1);
      kind.rows += 1;
      kind.minor += BigInt(amount);
      if (amount > 0 && kind.factor !== 0 && kind.isRefund) {
        kind.turned.rows += 1;
        kind.turned.minor += 2n * BigInt(amount);
      }
      if (kind.factor !== 0) this.#push(number, amount, batch, index);
    }
  }

  /** Gives rows without a key of their own the order of their charge, and sorts all by order. Later rows may change that. */
  settle(): void {
    for (let row = 0; row < this.size; row += 1) {
      if (orderKeys[this.#keyOf[row] ?? 0]?.endsWith('_of_row')) this.#orderOf[row] = noOrder;
    }
    for (const [id, key] of [
      [ids.charge, 'charge_of_row'],
      [ids.order, 'order_id_of_row'],
    ] as const) {
      const wanted = new OwnerTable();
      for (const row of this.without()) wanted.want(this.#ids, this.#wordsAt(row, id));
      for (let row = 0; row < this.size; row += 1) {
        const order = this.#orderOf[row] ?? noOrder;
        const at = this.#wordsAt(row, id);
        if (order >= 0 && wanted.has(this.#ids, at)) wanted.claim(this.#ids, at, order);
      }
      for (const row of this.without()) {
        this.#give(row, wanted.owners(this.#ids, this.#wordsAt(row, id)), key);
      }
    }
    this.#sort();
  }

  /** The numbers of the rows of an order. */
  of(order: number): Int32Array {
    return this.#sorted.subarray(this.#starts[order] ?? 0, this.#starts[order + 1] ?? 0);
  }

  /** When a row happened, in milliseconds since 1970; NaN if its timestamp has another form. */
  moment(row: number): number {
    return this.#moments[row] ?? Number.NaN;
  }

  /** The rows without an order, or those whose keys name several, by settlement: several may be added side by side. */
  without(isAmbiguous = false): readonly number[] {
    const instead = isAmbiguous ? severalOrders : noOrder;
    const found: number[] = [];
    for (let row = 0; row < this.size; row += 1) {
      if (this.#orderOf[row] === instead) found.push(row);
    }
    const sorted = this.#kinds
      .map(({ settlement }) => settlement)
      .sort(inOrderOf(({ date, id }) => [date, id]));
    const places = new Map(sorted.map((settlement, at) => [settlement, at]));
    const placeOf = (row: number) => places.get(this.settlement(row)) ?? 0;
    return found.sort((one, other) => placeOf(one) - placeOf(other));
  }

  /** When a row without an order happened, as the service writes it. */
  timestamp(row: number): string {
    return this.#told.get(row)?.timestamp ?? '';
  }

  /** The merchant's reference of a row that its own keys join to no order, or to several. */
  reference(row: number): string {
    return this.#told.get(row)?.reference ?? '';
  }

  kind(row: number): RowKind {
    return this.#kind(this.#kindOf[row] ?? 0).kind;
  }

  settlement(row: number): Settlement {
    return this.#kind(this.#kindOf[row] ?? 0).settlement;
  }

  side(row: number): RowSide {
    return this.#sideOf(this.kind(row), this.#amounts[row] ?? 0);
  }

  /** What a row adds to what is settled, in minor units of its kind: a refund never adds. */
  amount(row: number): bigint {
    const amount = BigInt(this.#amounts[row] ?? 0);
    return this.side(row) === 'refund' ? -magnitude(amount) : amount;
  }

  chargeId(row: number): string {
    return this.#otherIds.get(row)?.chargeId ?? this.#idOf(row, ids.charge);
  }

  id(row: number): string {
    return this.#otherIds.get(row)?.id ?? this.#idOf(row, ids.transaction);
  }

  by(row: number): OrderKey | undefined {
    return (this.#orderOf[row] ?? noOrder) < 0 ? undefined : orderKeys[this.#keyOf[row] ?? 0];
  }

  #push(kind: number, amount: number, batch: RowBatch, index: number): void {
    const row = this.size;
    if (row === this.#amounts.length) this.#makeRoom();
    this.size += 1;
    const { id, chargeId, orderId, notes, timestamp } = batch.row(index);
    this.#amounts[row] = amount;
    this.#kindOf[row] = kind;
    this.#moments[row] = Date.parse(timestamp);
    const charge = this.#wordsAt(row, ids.charge);
    for (let word = 0; word < idWords; word += 1) {
      const from = index * idWords + word;
      this.#ids[row * wordsPerRow + word] = batch.ids[from] ?? 0;
      this.#ids[charge + word] = batch.chargeIds[from] ?? 0;
    }
    putIdWords(orderId, this.#ids, this.#wordsAt(row, ids.order));
    const isOther = !batch.isUsual && !(isUuid(id) && (chargeId === '' || isUuid(chargeId)));
    if (isOther) this.#otherIds.set(row, { id, chargeId });
    const { accountingToken } = this.#kind(kind).settlement;
    const noted: number[] = [];
    const noteOf = notes.flatMap(({ key, value }) => (key === this.#reading.note ? value : []));
    // Files of another provider have no notes, but a column of the shop's references.
    const references = batch.hasOwnIds && orderId !== '' ? [...noteOf, orderId] : noteOf;
    for (const reference of references) {
      const order = this.#orders.find(reference, accountingToken);
      if (order !== undefined) noted.push(order);
    }
    const charged = this.#chargesOfFile.owners(this.#ids, charge);
    const [first = noOrder] = noted;
    const agrees = charged.length === 0 || charged.includes(first);
    this.#orderOf[row] = noOrder;
    if (noted.length === 0) this.#give(row, charged, 'charge_id');
    else this.#give(row, agrees ? noted : [...noted, ...charged], 'reference');
    if ((this.#orderOf[row] ?? noOrder) >= 0) return;
    // A part of a longer text keeps all of it in memory.
    const reference = Buffer.from(references.join(', ')).toString();
    this.#told.set(row, { timestamp, reference });
    if (references.length > 0 || this.otherNotes.size >= mostNoteKeys) return;
    for (const { key } of notes) this.otherNotes.add(key);
  }

  /** Gives a row its order; several make it ambiguous, and each of them. */
  #give(row: number, orders: readonly number[], key: OrderKey): void {
    const [order] = orders;
    if (order === undefined) return;
    const isOne = orders.every((one) => one === order);
    this.#orderOf[row] = isOne ? order : severalOrders;
    this.#keyOf[row] = orderKeys.indexOf(key);
    if (isOne || this.side(row) === 'other') return;
    for (const one of orders) this.#ambiguous.add(one);
  }

  #kindNumber(settlement: Settlement, batch: RowBatch, index: number): number {
    const kind = batch.kinds[index];
    if (!kind) throw new RangeError(`No row ${index}`);
    const known = this.#numberOfKind.get(kind);
    if (known !== undefined) return known;
    const key = `${settlement.id} ${kindKey(kind)}`;
    const factor = factorsBy(this.#reading.rules, kind)?.gross ?? 0;
    const side = this.#sideOf(kind, 0);
    const [isOfType, isRefund] = [side !== 'other', side === 'refund'];
    const turned = { rows: 0, minor: 0n };
    const started = { kind, settlement, factor, isOfType, isRefund, rows: 0, minor: 0n, turned };
    const number = this.#numberOfKind.get(key) ?? this.#kinds.push(started) - 1;
    this.#numberOfKind.set(key, number).set(kind, number);
    return number;
  }

  #kind(number: number): OrderRowKind {
    const kind = this.#kinds[number];
    if (!kind) throw new RangeError(`No kind ${number}`);
    return kind;
  }

  #sideOf({ type }: RowKind, amount: number): RowSide {
    const { purchases, refunds, chargebacks } = this.#reading.types;
    if (purchases.length + refunds.length + chargebacks.length === 0) {
      return amount < 0 ? 'refund' : 'purchase';
    }
    if (purchases.includes(type)) return 'purchase';
    if (refunds.includes(type)) return 'refund';
    return chargebacks.includes(type) ? 'chargeback' : 'other';
  }

  #idOf(row: number, id: number): string {
    const at = this.#wordsAt(row, id);
    return areSameIds(this.#ids, at, noId, 0) ? '' : writeUuid(this.#ids, at);
  }

  #wordsAt(row: number, id: number): number {
    return row * wordsPerRow + id * idWords;
  }

  #makeRoom(): void {
    const room = 2 * this.size;
    this.#amounts = grown(this.#amounts, room);
    this.#moments = grown(this.#moments, room);
    this.#kindOf = grown(this.#kindOf, room);
    this.#orderOf = grown(this.#orderOf, room);
    this.#keyOf = grown(this.#keyOf, room);
    this.#ids = grown(this.#ids, room * wordsPerRow);
  }

  #sort(): void {
    const starts = new Int32Array(this.#orders.size + 1);
    const orders = this.#orderOf.subarray(0, this.size);
    for (const order of orders) if (order >= 0) starts[order + 1] = (starts[order + 1] ?? 0) + 1;
    for (let order = 0; order < this.#orders.size; order += 1) {
      starts[order + 1] = (starts[order + 1] ?? 0) + (starts[order] ?? 0);
    }
    const next = starts.slice();
    this.#sorted = new Int32Array(starts.at(-1) ?? 0);
    for (const [row, order] of orders.entries()) {
      if (order < 0) continue;
      const at = next[order] ?? 0;
      this.#sorted[at] = row;
      next[order] = at + 1;
    }
    this.#starts = starts;
  }
}

/** The orders that have an id, usually one. */
class OwnerTable {
  readonly #table = new IdTable(1);
  /** By the number of an id that several orders have. */
  readonly #several = new Map<number, Set<number>>();

  /** Makes room for an id without an owner. */
  want(words: Int32Array, at: number): void {
    this.#table.add(words, at);
  }

  has(words: Int32Array, at: number): boolean {
    return this.#table.find(words, at) >= 0;
  }

  claim(words: Int32Array, at: number, order: number): void {
    const number = this.#table.add(words, at);
    const known = this.#table.get(number, 0) - 1;
    if (known < 0) this.#table.set(number, 0, order + 1);
    else if (known !== order) {
      this.#several.set(number, (this.#several.get(number) ?? new Set([known])).add(order));
    }
  }

  /** The orders of an id; none for an empty one. */
  owners(words: Int32Array, at: number): readonly number[] {
    const number = areSameIds(words, at, noId, 0) ? -1 : this.#table.find(words, at);
    if (number < 0) return [];
    const order = this.#table.get(number, 0) - 1;
    return order < 0 ? [] : [...(this.#several.get(number) ?? [order])];
  }
}
