import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import { damaged } from './damaged.ts';
import {
  type ListedTransaction,
  readLine,
  type SectionEnd,
  type SourceLine,
} from './source-line.ts';
import { unpackLines } from './unpack.ts';

/** The headers in a day's source. */
export interface SourceHeaders {
  readonly day: string;
  /** In order, each id once. */
  readonly settlements: readonly Settlement[];
  /** Ids with several contents: all of them, the one that counts first. */
  readonly conflicts: readonly (readonly Settlement[])[];
}

/** Reads the source of a day once, from its beginning on. Throws ReconError `damaged`. */
export class SourceReader {
  readonly headers: SourceHeaders;
  readonly #path: string;
  readonly #lines: Lines;
  /** How many settlements' rows have been read whole or passed over, and how many begun. */
  #passed = 0;
  #begun = 0;

  private constructor(path: string, lines: Lines, headers: SourceHeaders) {
    this.#path = path;
    this.#lines = lines;
    this.headers = headers;
  }

  /** Opens a day's source and reads its headers. */
  static async open(path: string): Promise<SourceReader> {
    const lines = new Lines(path);
    try {
      return new SourceReader(path, lines, await readHeaders(lines));
    } catch (error) {
      await lines.close();
      throw error;
    }
  }

  /** How many settlements' rows can't be read any more. */
  get begun(): number {
    return this.#begun;
  }

  /**
   * The transactions of the settlement at `index`, which must not lie behind, in batches; those
   * before it are passed over. One settlement at a time.
   */
  async *rows(index: number): AsyncGenerator<readonly ListedTransaction[], SectionEnd, void> {
    this.#begun = index + 1;
    while (this.#passed < index) await this.#passOver();
    const id = this.headers.settlements[index]?.id;
    let rows = 0;
    let batch: { row: Row; listed: number; others: Row[] }[] = [];
    for (;;) {
      const line = await this.#lines.next();
      if (!('settlement' in line) || line.settlement !== id) {
        throw this.#lines.fault('type or settlement');
      }
      if (line.type === 'end') {
        if (line.rows !== rows) throw this.#lines.fault('rows');
        this.#passed += 1;
        if (this.#passed === this.headers.settlements.length) await this.#lines.expectEnd();
        if (batch.length > 0) yield batch;
        return line;
      }
      rows += 1;
      const { record: row, listed, conflicting } = line;
      const last = conflicting && batch.at(-1);
      if (last) {
        last.others.push(row);
        continue;
      }
      if (batch.length === batchSize) {
        yield batch;
        batch = [];
      }
      batch.push({ row, listed, others: [] });
    }
  }

  close(): Promise<void> {
    return this.#lines.close();
  }

  async #passOver(): Promise<void> {
    while ((await this.#lines.peek()).startsWith('{"type":"row"')) this.#lines.skip();
    const line = await this.#lines.next();
    if (line.type !== 'end') throw damaged(this.#path, 'The lines of the file are out of order.');
    this.#passed += 1;
  }
}

const batchSize = 500;

async function readHeaders(lines: Lines): Promise<SourceHeaders> {
  const first = await lines.next();
  if (first.type !== 'source') throw lines.fault('type');
  const contents = new Map<string, Settlement[]>();
  while ((await lines.peek()).startsWith('{"type":"settlement"')) {
    const line = await lines.next();
    if (line.type !== 'settlement') throw lines.fault('type');
    const header = line.record;
    const known = contents.get(header.id);
    if (known) known.push(header);
    else contents.set(header.id, [header]);
  }
  const all = [...contents.values()];
  if (all.length === 0) await lines.expectEnd();
  return {
    day: first.day,
    settlements: all.flatMap(([counts]) => (counts ? [counts] : [])),
    conflicts: all.filter(({ length }) => length > 1),
  };
}

/** The lines of a file, one after the other. */
class Lines {
  readonly #path: string;
  readonly #batches: AsyncGenerator<readonly string[], void, void>;
  #batch: readonly string[] = [];
  #at = 0;
  #number = 0;

  constructor(path: string) {
    this.#path = path;
    this.#batches = unpackLines(path);
  }

  /** The text of the next line; empty at the end. */
  async peek(): Promise<string> {
    while (this.#at >= this.#batch.length) {
      const step = await this.#batches.next();
      if (step.done) return '';
      this.#batch = step.value;
      this.#at = 0;
    }
    return this.#batch[this.#at] ?? '';
  }

  skip(): void {
    this.#at += 1;
    this.#number += 1;
  }

  async next(): Promise<SourceLine> {
    const text = await this.peek();
    if (text === '') throw damaged(this.#path, 'The file ends before its last settlement.');
    this.skip();
    const line = readLine(text);
    if ('fault' in line) throw this.fault(line.fault);
    return line;
  }

  /** Nothing may follow; only at its end is it known that the file was unpacked whole. */
  async expectEnd(): Promise<void> {
    if ((await this.peek()) !== '') throw damaged(this.#path, 'The file continues after its end.');
  }

  /** Says what doesn't fit in the line that was read last. */
  fault(field: string) {
    return damaged(this.#path, `Line ${this.#number} of the file is not valid: ${field}.`);
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }
}
