import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Progress } from '../app/read-settlements.ts';
import { reconcileRange } from '../app/reconcile-range.ts';
import type { SettlementsReport } from '../app/settlements-report.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import { drained } from '../base/ordered.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import type { HeaderList, SettlementFilters, Source } from '../model/source.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { csvText, RecordBytes } from '../render/csv.ts';
import type { Column } from '../report/common/columns.ts';
import { explanationSentence } from '../report/explain/words.ts';
import {
  findingColumns,
  findingsOf,
  groupColumns,
  settlementColumns,
} from '../report/settlements/records.ts';
import { transactionColumns } from '../report/transactions/view.ts';
import { startDayTables } from './day-tables.ts';
import type { DayBuild } from './export-folder.ts';
import { csvNames, sourceName } from './layout.ts';
import { ControlTotals, type ManifestFile } from './manifest.ts';
import type { PackedRows } from './packed-rows.ts';
import { Recorder, type RowMemory, type SortedRows } from './row-store.ts';
import {
  endLine,
  headerLines,
  linePieces,
  type RowsEnd,
  rowLine,
  type SourceHeaders,
  sourceLine,
} from './source-line.ts';

export interface DayRequest {
  readonly filters: SettlementFilters;
  readonly settings: ReconcileSettings;
  readonly names: Names;
  readonly ahead: number;
  /** Among days that are read at the same time; 0 goes first. */
  readonly priority: number;
  /** For the rows of settlements that have no verdict yet. */
  readonly memory: RowMemory;
  /** The profile in the tables for SQL engines, empty for none; undefined if no tables are written. */
  readonly tables: { readonly profile: string } | undefined;
  readonly onProgress: (progress: Progress) => void;
}

/** Reads a day with these headers and writes its files. Throws ReconError if reading cannot go on. */
export async function readDay(
  build: DayBuild,
  headers: HeaderList,
  source: Source,
  request: DayRequest,
) {
  const { filters, settings, names, ahead, priority, memory, onProgress } = request;
  const recorder = new Recorder(memory, build.folder, priority);
  const totals = new ControlTotals();
  try {
    const transactions = await startTransactions(build, names);
    const tables = request.tables && (await startDayTables(build, request.tables.profile));
    const sourceFile = await build.file(sourceName);
    const sourceWriter = new SourceWriter(sourceFile.write);
    await sourceWriter.headers(build.day, headers);
    const explanations = new Map<string, string>();
    const reconciling = reconcileRange({
      source: recorder.recording(source, headers),
      query: { range: { from: build.day, to: build.day }, filters },
      settings,
      explains: true,
      ahead,
      onProgress,
    });
    const run = await drained(reconciling, async ({ reconciled, explained, rows, outcome }) => {
      const { settlement } = reconciled;
      const explanation = explained && explanationSentence(explained, settlement.currency);
      if (explanation) explanations.set(settlement.id, explanation);
      const store = recorder.rows(settlement.id);
      const isRead = !('notRead' in outcome);
      totals.add(settlement, isRead ? rows : undefined);
      if (store && isRead) {
        for await (const some of store.read(rows, outcome)) {
          await sourceWriter.rows(settlement.id, some);
          await transactions.add(settlement, some);
          await tables?.add(settlement, some);
        }
      }
      await sourceWriter.end(settlement.id, outcome);
      await recorder.release(settlement.id);
    });
    const report = { run, names, explanations };
    const { lines, contentSha256 } = await sourceWriter.close();
    const files: Readonly<Record<string, ManifestFile>> = {
      ...(await writeReports(build, report)),
      [csvNames.transactions]: await transactions.close(),
      [sourceName]: { rows: lines, ...(await sourceFile.close()) },
    };
    return { report, files, totals: totals.totals(), contentSha256, tables };
  } finally {
    await recorder.close();
  }
}

async function writeReports(
  build: DayBuild,
  report: Pick<SettlementsReport, 'run' | 'names' | 'explanations'>,
) {
  const { run, names } = report;
  const { settlements, groups, discrepancies } = csvNames;
  const findings = findingsOf(run);
  return {
    [settlements]: await writeCsv(build, settlements, settlementColumns(report), run.settlements),
    [groups]: await writeCsv(build, groups, groupColumns(names), run.groups),
    [discrepancies]: await writeCsv(build, discrepancies, findingColumns(names), findings),
  };
}

