import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDay } from '../../../src/base/calendar.ts';
import { parseCsv } from '../../render/parse-csv.ts';

/** A settlement in the folder of a day, as its CSV files say it. */
export interface Filed {
  readonly id: string;
  readonly day: string;
  /** As `textOf` has it of a settlement. */
  readonly text: string;
}

type Record = Readonly<{ [column: string]: string }>;

/** Reads the folder of an export by its CSV files; a day that is as it was is not read twice. */
export class Archive {
  readonly #folder: string;
  readonly #days = new Map<
    string,
    { readonly version: string; readonly filed: readonly Filed[] }
  >();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The days in place with the settlements that each holds. */
  read(): ReadonlyMap<string, readonly Filed[]> {
    // It is made by the first night that has something to write.
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    const days = names.filter(isDay).sort();
    return new Map(days.map((day) => [day, this.#day(day)]));
  }

  #day(day: string): readonly Filed[] {
    const folder = join(this.#folder, day);
    const { ino, mtimeMs } = statSync(folder);
    const version = `${ino} ${mtimeMs}`;
    const known = this.#days.get(day);
    if (known?.version === version) return known.filed;
    const filed = readDay(folder);
    this.#days.set(day, { version, filed });
    return filed;
  }
}

function readDay(folder: string): readonly Filed[] {
  const rows = new Map<string, string[]>();
  for (const row of records(join(folder, 'transactions.csv'))) {
    const { settlement_id: id = '' } = row;
    const figures = ['transaction_id', 'amount_minor', 'fees_minor', 'tax_minor'];
    const text = figures.map((name) => row[name]).join(' ');
    rows.set(id, [...(rows.get(id) ?? []), text]);
  }
  return records(join(folder, 'settlements.csv')).map((one) => {
    const of = (column: string) => one[column] ?? '';
    const [id, day] = [of('settlement_id'), of('settlement_date')];
    const amounts = ['gross', 'fees', 'tax', 'pay_in'].map((name) =>
      of(`${name}_reported`)
        .replace('.', '')
        .replace(/^(-?)0+(?=\d)/, '$1'),
    );
    const header = [id, day, of('accounting_token'), of('currency'), of('settlement_status')];
    const first = [...header, ...amounts, of('transactions_reported')].join(' ');
    // Of a pending one that was not read whole the header alone is sure.
    const listed = of('transactions_computed') === '' ? [] : (rows.get(id) ?? []);
    return { id, day, text: [first, ...listed.sort()].join('\n') };
  });
}

function records(path: string): readonly Record[] {
  const [columns = [], ...rows] = parseCsv(readFileSync(path, 'utf8'), ',');
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])),
  );
}
