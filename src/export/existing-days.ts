import type { ExportedDay } from '../report/export/report.ts';
import { previousVersion } from './check-day.ts';
import { hasSoundTables } from './check-tables.ts';
import { reconcileSettings } from './day-settings.ts';
import {
  type ExportRequest,
  memoryLimit,
  publishDay,
  sourceOf,
  unchangedDay,
  unwrittenDay,
} from './export-day.ts';
import { readDay } from './read-day.ts';
import { RowMemory } from './row-store.ts';

/** How days get their tables. */
type TablesRequest = Pick<ExportRequest, 'folder' | 'clock' | 'tool' | 'keep'>;

/**
 * Makes the tables of the days that are in place and lack them, each from its own source and by its own
 * settings: yields every day, in order. Asks nobody. Days whose files have changed are left alone.
 */
export async function* addTables(request: TablesRequest): AsyncGenerator<ExportedDay, void, void> {
  const memory = new RowMemory(memoryLimit);
  const { folder } = request;
  for (const day of [...folder.days.keys()].sort()) {
    const previous = await previousVersion(folder.days.get(day), day);
    if (!previous || previous === 'damaged') {
      yield unwrittenDay(day, { text: changedText });
      continue;
    }
    const { manifest } = previous;
    if (await hasSoundTables(previous)) {
      yield unchangedDay(manifest);
      continue;
    }
    const { profile, host, filters, settings } = manifest;
    const source = sourceOf(previous);
    const headers = await source.headers({ range: { from: day, to: day }, filters });
    const build = await folder.startDay(day);
    const read = await readDay(build, headers, source, {
      filters,
      settings: reconcileSettings(settings),
      names: new Map(Object.entries(settings.names)),
      ahead: 1,
      place: 0,
      memory,
      tablesOf: profile ?? '',
      onProgress: () => {},
    });
    const scope = { profile, host, filters };
    const asItIs = { ...request, scope, lacksTables: true };
    yield { ...(await publishDay(build, read, settings, previous, asItIs)), unusualScales: 0 };
  }
}

const changedText = 'Its files have changed since they were written. Export this day again.';
