import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { addDays, isDay } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { appendPrivateLine, createPrivateFile, moveFile, readTextFile } from '../base/files.ts';
import { flushFolder, listFolder, makeFolder, removeWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { payloadIdOf, readWebhook, type Webhook } from '../model/webhook.ts';
import { shareWork } from './shared-work.ts';

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

/** An open journal. */
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/**
 * Opens the journal of a folder, and makes it where it is missing: what came in, a file an event. It is
 * written in `tmp/`, and on the disk in `new/` before it is acknowledged; it stays there until it is
 * answered, whatever happens to the process, and then goes to `done/`, or to `set-aside/` where it can't
 * be. One process at a time. Throws ReconError.
 */
export async function openJournal({ folder, now, keepDays, onTrouble }: JournalOptions) {
  const ids = createRecentIds();
  const flush = shareWork<void>(1);
  /** By id, what is being written: who sends one again has to wait for the same. */
  const writing = new Map<string, Promise<void>>();
  /** Events that may be in `new/` already, and are not kept yet. */
  const coming = new Set<string>();
  let isWritable = true;
  let today = '';

  const pathOf = (...names: readonly string[]) => join(folder, ...names);
  const freshPath = (name: string) => pathOf(fresh, fileOfEvent(name));
  const dayNow = () => new Date(now()).toISOString().slice(0, 10);

  const namesIn = async (...names: readonly string[]) => {
    const entries = (await listFolder(pathOf(...names))) ?? [];
    return entries.map(({ name }) => eventOfFile(name)).filter((name) => name !== undefined);
  };

  const say = (error: unknown) => {
    if (!(error instanceof ReconError)) throw error;
    onTrouble(error);
  };

  /** `false`: it failed, which has been said. */
  const orSay = async (work: () => Promise<void>) => {
    try {
      await work();
      return true;
    } catch (error) {
      say(error);
      return false;
    }
  };

  /** Deletes the days whose time is over. */
  const expire = async () => {
    today = dayNow();
    const first = addDays(today, -keepDays);
    for (const { name } of (await listFolder(pathOf(done))) ?? []) {
      if (isDay(name) && name < first) await removeWhole(pathOf(done, name));
    }
  };

  /** Keeps an event under this name; resolves once it is on the disk. */
  const put = async (name: string, text: string) => {
    const draft = pathOf(tmp, fileOfEvent(name));
    const place = freshPath(name);
    coming.add(name);
    try {
      await createPrivateFile(draft, text);
      if (!(await moveFile(draft, place))) {
        const lost = 'The file being written was removed.';
        throw new ReconError('output', lost, { where: draft });
      }
      await flush(fresh, () => flushFolder(pathOf(fresh)));
      isWritable = true;
    } catch (error) {
      await Promise.allSettled([removeWhole(draft), removeWhole(place)]);
      if (isWritable) say(error);
      isWritable = false;
      throw error;
    } finally {
      coming.delete(name);
    }
    ids.addOf(name);
  };

  // What is there was never acknowledged.
  await removeWhole(pathOf(tmp));
  for (const name of [tmp, fresh, done, aside]) await makeFolder(pathOf(name), 0o700);
  await expire();
  for (const { name: day } of (await listFolder(pathOf(done))) ?? []) {
    for (const name of await namesIn(done, day)) ids.addOf(name);
  }
  for (const name of [...(await namesIn(aside)), ...(await namesIn(fresh))]) ids.addOf(name);

  return {
    /** The names of the events that are still to be answered, from the oldest on. */
    unanswered: async (): Promise<readonly string[]> =>
      (await namesIn(fresh)).filter((name) => !coming.has(name)),

    /** Whether an event of this id has come before. */
    knows: (payloadId: string): boolean => ids.has(payloadId),

    /**
     * Keeps the text of a body and hands the event to `onKept`. A settlement payload has an id (doc 6.2):
     * one that came before isn't repeated. Charge events have none, and are not told apart (doc 6.1).
     * Once it resolves, the event is on the disk. Throws ReconError: then it isn't there.
     */
    keep: async (text: string, onKept: (event: JournalEvent) => void): Promise<KeepOutcome> => {
      const payload = parseJson(text);
      if (!isObject(payload)) return 'no_object';
      const webhook = readWebhook(payload);
      const id = payloadIdOf(webhook);
      if (id !== '' && (ids.has(id) || writing.has(id))) {
        await writing.get(id);
        return 'known';
      }
      const name = eventName(now(), id);
      const putting = put(name, text).finally(() => writing.delete(id));
      if (id !== '') writing.set(id, putting);
      await putting;
      onKept(eventOf(name, webhook));
      return 'kept';
    },

    /** Whether events can be kept; where the last attempt failed, that is tried anew. */
    isWritable: async (): Promise<boolean> => {
      if (isWritable) return true;
      const attempt = pathOf(tmp, fileOfEvent(eventName(now(), '')));
      try {
        isWritable = await createPrivateFile(attempt, '{}');
      } catch {
        // That it can't be written has been said.
      }
      await removeWhole(attempt).catch(() => {});
      return isWritable;
    },

    /**
     * An event that is still to be answered; undefined where it is gone. One that can't be read names
     * nothing, so that it is set aside.
     */
    read: async (name: string): Promise<JournalEvent | undefined> => {
      const file = await readTextFile(freshPath(name)).catch((error: unknown) => {
        say(error);
        return { text: '' };
      });
      if (!file) return undefined;
      const payload = parseJson(file.text);
      return eventOf(name, readWebhook(isObject(payload) ? payload : {}));
    },

    /**
     * An event was answered. After a power cut it may be there again. `false`: it could not be moved
     * away, which has been said.
     */
    answered: (name: string): Promise<boolean> =>
      orSay(async () => {
        const day = dayNow();
        await moveFile(freshPath(name), pathOf(done, day, fileOfEvent(name)));
        if (day !== today) await expire();
      }),

    /**
     * An event can't be answered; `reason` says why, on one line. `false`: it could not be moved away,
     * which has been said.
     */
    setAside: (name: string, reason: string): Promise<boolean> =>
      orSay(async () => {
        const file = fileOfEvent(name);
        await appendPrivateLine(pathOf(aside, reasons), `${file}: ${reason}`);
        await moveFile(freshPath(name), pathOf(aside, file));
      }),

    /** Where an event is once it was set aside. */
    asidePath: (name: string): string => pathOf(aside, fileOfEvent(name)),

    /** The folder where an event is put back by hand to be tried again. */
    retryFolder: pathOf(fresh),
  };
}

function eventOf(name: string, webhook: Webhook): JournalEvent {
  return { name, receivedAt: timeOfEvent(name), webhook };
}

const suffix = '.json';
const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)-(?:id-([0-9a-f]{32})|[0-9a-f]{32})$/;

