import { checkFees, type FeesAgreed } from '../app/fees-report.ts';
import { ExportSource } from '../export/export-source.ts';
import { reconcileSettings } from '../export/manifest.ts';
import { aboveAgreed } from '../reconcile/agreed/check-fees.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { Archive } from './archive.ts';
import type { NightState } from './state.ts';

/** The rates of a profile, and within how many days its rows are settled. */
export interface FeesOfNight extends FeesAgreed {
  readonly settleDays: number;
}

/** What is above the agreed rates on the days that have changed since the last report. */
export async function findOvercharges(
  archive: Archive,
  before: Pick<NightState, 'days'>,
  fees: FeesOfNight,
): Promise<ReadonlyMap<string, Entry<'above_agreed_rate'>>> {
  const found = new Map<string, Entry<'above_agreed_rate'>>();
  const days = new Map([...archive.days].map(([day, { folder }]) => [day, folder]));
  const lastDay = [...days.keys()].at(-1) ?? '';
  for (const [day, { manifest }] of archive.days) {
    if (!manifest || manifest.contentSha256 === before.days[day]) continue;
    const query = { range: { from: day, to: day }, filters: manifest.filters };
    const settings = reconcileSettings(manifest.settings);
    const checked = await archive.readSafely(day, async () => {
      const source = new ExportSource({ days });
      const checking = checkFees({ ...fees, source, query, settings, ahead: 1, lastDay });
      return checking.finally(() => source.close());
    });
    for (const entry of aboveAgreed(checked?.fees.differences ?? [])) found.set(day, entry);
  }
  return found;
}
