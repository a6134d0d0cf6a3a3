import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { addDays, isDay } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import {
  appendPrivateLine,
  createPrivateFile,
  fileSize,
  moveFile,
  readTextFile,
} from '../base/files.ts';
import { flushFolder, listFolder, makeFolder, removeWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { readWebhook, type Webhook } from '../model/webhook.ts';
import { shareWork } from './share-work.ts';

/** The folders of a journal: a maildir; `done` has a folder for each day. */
const tmp = 'tmp';
const fresh = 'new';
const done = 'done';
const aside = 'set-aside';

/** In `set-aside/`: a line for each event, with the reason. */
const reasons = 'reasons.txt';

/** The most bytes of a body. A larger file in the journal is none of ours, and is not read. */
export const largestBody = 256 * 1024;

export interface JournalEvent {
  /** The name of its file, without the suffix; unique. */
  readonly name: string;
  readonly receivedAt: string;
  readonly webhook: Webhook;
}

/** `known`: it came before. `no_object`: no webhook sends this. */
export type KeepOutcome = 'kept' | 'known' | 'no_object';

export interface JournalOptions {
  readonly folder: string;
  readonly now: () => number;
  readonly keepDays: number;
  /** Called with what is wrong with the journal; it goes on working. */
  readonly onTrouble: (trouble: ReconError) => void;
}

/**
 * The journal of a folder. Each event is a file: written in `tmp/`, on the disk in `new/` before it is
 * acknowledged, and moved to `done/` when it is answered, or to `set-aside/` if it cannot be. One process
 * at a time.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #ids = createRecentIds();
  readonly #flush = shareWork<void>(1);
  /** Events being written, by id: a repeated one waits for the same file. */
  readonly #writing = new Map<string, Promise<void>>();
  /** Events that may be in `new/`, but not yet safely. */
  readonly #coming = new Set<string>();
  #isWritable = true;
  #today = '';

  private constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Opens the journal of a folder, and creates it if missing. Throws ReconError. */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    // Files in `tmp` were never acknowledged.
    await removeWhole(journal.#path(tmp));
    for (const name of [tmp, fresh, done, aside]) await makeFolder(journal.#path(name), 0o700);
    await journal.#expire();
    const days = (await listFolder(journal.#path(done))) ?? [];
    const folders = [...days.map(({ name }) => [done, name]), [aside], [fresh]];
    for (const names of folders) {
      for (const name of await journal.#namesIn(...names)) journal.#ids.addOf(name);
    }
    return journal;
  }

  /** The names of all unanswered events, the oldest first. */
  async unanswered(): Promise<readonly string[]> {
    return (await this.#namesIn(fresh)).filter((name) => !this.#coming.has(name));
  }

  /**
   * Keeps the text of a body on the disk, and hands the event's name to `onKept`. A settlement payload that
   * came before is not kept again: it has an id (doc 6.2). Another one with its id is. Charge events have
   * none (doc 6.1).
   * Throws ReconError if it is not kept.
   */
  async keep(text: string, onKept: (name: string) => void): Promise<KeepOutcome> {
    const payload = parseJson(text);
    if (!isObject(payload)) return 'no_object';
    const { identity: id } = readWebhook(payload);
    if (id !== '' && (this.#ids.has(id) || this.#writing.has(id))) {
      await this.#writing.get(id);
      return 'known';
    }
    const name = eventName(this.#options.now(), id);
    const putting = this.#put(name, text).finally(() => this.#writing.delete(id));
    if (id !== '') this.#writing.set(id, putting);
    await putting;
    onKept(name);
    return 'kept';
  }

  /** Whether events can be kept; tries again if the last attempt failed. */
  async isWritable(): Promise<boolean> {
    if (this.#isWritable) return true;
    const attempt = this.#path(tmp, fileOfEvent(eventName(this.#options.now(), '')));
    try {
      this.#isWritable = await createPrivateFile(attempt, '{}');
    } catch {
      // The failure was reported.
    }
    await removeWhole(attempt).catch(() => {});
    return this.#isWritable;
  }

  /** An unanswered event; undefined if it is gone. One that cannot be read names nothing. */
  async read(name: string): Promise<JournalEvent | undefined> {
    const path = this.#freshPath(name);
    const isOurs = ((await fileSize(path)) ?? 0) <= largestBody;
    const file = !isOurs
      ? { text: '' }
      : await readTextFile(path).catch((error: unknown) => {
          this.#report(error);
          return { text: '' };
        });
    if (!file) return undefined;
    const payload = parseJson(file.text);
    return eventOf(name, readWebhook(isObject(payload) ? payload : {}));
  }

  /** Moves an event to `done`. Returns false, and reports it, if that fails. */
  answered(name: string): Promise<boolean> {
    return this.#tryTo(async () => {
      const day = this.#dayNow();
      await moveFile(this.#freshPath(name), this.#path(done, day, fileOfEvent(name)));
      if (day !== this.#today) await this.#expire();
    });
  }

  /** Moves an event to `set-aside`, with a reason on one line. Returns as `answered`. */
  setAside(name: string, reason: string): Promise<boolean> {
    return this.#tryTo(async () => {
      await appendPrivateLine(this.#path(aside, reasons), `${fileOfEvent(name)}: ${reason}`);
      await moveFile(this.#freshPath(name), this.asidePath(name));
    });
  }

  asidePath(name: string): string {
    return this.#path(aside, fileOfEvent(name));
  }

  /** An event that is moved here by hand is tried again. */
  get retryFolder(): string {
    return this.#path(fresh);
  }

  /** Writes an event whole. Throws ReconError; what it left is removed. */
  async #put(name: string, text: string): Promise<void> {
    const draft = this.#path(tmp, fileOfEvent(name));
    const place = this.#freshPath(name);
    this.#coming.add(name);
    try {
      await createPrivateFile(draft, text);
      if (!(await moveFile(draft, place))) {
        const lost = 'The file being written was removed.';
        throw new ReconError('output', lost, { where: draft });
      }
      await this.#flush(fresh, () => flushFolder(this.#path(fresh)));
      this.#isWritable = true;
    } catch (error) {
      await Promise.allSettled([removeWhole(draft), removeWhole(place)]);
      if (this.#isWritable) this.#report(error);
      this.#isWritable = false;
      throw error;
    } finally {
      this.#coming.delete(name);
    }
    this.#ids.addOf(name);
  }

  /** Removes the days of `done` that are kept no longer. */
  async #expire(): Promise<void> {
    this.#today = this.#dayNow();
    const first = addDays(this.#today, -this.#options.keepDays);
    for (const { name } of (await listFolder(this.#path(done))) ?? []) {
      if (isDay(name) && name < first) await removeWhole(this.#path(done, name));
    }
  }

  async #namesIn(...names: readonly string[]): Promise<readonly string[]> {
    const entries = (await listFolder(this.#path(...names))) ?? [];
    const files = entries.filter(({ isFile }) => isFile);
    return files.map(({ name }) => eventOfFile(name)).filter((name) => name !== undefined);
  }

  async #tryTo(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #report(error: unknown): void {
    if (!(error instanceof ReconError)) throw error;
    this.#options.onTrouble(error);
  }

  #dayNow(): string {
    return new Date(this.#options.now()).toISOString().slice(0, 10);
  }

  #freshPath(name: string): string {
    return this.#path(fresh, fileOfEvent(name));
  }

  #path(...names: readonly string[]): string {
    return join(this.#options.folder, ...names);
  }
}

function eventOf(name: string, webhook: Webhook): JournalEvent {
  return { name, receivedAt: name.replace(form, '$1-$2-$3T$4:$5:$6'), webhook };
}

const suffix = '.json';
const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)-(?:id-([0-9a-f]{32})|[0-9a-f]{32})$/;

/** The time in milliseconds and a hash of the identity, or random digits without one: no text of the sender. */
export function eventName(at: number, identity: string): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '');
  return identity === ''
    ? `${time}-${randomUUID().replaceAll('-', '')}`
    : `${time}-id-${idHash(identity)}`;
}

const fileOfEvent = (event: string): string => event + suffix;

/** Undefined if `eventName` does not give such names. */
function eventOfFile(file: string): string | undefined {
  const event = file.slice(0, -suffix.length);
  return file.endsWith(suffix) && form.test(event) ? event : undefined;
}

function idHash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/** At least so many ids are remembered, at most twice as many. */
const rememberedIds = 100_000;

/** The ids of the last events, in two generations; the older one is dropped as a whole. */
export function createRecentIds(capacity = rememberedIds) {
  let older = new Set<string>();
  let newer = new Set<string>();
  const knows = (hash: string) => newer.has(hash) || older.has(hash);
  return {
    has: (identity: string): boolean => knows(idHash(identity)),
    /** Adds the id of an event, if it has one. */
    addOf: (eventName: string): void => {
      const hash = form.exec(eventName)?.[7];
      if (hash === undefined || knows(hash)) return;
      if (newer.size >= capacity) [older, newer] = [newer, new Set()];
      newer.add(hash);
    },
  };
}
