import type { Fault } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import type { SettingWithOrigin } from '../config/settings.ts';
import { interfaceVersion } from '../model/probe.ts';
import { answerBlock, column, facts, section } from '../report/common/blocks.ts';
import { field, records } from '../report/common/columns.ts';
import { jsonViews } from '../report/common/json.ts';
import { capitalised, enumerate, many, wholeRangeText } from '../report/common/phrase.ts';
import type { Section, Tone, Views } from '../report/common/view.ts';
import { jsonSetting, settingsSection } from '../report/config/view.ts';
import { dataChecks } from './checks/data.ts';
import { type FilesExamined, filesCheck, type PlaceExamined, placeCheck } from './checks/files.ts';
import { serviceChecks } from './checks/service.ts';
import { type CheckResult, type Checks, type Examination, result, skipped } from './examination.ts';

/** All checks, in the order in which one builds on another. */
const checks = {
  ...serviceChecks,
  ...dataChecks,
  /** The version that recon follows. The document does not show how the service names its own (doc 9). */
  interface: () =>
    result('ok', `version ${interfaceVersion} is supported; the service does not state its own`),
};

export type CheckName = keyof typeof checks | 'settlement_files' | PlaceExamined['check'];

interface Checked extends CheckResult {
  readonly check: CheckName;
}

function checkName(check: CheckName): string {
  const names: { readonly [Name in CheckName]?: string } = {
    tls: 'TLS',
    settlement_pages: 'pages of settlements',
    transaction_pages: 'pages of transactions',
    scales: 'decimal places',
    identity: 'net pay-out',
    settlement_files: 'settlement files',
  };
  return names[check] ?? check;
}

/** All checks with their results, always in the same order. */
function checksOf(evidence: Examination): readonly Checked[] {
  const { stop, settlements } = evidence;
  const failed = failedCheck(evidence);
  const reason = failed ? `${checkName(failed)} failed` : 'no settlement found';
  return keysOf(checks).map((check) => {
    if (stop && check === failed) return { check, ...failure(stop.fault) };
    const judge: Checks[string] = checks[check];
    const found = settlements.length === 0 && check in dataChecks ? undefined : judge(evidence);
    return { check, ...(found ?? skipped(reason)) };
  });
}

/** All checks if nothing could be asked, because what is set is missing or wrong. */
function checksWithout(fault: Fault): readonly Checked[] {
  return keysOf(checks).map((check) => {
    if (check === 'configuration') return { check, ...failure(fault) };
    return {
      check,
      ...(check === 'interface' ? checks[check]() : skipped('configuration failed')),
    };
  });
}

function failure(error: Fault): CheckResult {
  const { message, where, hint } = error;
  const found = where === null ? message : `${message} At: ${where}`;
  return { level: 'failure', found, whatToDo: hint ?? '', facts: null, error };
}

/** The check that failed and ended the asking. */
function failedCheck({ stop, setup, sightings }: Examination): CheckName | undefined {
  const last = sightings.exchanges.at(-1);
  if (!stop || !last) return stop?.check;
  const { status, origin } = last;
  if (status !== undefined) {
    // The service has these operations for all users and does not redirect, so the address is wrong.
    const isElsewhere = status === 404 || status === 405 || (status >= 300 && status < 400);
    const isFirst = stop.check === 'token' || stop.check === 'settlements';
    return isFirst && isElsewhere ? 'address' : stop.check;
  }
  const peer = sightings.peers.get(origin);
  if (peer?.untrusted) return 'tls';
  const { proxy } = setup;
  return proxy && !peer?.reached && sightings.peers.has(proxy.origin) ? 'proxy' : 'address';
}

/** Every setting and its origin; none if they cannot be read. */
export interface ShownSettings {
  readonly file: string | undefined;
  readonly settings: readonly SettingWithOrigin[];
}

/**
 * The report of `recon doctor`, on what was found, or why nothing could be asked, and on the files of the settings.
 * A record is a check.
 */
