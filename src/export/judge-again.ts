import { type DecidedSettlement, reconcileRange } from '../app/reconcile-range.ts';
import type { ReconciledRun } from '../reconcile/reconciled.ts';
import { reconcileSettings } from './day-settings.ts';
import { ExportSource } from './export-source.ts';
import type { Manifest } from './manifest.ts';

/** How a day is judged again. */
interface AgainOptions {
  readonly explains: boolean;
  /** Whether its files have just been compared with its manifest. */
  readonly areChecked: boolean;
}

/**
 * Judges the settlements of an exported day again, from its own source and by its own settings: yields
 * each, and returns the run. Throws ReconError `damaged` where its files are not those that were written.
 */
export async function* judgeAgain(
  folder: string,
  { day, filters, settings }: Manifest,
  { explains, areChecked }: AgainOptions,
): AsyncGenerator<DecidedSettlement, ReconciledRun, void> {
  const source = new ExportSource({ days: new Map([[day, folder]]), areChecked });
  try {
    return yield* reconcileRange({
      source,
      query: { range: { from: day, to: day }, filters },
      settings: reconcileSettings(settings),
      explains,
      ahead: 1,
      onProgress: () => {},
    });
  } finally {
    await source.close();
  }
}
