import { createScratchFile, type ScratchFile } from './files.ts';
import { byText } from './texts.ts';

/** What a sort has to know of its items. */
export interface ItemForm<Item> {
  /** What they are sorted by. */
  key(item: Item): string;
  /** Bytes that one takes in memory, about. */
  weight(item: Item): number;
  /** A line, without a line break, that `read` gives the item back from. */
  write(item: Item): string;
  read(line: string): Item;
}

const writtenAtOnce = 1 << 18;
const readAtOnce = 1 << 16;
const batchSize = 500;

/** A sort, as far as its memory goes. */
interface Holder {
  /** Bytes held in memory, about. */
  readonly held: number;
  /** Writes out what is held. */
  spill(): Promise<void>;
}

/** The memory that several sorts share. Beyond it, the one that holds most writes out what it has. */
export class SortMemory {
  readonly #limit: number;
  readonly #sorts = new Set<Holder>();
  #relief: Promise<void> | undefined;

  /** `limit`: bytes, about. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  join(sort: Holder): void {
    this.#sorts.add(sort);
  }

  leave(sort: Holder): void {
    this.#sorts.delete(sort);
  }

  /** Resolves when no more is held than may be. */
  async settle(): Promise<void> {
    if (this.#relief === undefined && this.#held() <= this.#limit) return;
    this.#relief ??= this.#relieve().finally(() => {
      this.#relief = undefined;
    });
    await this.#relief;
  }

  async #relieve(): Promise<void> {
    while (this.#held() > this.#limit) {
      const [first, ...others] = this.#sorts;
      if (!first) return;
      await others.reduce((most, one) => (one.held > most.held ? one : most), first).spill();
    }
  }

  #held(): number {
    let held = 0;
    for (const sort of this.#sorts) held += sort.held;
    return held;
  }
}

/**
 * Sorts items by their keys, by code units, however many there are: what the memory can't hold goes to
 * a scratch file in sorted runs, which are merged when they are read.
 */
export class Sort<Item> implements Holder {
  held = 0;
  readonly #memory: SortMemory;
  readonly #path: string;
  readonly #form: ItemForm<Item>;
  readonly #runs: Run[] = [];
  #items: Item[] = [];
  #scratch: ScratchFile | undefined;
  #spilling = Promise.resolve();

  /** `path`: of the scratch file, should one be needed. */
  constructor(memory: SortMemory, path: string, form: ItemForm<Item>) {
    this.#memory = memory;
    this.#path = path;
    this.#form = form;
    memory.join(this);
  }

  add(item: Item): void {
    this.#items.push(item);
    this.held += this.#form.weight(item);
  }

  /** To be awaited after adding some. */
  settle(): Promise<void> {
    return this.#memory.settle();
  }

  spill(): Promise<void> {
    this.#spilling = this.#writeRun();
    return this.#spilling;
  }

