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

/** More than a field has values: it takes longer to look for the right one than to parse JSON. */
const codeBits = 5;
const mostValues = 2 ** codeBits - 1;

/** What rows have in common, and what stands for it in the message of each. */
export interface KnownKind extends RowKind {
  readonly words: Int32Array;
}

/** The kinds of rows that were seen, known again by their bytes. */
export class Kinds {
  readonly #fields = kindFields.map(() => new KnownTexts());
  readonly #known = new Map<number, KnownKind>();
  #lastKey = -1;
  #last: KnownKind | undefined;

  /** Reads the text of a field that begins at `at`: the place of the quote behind it, or -1. */
  read(field: number, bytes: Uint8Array, view: DataView, at: number): number {
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
    return { ...kind, words: wordsOfKind(kind) };
  }
}

/** The texts that a field has had. */
class KnownTexts {
  /** Of the text that was read last; 0 where there was none. */
  code = 0;
  /** By code, with the quote behind it. */
  readonly #literals: Literal[] = [new Literal('"')];
  readonly #texts: string[] = [''];

  get text(): string {
    return this.#texts[this.code] ?? '';
  }

  read(bytes: Uint8Array, view: DataView, at: number): number {
    const last = this.#literals[this.code];
    if (last?.isAt(view, at)) return at + last.length - 1;
    this.code = this.#literals.findIndex((literal) => literal.isAt(view, at));
    return this.code < 0 ? this.#learn(bytes, at) : at + this.text.length;
  }

  #learn(bytes: Uint8Array, at: number): number {
    const end = plainEnd(bytes, at);
    this.code = 0;
    if (end < 0 || this.#texts.length > mostValues) return -1;
    const text = Buffer.from(bytes.subarray(at, end)).toString('latin1');
    this.code = this.#texts.push(text) - 1;
    this.#literals.push(new Literal(`${text}"`));
    return end;
  }
}
