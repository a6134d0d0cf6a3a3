import { hash } from 'node:crypto';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { readThrough } from '../base/files.ts';
import { flushFolder, makeFolder } from '../base/folders.ts';
import { lakeName, waitingPath } from '../lake/layout.ts';
import { startParquet } from '../lake/parquet-file.ts';
import { batchRows, dayRow, discrepancyRow, settlementRow, transactionRows } from '../lake/rows.ts';
import type { LakeRow, LakeTable } from '../lake/tables.ts';
import type { Settlement } from '../model/settlement.ts';
import { findingsOf } from '../report/settlements/columns.ts';
import type { SettlementsReport } from '../report/settlements/report.ts';
import type { DayBuild } from './day-build.ts';
import { type DaySettings, reconcileSettings, settingsDigest } from './day-settings.ts';
import type { ManifestFile } from './manifest.ts';
import type { SortedRows } from './row-store.ts';

/** The tables of a day for SQL engines, being written beside its other files. */
export type DayTables = Awaited<ReturnType<typeof startDayTables>>;

/** What a day's tables are made of, beside its transactions. */
interface TabledDay {
  readonly report: Pick<SettlementsReport, 'run' | 'names' | 'explanations'>;
  readonly settings: DaySettings;
  readonly contentSha256: string;
  /** The file that says what a restatement has changed, if there is one. */
  readonly changes: string | undefined;
}

/** Begins the tables of a day of a profile (empty for none), in the folder in which it is built. */
export async function startDayTables(build: DayBuild, profile: string) {
  await makeFolder(join(build.folder, lakeName));
  const start = async <Table extends LakeTable>(table: Table) => {
    const file = await build.file(waitingPath(table));
    const parquet = startParquet(table, profile, file.write);
    return {
      add: parquet.add,
      close: async (version: string): Promise<ManifestFile> => ({
        rows: await parquet.close(version),
        ...(await file.close()),
      }),
    };
  };
  const transactions = await start('transactions');

  return {
    /** Transactions of a settlement, in the order of the calls. */
    add: (settlement: Settlement, rows: SortedRows) =>
      transactions.add(
        'texts' in rows ? batchRows(settlement, rows) : transactionRows(settlement, rows),
      ),
    /** Writes the other tables and ends them all. Throws TooLargeError for an amount beyond 64 bits. */
    close: async (day: TabledDay): Promise<Readonly<Record<LakeTable, ManifestFile>>> => {
      const { report, settings } = day;
      // What tells the versions of a day apart: both digests, one after the other.
      const version = hash('sha256', day.contentSha256 + settingsDigest(settings));
      const written = async <Table extends LakeTable>(
        table: Table,
        rows: readonly LakeRow<Table>[],
      ) => {
        const { add, close } = await start(table);
        await add(rows);
        return close(version);
      };
      const { run } = report;
      const changes = await start('changes');
      if (day.changes !== undefined) {
        for await (const row of changeRows(day.changes)) await changes.add([row]);
      }
      const files = {
        transactions: await transactions.close(version),
        settlements: await written(
          'settlements',
          run.settlements.map((one) => settlementRow(one, report)),
        ),
        discrepancies: await written('discrepancies', findingsOf(run).map(discrepancyRow)),
        days: await written('days', [dayRow(run, reconcileSettings(settings))]),
        changes: await changes.close(version),
      };
      await flushFolder(join(build.folder, lakeName));
      return files;
    },
  };
}

/** What a file of changes says, as it says it. */
function changeRows(path: string): AsyncGenerator<LakeRow<'changes'>> {
  return readThrough(path, () => parse({ columns: true }));
}