  async #writeRun(): Promise<void> {
    const items = this.#sorted();
    const weight = this.held;
    this.#items = [];
    this.#scratch ??= await createScratchFile(this.#path);
    const start = this.#scratch.size;
    let text = '';
    for (const item of items) {
      text += `${this.#form.write(item)}\n`;
      if (text.length < writtenAtOnce) continue;
      await this.#scratch.append(Buffer.from(text));
      text = '';
    }
    await this.#scratch.append(Buffer.from(text));
    this.#runs.push({ start, end: this.#scratch.size });
    this.held -= weight;
  }

  #sorted(): Item[] {
    const { key } = this.#form;
    return this.#items.sort((one, other) => byText(key(one), key(other)));
  }

  /** All items in order, in batches; nothing may be added meanwhile. */
  async *read(): AsyncGenerator<readonly Item[], void, void> {
    await this.#spilling;
    // Taken at once: what is spilled from now on is among these items already.
    const [scratch, runs, items] = [this.#scratch, [...this.#runs], this.#sorted()];
    const cursors = scratch ? runs.map((run) => new RunCursor(scratch, run, this.#form)) : [];
    const heap = new Heap<Item>();
    for (const cursor of cursors) if (await cursor.advance()) heap.push(cursor);
    const held = new HeldCursor(items, this.#form);
    if (held.advance()) heap.push(held);
    let batch: Item[] = [];
    for (let next = heap.top; next; next = heap.top) {
      batch.push(next.item);
      if (batch.length === batchSize) {
        yield batch;
        batch = [];
      }
      const more = next.advance();
      if (typeof more === 'boolean' ? more : await more) heap.sink();
      else heap.pop();
    }
    if (batch.length > 0) yield batch;
  }

  /** Forgets all of it. */
  async release(): Promise<void> {
    this.#memory.leave(this);
    // Whoever asked for it hears of its failure.
    await this.#spilling.catch(() => {});
    this.#items = [];
    this.held = 0;
    await this.#scratch?.close();
    this.#scratch = undefined;
  }
}

/** A sorted stretch of the scratch file. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** Goes through sorted items. `item` and `key` are valid after an `advance` that said true. */
interface Cursor<Item> {
  readonly item: Item;
  readonly key: string;
  advance(): boolean | Promise<boolean>;
}

class HeldCursor<Item> implements Cursor<Item> {
  readonly #items: readonly Item[];
  readonly #form: ItemForm<Item>;
  #at = -1;

  constructor(items: readonly Item[], form: ItemForm<Item>) {
    this.#items = items;
    this.#form = form;
  }

  get item(): Item {
    return existing(this.#items[this.#at]);
  }

  get key(): string {
    return this.#form.key(this.item);
  }

  advance(): boolean {
    this.#at += 1;
    return this.#at < this.#items.length;
  }
}

class RunCursor<Item> implements Cursor<Item> {
  key = '';
  readonly #scratch: ScratchFile;
  readonly #form: ItemForm<Item>;
  readonly #end: number;
  #item: Item | undefined;
  #offset: number;
  #lines: readonly string[] = [];
  #at = 0;
  /** The bytes of a line whose end wasn't read yet. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(scratch: ScratchFile, { start, end }: Run, form: ItemForm<Item>) {
    this.#scratch = scratch;
    this.#form = form;
    this.#offset = start;
    this.#end = end;
  }

  get item(): Item {
    return existing(this.#item);
  }

  advance(): boolean | Promise<boolean> {
    return this.#take() || (this.#offset < this.#end && this.#fill());
  }

  #take(): boolean {
    const text = this.#lines[this.#at];
    if (text === undefined) return false;
    this.#at += 1;
    this.#item = this.#form.read(text);
    this.key = this.#form.key(this.#item);
    return true;
  }

  async #fill(): Promise<boolean> {
    const length = Math.min(readAtOnce, this.#end - this.#offset);
    const block = Buffer.concat([this.#rest, await this.#scratch.read(this.#offset, length)]);
    this.#offset += length;
    const whole = block.lastIndexOf(10) + 1;
    this.#rest = block.subarray(whole);
    this.#lines = whole === 0 ? [] : block.toString('utf8', 0, whole - 1).split('\n');
    this.#at = 0;
    return this.advance();
  }
}

/** Cursors, the one with the first item on top. */
class Heap<Item> {
  readonly #cursors: Cursor<Item>[] = [];

  get top(): Cursor<Item> | undefined {
    return this.#cursors[0];
  }

  push(cursor: Cursor<Item>): void {
    this.#cursors.push(cursor);
    let at = this.#cursors.length - 1;
    while (at > 0 && this.#isBefore(at, (at - 1) >> 1)) {
      this.#swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  }

  pop(): void {
    const last = this.#cursors.pop();
    if (!last || this.#cursors.length === 0) return;
    this.#cursors[0] = last;
    this.sink();
  }

  /** Puts the top, which has moved on, into its place. */
  sink(): void {
    for (let at = 0; ; ) {
      let first = at;
      if (this.#isBefore(2 * at + 1, first)) first = 2 * at + 1;
      if (this.#isBefore(2 * at + 2, first)) first = 2 * at + 2;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#cursors[one], this.#cursors[other]];
    return a !== undefined && b !== undefined && a.key < b.key;
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#cursors[one], this.#cursors[other]];
    if (!a || !b) return;
    this.#cursors[one] = b;
    this.#cursors[other] = a;
  }
}

function existing<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new RangeError('no item there');
  return item;
}
