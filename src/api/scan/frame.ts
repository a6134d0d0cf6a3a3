import type { HttpAnswer } from '../../base/http/transport.ts';
import type { OddAnswer } from '../../model/source.ts';
import { readEnvelope } from '../envelope.ts';

const listOfData = /^"data"[ \t\r\n]*:[ \t\r\n]*\[/;

/** The place behind the bracket that opens the first list called data; -1 where none is seen. */
export function listIn(bytes: Buffer): number {
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
