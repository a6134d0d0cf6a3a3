import type { FailureCause, Fault } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import type { SettingWithOrigin } from '../config/settings.ts';
import type { DateRange } from '../model/source.ts';
import { answerBlock, column, facts, section } from '../report/common/blocks.ts';
import { field, records } from '../report/common/columns.ts';
import { jsonFacts, jsonViews } from '../report/common/json.ts';
import { capitalised, enumerate, many, wholeRangeText } from '../report/common/phrase.ts';
import { profileTable } from '../report/common/rule-words.ts';
import type { Section, Tone, Views } from '../report/common/view.ts';
import { jsonSetting, settingsSection } from '../report/config/view.ts';
import { answerChecks } from './checks/answers.ts';
import { connectionChecks } from './checks/connection.ts';
import { dataChecks } from './checks/data.ts';
import type { Examination } from './examination.ts';
import { type CheckResult, type Checks, type NotChecked, needs } from './examination.ts';

/** All checks, in the order in which one builds on another. */
const checks = { ...connectionChecks, ...answerChecks, ...dataChecks };

export type CheckName = keyof typeof checks;

interface Checked extends Partial<Pick<CheckResult, 'table'>> {
  readonly check: CheckName;
  readonly level: CheckResult['level'] | 'not_checked';
  /** In whole sentences, as is `whatToDo`. */
  readonly found: string;
  readonly whatToDo: string;
  readonly facts: object | null;
  /** Why the service could not be asked, or did not answer well. */
  readonly error: Fault | null;
  /** What it needs and was not found, or an earlier check that failed. */
  readonly lacks: CheckName | NotChecked['lacks'] | null;
}

function checkName(check: CheckName): string {
  const names: { readonly [Name in CheckName]?: string } = {
    tls: 'TLS',
    settlement_pages: 'pages of settlements',
    transaction_pages: 'pages of transactions',
    scales: 'decimal places',
  };
  return names[check] ?? check;
}

/** Each check with what it came to: always all of them, in the same order. */
export function checksOf(evidence: Examination): readonly Checked[] {
  const failed = failedCheck(evidence);
  const { stop } = evidence;
  return keysOf(checks).map((check) => {
    if (stop && check === failed) return failure(check, stop.fault);
    const judge: Checks[string] = checks[check];
    const found = judge(evidence) ?? { lacks: failed ?? 'settlement' };
    return 'lacks' in found ? skipped(check, found.lacks) : finished(check, found);
  });
}

/** All checks if nothing could be asked, because what is set is missing or wrong. */
export function checksWithout(fault: Fault): readonly Checked[] {
  return keysOf(checks).map((check) => {
    if (check === 'configuration') return failure(check, fault);
    if (check === 'interface') return finished(check, checks.interface());
    return skipped(check, 'configuration');
  });
}

function finished(check: CheckName, result: CheckResult): Checked {
  const found = `${capitalised(result.found)}.`;
  return { check, ...result, found, error: null, lacks: null };
}

function failure(check: CheckName, error: Fault): Checked {
  const { message, where, hint } = error;
  const found = where === null ? message : `${message} At: ${where}`;
  return { check, level: 'failure', found, whatToDo: hint ?? '', facts: null, error, lacks: null };
}

function skipped(check: CheckName, lacks: CheckName | NotChecked['lacks']): Checked {
  const isCheck = (name: string): name is CheckName => name in checks;
  const missing = isCheck(lacks) ? `${checkName(lacks)} failed` : `${needs[lacks]} found`;
  const found = `Skipped: ${missing}.`;
  return { check, level: 'not_checked', found, whatToDo: '', facts: null, error: null, lacks };
}

