import { dirname, join } from 'node:path';
import type { ExportProblem, SettlementRestatement } from '../app/export-result.ts';
import { ReconError } from '../base/errors.ts';
import { sizeAndTime } from '../base/files.ts';
import { isFolder } from '../base/folders.ts';
import { drained } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { compareTables, compareWithManifest, readManifest } from '../export/check-day.ts';
import { DaySource } from '../export/day-source.ts';
import type { ExportFolder } from '../export/export-folder.ts';
import { manifestName, sourceName, supersededPath } from '../export/layout.ts';
import { readExportListing, versionIn } from '../export/listing.ts';
import { isPublishedIncomplete, type Manifest } from '../export/manifest.ts';
import { compareVersions } from '../export/restatement.ts';
import type { SourceHeaders } from '../export/source-line.ts';
import { lakeFolder, lakeTableNames, publishedTablePath } from '../lake/tables.ts';
import type { Settlement } from '../model/settlement.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { type NightState, shortDigest } from './state.ts';

/**
 * How a day in place is: `damaged` if its files are not what was written, `incomplete` if it was
 * published so on request, `pending_unread` if only pending settlements were not fully read.
 */
type DayCondition = 'whole' | 'pending_unread' | 'incomplete' | 'damaged';

interface ArchivedDay {
  readonly folder: string;
  readonly version: string;
  /** Absent if it is not what was written. */
  readonly manifest: Manifest | undefined;
  /** Of the sizes and times of its files. */
  readonly fingerprint: string;
}

/** The days of an export. Any method that reads files of a day may find it damaged. */
export class Archive {
  readonly #path: string;
  readonly #folders: ExportFolder['days'];
  days: ReadonlyMap<string, ArchivedDay> = new Map();
  readonly #damagedNow = new Set<string>();
  /** What was wrong with each day that was found damaged in this run, also if it is intact again. */
  readonly damageFound = new Map<string, readonly ExportProblem[]>();

  private constructor(path: string, folders: ExportFolder['days']) {
    this.#path = path;
    this.#folders = folders;
  }

  /** `folders`: the days in place, a live map in which `refresh` finds those that were published since. */
  static async of(path: string, folders: ExportFolder['days']): Promise<Archive> {
    const archive = new Archive(path, folders);
    await archive.refresh(folders.keys());
    return archive;
  }

  async refresh(days: Iterable<string>): Promise<void> {
    const all = new Map(this.days);
    for (const day of days) {
      const folder = this.#folders.get(day);
      if (folder === undefined) continue;
      const found = await readManifest(folder, day);
      const manifest = 'code' in found ? undefined : found;
      const fingerprint = manifest ? await statFingerprint(folder, manifest) : '';
      all.set(day, { folder, version: await versionIn(folder), manifest, fingerprint });
      this.#damagedNow.delete(day);
      if ('code' in found) this.markDamaged(day, [found]);
    }
    this.days = new Map([...all].sort(([one], [other]) => byText(one, other)));
  }

  /** Verifies the days that were damaged or whose fingerprint has changed since the last night. */
  async verifyChangedFiles(before: Pick<NightState, 'fingerprints' | 'damaged'>) {
    for (const [day, { fingerprint }] of this.days) {
      const damage = before.damaged[day];
      if (damage !== undefined) this.damageFound.set(day, damage);
      const isSame = damage === undefined && before.fingerprints[day] === fingerprint;
      if (!isSame) await this.verifyFiles(day);
    }
  }

  /** Compares all files of a day with its manifest. Returns whether the day is intact. */
  async verifyFiles(day: string): Promise<boolean> {
    const { folder, manifest } = this.days.get(day) ?? {};
    const problems = folder && manifest ? await problemsInPlace(folder, manifest) : [];
    if (problems.length > 0) this.markDamaged(day, problems);
    return this.conditionOf(day) !== 'damaged';
  }

  /** `problems`: empty if no more is known than that files have changed. */
  markDamaged(day: string, problems: readonly ExportProblem[] = []): void {
    this.#damagedNow.add(day);
    this.noteDamage(day, problems);
  }

  /** Notes that a day was damaged. It may be intact again. */
  noteDamage(day: string, problems: readonly ExportProblem[] = []): void {
    if (!this.damageFound.has(day)) this.damageFound.set(day, problems);
  }

