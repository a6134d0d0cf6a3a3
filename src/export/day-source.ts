import { createGunzip } from 'node:zlib';
import { isAbsent } from '../base/file-failures.ts';
import { readThrough } from '../base/files.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { HeaderList } from '../model/source.ts';
import { damaged } from './sealed-json.ts';
import {
  type ListedTransaction,
  readLine,
  type SectionEnd,
  type SourceLine,
} from './source-line.ts';

/** The headers in a day's source. */
export type SourceHeaders = Pick<
  HeaderList,
  'settlements' | 'conflicts' | 'unreadable' | 'unsteady'
>;

const batchSize = 500;

/**
 * The source of one day, for several who ask at the same time: they are served one after the other,
 * and in one pass through the file where they ask in its order. Throws ReconError `damaged`.
 */
export class DaySource {
  readonly headers: SourceHeaders;
  readonly #path: string;
  readonly #places: ReadonlyMap<string, number>;
  /** The file, as far as it is read, and the settlement whose rows come next there. */
  #lines: Lines | undefined;
  #next = 0;
  #turn = Promise.resolve();

  private constructor(path: string, headers: SourceHeaders) {
    this.#path = path;
    this.headers = headers;
    this.#places = new Map(headers.settlements.map(({ id }, index) => [id, index]));
  }

  /** Reads the headers; the file does not stay open. */
  static async open(path: string): Promise<DaySource> {
    const lines = new Lines(path);
    try {
      return new DaySource(path, await readHeaders(lines));
    } finally {
      await lines.close();
    }
  }

  /** Whether the day lists a settlement, even if its header can't be read. */
  has(id: string): boolean {
    const { settlements, unreadable } = this.headers;
    const listed = [...settlements.map((one) => one.id), ...unreadable.map(({ record }) => record)];
    return listed.some((one) => isSameUuid(one, id));
  }

  /** The transactions of a settlement that it has, in batches. */
  async *rows(id: string): AsyncGenerator<readonly ListedTransaction[], SectionEnd, void> {
    const index = this.#places.get(id);
    if (index === undefined) throw new RangeError(`no settlement ${id} on that day`);
    const before = this.#turn;
    let end = () => {};
    this.#turn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    try {
      const lines = await this.#linesAt(index);
      const outcome = yield* readRows(lines, id);
      this.#next = index + 1;
      // At its end it is known that it was unpacked whole, and it need not stay open.
      if (this.#next === this.#places.size) {
        await lines.expectEnd();
        await this.close();
      }
      return outcome;
    } finally {
      // Whoever stopped in between left the rest of the rows there.
      if (this.#next <= index) await this.close();
      end();
    }
  }

  /** It may be read again all the same. */
  async close(): Promise<void> {
    const lines = this.#lines;
    this.#lines = undefined;
    await lines?.close();
  }

  async #linesAt(index: number): Promise<Lines> {
    if (index < this.#next) await this.close();
    if (!this.#lines) {
      this.#lines = new Lines(this.#path);
      this.#next = 0;
      await readHeaders(this.#lines);
    }
    for (; this.#next < index; this.#next += 1) await this.#lines.passOver();
    return this.#lines;
  }
}

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
  const isEnded = (await lines.peek()).startsWith('{"type":"headers"');
  const end = isEnded ? await lines.next() : undefined;
  if (end && end.type !== 'headers') throw lines.fault('type');
  if (all.length === 0) await lines.expectEnd();
  return {
    settlements: all.flatMap(([counts]) => (counts ? [counts] : [])),
    conflicts: all.filter(({ length }) => length > 1),
    unreadable: end?.unreadable ?? [],
    ...(end?.unsteady && { unsteady: end.unsteady }),
  };
}

async function* readRows(
  lines: Lines,
  id: string,
): AsyncGenerator<readonly ListedTransaction[], SectionEnd, void> {
  let rows = 0;
  let batch: { row: Row; listed: number; others: Row[] }[] = [];
  for (;;) {
    const line = await lines.next();
    if (!('settlement' in line) || line.settlement !== id) throw lines.fault('type or settlement');
    if (line.type === 'end') {
      if (line.rows !== rows) throw lines.fault('rows');
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

  async next(): Promise<SourceLine> {
    const text = await this.peek();
    if (text === '') throw damaged(this.#path, 'The file ends before its last settlement.');
    this.#skip();
    const line = readLine(text);
    if ('fault' in line) throw this.fault(line.fault);
    return line;
  }

  /** Passes over the rows of a settlement. */
  async passOver(): Promise<void> {
    while ((await this.peek()).startsWith('{"type":"row"')) this.#skip();
    const line = await this.next();
    if (line.type !== 'end') throw damaged(this.#path, 'The lines of the file are out of order.');
  }

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

  #skip(): void {
    this.#at += 1;
    this.#number += 1;
  }
}

/** A line is at most about as long as the largest answer that a row can have come in. */
const longestLine = 32 * 1024 * 1024;

/** The text of a compressed file, as it is unpacked. Throws ReconError `damaged` where it can't be. */
export async function* unpack(path: string): AsyncGenerator<Buffer, void, void> {
  try {
    // It unpacks to about ten times its size.
    const chunkSize = (blockBytes: number) => Math.min(1 << 18, 64 + 16 * blockBytes);
    yield* readThrough(path, (bytes) => createGunzip({ chunkSize: chunkSize(bytes) }));
  } catch (error) {
    if (isAbsent(error)) throw damaged(path, 'The file is missing.', error);
    const why = error instanceof Error ? error.message : String(error);
    throw damaged(path, `The file cannot be unpacked: ${why}.`, error);
  }
}

/** The lines of a compressed file, in batches, without their line breaks. Errors as with `unpack`. */
async function* unpackLines(path: string): AsyncGenerator<readonly string[], void, void> {
  const decode = utf8Decoder(path);
  let rest = '';
  for await (const chunk of unpack(path)) {
    // What has come of a line is only put together: searching it again for each chunk would take long.
    const [first = '', ...others] = decode(chunk).split('\n');
    rest += first;
    if (rest.length > longestLine) throw damaged(path, 'A line of the file is too long.');
    const last = others.pop();
    if (last === undefined) continue;
    yield [rest, ...others];
    rest = last;
  }
  if (rest !== '') throw damaged(path, 'The file ends in the middle of a line.');
}

function utf8Decoder(path: string): (chunk: Buffer) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw damaged(path, 'The file is not UTF-8 text.', error);
    }
  };
}
