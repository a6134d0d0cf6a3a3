import { isDayIn } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { idWords, putIdWords } from '../base/id-table.ts';
import { groupedBy } from '../base/lists.ts';
import type { NamedFile } from '../base/text-reader.ts';
import { columnNames } from '../mapping/table.ts';
import { tableFile } from '../mapping/table-file.ts';
import type { RowBatch } from '../model/row-batch.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import type { SettlementsCsv } from '../model/settlement-files.ts';
import type {
  FileGap,
  HeaderList,
  RepeatedFile,
  RowsOutcome,
  SettlementQuery,
  Source,
  UnreadableRecord,
} from '../model/source.ts';
import {
  type FileLine,
  type LineFault,
  lineColumns,
  lineIn,
  type PayoutLine,
  payoutColumns,
  payoutIn,
} from './lines.ts';
import { gapsIn, Payout } from './payouts.ts';
import { type Seen, SeenLines } from './seen-lines.ts';

const settlementFile = {
  is: 'a settlement file',
  what: 'the report',
  mapping: 'settlements_csv',
} as const;

/** Reads settlement files by a mapping. Throws ReconError `usage` for a file that is no table or lacks its columns. */
export async function readSettlementFiles(
  files: readonly NamedFile[],
  mapping: SettlementsCsv,
  signal?: AbortSignal,
): Promise<ProvidedSource> {
  const read = new FilesRead(mapping, folderOf(files));
  for (const { name, blocks } of files) {
    const reader = tableFile(name, read.table(name), mapping, settlementFile, (told) => {
      if ('line' in told) read.damaged(`${name}:${told.line}`);
    });
    for await (const block of blocks()) {
      signal?.throwIfAborted();
      reader.push(block);
    }
    reader.end();
  }
  return new ProvidedSource(read.end(), mapping);
}

/** The folder that all files are in, with its separator. */
function folderOf(files: readonly NamedFile[]): string {
  let [{ name: folder } = { name: '' }] = files;
  do folder = folder.replace(/[^/\\]*[/\\]?$/, '');
  while (!files.every(({ name }) => name.startsWith(folder)));
  return folder;
}

/** Rows that are not packed: more are packed at once, however many pay-outs they belong to. */
const mostOpenRows = 16_384;

/** What files have. */
interface Found {
  readonly payouts: ReadonlyMap<string, Payout>;
  /** Lines whose pay-out is not known. */
  readonly unreadable: readonly UnreadableRecord[];
  readonly repeatedFiles: readonly RepeatedFile[];
  /** Files that have a row of a pay-out differently. */
  readonly differing: ReadonlyMap<Payout, ReadonlySet<string>>;
}

interface Place {
  readonly file: string;
  /** The file and its line. */
  readonly place: string;
  /** Of the file, from 1. */
  readonly number: number;
}

interface Table {
  readonly width: number;
  /** What became of a line; undefined for one that cannot be read or is not meant. */
  take(cells: readonly string[], from: Place): Seen | undefined;
}

/** Reads files line by line. */
class FilesRead {
  readonly found = {
    payouts: new Map<string, Payout>(),
    unreadable: [] as UnreadableRecord[],
    repeatedFiles: [] as RepeatedFile[],
    differing: new Map<Payout, Set<string>>(),
  } satisfies Found;
  readonly #mapping: SettlementsCsv;
  readonly #folder: string;
  readonly #seen = new SeenLines();
  readonly #words = new Int32Array(idWords);
  /** What cannot be read of a pay-out, whose other lines may follow. */
  readonly #faults: { readonly of: string; readonly record: UnreadableRecord }[] = [];
  #files = 0;
  #open = 0;

  constructor(mapping: SettlementsCsv, folder: string) {
    this.#mapping = mapping;
    this.#folder = folder;
  }

