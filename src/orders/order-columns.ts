import { addDays, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { areSameIds, IdTable, idWords, noId, putIdWords } from '../base/id-table.ts';
import { grown } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import { isUuid, writeUuid } from '../base/uuid.ts';
import type { OrderDocument, Orders, UnreadableLine } from '../model/orders.ts';
import type { Money } from '../money/money.ts';

export interface WrittenDocument extends OrderDocument {
  /** Its own id; empty if the file has none. */
  readonly document: string;
  /** An accounting token; empty without one. */
  readonly account: string;
  /** The reference as rows have it, and its prefix in the file. */
  readonly reference: string;
  readonly prefix: string;
  /** The word of its status, if the mapping has that column and does not name the word. */
  readonly paidWord: string | undefined;
}

/** The values that many documents share. */
type DocumentKind = Omit<OrderDocument, 'total' | 'notDue' | 'refunded' | 'chargeId' | 'place'>;

const figuresPerDocument = 3;
/** Kind, file, line, order, and the next document of the order. */
const cellsPerDocument = 5;
const fewest = 1024;
/** A file may have a million lines that cannot be read. */
const mostUnreadable = 1_000;
/** A column of other texts is no status. */
const mostWords = 1_000;
const none = -1;
const scratch = new Int32Array(idWords);

/** Documents of order files in columns: numbers, and one text for each reference. */
export class OrderColumns implements Orders {
  readonly unreadable: UnreadableLine[] = [];
  unreadableLines = 0;
  readonly leftOut = { lines: 0, unreadable: 0, sums: [] as Money[], sheets: [] as string[] };
  hasRefundLines = false;
  readonly #usualPrefix: string;
  readonly #numberOfKey = new Map<string, number>();
  readonly #keys: string[] = [];
  #hasAccounts = false;
  /** By order, if not the usual one. */
  readonly #prefixes = new Map<number, string>();
  readonly #conflicting = new Set<number>();
  /** By order: its first document, which is a sale if it has one. */
  #firsts = new Int32Array(fewest);
  #documents = 0;
  #cells = new Int32Array(fewest * cellsPerDocument);
  #figures = new Float64Array(fewest * figuresPerDocument);
  /** Empty until a document has a charge. */
  #chargeIds = new Int32Array(0);
  readonly #otherChargeIds = new Map<number, string>();
  /** By the id of a document: its number. */
  readonly #documentIds = new IdTable(1);
  readonly #kinds: DocumentKind[] = [];
  readonly #numberOfKind = new Map<string, number>();
  readonly #files: string[] = [];
  readonly #saleDays = new Set<string>();
  readonly #paidWords = new Map<string, number>();

  /** `usualPrefix`: the prefix that most references have in the files, and not in rows. */
  constructor(usualPrefix = '') {
    this.#usualPrefix = usualPrefix;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** The most frequent ones first. */
  get paidWords() {
    const words = [...this.#paidWords].map(([word, lines]) => ({ word, lines }));
    return words.sort(inOrderOf(({ word, lines }) => [-lines, word]));
  }

  get methods(): ReadonlySet<string> {
    const cells = new Set(this.#kinds.map(({ method }) => method));
    return new Set([...cells].flatMap((cell) => [cell, ...methodParts(cell)]));
  }

  get days() {
    return spanOf(this.#saleDays);
  }

  get gaps() {
    const days = [...this.#saleDays].sort();
    return days.flatMap((day, at) => {
      const [from, to] = [addDays(day, 1), addDays(days[at + 1] ?? addDays(day, 1), -1)];
      return from <= to ? [{ from, to }] : [];
    });
  }

  get currencies() {
    return [...new Set(this.#kinds.map(({ currency }) => currency))].sort();
  }

  reference(order: number): string {
    const key = this.#keys[order] ?? '';
    return (this.#prefixes.get(order) ?? this.#usualPrefix) + key.slice(key.indexOf('\n') + 1);
  }

  account(order: number): string {
    const key = this.#keys[order] ?? '';
    return key.slice(0, Math.max(0, key.indexOf('\n')));
  }

  find(reference: string, accountingToken: string): number | undefined {
    const number =
      this.#numberOfKey.get(reference) ??
      (this.#hasAccounts ? this.#numberOfKey.get(`${accountingToken}\n${reference}`) : undefined);
    const prefix = this.#usualPrefix;
    if (number !== undefined || prefix === '' || !reference.startsWith(prefix)) return number;
    // Rows of some providers have it too.
    return this.find(reference.slice(prefix.length), accountingToken);
  }

  isConflicting(order: number): boolean {
    return this.#conflicting.has(order);
  }

  documents(order: number): readonly OrderDocument[] {
    const found: OrderDocument[] = [];
    for (let at = this.#firsts[order] ?? none; at !== none; at = this.#cell(at, 4)) {
      found.push(this.#document(at));
    }
    return found;
  }

  eachCharge(visit: (words: Int32Array, at: number, order: number) => void): void {
    const words = this.#chargeIds;
    for (let document = 0; document < words.length / idWords; document += 1) {
      const at = document * idWords;
      if (!areSameIds(words, at, noId, 0)) visit(words, at, this.#cell(document, 3));
    }
  }

  /**
   * Adds a document; the same one again counts once, and with other values it makes its order conflicting.
   * Throws ReconError `usage` for two references that only the mapping makes equal.
   */
  add(written: WrittenDocument): void {
    this.#countWord(written.paidWord);
    const order = this.#orderFor(written);
    const { document, account, isRefund } = written;
    const first = this.#firsts[order] ?? none;
    const isSale = first !== none && !this.#kind(first).isRefund;
    const id = document === '' ? none : this.#documentId(`${isRefund}\n${account}\n${document}`);
    // Without document ids, an order has one sale, and each refund is a new document.
    const alone = isRefund || !isSale ? none : first;
    const known = id === none ? alone : this.#documentIds.get(id, 0) - 1;
    if (known !== none) {
      const other = this.#cell(known, 3);
      const isSame = this.#textOf(known) === textOf(written);
      if (order === other && isSame) return;
      this.#conflicting.add(order).add(other);
      // The smaller text is kept, so the order of the files does not matter.
      if (order === other && textOf(written) < this.#textOf(known)) this.#put(known, written);
      if (first !== none) return;
    }
    const number = this.#push(order, written);
    if (id !== none) this.#documentIds.set(id, 0, number + 1);
    if (isRefund && isSale) {
      this.#cells[number * cellsPerDocument + 4] = this.#cell(first, 4);
      this.#cells[first * cellsPerDocument + 4] = number;
    } else {
      this.#cells[number * cellsPerDocument + 4] = first;
      this.#firsts[order] = number;
    }
    if (isRefund) this.hasRefundLines = true;
    else this.#saleDays.add(written.day);
  }

  /** Counts a line that the mapping leaves out; undefined if it cannot be read. */
  leaveOut(written: OrderDocument | undefined): void {
    this.leftOut.lines += 1;
    if (!written) {
      this.leftOut.unreadable += 1;
      return;
    }
    const { currency, scale, total, refunded } = written;
    const { sums } = this.leftOut;
    const at = sums.findIndex((one) => one.currency === currency);
    const minor = (sums[at]?.minor ?? 0n) + (written.isRefund ? -refunded : total);
    sums.splice(at < 0 ? sums.length : at, 1, { currency, scale, minor });
  }

  addUnreadable(line: UnreadableLine): void {
    this.unreadableLines += 1;
    if (this.unreadable.length < mostUnreadable) this.unreadable.push(line);
  }

  #documentId(id: string): number {
    putIdWords(id, scratch, 0);
    return this.#documentIds.add(scratch, 0);
  }

  #orderFor(written: WrittenDocument): number {
    const key = keyOf(written);
    const known = this.#numberOfKey.get(key);
    if (known === undefined) {
      const order = this.#keys.push(key) - 1;
      this.#hasAccounts ||= written.account !== '';
      this.#numberOfKey.set(key, order);
      if (written.prefix !== this.#usualPrefix) this.#prefixes.set(order, written.prefix);
      if (order === this.#firsts.length) this.#firsts = grown(this.#firsts, 2 * order);
      this.#firsts[order] = none;
      return order;
    }
    if (written.prefix === (this.#prefixes.get(known) ?? this.#usualPrefix)) return known;
    const [first] = this.documents(known);
    const places = [first?.place, written.place].map((one) => `${one?.file}:${one?.line}`);
    const [one, other] = [this.reference(known), written.prefix + written.reference];
    const message = `The references ${one} and ${other} become equal by strip_prefix or strip_zeros.`;
    const hint = 'Remove what makes them equal from orders_csv.';
    throw new ReconError('usage', message, { where: places.join(' and '), hint });
  }

  #countWord(word: string | undefined): void {
    if (word === undefined) return;
    const known = this.#paidWords.get(word) ?? 0;
    if (known > 0) this.#paidWords.set(word, known + 1);
    else if (this.#paidWords.size < mostWords) this.#paidWords.set(ownText(word), 1);
  }

  #push(order: number, written: WrittenDocument): number {
    const number = this.#documents;
    if ((number + 1) * cellsPerDocument > this.#cells.length) {
      this.#cells = grown(this.#cells, 2 * this.#cells.length);
      this.#figures = grown(this.#figures, 2 * this.#figures.length);
    }
    this.#documents += 1;
    this.#cells[number * cellsPerDocument + 3] = order;
    this.#put(number, written);
    return number;
  }

  #put(number: number, written: WrittenDocument): void {
    const { total, notDue, refunded, chargeId, place } = written;
    if (this.#files.at(-1) !== place.file) this.#files.push(place.file);
    const cell = number * cellsPerDocument;
    this.#cells[cell] = this.#kindOf(written);
    this.#cells[cell + 1] = this.#files.length - 1;
    this.#cells[cell + 2] = place.line;
    const figure = number * figuresPerDocument;
    this.#figures[figure] = Number(total);
    this.#figures[figure + 1] = Number(notDue);
    this.#figures[figure + 2] = Number(refunded);
    const at = number * idWords;
    if (chargeId !== '' && this.#chargeIds.length <= at) {
      const documents = this.#cells.length / cellsPerDocument;
      this.#chargeIds = grown(this.#chargeIds, documents * idWords);
    }
    if (this.#chargeIds.length > at) putIdWords(chargeId, this.#chargeIds, at);
    if (chargeId !== '' && !isUuid(chargeId)) this.#otherChargeIds.set(number, chargeId);
  }

  #kindOf(written: OrderDocument): number {
    const { isRefund, currency, scale, day, paidDay, refundDay } = written;
    const { isCancelled, isUnpaid, isInScope, hasOtherMethods, method: word } = written;
    const days = `${day} ${paidDay} ${refundDay}`;
    const flags = { isRefund, isCancelled, isUnpaid, isInScope, hasOtherMethods };
    const key = `${days} ${currency} ${Object.values(flags).join()} ${word}`;
    const known = this.#numberOfKind.get(key);
    if (known !== undefined) return known;
    const method = ownText(word);
    const kind = { currency, scale, day, paidDay, refundDay, method, ...flags };
    const number = this.#kinds.push(kind) - 1;
    this.#numberOfKind.set(key, number);
    return number;
  }

  #textOf(number: number): string {
    return textOf(this.#document(number));
  }

  /** Field by field: an object that is spread takes several times as long, and there are millions. */
  #document(number: number): OrderDocument {
    const kind = this.#kind(number);
    return {
      isRefund: kind.isRefund,
      currency: kind.currency,
      scale: kind.scale,
      day: kind.day,
      paidDay: kind.paidDay,
      refundDay: kind.refundDay,
      isCancelled: kind.isCancelled,
      isUnpaid: kind.isUnpaid,
      isInScope: kind.isInScope,
      hasOtherMethods: kind.hasOtherMethods,
      method: kind.method,
      total: this.#figure(number, 0),
      notDue: this.#figure(number, 1),
      refunded: this.#figure(number, 2),
      chargeId: this.#chargeId(number),
      place: { file: this.#files[this.#cell(number, 1)] ?? '', line: this.#cell(number, 2) },
    };
  }

  #figure(number: number, figure: number): bigint {
    return BigInt(this.#figures[number * figuresPerDocument + figure] ?? 0);
  }

  #chargeId(number: number): string {
    const at = number * idWords;
    if (this.#chargeIds.length <= at || areSameIds(this.#chargeIds, at, noId, 0)) return '';
    return this.#otherChargeIds.get(number) ?? writeUuid(this.#chargeIds, at);
  }

  #kind(number: number): DocumentKind {
    const kind = this.#kinds[this.#cell(number, 0)];
    if (!kind) throw new RangeError(`No document ${number}`);
    return kind;
  }

  #cell(number: number, cell: number): number {
    return this.#cells[number * cellsPerDocument + cell] ?? none;
  }
}

/** The methods of a cell such as `A + B`. */
export function methodParts(cell: string): readonly string[] {
  return cell.split(/[+,;|/]/).map((part) => part.trim());
}

/** What two lines of one document must have in common. */
function textOf({ isRefund, currency, day, paidDay, refundDay, ...one }: OrderDocument): string {
  const { total, notDue, refunded, isCancelled, isUnpaid, isInScope, chargeId } = one;
  const flags = [isRefund, isCancelled, isUnpaid, isInScope];
  return [currency, total, notDue, refunded, day, paidDay, refundDay, ...flags, chargeId].join();
}

/** An account, a line break, a reference: which has none of its own. */
function keyOf({ reference, account }: Pick<WrittenDocument, 'reference' | 'account'>): string {
  const own = ownText(reference.replace(/\n+/g, ' '));
  return account === '' ? own : `${account}\n${own}`;
}

/** A part of a longer text keeps all of it in memory; this does not. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}
