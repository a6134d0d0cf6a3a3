/** Bytes that are expected somewhere, compared four at a time. */
export class Literal {
  readonly length: number;
  readonly #words: Int32Array;
  readonly #rest: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const wordsLength = bytes.length >> 2;
    this.#words = Int32Array.from({ length: wordsLength }, (_, word) => view.getInt32(4 * word));
    // A copy: a part of the page would keep all of it in memory.
    this.#rest = Uint8Array.from(bytes.subarray(4 * wordsLength));
  }

  /** Whether these very bytes stand at a place. */
  isAt(view: DataView, at: number): boolean {
    if (at + this.length > view.byteLength) return false;
    const words = this.#words;
    let next = at;
    for (let word = 0; word < words.length; word += 1) {
      if (view.getInt32(next) !== words[word]) return false;
      next += 4;
    }
    const rest = this.#rest;
    for (let index = 0; index < rest.length; index += 1) {
      if (view.getUint8(next + index) !== rest[index]) return false;
    }
    return true;
  }
}