async function writeCsv<Row>(
  build: DayBuild,
  name: string,
  columns: readonly Column<Row>[],
  records: readonly Row[],
): Promise<ManifestFile> {
  const file = await startCsv(build, name, columns);
  await file.add(records);
  return file.close();
}

/** Starts a CSV file of a day, in the `rfc` dialect and always with a header row. */
export async function startCsv<Row>(
  build: DayBuild,
  name: string,
  columns: readonly Column<Row>[],
) {
  const { header, lines } = csvText(columns, 'rfc');
  const file = await build.file(name);
  await file.write(header);
  let rows = 0;
  return {
    add: async (records: readonly Row[]) => {
      rows += records.length;
      await file.write(lines(records.map((one) => columns.map((column) => column.value(one)))));
    },
    addBytes: async (bytes: Uint8Array, records: number) => {
      rows += records;
      await file.write(bytes);
    },
    close: async (): Promise<ManifestFile> => ({ rows, ...(await file.close()) }),
  };
}

export async function startTransactions(build: DayBuild, names: Names) {
  const columns = transactionColumns(names, 'all').map((one) =>
    // It has no part elsewhere: only packed rows always have their notes as JSON in printable ASCII.
    one.key === 'notes' ? { ...one, part: 'notes' as const } : one,
  );
  const records = new RecordBytes(columns, 'rfc');
  const { add, addBytes, close } = await startCsv(build, csvNames.transactions, columns);
  return {
    add: (settlement: Settlement, rows: SortedRows) => {
      if (!('texts' in rows)) return add(rows.map(({ row }) => ({ settlement, row })));
      const rowAt = (index: number) => ({ settlement, row: rows.row(index) });
      return addBytes(records.bytes(rows, rows.texts, rowAt), rows.length);
    },
    close,
  };
}

/** About so many bytes are compressed together, as a member of the gzip file. */
const memberLength = 1 << 20;

/** Writes the source of a day: the headers, then the rows of each settlement, in the same order. */
export class SourceWriter {
  readonly #write: (bytes: Uint8Array) => Promise<unknown>;
  readonly #hash = createHash('sha256');
  #text = new ByteWriter(memberLength / 4);
  /** The text that is being compressed; its memory is used again. */
  #compressing = new ByteWriter(memberLength / 4);
  #writing: Promise<unknown> = Promise.resolve();
  #lines = 0;
  #sectionRows = 0;

  constructor(write: (bytes: Uint8Array) => Promise<unknown>) {
    this.#write = write;
  }

  async headers(day: string, headers: SourceHeaders): Promise<void> {
    this.#line(sourceLine(day));
    for (const line of headerLines(headers)) {
      this.#line(line);
      await this.#flushIfFull();
    }
  }

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
    await this.#flushIfFull();
  }

  async end(settlementId: string, end: Partial<RowsEnd>): Promise<void> {
    this.#line(endLine(settlementId, this.#sectionRows, end));
    this.#sectionRows = 0;
    await this.#flushIfFull();
  }

  /** Returns the number of lines, and the SHA-256 of the text before compression. */
  async close() {
    await this.#flush();
    await this.#writing;
    return { lines: this.#lines, contentSha256: this.#hash.digest('hex') };
  }

  #line(line: string): void {
    this.#text.text(`${line}\n`);
    this.#lines += 1;
  }

  #packed(settlementId: string, rows: PackedRows): void {
    const known = new Map<RowKind, ReturnType<typeof linePieces>>();
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

  async #flushIfFull(): Promise<void> {
    if (this.#text.length >= memberLength) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#text.length === 0) return;
    await this.#writing;
    [this.#text, this.#compressing] = [this.#compressing, this.#text];
    this.#text.length = 0;
    const { written } = this.#compressing;
    this.#hash.update(written);
    const chunkSize = Math.min(1 << 18, 1024 + written.length);
    this.#writing = compress(written, { level, chunkSize }).then(this.#write);
    // The next flush throws a failure.
    this.#writing.catch(() => {});
  }
}

const compress = promisify(gzip);
/** Level 6 takes more than twice as long for a file that is an eighth smaller. */
const level = 1;
