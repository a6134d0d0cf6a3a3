import { IdTable, idWords, putIdWords } from '../base/id-table.ts';
import type { FileLine } from './lines.ts';
import type { Payout } from './payouts.ts';

/** What is kept of the row of an id. */
const rowWord = { content: 0, firstFile: 1 } as const;
/** What is kept of lines without an id that are equal: how often they count, and occur in the last file. */
const linesWord = { kept: 0, file: 1, inFile: 2 } as const;
const scratch = new Int32Array(idWords);

/** What became of a line: a new row, one that is in another file too, the same id again, or its id differently. */
export type Seen = 'new' | 'in_other_file' | 'repeated' | 'differs_from_other_file';

/**
 * Tells which lines are new. A line without an id is as often there as in the file that has it most often; a row
 * with an id is there once.
 */
export class SeenLines {
  readonly #table = new IdTable(3);

  /** `file` numbers the files from 1. Returns the id under which the row counts, and puts its words into `words`. */
  see(line: FileLine, payout: Payout, file: number, words: Int32Array) {
    const content = contentOf(line);
    if (line.id === '') return { is: this.count(`${payout.id}\n${content}`, file), id: '' };
    const digest = digestOf(content);
    // The reference of a refund and of its reversal may be the same, and so may those of parts of one.
    for (let part = 1; ; part += 1) {
      const id = partOf(line.id, part);
      putIdWords(id, words, 0);
      const known = this.#table.size;
      const number = this.#table.add(within(payout, words), 0);
      if (number === known) {
        this.#table.set(number, rowWord.content, digest);
        this.#table.set(number, rowWord.firstFile, file);
        return { is: 'new' as const, id };
      }
      const isFirst = this.#table.get(number, rowWord.firstFile) === file;
      if (this.#table.get(number, rowWord.content) === digest) {
        return { is: isFirst ? ('repeated' as const) : ('in_other_file' as const), id };
      }
      if (!isFirst && !this.#has(payout, partOf(line.id, part + 1), words)) {
        return { is: 'differs_from_other_file' as const, id };
      }
    }
  }

  #has(payout: Payout, id: string, words: Int32Array): boolean {
    putIdWords(id, words, 0);
    return this.#table.find(within(payout, words), 0) >= 0;
  }

  /** What became of a line that has no id, by its contents. */
  count(key: string, file: number): Seen {
    putIdWords(key, scratch, 0);
    const number = this.#table.add(scratch, 0);
    const isSameFile = this.#table.get(number, linesWord.file) === file;
    const inFile = isSameFile ? this.#table.get(number, linesWord.inFile) + 1 : 1;
    this.#table.set(number, linesWord.file, file);
    this.#table.set(number, linesWord.inFile, inFile);
    if (inFile <= this.#table.get(number, linesWord.kept)) return 'in_other_file';
    this.#table.set(number, linesWord.kept, inFile);
    return 'new';
  }
}

function partOf(id: string, part: number): string {
  return part === 1 ? id : `${id} (${part})`;
}

/** The words of an id within a pay-out: another may have the same id. */
function within(payout: Payout, words: Int32Array): Int32Array {
  for (let word = 0; word < idWords; word += 1)
    scratch[word] = (words[word] ?? 0) ^ (payout.words[word] ?? 0);
  return scratch;
}

function contentOf(line: FileLine): string {
  const { day, timestamp, amount, fees, tax, paid, reference } = line;
  const { orderId, chargeId, method, note, type } = line;
  const texts = [timestamp, reference, orderId, chargeId, method, note, type].join('\0');
  return `${day}\0${amount}\0${fees}\0${tax}\0${paid}\0${texts}`;
}

/** A hash of a text (FNV-1a). */
function digestOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
