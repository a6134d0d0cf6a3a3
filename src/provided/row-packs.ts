import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { idWords, putIdWords } from '../base/id-table.ts';
import type { Row } from '../model/row.ts';
import { figuresPerRow, type RowBatch, type RowKind } from '../model/row-batch.ts';
import type { FileLine } from './lines.ts';

const rowsPerPack = 1_024;
const exampleIds = 10;

/** By row. */
interface Texts {
  readonly ids: string[];
  readonly chargeIds: string[];
  readonly orderIds: string[];
  readonly timestamps: string[];
}

/** By row, then amount, fees and tax. */
interface Contents extends Texts {
  readonly figures: number[];
}

interface Pack {
  readonly length: number;
  readonly ids: Int32Array;
  /** By row, as an index of the kinds. */
  readonly kinds: Int32Array;
  /** `Contents` as JSON, compressed. */
  readonly contents: Buffer;
}

interface Kind {
  readonly number: number;
  readonly words: Int32Array;
}

/** The rows of a settlement from files in little memory, in the order in which they come. */
export class RowPacks {
  length = 0;
  /** Rows that are not packed yet. */
  get open(): number {
    return this.#kindsOfOpen.length;
  }

  readonly #settlementId: string;
  readonly #packs: Pack[] = [];
  readonly #kinds: RowKind[] = [];
  readonly #kindByKey = new Map<string, Kind>();
  #contents = noContents();
  #ids: number[] = [];
  #kindsOfOpen: number[] = [];
  /** The pack that was opened last. */
  #opened: { readonly pack: Pack; readonly contents: Contents } | undefined;

  constructor(settlementId: string) {
    this.#settlementId = settlementId;
  }

  /** Adds a row. `words` are those of its id. */
  add(line: FileLine, id: string, words: Int32Array): void {
    const { number, words: ofType } = this.#kindOf(line);
    const { ids, chargeIds, orderIds, timestamps, figures } = this.#contents;
    this.length += 1;
    ids.push(id);
    chargeIds.push(line.chargeId);
    orderIds.push(line.orderId);
    timestamps.push(line.timestamp);
    figures.push(Number(line.amount), Number(line.fees), Number(line.tax));
    this.#kindsOfOpen.push(number);
    // A refund and its reversal, in two pay-outs, may have one reference, and are not the same.
    for (let word = 0; word < idWords; word += 1)
      this.#ids.push((words[word] ?? 0) ^ (ofType[word] ?? 0));
    if (this.open === rowsPerPack) this.close();
  }

  /** Packs the open rows. */
  close(): void {
    const length = this.open;
    if (length === 0) return;
    const contents = deflateRawSync(JSON.stringify(this.#contents), { level: 1 });
    const [ids, kinds] = [Int32Array.from(this.#ids), Int32Array.from(this.#kindsOfOpen)];
    this.#packs.push({ length, ids, kinds, contents });
    this.#contents = noContents();
    [this.#ids, this.#kindsOfOpen] = [[], []];
  }

  /** The ids of its first rows. */
  firstIds(): readonly string[] {
    this.close();
    const [first] = this.#packs;
    return first ? this.#open(first).ids.slice(0, exampleIds) : [];
  }

  *batches(): Iterable<RowBatch> {
    this.close();
    for (const pack of this.#packs) yield this.#batchOf(pack);
  }

  #batchOf(pack: Pack): RowBatch {
    const { length, ids } = pack;
    const { chargeIds: texts, figures } = this.#open(pack);
    const chargeIds = new Int32Array(length * idWords);
    for (const [at, text] of texts.entries()) putIdWords(text, chargeIds, at * idWords);
    const kinds = Array.from(pack.kinds, (number) => this.#kind(number));
    const row = (index: number) => this.#row(pack, index);
    const own = { isUsual: false, hasOwnIds: true };
    return { length, ids, chargeIds, figures: Float64Array.from(figures), kinds, ...own, row };
  }

  #row(pack: Pack, index: number): Row {
    if (index >= pack.length) throw new RangeError(`No row ${index}`);
    const { ids, chargeIds, orderIds, timestamps, figures } = this.#open(pack);
    const [amount, fees, tax] = [0, 1, 2].map((place) =>
      BigInt(figures[index * figuresPerRow + place] ?? 0),
    );
    return {
      ...this.#kind(pack.kinds[index] ?? 0),
      id: ids[index] ?? '',
      chargeId: chargeIds[index] ?? '',
      orderId: orderIds[index] ?? '',
      timestamp: timestamps[index] ?? '',
      amount: amount ?? 0n,
      fees: fees ?? 0n,
      tax: tax ?? 0n,
      notes: [],
    };
  }

  #open(pack: Pack): Contents {
    if (this.#opened?.pack !== pack) {
      const contents: Contents = JSON.parse(inflateRawSync(pack.contents).toString());
      this.#opened = { pack, contents };
    }
    return this.#opened.contents;
  }

  #kind(number: number): RowKind {
    const kind = this.#kinds[number];
    if (!kind) throw new RangeError(`No kind ${number}`);
    return kind;
  }

  #kindOf({ type, method: paymentType, state, currency, scale }: FileLine): Kind {
    const key = `${type}\0${paymentType}\0${state}`;
    const known = this.#kindByKey.get(key);
    if (known) return known;
    const kind = { settlementId: this.#settlementId, type, paymentType, state, currency, scale };
    // Parts of a longer text would keep all of it in memory.
    const number = this.#kinds.push(JSON.parse(JSON.stringify(kind))) - 1;
    const added = { number, words: new Int32Array(idWords) };
    putIdWords(type, added.words, 0);
    this.#kindByKey.set(key, added);
    return added;
  }
}

function noContents(): Contents {
  return { ids: [], chargeIds: [], orderIds: [], timestamps: [], figures: [] };
}
