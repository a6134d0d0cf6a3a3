import { parseJson } from '../../base/json.ts';
import { uuidWords } from '../../base/uuid.ts';
import type { Note } from '../../model/row.ts';
import type { OddAnswer } from '../../model/source.ts';
import { notesOf } from '../decode.ts';
import { type Digest, Digester } from '../digest.ts';
import { takeInNotes } from '../row-digest.ts';
import { bodyOf, type HttpAnswer } from '../transport.ts';
import { FoundPage, FoundRow, wordsPerRow } from './found-row.ts';
import { Frame, listIn } from './frame.ts';
import { newValues, place, RowShape } from './row-shape.ts';
import { closeList, comma, skipSpace, type Values } from './values.ts';

/** With more of them, to look for the right one would take longer than to parse JSON. */
const mostShapes = 32;

/** An array for each row, or page, would take longer to make than to fill. */
const rowsTogether = 1_000;

/**
 * Reads pages in which all rows are of the documented forms, out of their bytes: no JSON is parsed, and nothing is
 * put together that nobody asks for. It knows less than `decodeRow`, to which all other pages are
 * left, and says the same.
 */
export class FastDecoder {
  readonly #shapes: RowShape[] = [];
  #frame: Frame | undefined;
  #words = new Int32Array(0);
  #used = 0;
  readonly #note: (odd: OddAnswer) => void;
  readonly #values = newValues();
  readonly #digester = new Digester();

  /** `note` hears what is odd in answers, of which the rows are read all the same. */
  constructor(note: (odd: OddAnswer) => void = () => {}) {
    this.#note = note;
  }

  /**
   * The rows of an answer; undefined where it has none, or one that has another form. Throws
   * RequestFailure where the answer is a failure.
   */
  read(answer: HttpAnswer): readonly FoundRow[] | undefined {
    const { bytes } = answer;
    const from = listIn(bytes);
    if (from < 0) return undefined;
    const page = new FoundPage(bytes);
    const rows: FoundRow[] = [];
    let at = skipSpace(bytes, from);
    for (;;) {
      at = this.#read(page, at);
      const row = at < 0 ? undefined : this.#found(page);
      if (!row) return undefined;
      rows.push(row);
      at = skipSpace(bytes, at);
      if (bytes[at] === closeList) return this.#isData(answer, page, from, at) ? rows : undefined;
      if (bytes[at] !== comma) return undefined;
      at = skipSpace(bytes, at + 1);
    }
  }

  /** Whether the list from `from` to `to` is the answer's data. */
  #isData(answer: HttpAnswer, page: FoundPage, from: number, to: number): boolean {
    if (!this.#frame?.isAround(page, from, to)) {
      this.#frame = Frame.of(answer, from, to, this.#note);
    }
    return this.#frame !== undefined;
  }

  /**
   * Reads the row at `at` into the values, its shape becoming the first; the place behind it, or -1
   * where it has another form.
   */
  #read({ bytes, view }: FoundPage, at: number): number {
    const shapes = this.#shapes;
    for (let index = 0; index < shapes.length; index += 1) {
      const shape = shapes[index];
      const end = shape?.read(bytes, view, at, this.#values) ?? -1;
      if (!shape || end < 0) continue;
      if (index > 0) {
        shapes.splice(index, 1);
        shapes.unshift(shape);
      }
      return end;
    }
    const shape = shapes.length < mostShapes ? RowShape.of(bytes, at) : undefined;
    if (!shape) return -1;
    shapes.unshift(shape);
    return shape.read(bytes, view, at, this.#values);
  }

  /** The row that was read; undefined where its notes can't be. */
  #found(page: FoundPage): FoundRow | undefined {
    const [shape] = this.#shapes;
    const values = this.#values;
    const notes = values.hasPlainNotes ? undefined : notesIn(page.bytes, values);
    if (!shape || notes === 'unreadable') return undefined;
    const digest = this.#digest(page.bytes, shape.digestStart, notes);
    if (this.#used + wordsPerRow > this.#words.length) {
      this.#words = new Int32Array(rowsTogether * wordsPerRow);
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += wordsPerRow;
    return new FoundRow(page, this.#words, at, shape.kind, values, digest, notes);
  }

  /** As `digestOfRow` has it. */
  #digest(bytes: Buffer, start: Digest, notes: readonly Note[] | undefined): Digest {
    const { from, to, words, minor, notes: texts, noteEnds } = this.#values;
    const digester = this.#digester;
    digester.start(start);
    for (const field of [place.amount, place.fees, place.tax]) digester.number(minor[field] ?? 0);
    for (const field of [place.transactionId, place.chargeId, place.orderId]) {
      if (from[field] === 0) digester.text('');
      else digester.uuid(words, field * uuidWords);
    }
    digester.ascii(bytes, from[place.timestamp] ?? 0, to[place.timestamp] ?? 0);
    if (notes) takeInNotes(digester, notes);
    else {
      for (let at = 0; at < noteEnds; at += 2) {
        digester.ascii(bytes, texts[at] ?? 0, texts[at + 1] ?? 0);
      }
    }
    return digester.finish();
  }
}

/** Notes that can't be taken from the bytes as they stand. */
function notesIn(bytes: Buffer, { from, to }: Values): readonly Note[] | 'unreadable' {
  const list = parseJson(bodyOf({ bytes: bytes.subarray(from[place.notes], to[place.notes]) }));
  return list === undefined ? 'unreadable' : notesOf(list);
}
