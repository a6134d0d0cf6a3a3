import { isUtf8 } from 'node:buffer';
import { createGunzip } from 'node:zlib';
import { isAbsent } from '../base/file-failures.ts';
import { readThrough } from '../base/files.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import { damagedFile } from './layout.ts';
import {
  type ListedTransaction,
  type RowsEnd,
  readLine,
  type SourceHeaders,
} from './source-line.ts';

const batchSize = 500;

/** The source of a day. Readers at the same time wait for each other. Throws ReconError `damaged`. */
export class DaySource {
  readonly headers: SourceHeaders;
  readonly #path: string;
  readonly #indexOf: ReadonlyMap<string, number>;
  /** The open file, and the index of the settlement whose rows come next. */
  #lines: Lines | undefined;
  #nextIndex = 0;
  #queue = Promise.resolve();

  private constructor(path: string, headers: SourceHeaders) {
    this.#path = path;
    this.headers = headers;
    this.#indexOf = new Map(headers.settlements.map(({ id }, index) => [id, index]));
  }

  static async open(path: string): Promise<DaySource> {
    const lines = new Lines(path);
    try {
      return new DaySource(path, await readHeaders(lines));
    } finally {
      await lines.close();
    }
  }

  /** Whether the day lists a settlement, also if its header cannot be read. */
  has(id: string): boolean {
    const { settlements, unreadable } = this.headers;
    const listed = [...settlements.map((one) => one.id), ...unreadable.map(({ record }) => record)];
    return listed.some((one) => isSameUuid(one, id));
  }

  async *rows(id: string): AsyncGenerator<readonly ListedTransaction[], RowsEnd, void> {
    const index = this.#indexOf.get(id);
    if (index === undefined) throw new RangeError(`no settlement ${id} on that day`);
    const before = this.#queue;
    let end = () => {};
    this.#queue = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    try {
      const lines = await this.#linesAt(index);
      const outcome = yield* readRows(lines, id);
      this.#nextIndex = index + 1;
      if (this.#nextIndex === this.#indexOf.size) {
        await lines.expectEnd();
        await this.close();
      }
      return outcome;
    } finally {
      // A reader that stopped early left rows unread.
      if (this.#nextIndex <= index) await this.close();
      end();
    }
  }

  /** Closes the file. Reading again opens it. */
  async close(): Promise<void> {
    const lines = this.#lines;
    this.#lines = undefined;
    await lines?.close();
  }

  async #linesAt(index: number): Promise<Lines> {
    if (index < this.#nextIndex) await this.close();
    if (!this.#lines) {
      this.#lines = new Lines(this.#path);
      this.#nextIndex = 0;
      await readHeaders(this.#lines);
    }
    for (; this.#nextIndex < index; this.#nextIndex += 1) await this.#lines.skipRows();
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
  const isEnded = (await lines.peek()).startsWith('{"type":"headers"');
  const end = isEnded ? await lines.next() : undefined;
  if (end && end.type !== 'headers') throw lines.fault('type');
  if (contents.size === 0) await lines.expectEnd();
  return {
    ...listOf(contents),
    unreadable: end?.unreadable ?? [],
    ...(end?.unsteady && { unsteady: end.unsteady }),
  };
}

/** Settlements and their conflicts, from the headers of each id, of which the first one counts. */
export function listOf(contents: ReadonlyMap<string, readonly Settlement[]>) {
  const all = [...contents.values()];
  return {
    settlements: all.flatMap(([counts]) => (counts ? [counts] : [])),
    conflicts: all.filter(({ length }) => length > 1),
  };
}

async function* readRows(lines: Lines, id: string) {
  let rows = 0;
  let batch: { row: Row; listed: number; others: Row[] }[] = [];
  for (;;) {
    const line = lines.unpacked() ?? (await lines.next());
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

  async peek(): Promise<string> {
    while (this.#at >= this.#batch.length) {
      const step = await this.#batches.next();
      if (step.done) return '';
      this.#batch = step.value;
      this.#at = 0;
    }
    return this.#batch[this.#at] ?? '';
  }

  /** The next line, if it needs no waiting. */
  unpacked() {
    const text = this.#batch[this.#at];
    return text === undefined ? undefined : this.#read(text);
  }

  async next() {
    return this.#read(await this.peek());
  }

  #read(text: string) {
    if (text === '') throw damagedFile(this.#path, 'The file ends before its last settlement.');
    this.#skip();
    const line = readLine(text);
    if ('fault' in line) throw this.fault(line.fault);
    return line;
  }

  async skipRows(): Promise<void> {
    while ((await this.peek()).startsWith('{"type":"row"')) this.#skip();
    const line = await this.next();
    if (line.type !== 'end')
      throw damagedFile(this.#path, 'The lines of the file are out of order.');
  }

  async expectEnd(): Promise<void> {
    if ((await this.peek()) !== '')
      throw damagedFile(this.#path, 'The file continues after its end.');
  }

  fault(field: string) {
    return damagedFile(this.#path, `Line ${this.#number} of the file is not valid: ${field}.`);
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }

  #skip(): void {
    this.#at += 1;
    this.#number += 1;
  }
}

/** More than a row in the largest response takes. */
const longestLine = 32 * 1024 * 1024;

/** The text of a compressed file, in pieces. Throws ReconError `damaged` if it cannot be unpacked. */
export async function* unpack(path: string): AsyncGenerator<Buffer, void, void> {
  try {
    // A file unpacks to about ten times its size.
    yield* readThrough(path, (bytes) =>
      createGunzip({ chunkSize: Math.min(1 << 18, 64 + 16 * bytes) }),
    );
  } catch (error) {
    if (isAbsent(error)) throw damagedFile(path, 'The file is missing.', error);
    const why = error instanceof Error ? error.message : String(error);
    throw damagedFile(path, `The file cannot be unpacked: ${why}.`, error);
  }
}

const lineBreak = 0x0a;

async function* unpackLines(path: string): AsyncGenerator<readonly string[], void, void> {
  // A line may be in many chunks: they are joined at its end, and only the new one is searched.
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpack(path)) {
    if (length > longestLine) throw damagedFile(path, 'A line of the file is too long.');
    const end = chunk.lastIndexOf(lineBreak);
    if (end < 0) {
      rest.push(chunk);
      length += chunk.length;
      continue;
    }
    const bytes = Buffer.concat([...rest, chunk.subarray(0, end)]);
    rest = [chunk.subarray(end + 1)];
    length = chunk.length - end - 1;
    // A stream of TextDecoder has texts of twice the size.
    if (!isUtf8(bytes)) throw damagedFile(path, 'The file is not UTF-8 text.');
    yield bytes.toString().split('\n');
  }
  if (length > 0) throw damagedFile(path, 'The file ends in the middle of a line.');
}
