import { loadModule, withRoom } from '../../base/web-assembly.ts';
import * as layout from './kernel/layout.ts';
import { memoryBytes } from './kernel/layout.ts';
import { scanKernel } from './kernel-binary.ts';

/** Callbacks of the kernel while it reads a page. Offsets are from the start of the page. */
interface KernelCallbacks {
  /** Learns the shape of the row at an offset; false if it has another form. */
  learnShape(at: number): boolean;
  /** Learns the text at an offset, by its column; false if it has another form. */
  learnText(column: number, at: number): boolean;
  /** Adds the notes at an offset to the digest: the offset behind them, or 0 if there are none. */
  readNotes(at: number): number;
}

interface KernelExports {
  /** Reads the list of rows at an offset: the offset of its closing bracket, or 0. */
  scan(from: number): number;
  readonly rows: { readonly value: number };
  /** Adds the bytes at an address to the digest, under a slot. */
  addToDigest(slot: number, address: number, length: number): void;
  forget(): void;
}

/** The page reader in WebAssembly, whose source is `kernel/`, and its memory. */
export interface Kernel extends KernelExports {
  readonly memory: Buffer;
  callbacks: KernelCallbacks | undefined;
}

let loaded: Kernel | undefined;

/** The kernel of this process, loaded when first needed. */
export function theKernel(): Kernel {
  loaded ??= load();
  return loaded;
}

function load(): Kernel {
  const scan: KernelCallbacks = {
    learnShape: (at) => kernel.callbacks?.learnShape(at) ?? false,
    learnText: (column, at) => kernel.callbacks?.learnText(column, at) ?? false,
    readNotes: (at) => kernel.callbacks?.readNotes(at) ?? 0,
  };
  const exports = loadModule<KernelExports>(scanKernel, { scan });
  const memory = withRoom(exports.memory, memoryBytes);
  const kernel: Kernel = { ...exports, memory, callbacks: undefined };
  return kernel;
}

/** 64 bits, as two signed halves. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.high === other.high && one.low === other.low;
}

/** A digest, not cryptographic, of all texts that `addAll` passes to `addTexts`. */
export function digestOf(addAll: () => void): Digest {
  const halves = new Int32Array(theKernel().memory.buffer, layout.digest, 2);
  // The kernel may be in the middle of a page, and uses the same sum.
  const before = halves.slice();
  halves.fill(0);
  addAll();
  const [high = 0, low = 0] = halves;
  halves.set(before);
  return { high, low };
}

/** Adds texts to the digest under way, numbered from `first` on, as the kernel does with a page. */
export function addTexts(first: number, texts: readonly string[]): void {
  const { memory, addToDigest } = theKernel();
  const { inputText, mostBytes } = layout;
  let number = first;
  for (const text of texts) {
    // A text that fits into a page is one piece.
    for (let start = 0; start === 0 || start < text.length; start += mostBytes) {
      const piece = text.slice(start, start + mostBytes);
      const isAscii = ascii.test(piece);
      const bytes = memory.write(piece, inputText, isAscii ? 'latin1' : 'utf16le');
      addToDigest(isAscii ? number : ~number, inputText, bytes);
      number += 1;
    }
  }
}

const ascii = /^[\0-\x7f]*$/;
