import { hash } from 'node:crypto';
import { append } from '../base/lists.ts';
import {
  type BankEntry,
  detailsBy,
  type EntryPart,
  type PaymentDetails,
  plainEntry,
} from '../model/bank.ts';
import { maxScale, rescale } from '../money/money.ts';

/** An entry as one file has it: other files may repeat it. */
export type WrittenEntry = Omit<BankEntry, 'id'>;

/** What many entries have in common. */
type EntryKind = Pick<
  BankEntry,
  'account' | 'currency' | 'scale' | 'status' | 'isReversal' | 'returnReason' | 'date' | 'valueDate'
> & { readonly file: string; readonly hasParts: boolean };

/** What an entry has of its own; an amount only where a number can't hold it. */
type OwnTexts = readonly [
  bankReference: string,
  details: Lists,
  parts: readonly (readonly [Lists, amount: string | null])[],
  amount: string | null,
];

type Lists = readonly (readonly string[])[];

/** Kind, line, amount; the block, place and length of its texts; the words of its id. */
const cellsPerEntry = 8;

const largestBlock = 2 ** 20;

/**
 * Entries in the order in which they are written, kept compactly: some 250 bytes for one of which a bank
 * says as much. What is handed out reads its fields here whenever it is asked for them.
 */
export class EntryColumns implements Iterable<BankEntry> {
  readonly #kinds: EntryKind[] = [];
  readonly #numberOfKind = new Map<string, number>();
  readonly #blocks: Buffer[] = [];
  readonly #cells: number[] = [];
  /** Bytes of the last block that are taken. */
  #used = 0;
  #decoded: readonly [row: number, texts: OwnTexts] | undefined;
  #parted: readonly [texts: OwnTexts, parts: readonly EntryPart[]] | undefined;

  get length(): number {
    return this.#cells.length / cellsPerEntry;
  }

  /** What entries have in common, each once. */
  get kinds(): readonly EntryKind[] {
    return this.#kinds;
  }

