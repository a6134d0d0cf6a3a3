import { parseJson } from '../../base/json.ts';
import type { Note } from '../../model/row.ts';
import { notesOf } from '../decode.ts';
import { Message } from '../digest.ts';
import { bodyOf } from '../transport.ts';
import { Literal, plainEnd } from './bytes.ts';

/** A list of notes in which nothing is escaped, as the document shows it. */
const plainNotes =
  /^\[\s*(?:\{\s*"key"\s*:\s*"[ !#-[\]-~]*"\s*,\s*"value"\s*:\s*"[ !#-[\]-~]*"\s*\}\s*(?:,\s*(?=\{)|(?=\])))*\]$/;
const value = /(?<="value"\s*:\s*")[^"]*/;
const key = /(?<="key"\s*:\s*")[^"]*/g;

/** The notes of a row but for their values: mostly all rows have the same keys. */
export class NotesShape {
  /** The words of each key, as a message has them. */
  readonly keys: readonly Int32Array[];
  readonly #literals: readonly Literal[];

  private constructor(text: string) {
    this.#literals = text.split(value).map((piece) => new Literal(piece));
    this.keys = (text.match(key) ?? []).map((name) => {
      const message = new Message();
      message.text(name);
      return message.words.slice(0, message.length);
    });
  }

  /** The shape of the list in these bytes; undefined where it has another form. */
  static of(list: Buffer): NotesShape | undefined {
    const text = list.toString('latin1');
    return plainNotes.test(text) ? new NotesShape(text) : undefined;
  }

  /**
   * Reads the list that begins at `at`, and puts into `ends` where each value begins and ends; the
   * place behind it, or -1 where there is something else.
   */
  read(bytes: Uint8Array, view: DataView, at: number, ends: number[]): number {
    let next = at;
    for (let index = 0; index < this.#literals.length; index += 1) {
      const literal = this.#literals[index];
      if (!literal?.isAt(view, next)) return -1;
      next += literal.length;
      if (index === this.keys.length) return next;
      ends[2 * index] = next;
      next = plainEnd(bytes, next);
      if (next < 0) return -1;
      ends[2 * index + 1] = next;
    }
    return -1;
  }
}

/** Any notes, from the bytes of their list; undefined where these are no JSON. */
export function parseNotes(list: Buffer): readonly Note[] | undefined {
  const parsed = parseJson(bodyOf({ bytes: list }));
  return parsed === undefined ? undefined : notesOf(parsed);
}
