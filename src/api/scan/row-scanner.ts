import type { HttpAnswer } from '../../base/http/transport.ts';
import type { OddAnswer } from '../../model/source.ts';
import { takeNotes } from '../row-digest.ts';
import { Frame, listIn } from './frame.ts';
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