  push(entry: WrittenEntry): void {
    const { account, currency, scale, status, isReversal, returnReason, date, valueDate, amount } =
      entry;
    const { file, line } = entry.place;
    const hasParts = entry.parts.length > 0;
    const money = { account, currency, scale, status, isReversal, returnReason };
    const kind = { ...money, date, valueDate, file, hasParts };
    const key = Object.values(kind).join('\n');
    const number = this.#numberOfKind.get(key) ?? this.#kinds.push(kind) - 1;
    this.#numberOfKind.set(key, number);
    const isSafe = Number.isSafeInteger(Number(amount));
    const texts: OwnTexts = [
      entry.bankReference,
      listsOf(entry.details),
      entry.parts.map((part) => [
        listsOf(part),
        part.amount === undefined ? null : `${part.amount}`,
      ]),
      isSafe ? null : String(amount),
    ];
    const id = hash('sha256', keyOf(entry));
    const words = [0, 8].map((at) => Number.parseInt(id.slice(at, at + 8), 16));
    const figure = isSafe ? Number(amount) : 0;
    append(this.#cells, [number, line, figure, ...this.#write(texts), ...words]);
  }

  /** The entry of a number; `repetition` tells equal ones apart. */
  entry(row: number, repetition = 0): BankEntry {
    return new ListedEntry(this, row, repetition);
  }

  *[Symbol.iterator](): Generator<BankEntry, void, void> {
    for (let row = 0; row < this.length; row += 1) yield this.entry(row);
  }

  cell(row: number, cell: number): number {
    return this.#cells[row * cellsPerEntry + cell] ?? 0;
  }

  /** Half of the id of an entry, which is the same in every file that repeats it. */
  idWord(row: number, half: 0 | 1): number {
    return this.cell(row, 6 + half);
  }

  kind(row: number): EntryKind {
    const kind = this.#kinds[this.cell(row, 0)];
    if (!kind) throw new RangeError(`No entry ${row}`);
    return kind;
  }

  /** They are asked for again and again, one entry after the other. */
  texts(row: number): OwnTexts {
    if (this.#decoded?.[0] !== row) {
      const start = this.cell(row, 4);
      const block = this.#blocks[this.cell(row, 3)];
      const text = block?.toString('utf8', start, start + this.cell(row, 5));
      this.#decoded = [row, JSON.parse(text ?? '')];
    }
    return this.#decoded[1];
  }

  /** The payments of an entry, made once however often they are asked for: there may be 100,000. */
  parts(row: number): readonly EntryPart[] {
    const texts = this.texts(row);
    if (this.#parted?.[0] !== texts) {
      const parts = texts[2].map(([lists, amount]) => ({
        ...detailsIn(lists),
        amount: amount === null ? undefined : BigInt(amount),
      }));
      this.#parted = [texts, parts];
    }
    return this.#parted[1];
  }

  #write(texts: OwnTexts): readonly [block: number, start: number, length: number] {
    const text = JSON.stringify(texts);
    const length = Buffer.byteLength(text);
    const last = this.#blocks.at(-1)?.length ?? 0;
    if (this.#used + length > last) {
      const size = Math.max(length, Math.min(largestBlock, 2 * last + 1024));
      this.#blocks.push(Buffer.allocUnsafeSlow(size));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#blocks.at(-1)?.write(text, start) ?? 0;
    return [this.#blocks.length - 1, start, length];
  }
}

/** An entry that stands in columns. */
class ListedEntry implements BankEntry {
  readonly #columns: EntryColumns;
  readonly #row: number;
  readonly #repetition: number;

  constructor(columns: EntryColumns, row: number, repetition: number) {
    this.#columns = columns;
    this.#row = row;
    this.#repetition = repetition;
  }

  get id() {
    const word = (half: 0 | 1) =>
      this.#columns.idWord(this.#row, half).toString(16).padStart(8, '0');
    const id = word(0) + word(1);
    return this.#repetition === 0 ? id : `${id}-${this.#repetition + 1}`;
  }

  get account() {
    return this.#columns.kind(this.#row).account;
  }

  get currency() {
    return this.#columns.kind(this.#row).currency;
  }

  get scale() {
    return this.#columns.kind(this.#row).scale;
  }

  get status() {
    return this.#columns.kind(this.#row).status;
  }

  get isReversal() {
    return this.#columns.kind(this.#row).isReversal;
  }

  get date() {
    return this.#columns.kind(this.#row).date;
  }

  get valueDate() {
    return this.#columns.kind(this.#row).valueDate;
  }

  get amount() {
    const columns = this.#columns;
    return BigInt(columns.cell(this.#row, 2) || (columns.texts(this.#row)[3] ?? 0));
  }

  get bankReference() {
    return this.#columns.texts(this.#row)[0];
  }

  get returnReason() {
    return this.#columns.kind(this.#row).returnReason;
  }

  get details() {
    return detailsIn(this.#columns.texts(this.#row)[1]);
  }

  get parts(): readonly EntryPart[] {
    return this.#columns.kind(this.#row).hasParts ? this.#columns.parts(this.#row) : [];
  }

  get place() {
    return { file: this.#columns.kind(this.#row).file, line: this.#columns.cell(this.#row, 1) };
  }

  toJSON() {
    return plainEntry(this);
  }
}

const listsOf = (details: PaymentDetails): Lists =>
  Object.values(detailsBy((field) => details[field]));

function detailsIn(lists: Lists): PaymentDetails {
  let at = 0;
  return detailsBy(() => lists[at++] ?? []);
}

/**
 * What makes an entry the same in several files: the bank's reference (which banks use again, so amount
 * and day belong to it), else all that is said of it. A pending entry may change its day.
 */
function keyOf(entry: WrittenEntry): string {
  const { account, currency, status, date, valueDate, bankReference, details, parts } = entry;
  const known = [account, currency, status, plainAmount(entry)];
  const days = status === 'pending' ? [] : [date];
  if (bankReference !== '') return JSON.stringify([...known, ...days, bankReference]);
  return JSON.stringify([...known, ...days, valueDate, details, parts.map(detailsAlone)]);
}

const detailsAlone = ({ endToEndIds, texts }: PaymentDetails) => [endToEndIds, texts];

/** The amount, the same whatever the scale. */
export function plainAmount({ amount, scale }: Pick<BankEntry, 'amount' | 'scale'>): string {
  return String(rescale(amount, scale, maxScale));
}
