import { join } from 'node:path';
import { addDays, isDay } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { appendPrivateLine, createPrivateFile, moveFile, readTextFile } from '../base/files.ts';
import { flushFolder, listFolder, makeFolder, removeWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { payloadIdOf, readWebhook, type Webhook } from '../model/webhook.ts';
import { eventName, eventOfFile, fileOfEvent, RecentIds, timeOfEvent } from './event-name.ts';
import { importJournal } from './import-journal.ts';
import { SharedWork } from './shared-work.ts';

/** The folders of a journal: a maildir, whose answered events lie in a folder for each day. */
const tmp = 'tmp';
const fresh = 'new';
const done = 'done';
const aside = 'set-aside';

/** In `set-aside/`, why its events are there: a line each. */
const reasons = 'reasons.txt';

/** An event in the journal. */
export interface JournalEvent {
  /** The name of its file, without the suffix. Never given twice. */
  readonly name: string;
  /** When it came in, in ISO 8601. */
  readonly receivedAt: string;
  readonly webhook: Webhook;
}

/** What became of a body: kept, known already, or nothing that a webhook sends. */
export type KeepOutcome = 'kept' | 'known' | 'no_object';

export interface JournalOptions {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Days that events are kept after they were answered. */
  readonly keepDays: number;
  /** Says what is wrong with the journal, and doesn't keep it from working. */
  readonly onTrouble: (trouble: ReconError) => void;
}

/**
 * What came in: a file an event. It is written in `tmp/`, and on the disk in `new/` before it is
 * acknowledged; it stays there until it is answered, whatever happens to the process, and then goes
 * to `done/`, or to `set-aside/` where it can't be. One process at a time.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #ids = new RecentIds();
  readonly #flushes = new SharedWork<void>(1);
  /** By id, what is being written: who sends one again has to wait for the same. */
  readonly #writing = new Map<string, Promise<void>>();
  /** Events that may be in `new/` already, and are not kept yet. */
  readonly #coming = new Set<string>();
  #isWritable = true;
  #today = '';

  private constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Opens the journal of a folder, and makes it where it is missing. Throws ReconError. */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options);
    // What is there was never acknowledged.
    await removeWhole(journal.#path(tmp));
    for (const folder of [tmp, fresh, done, aside]) {
      await makeFolder(journal.#path(folder), 0o700);
    }
    await journal.#expire();
    await importJournal(options.folder, journal);
    const days = (await listFolder(journal.#path(done))) ?? [];
    for (const path of [...days.map(({ name }) => join(done, name)), aside, fresh]) {
      for (const name of await journal.#list(path)) journal.#ids.addOf(name);
    }
    return journal;
  }

  /** The names of the events that are still to be answered, from the oldest on. */
  async unanswered(): Promise<readonly string[]> {
    return (await this.#list(fresh)).filter((name) => !this.#coming.has(name));
  }

  /** Whether an event of this id has come before. */
  knows(payloadId: string): boolean {
    return this.#ids.has(payloadId);
  }

  /**
   * Keeps the text of a body and hands the event to `onKept`. A settlement payload has an id (doc 6.2):
   * one that came before isn't repeated. Charge events have none, and are not told apart (doc 6.1). Once
   * it resolves, the event is on the disk. Throws ReconError: then it isn't there.
   */
  async keep(text: string, onKept: (event: JournalEvent) => void): Promise<KeepOutcome> {
    const payload = parseJson(text);
    if (!isObject(payload)) return 'no_object';
    const webhook = readWebhook(payload);
    const id = payloadIdOf(webhook);
    if (id !== '' && (this.knows(id) || this.#writing.has(id))) {
      await this.#writing.get(id);
      return 'known';
    }
    const name = eventName(this.#options.now(), id);
    const writing = this.put(name, text).finally(() => this.#writing.delete(id));
    if (id !== '') this.#writing.set(id, writing);
    await writing;
    onKept(eventOf(name, webhook));
    return 'kept';
  }

  /** Keeps an event under this name; resolves once it is on the disk. One of this name is replaced. */
  async put(name: string, text: string): Promise<void> {
    const draft = this.#path(tmp, fileOfEvent(name));
    const place = this.#path(fresh, fileOfEvent(name));
    this.#coming.add(name);
    try {
      await createPrivateFile(draft, text);
      if (!(await moveFile(draft, place))) {
        const lost = 'The file being written was removed.';
        throw new ReconError('output', lost, { where: draft });
      }
      await this.#flushes.do(fresh, () => flushFolder(this.#path(fresh)));
      this.#isWritable = true;
    } catch (error) {
      await Promise.allSettled([removeWhole(draft), removeWhole(place)]);
      if (this.#isWritable) this.#say(error);
      this.#isWritable = false;
      throw error;
    } finally {
      this.#coming.delete(name);
    }
    this.#ids.addOf(name);
  }

  /** Remembers the name of an event that was answered before, and of which no more is known. */
  async putAnswered(name: string): Promise<void> {
    await createPrivateFile(this.#path(done, this.#day(), fileOfEvent(name)), '');
    this.#ids.addOf(name);
  }

  /** Whether events can be kept; where the last attempt failed, that is tried anew. */
  async isWritable(): Promise<boolean> {
    if (this.#isWritable) return true;
    const attempt = this.#path(tmp, fileOfEvent(eventName(this.#options.now(), '')));
    try {
      this.#isWritable = await createPrivateFile(attempt, '{}');
    } catch {
      // That it can't be written has been said.
    }
    await removeWhole(attempt).catch(() => {});
    return this.#isWritable;
  }

  /**
   * An event that is still to be answered; undefined where it is gone. One that can't be read names
   * nothing, so that it is set aside.
   */
  async read(name: string): Promise<JournalEvent | undefined> {
    const file = await readTextFile(this.#path(fresh, fileOfEvent(name))).catch(
      (error: unknown) => {
        this.#say(error);
        return { text: '' };
      },
    );
    if (!file) return undefined;
    const payload = parseJson(file.text);
    return eventOf(name, readWebhook(isObject(payload) ? payload : {}));
  }

  /**
   * An event was answered. After a power cut it may be there again. `false`: it could not be moved
   * away, which has been said.
   */
  answered(name: string): Promise<boolean> {
    return this.#orSay(async () => {
      const day = this.#day();
      await this.#move(name, done, day);
      if (day !== this.#today) await this.#expire();
    });
  }

  /**
   * An event can't be answered; `reason` says why, on one line. `false`: it could not be moved away,
   * which has been said.
   */
  setAside(name: string, reason: string): Promise<boolean> {
    return this.#orSay(async () => {
      await appendPrivateLine(this.#path(aside, reasons), `${fileOfEvent(name)}: ${reason}`);
      await this.#move(name, aside);
    });
  }

  /** Where an event is once it was set aside. */
  asidePath(name: string): string {
    return this.#path(aside, fileOfEvent(name));
  }

  /** The folder where an event is put back by hand to be tried again. */
  get retryFolder(): string {
    return this.#path(fresh);
  }

  async #move(name: string, ...folders: readonly string[]): Promise<void> {
    const file = fileOfEvent(name);
    await moveFile(this.#path(fresh, file), this.#path(...folders, file));
  }

  #path(...names: readonly string[]): string {
    return join(this.#options.folder, ...names);
  }

  #day(): string {
    return new Date(this.#options.now()).toISOString().slice(0, 10);
  }

  /** Deletes the days whose time is over. */
  async #expire(): Promise<void> {
    this.#today = this.#day();
    const first = addDays(this.#today, -this.#options.keepDays);
    for (const { name } of (await listFolder(this.#path(done))) ?? []) {
      if (isDay(name) && name < first) await removeWhole(this.#path(done, name));
    }
  }

  async #list(folder: string): Promise<readonly string[]> {
    const entries = (await listFolder(this.#path(folder))) ?? [];
    return entries.map(({ name }) => eventOfFile(name)).filter((name) => name !== undefined);
  }

  async #orSay(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#say(error);
      return false;
    }
  }

  #say(error: unknown): void {
    if (!(error instanceof ReconError)) throw error;
    this.#options.onTrouble(error);
  }
}

function eventOf(name: string, webhook: Webhook): JournalEvent {
  return { name, receivedAt: timeOfEvent(name), webhook };
}
