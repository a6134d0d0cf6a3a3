import { listFolder } from '../base/folders.ts';
import { createJournalFile, type JournalFile } from '../base/journal-file.ts';
import { Cursor } from './cursor.ts';
import { GroupCommit } from './group-commit.ts';
import { IdArchive } from './id-archive.ts';
import { eventLine } from './journal-lines.ts';
import { RecentIds } from './recent-ids.ts';
import { Segment, segmentNumbers } from './segment.ts';

/** A file of the journal is full at this size: then the next one is begun. */
const segmentBytes = 4 * 1024 * 1024;

/** Writes an empty line, which is no event. */
const nothing = '';

export interface JournalOptions {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Says what is wrong with the journal, and doesn't keep it from working. */
  readonly onTrouble: (text: string) => void;
  readonly segmentBytes?: number;
  readonly rememberedIds?: number;
}

/**
 * What came in and is still to be answered. An event is on the disk before it is acknowledged; it
 * stays there until it is answered, whatever happens to the process. One process at a time.
 */
export class Journal {
  /** The ids of settlement payloads that came last. */
  readonly recentIds: RecentIds;
  readonly #options: JournalOptions;
  readonly #segmentBytes: number;
  readonly #archive: IdArchive;
  readonly #commit: GroupCommit<string>;
  /** In the order of their numbers. The last one is written to. */
  readonly #segments: Segment[] = [];
  #file: JournalFile | undefined;
  #next = 1;
  #housekeeping: Promise<void> = Promise.resolve();
  #isWritable = true;

  private constructor(options: JournalOptions) {
    this.#options = options;
    this.#segmentBytes = options.segmentBytes ?? segmentBytes;
    this.recentIds = new RecentIds(options.rememberedIds);
    this.#archive = new IdArchive(options.folder, options.rememberedIds);
    this.#commit = new GroupCommit((payloads) => this.#write(payloads));
  }

  /** Opens the journal of a folder, and makes it where it is missing. Throws ReconError. */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    await journal.#load();
    return journal;
  }

  /** Events that are still to be answered. */
  get unanswered(): number {
    return this.#segments.reduce((sum, { unanswered }) => sum + unanswered.size, 0);
  }

  /** Keeps the JSON text of an object; resolves once it is on the disk. Throws ReconError. */
  append(payload: string): Promise<void> {
    return this.#commit.add(payload);
  }

  /** Whether events can be kept; where the last attempt failed, that is tried anew. */
  async isWritable(): Promise<boolean> {
    if (!this.#isWritable) await this.append(nothing).catch(() => {});
    return this.#isWritable;
  }

  /** Goes through what is still to be answered, from the oldest on. */
  cursor(): Cursor {
    return new Cursor({
      from: (number) => this.#segments.find(({ first }) => first >= number),
      readable: (segment) =>
        segment === this.#segments.at(-1) ? (this.#file?.size ?? 0) : Number.POSITIVE_INFINITY,
    });
  }

  /** Marks an event as answered. */
  answered(number: number): void {
    const segment = this.#segments.findLast(({ first }) => first <= number);
    if (!segment) return;
    segment.markAnswered(number).catch((error: unknown) => this.#say(error));
    this.#retireIfDone(segment);
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await this.#commit.settled();
    for (const segment of this.#segments) await segment.settled();
    await this.#housekeeping;
    await this.#file?.close();
  }

  async #load(): Promise<void> {
    const { folder } = this.#options;
    const names = (await listFolder(folder))?.map(({ name }) => name) ?? [];
    const remember = (id: string) => {
      if (id !== '' && !this.recentIds.has(id)) this.recentIds.add(id);
    };
    await this.#archive.load(names, remember);
    const damaged = new Map<string, number>();
    const onDamage = (path: string) => damaged.set(path, (damaged.get(path) ?? 0) + 1);
    for (const number of segmentNumbers(names)) {
      const segment = new Segment(folder, number);
      this.#next = (await segment.load(remember, onDamage)) + 1;
      // One without an event is written anew: its name keeps the count.
      if (this.#next > number) this.#segments.push(segment);
    }
    for (const [path, lines] of damaged) {
      this.#options.onTrouble(
        `Lines that can't be read in ${path}: ${lines}. They are passed over.`,
      );
    }
    await this.#openFile();
    for (const segment of this.#segments.slice(0, -1)) this.#retireIfDone(segment);
  }

  async #write(payloads: readonly string[]): Promise<void> {
    const events = payloads.filter((payload) => payload !== nothing);
    try {
      const file = await this.#openFile();
      const at = new Date(this.#options.now()).toISOString();
      const lines = events.map((payload, index) => eventLine(this.#next + index, at, payload));
      await file.append(lines.join('') || '\n');
      this.#isWritable = true;
    } catch (error) {
      this.#isWritable = false;
      this.#say(error);
      throw error;
    }
    const current = this.#segments.at(-1);
    for (const _ of events) {
      current?.unanswered.add(this.#next);
      this.#next += 1;
    }
  }

  /** The file that is written to: the next one where the last is full. */
  async #openFile(): Promise<JournalFile> {
    // Without an event, the next file would have the name of this one.
    const isEmpty = this.#segments.at(-1)?.first === this.#next;
    if (this.#file && (isEmpty || this.#file.size < this.#segmentBytes)) return this.#file;
    const segment = new Segment(this.#options.folder, this.#next);
    const file = await createJournalFile(segment.eventsPath);
    await this.#file?.close();
    this.#file = file;
    const previous = this.#segments.at(-1);
    this.#segments.push(segment);
    if (previous) this.#retireIfDone(previous);
    return file;
  }

  /** A file whose events are all answered isn't needed any more; what it knew of ids is kept. */
  #retireIfDone(segment: Segment): void {
    const isDone = segment.unanswered.size === 0 && segment !== this.#segments.at(-1);
    if (!isDone || !this.#segments.includes(segment)) return;
    this.#segments.splice(this.#segments.indexOf(segment), 1);
    this.#housekeeping = this.#housekeeping
      .then(async () => {
        await this.#archive.add(await segment.payloadIds());
        await segment.remove();
      })
      .catch((error: unknown) => this.#say(error));
  }

  #say(error: unknown): void {
    this.#options.onTrouble(error instanceof Error ? error.message : String(error));
  }
}
