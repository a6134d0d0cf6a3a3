import { join } from 'node:path';
import { daysOf, spanOf } from '../base/calendar.ts';
import { listFolder } from '../base/folders.ts';
import { keysOf } from '../base/keys.ts';
import { append } from '../base/lists.ts';
import { drained } from '../base/ordered.ts';
import type { DateRange } from '../model/source.ts';
import type { ExportProblem, VerifyReport } from '../report/verify/view.ts';
import { type CheckedDay, checkDay } from './check-day.ts';
import { checkTables, strayTables } from './check-tables.ts';
import { ControlTotals } from './control-totals.ts';
import { daySchema, settingsDigest } from './day-settings.ts';
import { judgeAgain } from './export-source.ts';
import { layout, manifestName, supersededPath } from './layout.ts';
import { type ExportListing, partialDays, readExportListing } from './listing.ts';
import { isWithoutDigest, judgementOf, type Manifest } from './manifest.ts';
import { planRecovery, type Step } from './plan.ts';
import { scopeOf } from './scope.ts';

/**
 * Checks all that lies in the folder of an export, superseded versions too, against its manifests,
 * these against the sources of the days, and what is missing in a range. Never writes, and asks
 * nobody. ReconErrors: `usage` for a folder that is no export, `damaged` where its scope is.
 */
export async function verifyExport(folder: string, asked?: DateRange): Promise<VerifyReport> {
  const scope = await scopeOf(folder);
  const listing = await readExportListing(folder);
  // A day that a run was about to replace belongs there too.
  const range = asked ?? spanOf([...listing.days.keys(), ...listing.intents.map(({ day }) => day)]);
  const problems: ExportProblem[] = listing.blocked.map((path) => ({
    path,
    message: "A file or link is in the place of this day's folder.",
  }));
  const sound = new Set<string>();
  const withoutDigest: string[] = [];
  const tabled: string[] = [];
  for (const { path, day } of versionsIn(listing)) {
    const { manifest, problems: found } = await checkVersion(join(folder, path), day);
    // The tables are those of the version in place.
    const hasTables = manifest?.tables !== undefined && path === day;
    const ofDay = [
      ...found.map(({ file, message }) => ({ path: join(path, file), message })),
      ...(hasTables ? await checkTables(folder, manifest) : []),
    ];
    append(problems, ofDay);
    if (ofDay.length === 0) sound.add(path);
    if (hasTables) tabled.push(day);
    if (manifest && isWithoutDigest(manifest)) withoutDigest.push(path);
  }
  append(problems, await strayTables(folder, tabled));
  const wanted = range ? [...daysOf(range)] : [];
  const names = ((await listFolder(folder)) ?? []).map(({ name }) => name);
  return {
    folder,
    profile: scope.profile,
    host: scope.host,
    range,
    sound: wanted.filter((day) => sound.has(day)).length,
    missing: wanted.filter((day) => !listing.days.has(day)),
    problems,
    withoutDigest,
    ...(await partialDays(
      new Map([...listing.days.keys()].map((day) => [day, join(folder, day)])),
    )),
    isLocked: names.includes(layout.lock),
    unfinished: planRecovery(listing).map(describe),
  };
}

/** The folders of days, in place and superseded. */
function versionsIn({ days, superseded }: ExportListing) {
  return [
    ...[...days.keys()].map((day) => ({ path: day, day })),
    ...superseded.map(({ day, number }) => ({ path: supersededPath(day, number), day })),
  ];
}

/** What is wrong with a day's files, or, where they are as written, with what is said of them. */
async function checkVersion(folder: string, day: string): Promise<CheckedDay> {
  const checked = await checkDay(folder, day);
  const { manifest } = checked;
  // Days of an older schema may have been judged otherwise, and rightly.
  if (!manifest || checked.problems.length > 0 || manifest.schema < daySchema) return checked;
  const fields = await contradictedFields(folder, manifest);
  return {
    manifest,
    problems: fields.map((field) => ({
      file: manifestName,
      what: 'manifest',
      message: `Its ${field} does not match the day's source and settings.`,
    })),
  };
}

function describe(step: Step): string {
  switch (step.do) {
    case 'move':
    case 'place':
      return `rename ${step.from} to ${step.to}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'flush':
      return `flush ${step.path}`;
  }
}

/** The fields of a manifest that follow from the day's source and from its settings. */
type DerivedField = 'settingsDigest' | 'verdict' | 'complete' | 'unread' | 'counts' | 'totals';

/**
 * Works out again what follows from the source of a day and from the settings in its manifest, and
 * gives the fields that say otherwise. The files in the folder must have been checked.
 */
async function contradictedFields(
  folder: string,
  manifest: Manifest,
): Promise<readonly DerivedField[]> {
  const totals = new ControlTotals();
  const again = judgeAgain(folder, manifest, { explains: false, areChecked: true });
  const run = await drained(again, (one) => totals.add(one.reconciled.settlement, one.rows));
  const judged = judgementOf(run);
  // A manifest that names no unread pending settlements may count their day as complete, as it once did.
  const isNamed = manifest.unread !== undefined;
  const derived: Readonly<Record<DerivedField, unknown>> = {
    settingsDigest: settingsDigest(manifest.settings),
    ...judged,
    complete: isNamed ? judged.complete : run.complete,
    unread: isNamed ? judged.unread : undefined,
    totals: totals.totals(),
  };
  return keysOf(derived).filter(
    (field) => JSON.stringify(derived[field]) !== JSON.stringify(manifest[field]),
  );
}
