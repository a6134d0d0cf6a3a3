import { hash } from 'node:crypto';

/** Adds up the digests of records, each given as a text, so their order does not matter. */
export class DigestSum {
  #sum = 0n;

  add(text: string): void {
    this.addSum(hash('sha256', text));
  }

  /** Adds the sum of other records, as `text` has it. */
  addSum(sum: string): void {
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${sum}`));
  }

  get text(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
