import { createHash, randomUUID } from 'node:crypto';

const suffix = '.json';
const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)-(?:id-([0-9a-f]{32})|[0-9a-f]{32})$/;

/**
 * What an event and its file are called: when it came, milliseconds since the epoch, and a hash of
 * its id (of a random one where `payloadId` is empty). Nothing that a sender wrote is in it, and
 * whether an id has come before can be told from the names alone.
 */
export function eventName(at: number, payloadId: string, other: string = randomUUID()): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '');
  return payloadId === '' ? `${time}-${idHash(other)}` : `${time}-id-${idHash(payloadId)}`;
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

/** The hash of the id in a name; undefined where it has none. */
export function idHashIn(event: string): string | undefined {
  return form.exec(event)?.[7];
}

/** An id as it stands in a name. */
export function idHash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}
