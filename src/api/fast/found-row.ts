import { uuidLength, uuidWords, writeUuid } from '../../base/uuid.ts';
import type { Note, Row } from '../../model/row.ts';
import type { PackedRow, RowKind } from '../../model/source-row.ts';
import type { Digest } from '../digest.ts';
import { place } from './row-shape.ts';
import type { Values } from './values.ts';

/** What the words of a row hold, after its two ids: places in the bytes of its page. */
const inWords = {
  id: 2 * uuidWords,
  chargeId: 2 * uuidWords + 1,
  orderId: 2 * uuidWords + 2,
  timestampFrom: 2 * uuidWords + 3,
  timestampTo: 2 * uuidWords + 4,
  notesFrom: 2 * uuidWords + 5,
  notesTo: 2 * uuidWords + 6,
} as const;
export const wordsPerRow = 2 * uuidWords + 7;

/** The page that rows were found in: its bytes, and its ASCII as a text once that is asked for. */
export class FoundPage {
  readonly bytes: Buffer;
  readonly view: DataView;
  #text: string | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get text(): string {
    this.#text ??= this.bytes.toString('latin1');
    return this.#text;
  }
}

/** A row found in the bytes of a page, listed as itself. */
export class FoundRow implements PackedRow {
  readonly words: Int32Array;
  readonly at: number;
  readonly kind: RowKind;
  readonly amount: number;
  readonly fees: number;
  readonly tax: number;
  readonly high: number;
  readonly low: number;
  readonly #page: FoundPage;
  readonly #notes: readonly Note[] | undefined;

  /** It is written into `into`, from `at` on. `notes`: where they can't be taken from the bytes. */
  constructor(
    page: FoundPage,
    into: Int32Array,
    at: number,
    kind: RowKind,
    { words, from, to, minor }: Values,
    { high, low }: Digest,
    notes: readonly Note[] | undefined,
  ) {
    this.words = into;
    this.at = at;
    this.kind = kind;
    this.amount = minor[place.amount] ?? 0;
    this.fees = minor[place.fees] ?? 0;
    this.tax = minor[place.tax] ?? 0;
    this.high = high;
    this.low = low;
    this.#page = page;
    this.#notes = notes;
    // The two ids stand first, one after the other.
    for (let word = 0; word < 2 * uuidWords; word += 1) into[at + word] = words[word] ?? 0;
    into[at + inWords.id] = from[place.transactionId] ?? 0;
    into[at + inWords.chargeId] = from[place.chargeId] ?? 0;
    into[at + inWords.orderId] = from[place.orderId] ?? 0;
    into[at + inWords.timestampFrom] = from[place.timestamp] ?? 0;
    into[at + inWords.timestampTo] = to[place.timestamp] ?? 0;
    into[at + inWords.notesFrom] = from[place.notes] ?? 0;
    into[at + inWords.notesTo] = to[place.notes] ?? 0;
  }

  get item(): this {
    return this;
  }

  get key(): string {
    return writeUuid(this.words, this.at);
  }

  whole(): Row {
    const { kind } = this;
    return {
      id: this.#uuid(inWords.id),
      chargeId: this.#uuid(inWords.chargeId),
      orderId: this.#uuid(inWords.orderId),
      settlementId: kind.settlementId,
      timestamp: this.#text(inWords.timestampFrom, inWords.timestampTo),
      type: kind.type,
      paymentType: kind.paymentType,
      state: kind.state,
      currency: kind.currency,
      scale: kind.scale,
      amount: BigInt(this.amount),
      fees: BigInt(this.fees),
      tax: BigInt(this.tax),
      notes: this.#notes ?? this.#plainNotes(),
    };
  }

  /** As `JSON.stringify` asks for it. */
  toJSON(): Row {
    return this.whole();
  }

  /** Notes in which nothing is escaped: eight quotes stand in each, around "key" and "value" too. */
  #plainNotes(): readonly Note[] {
    const { text } = this.#page;
    const to = this.#word(inWords.notesTo);
    const quoteAfter = (at: number) => text.indexOf('"', at + 1);
    const notes: Note[] = [];
    let first = quoteAfter(this.#word(inWords.notesFrom));
    while (0 <= first && first < to) {
      const key = quoteAfter(quoteAfter(first));
      const keyEnd = quoteAfter(key);
      const value = quoteAfter(quoteAfter(quoteAfter(keyEnd)));
      const valueEnd = quoteAfter(value);
      notes.push({ key: text.slice(key + 1, keyEnd), value: text.slice(value + 1, valueEnd) });
      first = quoteAfter(valueEnd);
    }
    return notes;
  }

  /** The UUID whose place is there; empty where there is none. */
  #uuid(word: number): string {
    const from = this.#word(word);
    return from === 0 ? '' : this.#page.text.slice(from, from + uuidLength);
  }

  #text(from: number, to: number): string {
    return this.#page.text.slice(this.#word(from), this.#word(to));
  }

  #word(word: number): number {
    return this.words[this.at + word] ?? 0;
  }
}
