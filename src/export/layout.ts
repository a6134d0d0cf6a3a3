import { join } from 'node:path';
import { isDay } from '../base/calendar.ts';
import { lockName } from '../base/folder-lock.ts';

/** What lies in the folder of an export beside its days. All paths here are relative to it. */
export const layout = {
  scope: 'export.json',
  lock: lockName,
  building: '.building',
  intents: '.intents',
  superseded: '.superseded',
  /** What `recon nightly` has told, and how it went, for people's monitoring. */
  nightly: 'nightly.json',
  status: 'status.json',
} as const;

/** The file that says what a day's folder holds; its SHA-256 names the version. */
export const manifestName = 'manifest.json';

/** The file that says what the service listed on a day, line by line. */
export const sourceName = 'source.ndjson.gz';

/** The version of a folder without a manifest. */
export const noVersion = 'none';

/** A day's folder while its files are written; `mark` tells it from others of the day. */
export function unsealedPath(day: string, mark: string): string {
  return join(layout.building, `${day}.${mark}.part`);
}

/** A day's folder, complete and flushed, before it takes its place. */
export function sealedPath(day: string, version: string): string {
  return join(layout.building, `${day}.${version}`);
}

/** A version on its way out: nobody reads it any more, and half of it may be deleted. */
export function discardedPath(day: string, version: string): string {
  return join(layout.building, `${day}.${version}.old`);
}

/** The `number`-th version that another has replaced. */
export function supersededPath(day: string, number: number): string {
  return join(layout.superseded, `${day}.${number}`);
}

/** The day and the number in the name of a superseded version; undefined for any other name. */
export function supersededName(name: string): { day: string; number: number } | undefined {
  const [, day = '', number] = /^(.{10})\.([1-9]\d{0,8})$/.exec(name) ?? [];
  return isDay(day) ? { day, number: Number(number) } : undefined;
}

export function intentPath(day: string): string {
  return join(layout.intents, `${day}.json`);
}

/** The day in the name of an intent's file; undefined for any other name. */
export function intentName(name: string): string | undefined {
  const [, day = ''] = /^(.*)\.json$/.exec(name) ?? [];
  return isDay(day) ? day : undefined;
}
