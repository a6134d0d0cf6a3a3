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
import { type FileLine, type LineFault, lineColumns, lineIn } from './lines.ts';
import { gapsIn, Payout } from './payouts.ts';
import { SeenLines } from './seen-lines.ts';

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
  const read = new FilesRead(mapping);
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
  return new ProvidedSource(read.found, mapping);
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

/** Reads files line by line. */
class FilesRead {
  readonly found = {
    payouts: new Map<string, Payout>(),
    unreadable: [] as UnreadableRecord[],
    repeatedFiles: [] as RepeatedFile[],
    differing: new Map<Payout, Set<string>>(),
  } satisfies Found;
  readonly #mapping: SettlementsCsv;
  readonly #seen = new SeenLines();
  readonly #words = new Int32Array(idWords);
  #files = 0;
  #open = 0;

  constructor(mapping: SettlementsCsv) {
    this.#mapping = mapping;
  }

  table(file: string) {
    const mapping = this.#mapping;
    this.#files += 1;
    const number = this.#files;
    let columns = mapping.header ? undefined : lineColumns(mapping, undefined);
    let width = 0;
    let inOthers = 0;
    return {
      broken: (line: number) => this.damaged(`${file}:${line}`),
      record: ({ cells, line }: { readonly cells: readonly string[]; readonly line: number }) => {
        if (!columns) {
          columns = lineColumns(mapping, cells);
          width = cells.length;
          refuseHeader(file, cells, columns);
          return;
        }
        if (cells.every((cell) => cell === '')) return;
        const place = `${file}:${line}`;
        const isWide = width > 0 && cells.slice(width).some((cell) => cell !== '');
        if (isWide || cells.length < columns.width) return this.damaged(place);
        const found = lineIn(columns.of(cells), mapping);
        if ('expected' in found) this.#fault(found, place);
        else if (this.#add(found, { file, place, number }) === 'in_other_file') inOthers += 1;
      },
      end: () => {
        if (!columns) {
          const hint = 'Download the report again.';
          throw new ReconError('usage', 'The settlement file is empty.', { where: file, hint });
        }
        if (inOthers > 0) this.found.repeatedFiles.push({ file, lines: inOthers });
        this.#pack();
      },
    };
  }

  damaged(record: string): void {
    this.found.unreadable.push({ record, field: 'line', found: 'nothing', expected: 'object' });
  }

  #add(
    line: FileLine,
    { file, place, number }: Readonly<{ file: string; place: string; number: number }>,
  ) {
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
    if (id === '') putIdWords(place, this.#words, 0);
    payout.add(line, id || place, this.#words);
    this.#open += 1;
    if (this.#open >= mostOpenRows) this.#pack();
    return is;
  }

  #pack(): void {
    for (const { rows } of this.found.payouts.values()) rows.close();
    this.#open = 0;
  }

  #payoutOf({ account, payout: number, currency, scale }: FileLine): Payout {
    const key = `${account}\0${number}\0${currency}`;
    const known = this.found.payouts.get(key);
    if (known) return known;
    // Parts of a longer text would keep all of it in memory.
    const own = JSON.stringify({ account, payout: number, currency, scale });
    const payout = new Payout(JSON.parse(own));
    this.found.payouts.set(key, payout);
    return payout;
  }

  #fault({ field, found, expected, ...key }: LineFault, record: string): void {
    const known = this.found.payouts.get(`${key.account}\0${key.payout}\0${key.currency}`);
    (known ?? this.found).unreadable.push({ record, field, found, expected });
  }
}

function refuseHeader(
  file: string,
  cells: readonly string[],
  { missing, repeated }: ReturnType<typeof lineColumns>,
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
    const { provider, numbered } = this.#mapping;
    const settlements = payouts.flatMap((one) => one.header(provider) ?? []).filter(isMeant);
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
      unreadable,
      gaps: near.map(({ days: _, ...gap }): FileGap => gap),
      repeatedFiles,
    };
  }
}
