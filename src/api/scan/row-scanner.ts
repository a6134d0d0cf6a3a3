import type { HttpAnswer } from '../../base/http/transport.ts';
import type { OddAnswer } from '../../model/source.ts';
import { takeNotes } from '../digest.ts';
import { readEnvelope } from '../envelope.ts';
import * as layout from './kernel/layout.ts';
import { type KernelQuestions, theKernel } from './kernel.ts';
import { Learned } from './learned.ts';
import { listAt, parseNotes, plainNotes } from './notes.ts';
import { shapeOf } from './row-shape.ts';
import { ScannedPage } from './scanned-page.ts';

/**
 * Reads pages in which all rows are of the documented forms, out of their bytes and in one pass: no
 * JSON is parsed, and no text is made. It knows less than `decodeRow`, to which all other pages are
 * left, and says the same.
 */
export class RowScanner {
  readonly #note: (odd: OddAnswer) => void;
  readonly #kernel = theKernel();
  readonly #learned = new Learned(this.#kernel);
  readonly #questions: KernelQuestions = {
    learnShape: (at) => this.#learnShape(at),
    learnText: (field, at) => this.#learned.addText(field, this.#page, at),
    readNotes: (at) => this.#readNotes(at),
  };
  #page: Buffer = Buffer.alloc(0);
  #frame: Frame | undefined;

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
    const { memory } = this.#kernel;
    const from = listIn(bytes);
    if (from < 0 || bytes.length > layout.mostBytes) return undefined;
    this.#learned.makeRoom(this.#kernel.questions !== this.#questions);
    this.#kernel.questions = this.#questions;
    this.#page = bytes;
    memory.set(bytes, layout.pageStart);
    memory.fill(
      0,
      layout.pageStart + bytes.length,
      layout.pageStart + bytes.length + layout.margin,
    );
    const to = this.#kernel.scan(from);
    if (to === 0) return undefined;
    if (!this.#frame?.isAround(bytes, from, to)) {
      this.#frame = Frame.of(answer, from, to, this.#note);
    }
    return this.#frame && new ScannedPage(bytes, this.#kernel, this.#learned);
  }

  #learnShape(at: number): boolean {
    const shape = shapeOf(this.#page, at);
    return shape !== undefined && this.#learned.addShape(shape);
  }

  /** Of plain ones, the shape is to be learned, as long as there is room for it. */
  #readNotes(at: number): number {
    const list = listAt(this.#page, at);
    const isLearned = this.#learned.hasRoomForShape && plainNotes.test(String(list));
    const notes = list && !isLearned && parseNotes(list);
    if (!notes) return 0;
    takeNotes(notes);
    return at + list.length;
  }
}

const listOfData = /^"data"[ \t\r\n]*:[ \t\r\n]*\[/;

/** The place behind the bracket that opens the first list called data; -1 where none is seen. */
function listIn(bytes: Buffer): number {
  const name = bytes.indexOf('"data"');
  const [found = ''] = listOfData.exec(bytes.toString('latin1', name, name + 64)) ?? [];
  return name < 0 || found === '' ? -1 : name + found.length;
}

/** The bytes around the records of a success (doc 2.6). */
export class Frame {
  readonly #before: Buffer;
  readonly #after: Buffer;

  private constructor(before: Buffer, after: Buffer) {
    this.#before = Buffer.from(before);
    this.#after = Buffer.from(after);
  }

  /**
   * What stands around the list from `from` to `to`; undefined where that isn't the data of the
   * answer: it is read with two other lists in that place, and each has to come out. `note` hears
   * what is odd around it. Throws RequestFailure where the answer is a failure.
   */
  static of(
    answer: HttpAnswer,
    from: number,
    to: number,
    note: (odd: OddAnswer) => void,
  ): Frame | undefined {
    const before = answer.bytes.subarray(0, from);
    const after = answer.bytes.subarray(to);
    const odd: OddAnswer[] = [];
    const isData = [1, 2].every((record) => {
      const bytes = Buffer.concat([before, Buffer.from(String(record)), after]);
      const records = readEnvelope(
        { ...answer, bytes },
        { mayBeEmpty: true, note: (one) => odd.push(one) },
      );
      return records.length === 1 && records[0] === record;
    });
    if (!isData) return undefined;
    for (const one of odd) note(one);
    return new Frame(before, after);
  }

  /** Whether the same stands around the list from `from` to `to`. */
  isAround(page: Buffer, from: number, to: number): boolean {
    return this.#before.equals(page.subarray(0, from)) && this.#after.equals(page.subarray(to));
  }
}
