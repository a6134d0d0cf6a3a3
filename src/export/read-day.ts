import type { Progress } from '../app/read-settlements.ts';
import { reconcileRange } from '../app/reconcile-range.ts';
import { drained } from '../base/ordered.ts';
import type { HeaderList, SettlementFilters, Source } from '../model/source.ts';
import type { ReconcileSettings } from '../reconcile/reconciled.ts';
import type { Names } from '../report/common/report.ts';
import { explanationSentence } from '../report/explain/words.ts';
import {
  findingColumns,
  findingsOf,
  groupColumns,
  settlementColumns,
} from '../report/settlements/columns.ts';
import type { SettlementsReport } from '../report/settlements/report.ts';
import { type ControlTotal, ControlTotals } from './control-totals.ts';
import { startTransactions, writeCsv } from './csv-file.ts';
import type { DayBuild } from './day-build.ts';
import { type DayTables, startDayTables } from './day-tables.ts';
import { sourceName } from './layout.ts';
import type { ManifestFile } from './manifest.ts';
import { Recorder } from './recorder.ts';
import type { RowMemory } from './row-store.ts';
import { SourceWriter } from './source-writer.ts';

/** How days are read and judged. */
export interface DayRequest {
  readonly filters: SettlementFilters;
  readonly settings: ReconcileSettings;
  readonly names: Names;
  /** Settlements that are read at the same time. */
  readonly ahead: number;
  /** The day's place among those that are read at the same time: the first one goes first. */
  readonly place: number;
  /** For the rows of settlements until they are decided. */
  readonly memory: RowMemory;
  /** The profile (empty for none) that tables for SQL engines are written of; undefined for no tables. */
  readonly tablesOf: string | undefined;
  readonly onProgress: (progress: Progress) => void;
}

/** A day, read and judged, with all of its files but the manifest and the tables, which it ends. */
export interface ReadDay {
  readonly report: Pick<SettlementsReport, 'run' | 'names' | 'explanations'>;
  readonly files: Readonly<Record<string, ManifestFile>>;
  readonly totals: readonly ControlTotal[];
  /** SHA-256 of the source's text. */
  readonly contentSha256: string;
  /** Absent where there are none. */
  readonly tables: DayTables | undefined;
}

/**
 * Reads a day, of which these are the headers, and writes its files. Where the run turns out
 * incomplete, the files hold what was read. Throws ReconError where reading can't go on.
 */
export async function readDay(
  build: DayBuild,
  headers: HeaderList,
  source: Source,
  { filters, settings, names, ahead, place, memory, tablesOf, onProgress }: DayRequest,
): Promise<ReadDay> {
  const recorder = new Recorder(memory, build.folder, place);
  const totals = new ControlTotals();
  try {
    const transactions = await startTransactions(build, names);
    const tables = tablesOf === undefined ? undefined : await startDayTables(build, tablesOf);
    const sourceFile = await build.file(sourceName);
    const lines = new SourceWriter(sourceFile.write);
    await lines.headers(build.day, headers);
    const explanations = new Map<string, string>();
    const judging = reconcileRange({
      source: recorder.recording(source, headers),
      query: { range: { from: build.day, to: build.day }, filters },
      settings,
      explains: true,
      ahead,
      onProgress,
    });
    const run = await drained(judging, async ({ reconciled, explained, rows, outcome }) => {
      const { settlement } = reconciled;
      const explanation = explained && explanationSentence(explained, settlement.currency);
      if (explanation) explanations.set(settlement.id, explanation);
      const store = recorder.rows(settlement.id);
      const isRead = !('notRead' in outcome);
      totals.add(settlement, isRead ? rows : undefined);
      if (store && isRead) {
        for await (const some of store.read(rows, outcome)) {
          await lines.rows(settlement.id, some);
          await transactions.add(settlement, some);
          await tables?.add(settlement, some);
        }
      }
      await lines.end(settlement.id, outcome);
      await recorder.release(settlement.id);
    });
    const report = { run, names, explanations };
    const { rows, contentSha256 } = await lines.close();
    const rowFiles = {
      'transactions.csv': await transactions.close(),
      [sourceName]: { rows, ...(await sourceFile.close()) },
    };
    const files = { ...(await writeReports(build, report)), ...rowFiles };
    return { report, files, totals: totals.totals(), contentSha256, tables };
  } finally {
    await recorder.close();
  }
}

/** The files that say how the day was judged. */
async function writeReports(build: DayBuild, report: ReadDay['report']) {
  const { run, names } = report;
  const settlements = settlementColumns(report);
  return {
    'settlements.csv': await writeCsv(build, 'settlements.csv', settlements, run.settlements),
    'groups.csv': await writeCsv(build, 'groups.csv', groupColumns(names), run.groups),
    'discrepancies.csv': await writeCsv(
      build,
      'discrepancies.csv',
      findingColumns(names),
      findingsOf(run),
    ),
  };
}