/**
 * What an event and its file are called: when it came, milliseconds since the epoch, and a hash of
 * its id (random digits where `payloadId` is empty). Nothing that a sender wrote is in it, and
 * whether an id has come before can be told from the names alone.
 */
export function eventName(at: number, payloadId: string): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '');
  return payloadId === ''
    ? `${time}-${randomUUID().replaceAll('-', '')}`
    : `${time}-id-${idHash(payloadId)}`;
}

/** The name of an event's file. */
function fileOfEvent(event: string): string {
  return event + suffix;
}

/** The event of a file; undefined where a name is none that `eventName` gives. */
function eventOfFile(file: string): string | undefined {
  const event = file.slice(0, -suffix.length);
  return file.endsWith(suffix) && form.test(event) ? event : undefined;
}

/** When an event came, in ISO 8601. */
function timeOfEvent(event: string): string {
  return event.replace(form, '$1-$2-$3T$4:$5:$6');
}

/** An id as it stands in a name. */
function idHash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/** So many ids are remembered, at least; twice as many at most. */
const rememberedIds = 100_000;

/** The ids of events that came last, in memory that doesn't grow: two generations, the older one forgotten whole. */
export function createRecentIds(capacity = rememberedIds) {
  let older = new Set<string>();
  let newer = new Set<string>();
  const knows = (hash: string) => newer.has(hash) || older.has(hash);
  return {
    has: (payloadId: string): boolean => knows(idHash(payloadId)),
    /** Remembers the id that an event has, if it has one. */
    addOf: (eventName: string): void => {
      const hash = form.exec(eventName)?.[7];
      if (hash === undefined || knows(hash)) return;
      if (newer.size >= capacity) [older, newer] = [newer, new Set()];
      newer.add(hash);
    },
  };
}
