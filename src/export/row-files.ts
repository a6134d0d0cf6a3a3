import type { Settlement } from '../model/settlement.ts';
import type { HeaderList } from '../model/source.ts';
import type { Names } from '../report/common/report.ts';
import { transactionColumns } from '../report/transactions/columns.ts';
import type { Transaction } from '../report/transactions/report.ts';
import { type ControlTotal, ControlTotals } from './control-totals.ts';
import { CsvFile } from './csv-file.ts';
import type { DayBuild, DayFile } from './day-build.ts';
import type { ManifestFile } from './manifest.ts';
import type { RecordedRows } from './row-spool.ts';
import { SourceWriter, sourceName } from './source-file.ts';

/** What was written of a day's rows. */
export interface RowFilesWritten {
  readonly transactions: ManifestFile;
  readonly source: ManifestFile;
  readonly totals: readonly ControlTotal[];
  /** SHA-256 of the source's text. */
  readonly contentSha256: string;
}

/** The files of a day that grow with its rows: they are written settlement by settlement. */
export class RowFiles {
  readonly #transactions: CsvFile<Transaction>;
  readonly #sourceFile: DayFile;
  readonly #source: SourceWriter;
  readonly #totals = new ControlTotals();

  private constructor(transactions: CsvFile<Transaction>, sourceFile: DayFile) {
    this.#transactions = transactions;
    this.#sourceFile = sourceFile;
    this.#source = new SourceWriter(sourceFile);
  }

  /** Begins the files of a day on which the service lists these settlements. */
  static async create(build: DayBuild, headers: HeaderList, names: Names): Promise<RowFiles> {
    const columns = transactionColumns(names, 'all');
    const transactions = await CsvFile.create(build, 'transactions.csv', columns);
    const files = new RowFiles(transactions, await build.file(sourceName));
    await files.#source.headers(build.day, headers);
    return files;
  }

  /** Writes what was read of a settlement. They come in the order in which they are listed. */
  async add(settlement: Settlement, recorded: RecordedRows): Promise<void> {
    this.#totals.addSettlement(settlement);
    for await (const batch of recorded.read()) {
      await this.#source.rows(settlement.id, batch);
      for (const { row } of batch) this.#totals.addRow(settlement.accountingToken, row);
      await this.#transactions.add(batch.map(({ row }) => ({ settlement, row })));
    }
    await this.#source.end(settlement.id, recorded.end);
  }

  /** Ends the files. */
  async close(): Promise<RowFilesWritten> {
    const { rows, contentSha256 } = await this.#source.close();
    return {
      transactions: await this.#transactions.close(),
      source: { rows, ...(await this.#sourceFile.close()) },
      totals: this.#totals.totals(),
      contentSha256,
    };
  }
}