/** The check that failed and ended the asking. */
function failedCheck({ stop, setup, sightings }: Examination): CheckName | undefined {
  const last = sightings.exchanges.at(-1);
  if (!stop || !last) return stop?.check;
  const { status, origin } = last;
  if (status !== undefined) {
    // An operation that everybody has can't be unknown to the service, and it sends nobody elsewhere.
    const isElsewhere = status === 404 || status === 405 || (status >= 300 && status < 400);
    const isFirst = stop.check === 'token' || stop.check === 'settlements';
    return isFirst && isElsewhere ? 'address' : stop.check;
  }
  const peer = sightings.peers.get(origin);
  if (peer?.untrusted) return 'tls';
  const { proxy } = setup;
  return proxy && !peer?.reached && sightings.peers.has(proxy.origin) ? 'proxy' : 'address';
}

/** Why the first check that failed did: the one to be mended first. Undefined if none failed. */
export function causeOfFailure(checks: readonly Checked[]): FailureCause | undefined {
  const first = checks.find(({ level }) => level === 'failure');
  // A failure without an error is about what the service's own answers hold.
  return first && (first.error?.cause ?? 'service');
}

export interface DoctorReport {
  readonly checks: readonly Checked[];
  /** The days whose settlements were looked at; undefined where nothing could be asked. */
  readonly range: DateRange | undefined;
  readonly requests: number;
  readonly file: string | undefined;
  /** Every setting and where it comes from; none if they cannot be read. */
  readonly settings: readonly SettingWithOrigin[];
}

/** The report of `recon doctor`: a record is a check. */
export function doctorViews(report: DoctorReport): Views {
  const { checks, range = null, requests, settings, file } = report;
  const level = worstLevel(report);
  return {
    view: () => [
      answerBlock(levels[level].word.toUpperCase(), levels[level].tone, answerText(report)),
      ...(range ? [facts([['Settlements', wholeRangeText(range)]])] : []),
      checksSection(checks),
      ...checks.flatMap(({ table }) => table ?? []),
      ...(settings.length === 0 ? [] : [settingsSection(settings, file)]),
    ],
    records: () =>
      records(
        [
          field.text<Checked>('check', ({ check }) => check),
          field.text<Checked>('level', ({ level }) => level),
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
          checks.map(({ table: _, ...one }) => ({
            ...one,
            whatToDo: one.whatToDo || null,
            facts: jsonFacts(one.facts, 0),
          })),
        ],
        settings: ['setting', settings.map(jsonSetting)],
      },
    })),
  };
}

/** The result, and what failed, for those who do not see the page. */
export function doctorConclusion(report: DoctorReport): readonly string[] {
  const failures = report.checks.filter(({ level }) => level === 'failure');
  return [
    `${levels[worstLevel(report)].word.toUpperCase()}. ${answerText(report)}`,
    ...failures.map(({ check, found, whatToDo }) =>
      `${capitalised(checkName(check))}: ${found} ${whatToDo}`.trimEnd(),
    ),
  ];
}

/** What came of the scheme that is not set, where the one that is was rejected. */
export function otherSchemeText(scheme: 'v1' | 'v2', profile = 'NAME', failure?: unknown): string {
  const name = scheme.toUpperCase();
  return failure instanceof Error
    ? `${name} was tried too: ${failure.message} Check the credentials and base_url, and ask the service which access method it takes.`
    : `The service accepts ${name}: set auth = "${scheme}" under [${profileTable(profile)}], or RECON_AUTH=${scheme}.`;
}

const levels: Readonly<Record<Checked['level'], { word: string; several: string; tone: Tone }>> = {
  failure: { word: 'failure', several: 'failures', tone: 'bad' },
  warning: { word: 'warning', several: 'warnings', tone: 'unsure' },
  ok: { word: 'ok', several: 'ok', tone: 'good' },
  not_checked: { word: 'not checked', several: 'not checked', tone: 'quiet' },
};

/** The worst of them. What wasn't checked has its reason in another check. */
function worstLevel({ checks }: DoctorReport): Checked['level'] {
  return keysOf(levels).find((level) => checks.some((one) => one.level === level)) ?? 'ok';
}

function answerText({ checks, requests }: DoctorReport): string {
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
