import { loadModule, withRoom } from '../../base/web-assembly.ts';
import { memoryBytes } from './kernel/layout.ts';
import { scanKernel } from './kernel-binary.ts';

/** What the kernel asks while it reads a page. Places are counted from the beginning of the page. */
export interface KernelQuestions {
  /** Learns the shape of the row that begins at a place; false where it has another form. */
  learnShape(at: number): boolean;
  /** Learns the text of a field that begins at a place; false where it has another form. */
  learnText(field: number, at: number): boolean;
  /** Adds the notes that begin at a place to the digest: the place behind them; 0 where they are none. */
  readNotes(at: number): number;
}

interface KernelExports {
  /** Reads the list of rows that begins at a place: the place of its closing bracket, or 0. */
  scan(from: number): number;
  /** How many rows it found. */
  readonly rows: { readonly value: number };
  /** Adds the bytes at an address to the digest, under a number. */
  take(number: number, address: number, length: number): void;
  /** Forgets all that was learned. */
  forget(): void;
}

/** The reader of pages in WebAssembly, of which `kernel/` is the source, and its memory. */
export interface Kernel extends KernelExports {
  readonly memory: Buffer;
  /** Who is asked. */
  questions: KernelQuestions | undefined;
}

let loaded: Kernel | undefined;

/** The kernel of this process: it is loaded when somebody first needs it. */
export function theKernel(): Kernel {
  loaded ??= load();
  return loaded;
}

function load(): Kernel {
  const scan: KernelQuestions = {
    learnShape: (at) => kernel.questions?.learnShape(at) ?? false,
    learnText: (field, at) => kernel.questions?.learnText(field, at) ?? false,
    readNotes: (at) => kernel.questions?.readNotes(at) ?? 0,
  };
  const exports = loadModule<KernelExports>(scanKernel, { scan });
  const memory = withRoom(exports.memory, memoryBytes);
  const kernel: Kernel = { ...exports, memory, questions: undefined };
  return kernel;
}
