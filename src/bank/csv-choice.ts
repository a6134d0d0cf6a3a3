import { dayIn } from '../base/calendar.ts';
import { type CsvRecord, firstRecords } from '../base/csv-records.ts';
import { largestOf } from '../base/lists.ts';
import { isTable, type OtherFile } from '../base/other-kinds.ts';
import { accountNumber, type BankCsv, type BankMappings } from '../model/bank.ts';
import { type CsvReading, csvReading, mappedColumns } from './csv.ts';

/** Banks write some records about the account before the header. */
const mostBeforeHeader = 50;

/** How the columns of a mapping are found in a file. */
interface Fit {
  readonly mapping: BankCsv;
  /** `bank_csv` or, with a name, `bank_csv.NAME`. */
  readonly setting: string;
  /** The record with most of the columns; undefined if they have no names. */
  readonly header: CsvRecord | undefined;
  readonly found: number;
  readonly missing: readonly string[];
  /** What stands above the header. */
  readonly above: string;
}

/**
 * How a CSV file is read: by the mapping whose columns it has. Of several, by the one with the most columns, then by
 * that of the account which the name of the file or a line above the header states. Undefined if it is no table.
 */
export function chosenCsv(
  file: string,
  mappings: BankMappings,
  beginningBy: (mapping?: BankCsv) => string,
): CsvReading | OtherFile | undefined {
  const fits = Object.entries(mappings).map(([name, mapping]) => {
    const setting = name === '' ? 'bank_csv' : `bank_csv.${name}`;
    return { mapping, setting, ...fitOf(mapping, beginningBy(mapping)) };
  });
  const whole = mostFound(fits.filter(({ missing }) => missing.length === 0));
  const ofAccount = whole.filter(({ mapping: { account = '' }, above }) => {
    const number = accountNumber(account);
    return number !== '' && accountNumber(`${file} ${above}`).includes(number);
  });
  const [one, another] = ofAccount.length > 0 ? ofAccount : whole;
  if (one && !another) return csvReading(one.mapping, one.setting, one.header);
  const nearest = one ?? mostFound(fits)[0];
  const cells = nearest?.header?.cells ?? [];
  const isKnown = nearest !== undefined && nearest.found > 0;
  if (!isKnown && !isTable(file, beginningBy())) return undefined;
  return {
    kind: 'a table',
    mayHaveEntries: true,
    // Without a known column, it may be a record with personal data.
    columns: isKnown || !cells.some((cell) => /\d{3}/.test(cell)) ? cells : [],
    missing: nearest?.missing ?? [],
    setting: (one ? whole : nearest ? [nearest] : []).map((fit) => fit.setting).join(', '),
    line: nearest?.header?.line ?? 0,
  };
}

/** How a file is read by a mapping that may lack some of its columns. */
export function triedCsv(mapping: BankCsv, beginning: string): CsvReading {
  return csvReading(mapping, 'bank_csv', fitOf(mapping, beginning).header);
}

function mostFound<One extends Pick<Fit, 'found'>>(fits: readonly One[]): readonly One[] {
  const most = largestOf(fits.map(({ found }) => found));
  return fits.filter(({ found }) => found === most);
}

function fitOf(mapping: BankCsv, beginning: string): Omit<Fit, 'mapping' | 'setting'> {
  const first = firstRecords(beginning, mapping, mostBeforeHeader);
  const none = { header: undefined, found: 0, missing: [mapping.date], above: '' };
  if (!mapping.header) {
    const cells = mappedColumns(mapping, undefined).of(first[0]?.cells ?? []);
    const isThere = dayIn(cells.at('date'), mapping.date_format) !== undefined;
    return isThere ? { header: undefined, found: 1, missing: [], above: '' } : none;
  }
  const all = first.map((header, at) => {
    const { needed, missing } = mappedColumns(mapping, header.cells);
    const above = first.slice(0, at).flatMap(({ cells }) => cells);
    return {
      header,
      found: needed.size - missing.size,
      missing: [...missing],
      above: above.join(' '),
    };
  });
  return mostFound(all)[0] ?? none;
}
