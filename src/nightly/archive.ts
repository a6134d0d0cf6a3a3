import { join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { drained } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { checkFiles, readManifest } from '../export/check-day.ts';
import { lookOver, problemsInPlace } from '../export/check-tables.ts';
import { DaySource, type SourceHeaders } from '../export/day-source.ts';
import type { ExportFolder } from '../export/export-folder.ts';
import { sourceName, supersededPath } from '../export/layout.ts';
import { readExportListing, versionIn } from '../export/listing.ts';
import { isPublishedIncomplete, type Manifest } from '../export/manifest.ts';
import { compareVersions } from '../export/restatement.ts';
import type { Settlement } from '../model/settlement.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import type { SettlementRestatement } from '../report/export/report.ts';
import { unknownDamage } from '../report/nightly/words.ts';
import type { NightState } from './state.ts';

/** A day in place. */
export interface ArchivedDay {
  readonly folder: string;
  readonly version: string;
  /** Absent where it is not what was written. */
  readonly manifest: Manifest | undefined;
  /** Equal where no file has another size or time. */
  readonly look: string;
}

/** The days of an export as a night sees them; those that it publishes have to be looked at again. */
export class Archive {
  readonly #path: string;
  readonly #folders: ExportFolder['days'];
  /** In order. */
  days: ReadonlyMap<string, ArchivedDay> = new Map();
  /** Days whose files turned out to be others than were written, though the manifest is. */
  readonly #damaged = new Set<string>();
  /** The days that were found damaged, whatever has become of them, and what was wrong. */
  readonly damage = new Map<string, string>();

  private constructor(path: string, folders: ExportFolder['days']) {
    this.#path = path;
    this.#folders = folders;
  }

  /** `folders`: the days in place; they are looked up again in `refresh`. */
  static async of(path: string, folders: ExportFolder['days']): Promise<Archive> {
    const archive = new Archive(path, folders);
    await archive.refresh(folders.keys());
    return archive;
  }

  /** Looks at these days again. */
  async refresh(days: Iterable<string>): Promise<void> {
    const all = new Map(this.days);
    for (const day of days) {
      const folder = this.#folders.get(day);
      if (folder === undefined) continue;
      const found = await readManifest(folder, day);
      const manifest = 'message' in found ? undefined : found;
      const look = manifest ? await lookOver(folder, manifest) : '';
      all.set(day, { folder, version: await versionIn(folder), manifest, look });
      this.#damaged.delete(day);
      if ('message' in found) this.noteDamage(day, `${found.file}: ${found.message}`);
    }
    this.days = new Map([...all].sort(([one], [other]) => byText(one, other)));
  }

  /** Compares the days with what was known of their files: reads only those that look otherwise now. */
  async compare({ looks, damaged }: Pick<NightState, 'looks' | 'damaged'>): Promise<void> {
    for (const [day, { look }] of this.days) {
      const known = damaged[day];
      if (known !== undefined) this.damage.set(day, known);
      if (known !== undefined || looks[day] !== look) await this.check(day);
    }
  }

  /** Reads all files of a day, and says whether they are those that were written. */
  async check(day: string): Promise<boolean> {
    const { folder, manifest } = this.days.get(day) ?? {};
    const problems = folder && manifest ? await problemsInPlace(folder, manifest) : '';
    if (problems !== '') this.noteDamage(day, problems);
    return this.stateOf(day) !== 'damaged';
  }

  noteDamage(day: string, what = unknownDamage): void {
    this.#damaged.add(day);
    if (!this.damage.has(day)) this.damage.set(day, what);
  }

  /** How the day is. */
  stateOf(day: string): 'whole' | 'pending_unread' | 'incomplete' | 'damaged' {
    const { manifest } = this.days.get(day) ?? {};
    if (!manifest || this.#damaged.has(day)) return 'damaged';
    if (isPublishedIncomplete(manifest)) return 'incomplete';
    return manifest.unread ? 'pending_unread' : 'whole';
  }

  /** The days that are so, in order. */
  daysThatAre(state: ReturnType<Archive['stateOf']>): string[] {
    return [...this.days.keys()].filter((day) => this.stateOf(day) === state);
  }

  /** What `look` gives of a day; undefined, and the day counts as damaged, where its files have changed. */
  async lookAt<Result extends object>(
    day: string,
    look: (folder: string) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { folder } = this.days.get(day) ?? {};
    if (folder === undefined || this.stateOf(day) === 'damaged') return undefined;
    const seen = await look(folder).catch(unlessDamaged);
    if (seen === undefined) this.noteDamage(day);
    return seen;
  }

  /** The headers of a day; none where its files have changed. */
  async headers(day: string): Promise<readonly Settlement[]> {
    return (await this.listed(day))?.settlements ?? [];
  }

  /** All that is known of its list; undefined where its files have changed. */
  async listed(day: string): Promise<SourceHeaders | undefined> {
    const source = await this.lookAt(day, (folder) => DaySource.open(join(folder, sourceName)));
    return source?.headers;
  }

  /** The days that list these settlements; those of later days first. */
  async placesOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
    const places = new Map<string, string[]>();
    if (ids.size === 0) return places;
    for (const day of [...this.days.keys()].reverse()) {
      for (const { id } of await this.headers(day)) {
        if (ids.has(id)) places.set(id, [...(places.get(id) ?? []), day]);
      }
    }
    return places;
  }

  /** The settlements that earlier versions of these days list, and no day in place does. */
  async strays(days: readonly string[]): Promise<readonly string[]> {
    const ids = new Set<string>();
    for (const day of days) {
      for (const before of await this.#versionsBefore(day)) {
        const source = await DaySource.open(join(before, sourceName)).catch(unlessDamaged);
        for (const { id } of source?.headers.settlements ?? []) ids.add(id);
      }
    }
    const places = await this.placesOf(ids);
    return [...ids].filter((id) => !places.has(id));
  }

  /** The folders of the earlier versions of a day, the last one first. */
  async #versionsBefore(day: string): Promise<readonly string[]> {
    const { superseded } = await readExportListing(this.#path, day);
    return superseded.map(({ number }) => join(this.#path, supersededPath(day, number))).reverse();
  }

  /** The settlements that were waiting when their day was read last, with that day. */
  async waiting(
    isLookedAt: (day: string) => boolean,
  ): Promise<readonly { readonly day: string; readonly settlement: Settlement }[]> {
    const waiting: { day: string; settlement: Settlement }[] = [];
    for (const [day, { manifest }] of this.days) {
      if (!isLookedAt(day) || !manifest || manifest.counts.settlements.pending === 0) continue;
      for (const settlement of await this.headers(day)) {
        const says = serviceSays(settlement.status);
        if (says === 'pending' || says === 'unknown') waiting.push({ day, settlement });
      }
    }
    return waiting;
  }

  /**
   * What a day in place says otherwise than the version whose source has this SHA-256; undefined where
   * that version is no longer there, or not as it was written.
   */
  async changesSince(
    day: string,
    content: string,
  ): Promise<readonly SettlementRestatement[] | undefined> {
    for (const before of await this.#versionsBefore(day)) {
      const found = await readManifest(before, day);
      if ('message' in found || found.contentSha256 !== content) continue;
      if ((await checkFiles(before, day)).problems.length > 0) continue;
      return this.lookAt(day, (folder) =>
        drained(compareVersions(join(before, sourceName), join(folder, sourceName))),
      );
    }
    return undefined;
  }
}

/** Nothing is known where the files are not those that were written. */
function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof ReconError && error.failure === 'damaged')) throw error;
}
