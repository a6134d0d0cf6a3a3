import { reconcileRange } from '../app/reconcile-range.ts';
import type { Source } from '../model/source.ts';
import { wholeRow } from '../model/source-row.ts';
import { ControlTotals } from './control-totals.ts';
import { ExportSource } from './export-source.ts';
import type { Manifest } from './manifest.ts';
import { reconcileSettings, settingsDigest } from './settings-digest.ts';

/** The fields of a manifest that follow from the day's source and from its settings. */
export type DerivedField = 'settingsDigest' | 'verdict' | 'counts' | 'totals';

/**
 * Works out again what follows from the source of a day and from the settings in its manifest, and
 * gives the fields that say otherwise. The files in the folder must have been checked.
 */
export async function contradictedFields(
  folder: string,
  manifest: Manifest,
): Promise<readonly DerivedField[]> {
  const { day, filters, settings } = manifest;
  const totals = new ControlTotals();
  const days = new ExportSource({ days: new Map([[day, folder]]), areChecked: true });
  const run = reconcileRange({
    source: adding(days, totals),
    query: { range: { from: day, to: day }, filters },
    settings: reconcileSettings(settings),
    explains: false,
    ahead: 1,
    onProgress: () => {},
  });
  try {
    let step = await run.next();
    while (!step.done) step = await run.next();
    const { balanced, out_of_balance, pending } = step.value.counts;
    const derived: Readonly<Record<DerivedField, unknown>> = {
      settingsDigest: settingsDigest(settings),
      verdict: step.value.verdict,
      counts: {
        settlements: { balanced, out_of_balance, pending },
        transactions: step.value.transactions,
      },
      totals: totals.totals(),
    };
    const fields: readonly DerivedField[] = ['settingsDigest', 'verdict', 'counts', 'totals'];
    return fields.filter(
      (field) => JSON.stringify(derived[field]) !== JSON.stringify(manifest[field]),
    );
  } finally {
    await days.close();
  }
}

/** The same source; what it lists is added to the totals as it passes by. */
function adding(source: Source, totals: ControlTotals): Source {
  return {
    headers: async (query) => {
      const list = await source.headers(query);
      for (const settlement of list.settlements) totals.addSettlement(settlement);
      return list;
    },
    header: (id) => source.header(id),
    async *rows(settlement, priority) {
      const reading = source.rows(settlement, priority);
      let step = await reading.next();
      for (; !step.done; step = await reading.next()) {
        for (const row of step.value) totals.addRow(settlement.accountingToken, wholeRow(row));
        yield step.value;
      }
      return step.value;
    },
  };
}
