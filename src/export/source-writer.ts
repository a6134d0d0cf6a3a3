import { createHash } from 'node:crypto';
import { gzip } from 'node:zlib';
import type { HeaderList } from '../model/source.ts';
import {
  endLine,
  headerLine,
  type ListedTransaction,
  rowLine,
  type SectionEnd,
  sourceLine,
} from './source-line.ts';

/** Where bytes go. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<unknown>;
}

/** What was written. */
export interface SourceDigest {
  /** Lines. */
  readonly rows: number;
  /** Of the text, before it was compressed. */
  readonly contentSha256: string;
}

type ListedHeaders = Pick<HeaderList, 'settlements' | 'conflicts'>;

/** The lines of headers: all contents of each settlement, the one that counts first. */
export function* headerLines({ settlements, conflicts }: ListedHeaders): Generator<string> {
  const contentsById = new Map(conflicts.map((contents) => [contents[0]?.id, contents]));
  for (const settlement of settlements) {
    for (const content of contentsById.get(settlement.id) ?? [settlement]) {
      yield headerLine(content);
    }
  }
}

/** Text that is compressed together: a member of its own in the gzip file. */
const memberLength = 1 << 20;

/**
 * Writes the source of a day: the headers, then each settlement's rows in the same order. The same
 * lines give the same bytes.
 */
export class SourceWriter {
  readonly #file: ByteSink;
  readonly #hash = createHash('sha256');
  #text = '';
  #lines = 0;
  #sectionRows = 0;

  constructor(file: ByteSink) {
    this.#file = file;
  }

  /** The settlements in order; of one with several contents the one that counts comes first. */
  async headers(day: string, headers: ListedHeaders): Promise<void> {
    await this.#write(sourceLine(day));
    for (const line of headerLines(headers)) await this.#write(line);
  }

  /** Transactions of the settlement whose turn it is, in the order of their ids. */
  async rows(settlementId: string, transactions: Iterable<ListedTransaction>): Promise<void> {
    for (const { row, listed, others } of transactions) {
      await this.#write(rowLine(settlementId, row, listed));
      for (const other of others) await this.#write(rowLine(settlementId, other, 1, true));
      this.#sectionRows += 1 + others.length;
    }
  }

  /** Ends the rows of that settlement. */
  async end(settlementId: string, end: SectionEnd): Promise<void> {
    await this.#write(endLine(settlementId, this.#sectionRows, end));
    this.#sectionRows = 0;
  }

  /** Writes out the rest; closing the file is its owner's. */
  async close(): Promise<SourceDigest> {
    await this.#flush();
    return { rows: this.#lines, contentSha256: this.#hash.digest('hex') };
  }

  async #write(line: string): Promise<void> {
    this.#text += `${line}\n`;
    this.#lines += 1;
    if (this.#text.length >= memberLength) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#text === '') return;
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#hash.update(bytes);
    await this.#file.write(await compress(bytes));
  }
}

function compress(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: 6 }, (error, compressed) => {
      if (error) reject(error);
      else resolve(compressed);
    });
  });
}
