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

/** An entry of one file; other files may repeat it. */
export type WrittenEntry = Omit<BankEntry, 'id'>;

type EntryKind = Pick<
  BankEntry,
  'account' | 'currency' | 'scale' | 'status' | 'isReversal' | 'returnReason' | 'date' | 'valueDate'
> & { readonly file: string; readonly hasParts: boolean };

/** What an entry has of its own; the amount only if it is no safe integer. */
type OwnTexts = readonly [
  bankReference: string,
  details: Lists,
  parts: readonly (readonly [Lists, amount: string | null, charges: string | null])[],
  amount: string | null,
  charges: string | null,
];

type Lists = readonly (readonly string[])[];

/** Kind, line, amount; the block, place and length of its texts; the words of its id. */
const cellsPerEntry = 8;

const largestBlock = 2 ** 20;

/** Entries in columns, about 250 bytes each. Returned entries read their fields on demand. */
export class EntryColumns implements Iterable<BankEntry> {
  readonly #kinds: EntryKind[] = [];
  readonly #numberOfKind = new Map<string, number>();
  readonly #blocks: Buffer[] = [];
  readonly #cells: number[] = [];
  #used = 0;
  #decoded: readonly [row: number, texts: OwnTexts] | undefined;
  #parted: readonly [texts: OwnTexts, parts: readonly EntryPart[]] | undefined;

  get length(): number {
    return this.#cells.length / cellsPerEntry;
  }

  get kinds(): readonly EntryKind[] {
    return this.#kinds;
  }

  push(entry: WrittenEntry): void {
    const { amount, place } = entry;
    const number = this.#kindOf(entry);
    const isSafe = Number.isSafeInteger(Number(amount));
    const texts: OwnTexts = [
      entry.bankReference,
      listsOf(entry.details),
      entry.parts.map((part) => [listsOf(part), textOf(part.amount), textOf(part.charges)]),
      isSafe ? null : String(amount),
      textOf(entry.charges),
    ];
    const id = hash('sha256', keyOf(entry));
    const words = [0, 8].map((at) => Number.parseInt(id.slice(at, at + 8), 16));
    const figure = isSafe ? Number(amount) : 0;
    append(this.#cells, [number, place.line, figure, ...this.#write(texts), ...words]);
  }

  /** An entry by its number; `repetition` makes the ids of equal entries different. */
  entry(row: number, repetition = 0): BankEntry {
    return new ListedEntry(this, row, repetition);
  }

  *[Symbol.iterator](): Generator<BankEntry, void, void> {
    for (let row = 0; row < this.length; row += 1) yield this.entry(row);
  }

  cell(row: number, cell: number): number {
    return this.#cells[row * cellsPerEntry + cell] ?? 0;
  }

  idWord(row: number, half: 0 | 1): number {
    return this.cell(row, 6 + half);
  }

  /** The id of an entry, the same in every file that repeats it. */
  id(row: number): string {
    idBytes.writeUInt32BE(this.idWord(row, 0));
    idBytes.writeUInt32BE(this.idWord(row, 1), 4);
    return idBytes.toString('hex');
  }

  kind(row: number): EntryKind {
    const kind = this.#kinds[this.cell(row, 0)];
    if (!kind) throw new RangeError(`No entry ${row}`);
    return kind;
  }

  /** Cached, because all fields of an entry are read before the next. */
  texts(row: number): OwnTexts {
    if (this.#decoded?.[0] !== row) {
      const start = this.cell(row, 4);
      const block = this.#blocks[this.cell(row, 3)];
      const text = block?.toString('utf8', start, start + this.cell(row, 5));
      this.#decoded = [row, JSON.parse(text ?? '')];
    }
    return this.#decoded[1];
  }

  /** Cached, because an entry may have 100,000 payments. */
  parts(row: number): readonly EntryPart[] {
    const texts = this.texts(row);
    if (this.#parted?.[0] !== texts) {
      const parts = texts[2].map(([lists, amount, charges]) => ({
        ...detailsIn(lists),
        amount: minorIn(amount),
        charges: minorIn(charges),
      }));
      this.#parted = [texts, parts];
    }
    return this.#parted[1];
  }

  #kindOf(entry: WrittenEntry): number {
    const { account, currency, scale, status, isReversal, returnReason, date, valueDate } = entry;
    const { file } = entry.place;
    const hasParts = entry.parts.length > 0;
    const money = `${account}\n${currency}\n${scale}\n${status}\n${isReversal}\n${returnReason}`;
    const key = `${money}\n${date}\n${valueDate}\n${file}\n${hasParts}`;
    const known = this.#numberOfKind.get(key);
    if (known !== undefined) return known;
    const flags = { scale, status, isReversal, returnReason, hasParts };
    const number = this.#kinds.push({ account, currency, date, valueDate, file, ...flags }) - 1;
    this.#numberOfKind.set(key, number);
    return number;
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

/** Bytes of an id: five times as fast as formatting numbers. */
const idBytes = Buffer.alloc(8);

class ListedEntry implements BankEntry {
  readonly #columns: EntryColumns;
  readonly #row: number;
  /** Stored, because entries are sorted by it. */
  readonly id: string;

  constructor(columns: EntryColumns, row: number, repetition: number) {
    this.#columns = columns;
    this.#row = row;
    const id = columns.id(row);
    this.id = repetition === 0 ? id : `${id}-${repetition + 1}`;
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

  get charges() {
    return minorIn(this.#columns.texts(this.#row)[4]);
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

const textOf = (minor: bigint | undefined) => (minor === undefined ? null : String(minor));

const minorIn = (text: string | null) => (text === null ? undefined : BigInt(text));

const listsOf = (details: PaymentDetails): Lists =>
  Object.values(detailsBy((field) => details[field]));

function detailsIn(lists: Lists): PaymentDetails {
  let at = 0;
  return detailsBy(() => lists[at++] ?? []);
}

/** What copies of an entry share: the bank's reference with amount and day, else everything about it. */
function keyOf(entry: WrittenEntry): string {
  const { account, currency, status, date, valueDate, bankReference, details, parts } = entry;
  const known = [account, currency, status, plainAmount(entry)];
  const days = status === 'pending' ? [] : [date];
  if (bankReference !== '') return JSON.stringify([...known, ...days, bankReference]);
  return JSON.stringify([...known, ...days, valueDate, details, parts.map(detailsAlone)]);
}

const detailsAlone = ({ endToEndIds, texts }: PaymentDetails) => [endToEndIds, texts];

/** The amount as a text that does not depend on its scale. */
export function plainAmount({ amount, scale }: Pick<BankEntry, 'amount' | 'scale'>): string {
  return String(rescale(amount, scale, maxScale));
}
