import { idWords } from '../../base/id-table.ts';
import { readUuidBytes, uuidLength } from '../../base/uuid.ts';
import type { Note } from '../../model/row.ts';
import { figuresPerRow, placesPerRow, textPlace } from '../../model/row-batch.ts';
import type { OddAnswer } from '../../model/source.ts';
import { Message } from '../digest.ts';
import { takeNotes } from '../row-digest.ts';
import type { HttpAnswer } from '../transport.ts';
import { closeList, comma, listEnd, openList, skipSpace } from './bytes.ts';
import { Frame, listIn } from './frame.ts';
import { Kinds } from './kinds.ts';
import { NotesShape, parseNotes } from './notes-shape.ts';
import { type RowShape, shapeOf } from './row-shape.ts';
import { ScannedPage } from './scanned-page.ts';
import { readMinorUnits, readTimestamp } from './values.ts';

/** With more of them, to look for the right one would take longer than to parse JSON. */
const mostShapes = 8;

const idsPerRow = 3;

/** Room is made at once for so many rows at most: one huge page must not make all others large. */
const mostExpected = 200;

/**
 * Reads pages in which all rows are of the documented forms, out of their bytes and in one pass: no
 * JSON is parsed, and no text is made. It knows less than `decodeRow`, to which all other pages are
 * left, and says the same.
 */
export class RowScanner {
  readonly #shapes: RowShape[] = [];
  readonly #notesShapes: NotesShape[] = [];
  readonly #kinds = new Kinds();
  readonly #message = new Message();
  readonly #note: (odd: OddAnswer) => void;
  #frame: Frame | undefined;
  /** Rows of the last page: the next one is mostly as long. */
  #expected = 1;
  // Of the row under way: its three ids, and its notes.
  readonly #ids = new Int32Array(idsPerRow * idWords);
  #notesShape: NotesShape | undefined;
  readonly #noteEnds: number[] = [];
  #notes: readonly Note[] = [];

  /** `note` hears what is odd in answers, of which the rows are read all the same. */
  constructor(note: (odd: OddAnswer) => void = () => {}) {
    this.#note = note;
  }

  /**
   * The rows of an answer; undefined where it has none, or one that has another form. Throws
   * RequestFailure where the answer is a failure.
   */
  read(answer: HttpAnswer): ScannedPage | undefined {
    const { bytes } = answer;
    const from = listIn(bytes);
    if (from < 0) return undefined;
    this.#makeRoom();
    const page = new ScannedPage(bytes, this.#expected);
    let at = skipSpace(bytes, from);
    for (;;) {
      at = this.#row(page, at);
      if (at < 0) return undefined;
      at = skipSpace(bytes, at);
      if (bytes[at] === closeList) break;
      if (bytes[at] !== comma) return undefined;
      at = skipSpace(bytes, at + 1);
    }
    if (!this.#frame?.isAround(page.texts.page, from, at)) {
      this.#frame = Frame.of(answer, from, at, this.#note);
    }
    this.#expected = Math.min(page.length, mostExpected);
    return this.#frame && page;
  }

  /** A page may bring as much that is new as can be known; what came before is forgotten for it. */
  #makeRoom(): void {
    this.#kinds.makeRoom();
    if (this.#shapes.length >= mostShapes) this.#shapes.length = 0;
    if (this.#notesShapes.length >= mostShapes) this.#notesShapes.length = 0;
  }

  /** Reads the row at `at` into the page; the place behind it, or -1 where it has another form. */
  #row(page: ScannedPage, at: number): number {
    page.prepareRow();
    const end = this.#inKnownShape(page, at);
    if (end < 0) return -1;
    const known = this.#kinds.kind();
    if (!known) return -1;
    page.kinds.push(known.kind);
    this.#digest(page, known.words);
    page.length += 1;
    return end;
  }

  #inKnownShape(page: ScannedPage, at: number): number {
    const shapes = this.#shapes;
    for (let index = 0; index < shapes.length; index += 1) {
      const shape = shapes[index];
      const end = shape ? this.#values(shape, page, at) : -1;
      if (!shape || end < 0) continue;
      if (index > 0) {
        shapes.splice(index, 1);
        shapes.unshift(shape);
      }
      return end;
    }
    const shape = shapes.length < mostShapes ? shapeOf(page.bytes, at) : undefined;
    if (!shape) return -1;
    shapes.unshift(shape);
    return this.#values(shape, page, at);
  }

