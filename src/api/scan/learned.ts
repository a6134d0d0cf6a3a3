import { isUuid } from '../../base/uuid.ts';
import { currencyForm } from '../../model/forms.ts';
import type { RowKind } from '../../model/row-batch.ts';
import { type Digest, digestOf, takeTexts } from '../digest.ts';
import * as layout from './kernel/layout.ts';
import type { Kernel } from './kernel.ts';
import { firstTextNumber, type RowShape } from './row-shape.ts';

// With more of them, to look for the right one would take longer than to parse JSON.
const mostShapes = 16;
const mostTexts = 2 ** layout.codeBits - 1;

/** By field, as `kindFields` has them: which texts have the documented form. */
const areUsual: readonly ((text: string) => boolean)[] = [
  isUuid,
  isPlain,
  isPlain,
  isPlain,
  (text) => currencyForm.test(text),
  (text) => /^\d$/.test(text),
];

/** Printable ASCII that stands for itself in JSON. */
function isPlain(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

/** What rows have in common, written down for the kernel, which knows it again by its bytes. */
export class Learned {
  readonly #kernel: Kernel;
  #shapes = 0;
  /** By field and code. Code 0 is for rows without the field. */
  #texts: string[][] = [];
  /** By the codes of all fields. */
  readonly #kinds = new Map<number, RowKind>();
  /** The next free address. */
  #next = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /**
   * A page may bring as much that is new as can be known; what came before is forgotten for it, and
   * also what somebody else has written down.
   */
  makeRoom(isOthers: boolean): void {
    const isFull =
      isOthers ||
      !this.hasRoomForShape ||
      this.#texts.some((texts) => texts.length === mostTexts) ||
      this.#next > layout.literals + layout.literalsBytes / 2;
    if (isFull) this.#forget();
  }

  get hasRoomForShape(): boolean {
    return this.#shapes < mostShapes;
  }

  /** Learns a shape; false where no room is left. */
  addShape({ steps, digest, length }: RowShape): boolean {
    if (!this.hasRoomForShape || !this.#hasRoom(length)) return false;
    const words = steps.flatMap(({ before, form, place, number }, index) => [
      this.#literal(before, index === 0 ? digest : undefined),
      form,
      place,
      number,
    ]);
    const address = this.#take(4 * words.length);
    for (const [index, word] of words.entries()) this.#put(address + 4 * index, word);
    this.#put(layout.shapes + 4 * this.#shapes, address);
    this.#shapes += 1;
    return true;
  }

  /** Learns the text of a field that begins at a place; false where it is unusual, or no room is left. */
  addText(field: number, page: Buffer, at: number): boolean {
    const texts = this.#texts[field] ?? [];
    const end = page.indexOf('"', at);
    const text = page.toString('latin1', at, end);
    const mayLearn = end > 0 && texts.length < mostTexts && this.#hasRoom(text.length);
    if (!mayLearn || !areUsual[field]?.(text)) return false;
    const digest = digestOf(() => takeTexts(firstTextNumber + field, [text]));
    const address = layout.texts + field * layout.fieldBytes + 4 * texts.length;
    this.#put(address, this.#literal(`${text}"`, digest));
    texts.push(text);
    return true;
  }

  /** The kinds of rows, from the codes of their texts. */
  kinds(codes: Int32Array): RowKind[] {
    const kinds: RowKind[] = [];
    for (const code of codes) kinds.push(this.#kind(code));
    return kinds;
  }

  #kind(codes: number): RowKind {
    const known = this.#kinds.get(codes);
    if (known) return known;
    const [settlementId = '', type = '', paymentType = '', state = '', currency = '', scale = ''] =
      this.#texts.map((texts, field) => texts[(codes >> (layout.codeBits * field)) & mostTexts]);
    const kind = { settlementId, type, paymentType, state, currency, scale: Number(scale) };
    this.#kinds.set(codes, kind);
    return kind;
  }

  #forget(): void {
    this.#kernel.forget();
    this.#shapes = 0;
    this.#texts = areUsual.map(() => ['']);
    this.#kinds.clear();
    this.#next = layout.literals;
  }

  /** Whether so many characters can be written down, of which each step takes the more the fewer it has. */
  #hasRoom(characters: number): boolean {
    return this.#next + 8 * characters + 2048 <= layout.literals + layout.literalsBytes;
  }

  /** Writes a literal down; its address. */
  #literal(text: string, { high, low }: Digest = { high: 0, low: 0 }): number {
    const { memory } = this.#kernel;
    const blocks = Math.ceil(text.length / 16);
    const address = this.#take(16 + 32 * blocks);
    this.#put(address, text.length);
    this.#put(address + 8, high);
    this.#put(address + 12, low);
    for (let block = 0; block < blocks; block += 1) {
      const at = address + 16 + 32 * block;
      const length = memory.write(text.slice(16 * block, 16 * (block + 1)), at, 'latin1');
      memory.fill(0, at + length, at + 32).fill(0xff, at + 16, at + 16 + length);
    }
    return address;
  }

  #take(bytes: number): number {
    const address = this.#next;
    this.#next += bytes;
    return address;
  }

  #put(address: number, word: number): void {
    this.#kernel.memory.writeInt32LE(word, address);
  }
}
