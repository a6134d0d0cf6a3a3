import { join } from 'node:path';
import { daysOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { listFolder } from '../base/folders.ts';
import type { DateRange } from '../model/source.ts';
import type { ExportProblem, VerifyReport } from '../report/verify-report.ts';
import { checkDay } from './check-day.ts';
import { layout, supersededPath } from './layout.ts';
import { readExportListing } from './listing.ts';
import { planRecovery, type Step } from './plan.ts';
import { readQuestion } from './question.ts';

/**
 * Checks all that lies in the folder of an export, superseded versions too, against its manifests,
 * and what is missing in a range. Never writes, and asks nobody. Throws ReconError `usage` for a
 * folder that is no export.
 */
export async function verifyExport(folder: string, asked?: DateRange): Promise<VerifyReport> {
  const question = await readQuestion(folder);
  if (!question) {
    throw new ReconError('usage', 'There is no export in this folder.', {
      where: folder,
      hint: 'Name the folder that an export was written to.',
    });
  }
  const listing = await readExportListing(folder);
  const all = [...listing.days.keys()];
  const range = asked ?? rangeOf(all);
  const problems: ExportProblem[] = listing.blocked.map((path) => ({
    path,
    message: 'Something else than a folder stands in the place of this day.',
  }));
  const damaged = new Set<string>();
  for (const day of all) {
    const found = await problemsIn(folder, day, day);
    problems.push(...found);
    if (found.length > 0) damaged.add(day);
  }
  for (const { day, number } of listing.superseded) {
    problems.push(...(await problemsIn(folder, supersededPath(day, number), day)));
  }
  const wanted = range ? [...daysOf(range)] : [];
  const names = ((await listFolder(folder)) ?? []).map(({ name }) => name);
  return {
    folder,
    profile: question.profile,
    host: question.host,
    range,
    sound: wanted.filter((day) => listing.days.has(day) && !damaged.has(day)).length,
    missing: wanted.filter((day) => !listing.days.has(day)),
    problems,
    isLocked: names.includes(layout.lock),
    unfinished: planRecovery(listing).map(describe),
  };
}

async function problemsIn(
  folder: string,
  path: string,
  day: string,
): Promise<readonly ExportProblem[]> {
  const { problems } = await checkDay(join(folder, path), day);
  return problems.map(({ file, message }) => ({ path: join(path, file), message }));
}

function rangeOf(days: readonly string[]): DateRange | undefined {
  const [from] = days;
  const to = days.at(-1);
  return from === undefined || to === undefined ? undefined : { from, to };
}

function describe(step: Step): string {
  switch (step.do) {
    case 'move':
      return `rename ${step.from} to ${step.to}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'flush':
      return `flush ${step.path}`;
  }
}