  /** Reads the values of the row at `at`; the place behind it, or -1 where it is of another shape. */
  #values(shape: RowShape, page: ScannedPage, at: number): number {
    const { bytes, figures, length: row } = page;
    const { page: view, places } = page.texts;
    const firstPlace = row * placesPerRow;
    if (shape.missing.length > 0) this.#leaveOut(shape.missing, page);
    let next = at;
    for (const { before, form, field } of shape.steps) {
      if (!before.isAt(view, next)) return -1;
      next += before.length;
      const from = next;
      switch (form) {
        case 'id':
          next += uuidLength;
          if (next > bytes.length) return -1;
          if (!readUuidBytes(view, from, this.#ids, field * idWords)) return -1;
          places[firstPlace + field] = from;
          break;
        case 'amount':
          next = readMinorUnits(bytes, from, figures, row * figuresPerRow + field);
          break;
        case 'kind':
          next = this.#kinds.read(field, bytes, view, from);
          break;
        case 'timestamp':
          next = readTimestamp(bytes, from);
          places[firstPlace + textPlace.timestamp] = from;
          places[firstPlace + textPlace.timestampEnd] = next;
          break;
        case 'notes':
          next = this.#readNotes(bytes, view, from);
          places[firstPlace + textPlace.notes] = from;
          places[firstPlace + textPlace.notesEnd] = next;
          break;
      }
      if (next < 0) return -1;
    }
    return shape.end.isAt(view, next) ? next + shape.end.length : -1;
  }

  #leaveOut(missing: RowShape['missing'], { length: row, texts }: ScannedPage): void {
    texts.places.fill(0, row * placesPerRow, (row + 1) * placesPerRow);
    for (const { form, field } of missing) {
      if (form === 'id') this.#ids.fill(0, field * idWords, (field + 1) * idWords);
      else if (form === 'kind') this.#kinds.leaveOut(field);
      else if (form === 'notes') this.#setNotes(undefined, []);
    }
  }

  #setNotes(shape: NotesShape | undefined, notes: readonly Note[]): void {
    this.#notesShape = shape;
    this.#notes = notes;
  }

  #readNotes(bytes: Buffer, view: DataView, at: number): number {
    for (const shape of this.#notesShapes) {
      const end = shape.read(bytes, view, at, this.#noteEnds);
      if (end < 0) continue;
      this.#notesShape = shape;
      return end;
    }
    const end = bytes[at] === openList ? listEnd(bytes, at) : -1;
    if (end < 0) return -1;
    const list = bytes.subarray(at, end);
    const notes = parseNotes(list);
    if (!notes) return -1;
    this.#setNotes(undefined, notes);
    const shape = this.#notesShapes.length < mostShapes ? NotesShape.of(list) : undefined;
    if (shape) this.#notesShapes.push(shape);
    return end;
  }

  /** Puts the row that was read last into the columns of ids and digests: as `digestOfRow` has it. */
  #digest(page: ScannedPage, kind: Int32Array): void {
    const { ids, chargeIds, figures, digests, length: row } = page;
    const { page: view, places } = page.texts;
    for (let word = 0; word < idWords; word += 1) {
      ids[row * idWords + word] = this.#ids[word] ?? 0;
      chargeIds[row * idWords + word] = this.#ids[idWords + word] ?? 0;
    }
    const message = this.#message;
    message.length = 0;
    message.append(kind);
    message.append(this.#ids);
    for (let figure = 0; figure < figuresPerRow; figure += 1) {
      message.number(figures[row * figuresPerRow + figure] ?? 0);
    }
    const firstPlace = row * placesPerRow;
    const from = places[firstPlace + textPlace.timestamp] ?? 0;
    message.bytes(view, from, places[firstPlace + textPlace.timestampEnd] ?? 0);
    if (!this.#notesShape) takeNotes(message, this.#notes);
    else {
      const { keys } = this.#notesShape;
      for (let index = 0; index < keys.length; index += 1) {
        const key = keys[index];
        if (key) message.append(key);
        message.bytes(view, this.#noteEnds[2 * index] ?? 0, this.#noteEnds[2 * index + 1] ?? 0);
      }
    }
    message.digest(digests, row * 2);
  }
}