  table(file: string) {
    const mapping = this.#mapping;
    this.#files += 1;
    const number = this.#files;
    let table = mapping.header ? undefined : this.#lines(lineColumns(mapping, undefined));
    let width = 0;
    let inOthers = 0;
    return {
      broken: (line: number) => this.damaged(`${file}:${line}`),
      record: ({ cells, line }: { readonly cells: readonly string[]; readonly line: number }) => {
        if (!table) {
          table = this.#tableOf(cells, file);
          width = cells.length;
          return;
        }
        if (cells.every((cell) => cell === '')) return;
        const place = `${file}:${line}`;
        const isWide = width > 0 && cells.slice(width).some((cell) => cell !== '');
        if (isWide || cells.length < table.width) return this.damaged(place);
        if (table.take(cells, { file, place, number }) === 'in_other_file') inOthers += 1;
      },
      end: () => {
        if (!table) {
          const hint = 'Download the report again.';
          throw new ReconError('usage', 'The settlement file is empty.', { where: file, hint });
        }
        if (inOthers > 0) this.found.repeatedFiles.push({ file, lines: inOthers });
        this.#pack();
      },
    };
  }

  /** A file with all columns of pay-outs, and not those of lines, states what is paid out. */
  #tableOf(cells: readonly string[], file: string): Table {
    const { payouts } = this.#mapping;
    const lines = lineColumns(this.#mapping, cells);
    const ofPayouts = payouts && payoutColumns(payouts, cells);
    const isOfPayouts = lines.missing.size > 0 && ofPayouts?.missing.size === 0;
    refuseHeader(file, cells, isOfPayouts ? ofPayouts : lines);
    if (!payouts || !isOfPayouts) return this.#lines(lines);
    const take: Table['take'] = (line, { place, number }) => {
      const found = payoutIn(ofPayouts.of(line), this.#mapping, payouts);
      if (!found) return undefined;
      if ('expected' in found) return this.#fault(found, place);
      const payout = this.#payoutOf(found);
      const seen = this.#seen.count(`${payout.id}\n${JSON.stringify(line)}`, number);
      if (seen === 'new') payout.state(found);
      return seen;
    };
    return { width: ofPayouts.width, take };
  }

  #lines({ width, of }: ReturnType<typeof lineColumns>): Table {
    const take: Table['take'] = (cells, from) => {
      const found = lineIn(of(cells), this.#mapping);
      return 'expected' in found ? this.#fault(found, from.place) : this.#add(found, from);
    };
    return { width, take };
  }

  damaged(record: string): void {
    this.found.unreadable.push({ record, field: 'line', found: 'nothing', expected: 'object' });
  }

  #add(line: FileLine, { file, place, number }: Place): Seen {
    const payout = this.#payoutOf(line);
    const { is, id } = this.#seen.see(line, payout, number, this.#words);
    if (is === 'differs_from_other_file') {
      const { differing } = this.found;
      differing.set(payout, (differing.get(payout) ?? new Set()).add(file));
    }
    if (is === 'repeated') payout.repeat(line, id);
    if (is !== 'new') return is;
    if (line.paid !== undefined) {
      payout.pay(line.paid, line);
      return is;
    }
    // Wherever the folder is.
    const own = id || place.slice(this.#folder.length);
    if (id === '') putIdWords(own, this.#words, 0);
    payout.add(line, own, this.#words);
    this.#open += 1;
    if (this.#open >= mostOpenRows) this.#pack();
    return is;
  }

  #pack(): void {
    for (const { rows } of this.found.payouts.values()) rows.close();
    this.#open = 0;
  }

  #payoutOf({ account, payout: number, currency, scale }: FileLine | PayoutLine): Payout {
    const key = `${account}\0${number}\0${currency}`;
    const known = this.found.payouts.get(key);
    if (known) return known;
    // Parts of a longer text would keep all of it in memory.
    const own = JSON.stringify({ account, payout: number, currency, scale });
    const payout = new Payout(JSON.parse(own));
    this.found.payouts.set(key, payout);
    return payout;
  }

  #fault({ field, found, expected, ...key }: LineFault, record: string): undefined {
    const of = `${key.account}\0${key.payout}\0${key.currency}`;
    this.#faults.push({ of, record: { record, field, found, expected } });
  }

  /** When all is read: only then is it known which pay-outs there are. */
  end(): Found {
    for (const { of, record } of this.#faults)
      (this.found.payouts.get(of) ?? this.found).unreadable.push(record);
    return this.found;
  }
}

function refuseHeader(
  file: string,
  cells: readonly string[],
  { missing, repeated }: Pick<ReturnType<typeof lineColumns>, 'missing' | 'repeated'>,
): void {
  const [first] = [...missing, ...repeated];
  if (first === undefined) return;
  const has = missing.size > 0 ? 'no' : 'more than one';
  const names = [...(missing.size > 0 ? missing : repeated)].join(', ');
  throw new ReconError('usage', `The settlement file has ${has} column ${names}.`, {
    where: file,
    hint: `Its columns are: ${columnNames(cells).join(', ')}. Name others in settlements_csv.`,
  });
}

/** The settlement files of a provider as a source of settlements: a pay-out in one currency is one. */
export class ProvidedSource implements Source {
  readonly isRecord = true;
  readonly #read: Found;
  readonly #mapping: SettlementsCsv;
  readonly #byId: ReadonlyMap<string, Payout>;

  constructor(read: Found, mapping: SettlementsCsv) {
    this.#read = read;
    this.#mapping = mapping;
    this.#byId = new Map([...read.payouts.values()].map((one) => [one.id.toLowerCase(), one]));
  }

  /** The settlements paid in the range. What is missing around it is told too. */
  async headers({ range }: SettlementQuery): Promise<HeaderList> {
    const isMeant = ({ date }: Settlement) => isDayIn(range, date);
    return this.#listOf(
      [...this.#byId.values()],
      isMeant,
      (days) => days.from <= range.to && range.from <= days.to,
    );
  }

  async header(id: string): Promise<HeaderList> {
    const one = this.#byId.get(id.toLowerCase());
    return this.#listOf(
      one ? [one] : [],
      () => true,
      () => one !== undefined,
    );
  }

  async *rows({ id }: Settlement): AsyncGenerator<RowBatch, RowsOutcome, void> {
    const payout = this.#byId.get(id.toLowerCase());
    if (!payout) throw new RangeError(`settlement ${id} was not listed`);
    yield* payout.rows.batches();
    const copies = groupedBy(payout.repeated, (row) => row.id);
    const repeated = [...copies.values()].flatMap(([row, ...more]) =>
      row ? [{ row, copies: 1 + more.length }] : [],
    );
    const { unreadable } = payout;
    return { unreadable, repeated, conflicts: [], corrections: [] };
  }

  #listOf(
    payouts: readonly Payout[],
    isMeant: (settlement: Settlement) => boolean,
    isNear: (days: Payout['days']) => boolean,
  ): HeaderList {
    const { unreadable, repeatedFiles, differing } = this.#read;
    const { provider, numbered, payout_unsigned } = this.#mapping;
    const listed = payouts.map((one) => ({
      header: one.header(provider, payout_unsigned),
      unreadable: one.unreadable,
    }));
    const settlements = listed.flatMap(({ header }) => header ?? []).filter(isMeant);
    const unlisted = listed.flatMap((one) => (one.header ? [] : one.unreadable));
    const byAccount = groupedBy(payouts, ({ account }) => account);
    const gaps = [...byAccount.values()].flatMap((own) => gapsIn(own, numbered));
    const contradicted = [...differing].map(([{ account, number, days }, files]) => ({
      ...({ kind: 'files_differ', account, from: number, files: [...files] } as const),
      days,
    }));
    const near = [...gaps, ...contradicted].filter(({ days }) => isNear(days));
    return {
      settlements: settlements.sort(byDateThenId),
      conflicts: [],
      unreadable: [...unreadable, ...unlisted],
      gaps: near.map(({ days: _, ...gap }): FileGap => gap),
      repeatedFiles,
    };
  }
}
