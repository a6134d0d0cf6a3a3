/** A set of whole numbers from `first` on, a bit each. */
export class NumberSet {
  size = 0;
  readonly #first: number;
  #bits = new Uint8Array(64);

  constructor(first: number) {
    this.#first = first;
  }

  has(number: number): boolean {
    const at = number - this.#first;
    return at >= 0 && ((this.#bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  add(number: number): void {
    if (this.has(number)) return;
    const at = number - this.#first;
    while (at >> 3 >= this.#bits.length) {
      const grown = new Uint8Array(this.#bits.length * 2);
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[at >> 3] = (this.#bits[at >> 3] ?? 0) | (1 << (at & 7));
    this.size += 1;
  }

  /** Whether it was there. */
  delete(number: number): boolean {
    if (!this.has(number)) return false;
    const at = number - this.#first;
    this.#bits[at >> 3] = (this.#bits[at >> 3] ?? 0) & ~(1 << (at & 7));
    this.size -= 1;
    return true;
  }
}
