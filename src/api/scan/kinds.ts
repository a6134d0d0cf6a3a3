import { isUuid } from '../../base/uuid.ts';
import { currencyForm } from '../../model/forms.ts';
import type { RowKind } from '../../model/row-batch.ts';
import { wordsOfKind } from '../row-digest.ts';
import { Literal, plainEnd } from './bytes.ts';

/** The fields that many rows have in common (doc 2.8). */
export const kindFields = [
  'settlementId',
  'transactionType',
  'paymentType',
  'state',
  'currencyCode',
  'decimalPlaces',
] as const;

/** What rows have in common, and what stands for it in the message of each. */
export interface KnownKind {
  readonly kind: RowKind;
  readonly words: Int32Array;
}

/** To look through more texts of a field takes longer than to parse JSON. */
const codeBits = 5;
const mostTexts = 2 ** codeBits;

/** The kinds of rows that were seen, known again by their bytes. */
export class Kinds {
  readonly #fields = kindFields.map(() => new KnownTexts());
  readonly #known = new Map<number, KnownKind>();
  #lastKey = -1;
  #last: KnownKind | undefined;

  /** Where a field has had as many texts as it can, all of them are forgotten. */
  makeRoom(): void {
    if (!this.#fields.some(({ isFull }) => isFull)) return;
    for (const field of this.#fields) field.forget();
    this.#known.clear();
    this.#lastKey = -1;
  }

  /** Reads the text of a field that begins at `at`: the place of the quote behind it, or -1. */
  read(field: number, bytes: Buffer, view: DataView, at: number): number {
    return this.#fields[field]?.read(bytes, view, at) ?? -1;
  }

  /** A row hasn't this field. */
  leaveOut(field: number): void {
    const texts = this.#fields[field];
    if (texts) texts.code = 0;
  }

  /** The kind of the row whose fields were read last; undefined where one has no documented form. */
  kind(): KnownKind | undefined {
    let key = 0;
    for (const { code } of this.#fields) key = (key << codeBits) | code;
    if (key === this.#lastKey) return this.#last;
    const kind = this.#known.get(key) ?? this.#newKind();
    if (!kind) return undefined;
    this.#known.set(key, kind);
    this.#lastKey = key;
    this.#last = kind;
    return kind;
  }

  #newKind(): KnownKind | undefined {
    const [settlementId = '', type = '', paymentType = '', state = '', currency = '', scale = ''] =
      this.#fields.map((field) => field.text);
    if (!isUuid(settlementId) || !currencyForm.test(currency) || !/^\d$/.test(scale)) {
      return undefined;
    }
    const kind = { settlementId, type, paymentType, state, currency, scale: Number(scale) };
    return { kind, words: wordsOfKind(kind) };
  }
}

/** The texts that a field has had. */
class KnownTexts {
  /** Of the text that was read last; 0 where there was none. */
  code = 0;
  /** By code. */
  #texts = [''];
  /** The same with the quotes behind them. */
  #literals = [new Literal('"')];

  get text(): string {
    return this.#texts[this.code] ?? '';
  }

  get isFull(): boolean {
    return this.#texts.length >= mostTexts;
  }

  read(bytes: Buffer, view: DataView, at: number): number {
    const last = this.#literals[this.code];
    if (last?.isAt(view, at)) return at + last.length - 1;
    const known = this.#literals.findIndex((literal) => literal.isAt(view, at));
    this.code = Math.max(0, known);
    return known < 0 ? this.#learn(bytes, at) : at + this.text.length;
  }

  forget(): void {
    this.code = 0;
    this.#texts = this.#texts.slice(0, 1);
    this.#literals = this.#literals.slice(0, 1);
  }

  #learn(bytes: Buffer, at: number): number {
    const end = plainEnd(bytes, at);
    if (end < 0 || this.isFull) return -1;
    const text = bytes.toString('latin1', at, end);
    this.code = this.#texts.push(text) - 1;
    this.#literals.push(new Literal(`${text}"`));
    return end;
  }
}