export function doctorReport(
  examined: Examination | FilesExamined | Fault,
  { file, settings }: ShownSettings,
  places: readonly PlaceExamined[] = [],
) {
  const isFault = 'cause' in examined;
  const isOfFiles = 'list' in examined;
  const asked = isFault
    ? checksWithout(examined)
    : isOfFiles
      ? [{ check: 'settlement_files', ...filesCheck(examined) } as const]
      : checksOf(examined);
  const checks: readonly Checked[] = [...asked, ...places.map(placeCheck)];
  const range = isFault || isOfFiles ? null : examined.query.range;
  const requests = isFault || isOfFiles ? 0 : examined.requests;
  const answer = answerText(checks, requests);
  /** The worst level. A skipped check has its reason in another check. */
  const level = keysOf(levels).find((one) => checks.some((check) => check.level === one)) ?? 'ok';
  const { word, tone } = levels[level];
  const failures = checks.filter((one) => one.level === 'failure');
  const views: Views = {
    view: () => [
      answerBlock(word.toUpperCase(), tone, answer),
      ...(range ? [facts([['Settlements', wholeRangeText(range)]])] : []),
      checksSection(checks),
      ...checks.flatMap(({ table }) => table ?? []),
      ...(settings.length === 0 ? [] : [settingsSection(settings, file)]),
    ],
    records: () =>
      records(
        [
          field.text<Checked>('check', ({ check }) => check),
          field.text<Checked>('level', (one) => one.level),
          field.text<Checked>('found', ({ found }) => found),
          field.text<Checked>('what_to_do', ({ whatToDo }) => whatToDo),
        ],
        checks,
      ),
    ...jsonViews(() => ({
      about: { level, range, requests },
      lists: {
        checks: [
          'check',
          checks.map(({ table: _, ...one }) => ({ ...one, whatToDo: one.whatToDo || null })),
        ],
        settings: ['setting', settings.map(jsonSetting)],
      },
    })),
  };
  return {
    checks,
    views,
    /** The result, and what failed, for those who do not see the page. */
    conclusion: [
      `${word.toUpperCase()}. ${answer}`,
      ...failures.map(({ check, found, whatToDo }) =>
        `${capitalised(checkName(check))}: ${found} ${whatToDo}`.trimEnd(),
      ),
    ],
    /**
     * Why the first check that failed did: the one to be mended first; undefined if none failed.
     * A failure without an error concerns the contents of the service's answers.
     */
    cause: failures[0] && (failures[0].error?.cause ?? 'service'),
  };
}

const levels: Readonly<
  Record<CheckResult['level'], { word: string; several: string; tone: Tone }>
> = {
  failure: { word: 'failure', several: 'failures', tone: 'bad' },
  warning: { word: 'warning', several: 'warnings', tone: 'unsure' },
  ok: { word: 'ok', several: 'ok', tone: 'good' },
  not_checked: { word: 'not checked', several: 'not checked', tone: 'quiet' },
};

function answerText(checks: readonly Checked[], requests: number): string {
  const counts = keysOf(levels).flatMap((level) => {
    const count = checks.filter((one) => one.level === level).length;
    return count === 0 ? [] : [many(count, levels[level].word, levels[level].several)];
  });
  return `${many(checks.length, 'check')}: ${enumerate(counts)}. ${many(requests, 'request')}; nothing was changed.`;
}

function checksSection(checks: readonly Checked[]): Section {
  return section(
    'Checks',
    checks,
    [
      column.text('Result', ({ level }) => levels[level].word),
      column.text('Check', ({ check }) => checkName(check)),
      column.text('Found', ({ found }) => found),
    ],
    {
      remarks: ({ level, whatToDo }) =>
        whatToDo === '' ? [] : [{ mark: '>', tone: levels[level].tone, text: whatToDo }],
      toneOf: ({ level }) => levels[level].tone,
    },
  );
}
