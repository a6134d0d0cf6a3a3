import { createHash, randomUUID } from 'node:crypto';

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
export function fileOfEvent(event: string): string {
  return event + suffix;
}

/** The event of a file; undefined where a name is none that `eventName` gives. */
export function eventOfFile(file: string): string | undefined {
  const event = file.slice(0, -suffix.length);
  return file.endsWith(suffix) && form.test(event) ? event : undefined;
}

/** When an event came, in ISO 8601. */
export function timeOfEvent(event: string): string {
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
