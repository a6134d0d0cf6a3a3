import { join } from 'node:path';
import { contentsOf } from '../app/read-settlements.ts';
import { type DecidedSettlement, reconcileRange } from '../app/reconcile-range.ts';
import { daysOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { append } from '../base/lists.ts';
import { mapped } from '../base/ordered.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import { batchOf, type RowBatch } from '../model/row-batch.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import type { HeaderList, RowsOutcome, SettlementQuery, Source } from '../model/source.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { exportProblemSentence } from '../report/verify/words.ts';
import { compareWithManifest } from './check-day.ts';
import { DaySource, listOf } from './day-source.ts';
import { damagedFile, sourceName } from './layout.ts';
import { isPublishedIncomplete, type Manifest, reconcileSettings } from './manifest.ts';
import { headerLine } from './source-line.ts';

interface ExportSourceOptions {
  readonly days: ReadonlyMap<string, string>;
  /** Whether their files were already compared with their manifests. */
  readonly areChecked?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * The days of an export as a source of settlements. Before a day is used, its files are compared with its
 * manifest: ReconError `damaged` names one that has changed. The filters of a query are ignored: an export
 * has the same ones for all its days.
 */
export class ExportSource implements Source {
  readonly #folders: ReadonlyMap<string, string>;
  readonly #areChecked: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #opened = new Map<string, Promise<DaySource>>();
  readonly #sourceOf = new Map<string, DaySource>();
  readonly #incomplete = new Set<string>();
  readonly isRecord = true;

  constructor({ days, areChecked = false, signal }: ExportSourceOptions) {
    this.#folders = days;
    this.#areChecked = areChecked;
    this.#signal = signal;
  }

  async headers({ range }: SettlementQuery): Promise<HeaderList> {
    const asked = [...daysOf(range)];
    const missing = asked.filter((day) => !this.#folders.has(day));
    const days = await this.#openAll(asked.filter((day) => this.#folders.has(day)));
    const incomplete = asked.filter((day) => this.#incomplete.has(day));
    return {
      ...this.#listed(days),
      ...(missing.length > 0 && { missingDays: missing }),
      ...(incomplete.length > 0 && { incompleteDays: incomplete }),
    };
  }

  /** Throws ReconError `not_found` if no day lists the settlement. */
  async header(id: string): Promise<HeaderList> {
    const days = await this.#openAll(await this.#daysOf(id));
    if (days.length === 0) {
      const hint = 'Check the id, and whether the day of the settlement was exported.';
      throw new ReconError('not_found', `Settlement ${id} is not in the export.`, { hint });
    }
    const list = this.#listed(days);
    return {
      ...list,
      settlements: list.settlements.filter((one) => isSameUuid(one.id, id)),
      conflicts: list.conflicts.filter(([first]) => first && isSameUuid(first.id, id)),
      unreadable: list.unreadable.filter(({ record }) => isSameUuid(record, id)),
    };
  }

  async *rows({ id }: Settlement): AsyncGenerator<RowBatch, RowsOutcome, void> {
    if (!this.#sourceOf.has(id)) await this.header(id);
    const source = this.#sourceOf.get(id);
    if (!source) throw new RangeError(`settlement ${id} was not listed`);
    const repeated: { row: Row; copies: number }[] = [];
    const conflicts: Row[][] = [];
    const reading = source.rows(id);
    try {
      const { notRead, unsteady, unreadable } = yield* mapped(reading, (batch) => {
        this.#signal?.throwIfAborted();
        for (const { row, listed, others } of batch) {
          if (listed > 1) repeated.push({ row, copies: listed - 1 });
          if (others.length > 0) conflicts.push([row, ...others]);
        }
        return batchOf(batch.map(({ row }) => row));
      });
      if (notRead !== undefined) throw new ReconError('service', notRead);
      return { ...(unsteady && { unsteady }), unreadable, repeated, conflicts, corrections: [] };
    } finally {
      await reading.return({ unreadable: [] });
    }
  }

  /** The days used so far that were published incomplete, in order. */
  get incompleteDays(): readonly string[] {
    return [...this.#incomplete].sort();
  }

  async close(): Promise<void> {
    for (const day of this.#opened.values()) {
      const source = await day.catch(() => undefined);
      await source?.close();
    }
  }

  async #daysOf(id: string): Promise<readonly string[]> {
    const days: string[] = [];
    for (const [day, folder] of this.#folders) {
      const source = await DaySource.open(join(folder, sourceName));
      if (!source.has(id)) continue;
      await this.#open(day);
      days.push(day);
    }
    // Not found: a damaged day may be the reason, so check them all.
    if (days.length === 0) for (const day of this.#folders.keys()) await this.#check(day);
    return days;
  }

  /** The settlements of the days, each once: the one of the earliest day counts. */
  #listed(days: readonly DaySource[]): HeaderList {
    const contents = new Map<string, Settlement[]>();
    for (const source of days) {
      for (const here of contentsOf(source.headers)) {
        const [one] = here;
        if (!one) continue;
        if (!this.#sourceOf.has(one.id)) this.#sourceOf.set(one.id, source);
        const known = contents.get(one.id);
        const lines = new Set(known?.map(headerLine));
        const isNew = (content: Settlement) => !lines.has(headerLine(content));
        if (known) append(known, here.filter(isNew));
        else contents.set(one.id, [...here]);
      }
    }
    const unsteady = days.map(({ headers }) => headers.unsteady).find((one) => one !== undefined);
    const { settlements, conflicts } = listOf(contents);
    return {
      settlements: settlements.sort(byDateThenId),
      conflicts,
      unreadable: days.flatMap(({ headers }) => headers.unreadable),
      ...(unsteady && { unsteady }),
    };
  }

  async #openAll(names: readonly string[]): Promise<readonly DaySource[]> {
    const days: DaySource[] = [];
    for (const name of names) days.push(await this.#open(name));
    return days;
  }

  #open(day: string): Promise<DaySource> {
    const known = this.#opened.get(day);
    if (known) return known;
    const opening = this.#check(day).then(() =>
      DaySource.open(join(this.#folderOf(day), sourceName)),
    );
    this.#opened.set(day, opening);
    return opening;
  }

  async #check(day: string): Promise<void> {
    this.#signal?.throwIfAborted();
    if (this.#areChecked) return;
    const folder = this.#folderOf(day);
    const { manifest, problems } = await compareWithManifest(folder, day);
    const [problem] = problems;
    if (manifest && isPublishedIncomplete(manifest)) this.#incomplete.add(day);
    if (problem) throw damagedFile(join(folder, problem.path), exportProblemSentence(problem));
  }

  #folderOf(day: string): string {
    const folder = this.#folders.get(day);
    if (folder === undefined) throw new RangeError(`the export has no day ${day}`);
    return folder;
  }
}

/**
 * Reconciles an exported day again, from its own source and by its own settings: yields each settlement,
 * and returns the run. Throws ReconError `damaged` if its files are not those that were written.
 */
export async function* reconcileAgain(
  folder: string,
  { day, filters, settings }: Manifest,
  { areChecked }: { readonly areChecked: boolean },
): AsyncGenerator<DecidedSettlement, ReconciledRun, void> {
  const source = new ExportSource({ days: new Map([[day, folder]]), areChecked });
  try {
    return yield* reconcileRange({
      source,
      query: { range: { from: day, to: day }, filters },
      settings: reconcileSettings(settings),
      explains: false,
      ahead: 1,
      onProgress: () => {},
    });
  } finally {
    await source.close();
  }
}
