import type { OddAnswer } from '../../model/source.ts';
import { readEnvelope } from '../envelope.ts';
import type { HttpAnswer } from '../transport.ts';
import { colon, Literal, openList, skipSpace } from './bytes.ts';

const dataName = Buffer.from('"data"');

/** The place behind the bracket that opens the first list called data; -1 where there is none. */
export function listIn(bytes: Buffer): number {
  const name = bytes.indexOf(dataName);
  if (name < 0) return -1;
  const afterName = skipSpace(bytes, name + dataName.length);
  if (bytes[afterName] !== colon) return -1;
  const list = skipSpace(bytes, afterName + 1);
  return bytes[list] === openList ? list + 1 : -1;
}

/** The bytes around the records of a success (doc 2.6). */
export class Frame {
  readonly #before: Literal;
  readonly #after: Literal;

  private constructor(before: Buffer, after: Buffer) {
    this.#before = new Literal(before.toString('latin1'));
    this.#after = new Literal(after.toString('latin1'));
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
  isAround(page: DataView, from: number, to: number): boolean {
    return (
      from === this.#before.length &&
      to + this.#after.length === page.byteLength &&
      this.#before.isAt(page, 0) &&
      this.#after.isAt(page, to)
    );
  }
}
