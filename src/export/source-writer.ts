import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { conflictsById } from '../app/read-settlements.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { SourceHeaders } from './day-source.ts';
import type { PackedRows } from './packed-rows.ts';
import type { SortedRows } from './row-store.ts';
import {
  endLine,
  headerLine,
  headersEndLine,
  type LinePiece,
  linePieces,
  rowLine,
  type SectionEnd,
  sourceLine,
} from './source-line.ts';

/**
 * The lines of headers: all contents of each settlement, the one that counts first; then how listing
 * them ended, where not all could be read.
 */
export function* headerLines(headers: SourceHeaders): Generator<string> {
  const contentsById = conflictsById(headers.conflicts);
  for (const settlement of headers.settlements) {
    for (const content of contentsById.get(settlement.id) ?? [settlement]) {
      yield headerLine(content);
    }
  }
  const end = headersEndLine(headers);
  if (end !== undefined) yield end;
}

/** Text that is compressed together, about: a member of its own in the gzip file. */
const memberLength = 1 << 20;

/**
 * Writes the source of a day: the headers, then each settlement's rows in the same order. The same
 * lines give the same text.
 */
export class SourceWriter {
  readonly #write: (bytes: Uint8Array) => Promise<unknown>;
  readonly #hash = createHash('sha256');
  /** Text that isn't compressed yet; and that which is being, whose memory is used again then. */
  #text = new ByteWriter(memberLength / 4);
  #compressed = new ByteWriter(memberLength / 4);
  #writing: Promise<unknown> = Promise.resolve();
  #lines = 0;
  #sectionRows = 0;

  constructor(write: (bytes: Uint8Array) => Promise<unknown>) {
    this.#write = write;
  }

  /** The settlements in order; of one with several contents the one that counts comes first. */
  async headers(day: string, headers: SourceHeaders): Promise<void> {
    this.#line(sourceLine(day));
    for (const line of headerLines(headers)) {
      this.#line(line);
      await this.#settle();
    }
  }

  /** Transactions of the settlement whose turn it is, in the order of their ids. */
  async rows(settlementId: string, rows: SortedRows): Promise<void> {
    const before = this.#lines;
    if ('texts' in rows) this.#packed(settlementId, rows);
    else {
      for (const { row, listed, others } of rows) {
        this.#line(rowLine(settlementId, row, listed));
        for (const other of others) this.#line(rowLine(settlementId, other, 1, true));
      }
    }
    this.#sectionRows += this.#lines - before;
    await this.#settle();
  }

  /** Ends the rows of that settlement. */
  async end(settlementId: string, end: Partial<SectionEnd>): Promise<void> {
    this.#line(endLine(settlementId, this.#sectionRows, end));
    this.#sectionRows = 0;
    await this.#settle();
  }

  /** Writes out the rest; gives the number of lines, and the SHA-256 of the text before it was compressed. */
  async close() {
    await this.#flush();
    await this.#writing;
    return { rows: this.#lines, contentSha256: this.#hash.digest('hex') };
  }

  #line(line: string): void {
    this.#text.text(`${line}\n`);
    this.#lines += 1;
  }

  #packed(settlementId: string, rows: PackedRows): void {
    const known = new Map<RowKind, readonly LinePiece[]>();
    for (const [index, kind] of rows.kinds.entries()) {
      const pieces = known.get(kind) ?? linePieces(settlementId, kind);
      known.set(kind, pieces);
      for (const { before, field } of pieces) {
        this.#text.copy(before, 0, before.byteLength);
        if (field) rows.put(field, index, this.#text);
      }
    }
    this.#lines += rows.length;
  }

  async #settle(): Promise<void> {
    if (this.#text.length >= memberLength) await this.#flush();
  }

  /** Has the text compressed and written, while more comes in. */
  async #flush(): Promise<void> {
    if (this.#text.length === 0) return;
    await this.#writing;
    [this.#text, this.#compressed] = [this.#compressed, this.#text];
    this.#text.length = 0;
    const { written } = this.#compressed;
    this.#hash.update(written);
    const chunkSize = Math.min(1 << 18, 1024 + written.length);
    this.#writing = compress(written, { level, chunkSize }).then(this.#write);
    // The next one hears of a failure.
    this.#writing.catch(() => {});
  }
}

const compress = promisify(gzip);
/** Level 6 takes more than twice as long for a file that is an eighth smaller. */
const level = 1;