  conditionOf(day: string): DayCondition {
    const { manifest } = this.days.get(day) ?? {};
    if (!manifest || this.#damagedNow.has(day)) return 'damaged';
    if (isPublishedIncomplete(manifest)) return 'incomplete';
    return manifest.unread ? 'pending_unread' : 'whole';
  }

  daysIn(condition: DayCondition): string[] {
    return [...this.days.keys()].filter((day) => this.conditionOf(day) === condition);
  }

  /** The result of `read` for a day's folder. If its files are damaged, marks the day: undefined. */
  async readSafely<Result extends object>(
    day: string,
    read: (folder: string) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { folder } = this.days.get(day) ?? {};
    if (folder === undefined || this.conditionOf(day) === 'damaged') return undefined;
    const result = await read(folder).catch(undefinedIfDamaged);
    if (result === undefined) this.markDamaged(day);
    return result;
  }

  /** The stored headers of a day, with their conflicts. Undefined if its files are damaged. */
  async headers(day: string): Promise<SourceHeaders | undefined> {
    const source = await this.readSafely(day, (folder) => DaySource.open(join(folder, sourceName)));
    return source?.headers;
  }

  async settlements(day: string): Promise<readonly Settlement[]> {
    return (await this.headers(day))?.settlements ?? [];
  }

  /** The days that list these settlements, later days first. */
  async placesOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
    const places = new Map<string, string[]>();
    if (ids.size === 0) return places;
    for (const day of [...this.days.keys()].reverse()) {
      for (const { id } of await this.settlements(day)) {
        if (ids.has(id)) places.set(id, [...(places.get(id) ?? []), day]);
      }
    }
    return places;
  }

  async formerIds(day: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const folder of await this.#supersededFolders(day)) {
      const source = await DaySource.open(join(folder, sourceName)).catch(undefinedIfDamaged);
      for (const { id } of source?.headers.settlements ?? []) ids.push(id);
    }
    return ids;
  }

  /** Newest first. */
  async #supersededFolders(day: string): Promise<readonly string[]> {
    const { superseded } = await readExportListing(this.#path, day);
    return superseded.map(({ number }) => join(this.#path, supersededPath(day, number))).reverse();
  }

  /** The settlements of some days that were pending when their day was read last. */
  async pendingSettlements(isMeant: (day: string) => boolean) {
    const found: { readonly day: string; readonly settlement: Settlement }[] = [];
    for (const [day, { manifest }] of this.days) {
      if (!isMeant(day) || !manifest || manifest.counts.settlements.pending === 0) continue;
      for (const settlement of await this.settlements(day)) {
        const says = serviceSays(settlement.status);
        if (says === 'pending' || says === 'unknown') found.push({ day, settlement });
      }
    }
    return found;
  }

  /** How a day differs from the version with this SHA-256. Undefined if that is gone or damaged. */
  async changesSince(
    day: string,
    content: string,
  ): Promise<readonly SettlementRestatement[] | undefined> {
    for (const before of await this.#supersededFolders(day)) {
      const found = await readManifest(before, day);
      if ('code' in found || found.contentSha256 !== content) continue;
      if ((await compareWithManifest(before, day)).problems.length > 0) continue;
      return this.readSafely(day, (folder) =>
        drained(compareVersions(join(before, sourceName), join(folder, sourceName))),
      );
    }
    return undefined;
  }
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof ReconError && error.failure === 'damaged')) throw error;
}

/** Sizes and times of a day's files, as a text: equal if nothing was touched. Reads no file. */
async function statFingerprint(folder: string, { day, files, tables = {} }: Manifest) {
  const paths = [
    ...[manifestName, ...Object.keys(files)].map((name) => join(folder, name)),
    ...lakeTableNames.flatMap((table) =>
      tables[table] ? join(dirname(folder), publishedTablePath(table, day)) : [],
    ),
  ];
  return shortDigest((await Promise.all(paths.map(sizeAndTime))).join());
}

async function problemsInPlace(folder: string, manifest: Manifest) {
  const { problems } = await compareWithManifest(folder, manifest.day);
  const hasLake = await isFolder(join(dirname(folder), lakeFolder));
  const ofTables = hasLake ? await compareTables(folder, manifest) : [];
  return [...problems, ...ofTables];
}
