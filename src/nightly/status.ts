import { join } from 'node:path';
import type { NightOnBank, ProfileNight } from '../app/night-result.ts';
import { readTextFile } from '../base/files.ts';
import { makeFolder, replaceWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { layout } from '../export/layout.ts';

interface NightEnding {
  /** `isUnmarked`: its news does not count as reported, so an earlier failure stays in the file. */
  readonly profiles: readonly (ProfileNight & { readonly isUnmarked?: boolean })[];
  readonly exitCode: number;
  readonly now: number;
}

/** Exit codes of runs that have read and reported everything. */
const successes: readonly number[] = [0, 1];
/** The exit code if another run uses the folder. The status of that run counts. */
const locked = 75;

/** Writes `status.json` into a folder, for monitoring. Throws ReconError `output`. */
export async function writeStatus(folder: string, ending: NightEnding): Promise<void> {
  await makeFolder(folder);
  const path = join(folder, layout.status);
  const before = await readStatus(path);
  const finishedAt = new Date(ending.now).toISOString();
  const lastSuccess = (exitCode: number, was: unknown) =>
    successes.includes(exitCode) ? finishedAt : typeof was === 'string' ? was : null;
  const status = {
    schema: 1,
    finishedAt,
    exitCode: ending.exitCode,
    lastSuccess: lastSuccess(ending.exitCode, before['lastSuccess']),
    profiles: ending.profiles.map((one) => {
      const profile = one.profile ?? null;
      const earlier = profilesOf(before).find((other) => other['profile'] === profile);
      if (one.exitCode === locked && earlier) return earlier;
      return {
        profile,
        verdict: one.verdict,
        exitCode: one.exitCode,
        lastSuccess: lastSuccess(one.exitCode, earlier?.['lastSuccess']),
        publishedTo: one.publishedTo ?? null,
        lagDays: one.lagDays ?? null,
        news: one.news.length,
        known: one.known.settlements,
        pending: one.pending,
        overdue: one.overdue,
        ...(one.bank && { bank: bankCounts(one.bank) }),
        failure: one.failure?.cause ?? (one.isUnmarked ? (earlier?.['failure'] ?? null) : null),
      };
    }),
  };
  await replaceWhole(path, `${JSON.stringify(status, null, 2)}\n`);
}

/** Whether `status.json` of a folder says that the last run of a profile failed. */
export async function hasFailedBefore(folder: string, profile: string | undefined) {
  const before = profilesOf(await readStatus(join(folder, layout.status)));
  const failure = before.find((one) => one['profile'] === (profile ?? null))?.['failure'];
  return typeof failure === 'string' && failure !== 'locked';
}

function bankCounts({ days, missing, differences, unknown }: NightOnBank) {
  return { coveredTo: days?.to ?? null, missing, differences, unknown: unknown.size };
}

type Fields = Readonly<Record<string, unknown>>;

async function readStatus(path: string): Promise<Fields> {
  try {
    const file = await readTextFile(path);
    const status = file && parseJson(file.text);
    return isObject(status) ? status : {};
  } catch {
    return {};
  }
}

function profilesOf({ profiles }: Fields): readonly Fields[] {
  return Array.isArray(profiles) ? profiles.filter(isObject) : [];
}
