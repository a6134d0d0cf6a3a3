import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { addDays, isDay } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { appendPrivateLine, createPrivateFile, moveFile, readTextFile } from '../base/files.ts';
import { flushFolder, listFolder, makeFolder, removeWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { payloadIdOf, readWebhook, type Webhook } from '../model/webhook.ts';
import { shareWork } from './share-work.ts';

/** The folders of a journal: a maildir; `done` has a folder for each day. */
const tmp = 'tmp';
const fresh = 'new';
const done = 'done';
const aside = 'set-aside';

/** In `set-aside/`: a line for each event, with the reason. */
const reasons = 'reasons.txt';

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

export type Journal = Awaited<ReturnType<typeof openJournal>>;

/**
 * Opens the journal of a folder, and creates it if missing. Each event is a file: written in `tmp/`, on
 * the disk in `new/` before it is acknowledged, and moved to `done/` when it is answered, or to
 * `set-aside/` if it cannot be. One process at a time. Throws ReconError.
 */
export async function openJournal({ folder, now, keepDays, onTrouble }: JournalOptions) {
  const ids = createRecentIds();
  const flush = shareWork<void>(1);
  /** Events being written, by id: a repeated one waits for the same file. */
  const writing = new Map<string, Promise<void>>();
  /** Events that may be in `new/`, but not yet safely. */
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

  /** Returns whether the work succeeded; a failure is reported. */
  const orSay = async (work: () => Promise<void>) => {
    try {
      await work();
      return true;
    } catch (error) {
      say(error);
      return false;
    }
  };

  const expire = async () => {
    today = dayNow();
    const first = addDays(today, -keepDays);
    for (const { name } of (await listFolder(pathOf(done))) ?? []) {
      if (isDay(name) && name < first) await removeWhole(pathOf(done, name));
    }
  };

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

  // Files in `tmp` were never acknowledged.
  await removeWhole(pathOf(tmp));
  for (const name of [tmp, fresh, done, aside]) await makeFolder(pathOf(name), 0o700);
  await expire();
  for (const { name: day } of (await listFolder(pathOf(done))) ?? []) {
    for (const name of await namesIn(done, day)) ids.addOf(name);
  }
  for (const name of [...(await namesIn(aside)), ...(await namesIn(fresh))]) ids.addOf(name);

  return {
    /** The names of all unanswered events, the oldest first. */
    unanswered: async (): Promise<readonly string[]> =>
      (await namesIn(fresh)).filter((name) => !coming.has(name)),

    knows: (payloadId: string): boolean => ids.has(payloadId),

    /**
     * Keeps the text of a body on the disk, and hands the event to `onKept`. A settlement payload that
     * came before is not kept again: it has an id (doc 6.2). Charge events have none (doc 6.1).
     * Throws ReconError if it is not kept.
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

    /** Whether events can be kept; tries again if the last attempt failed. */
    isWritable: async (): Promise<boolean> => {
      if (isWritable) return true;
      const attempt = pathOf(tmp, fileOfEvent(eventName(now(), '')));
      try {
        isWritable = await createPrivateFile(attempt, '{}');
      } catch {
        // The failure was reported.
      }
      await removeWhole(attempt).catch(() => {});
      return isWritable;
    },

    /** An unanswered event; undefined if it is gone. One that cannot be read names nothing. */
    read: async (name: string): Promise<JournalEvent | undefined> => {
      const file = await readTextFile(freshPath(name)).catch((error: unknown) => {
        say(error);
        return { text: '' };
      });
      if (!file) return undefined;
      const payload = parseJson(file.text);
      return eventOf(name, readWebhook(isObject(payload) ? payload : {}));
    },

    /** Moves an event to `done`. Returns false, and reports it, if that fails. */
    answered: (name: string): Promise<boolean> =>
      orSay(async () => {
        const day = dayNow();
        await moveFile(freshPath(name), pathOf(done, day, fileOfEvent(name)));
        if (day !== today) await expire();
      }),

    /** Moves an event to `set-aside`, with a reason on one line. Returns as `answered`. */
    setAside: (name: string, reason: string): Promise<boolean> =>
      orSay(async () => {
        const file = fileOfEvent(name);
        await appendPrivateLine(pathOf(aside, reasons), `${file}: ${reason}`);
        await moveFile(freshPath(name), pathOf(aside, file));
      }),

    asidePath: (name: string): string => pathOf(aside, fileOfEvent(name)),

    /** An event that is moved here by hand is tried again. */
    retryFolder: pathOf(fresh),
  };
}

function eventOf(name: string, webhook: Webhook): JournalEvent {
  return { name, receivedAt: name.replace(form, '$1-$2-$3T$4:$5:$6'), webhook };
}

const suffix = '.json';
const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)-(?:id-([0-9a-f]{32})|[0-9a-f]{32})$/;

/**
 * A name of the time, milliseconds since the epoch, and a hash of the id (random digits if `payloadId` is
 * empty). It has no text of the sender, and shows whether an id came before.
 */
export function eventName(at: number, payloadId: string): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '');
  return payloadId === ''
    ? `${time}-${randomUUID().replaceAll('-', '')}`
    : `${time}-id-${idHash(payloadId)}`;
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
    has: (payloadId: string): boolean => knows(idHash(payloadId)),
    /** Adds the id of an event, if it has one. */
    addOf: (eventName: string): void => {
      const hash = form.exec(eventName)?.[7];
      if (hash === undefined || knows(hash)) return;
      if (newer.size >= capacity) [older, newer] = [newer, new Set()];
      newer.add(hash);
    },
  };
}
