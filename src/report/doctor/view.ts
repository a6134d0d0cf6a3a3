import { keysOf } from '../../base/lists.ts';
import type { SettingWithOrigin } from '../../config/settings.ts';
import type { Checked, Level } from '../../doctor/checks.ts';
import type { DateRange } from '../../model/source.ts';
import { answerBlock, column, facts, section } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonFacts, jsonViews } from '../common/json.ts';
import { capitalised, enumerate, many, wholeRangeText } from '../common/phrase.ts';
import type { Section, Tone, Views } from '../common/view.ts';
import { identityWords } from '../common/words.ts';
import { jsonSetting, settingsSection } from '../config/view.ts';
import { checkAdvice, checkName, foundText } from './words.ts';

/** Everything that the report of `recon doctor` is made of. */
export interface DoctorReport {
  /** Always all of them, in the same order. */
  readonly checks: readonly Checked[];
  /** The days whose settlements were looked at; undefined where nothing could be asked. */
  readonly range: DateRange | undefined;
  /** How many requests were made. */
  readonly requests: number;
  /** The configuration file, where there is one. */
  readonly file: string | undefined;
  /** Every setting and where it comes from; none if they cannot be read. */
  readonly settings: readonly SettingWithOrigin[];
}

const recordColumns: readonly Column<Checked>[] = [
  field.text('check', ({ check }) => check),
  field.text('level', ({ level }) => level),
  field.text('found', foundText),
  field.text('what_to_do', checkAdvice),
];

/** The report of `recon doctor`. A record is a check. */
export function doctorViews(report: DoctorReport): Views {
  const { checks, range = null, requests, settings, file } = report;
  const level = worstLevel(report);
  return {
    view: () => [
      answerBlock(levels[level].word.toUpperCase(), levels[level].tone, answerText(report)),
      ...(range ? [facts([['Settlements', wholeRangeText(range)]])] : []),
      checksSection(checks),
      ...checks.flatMap(identitySection),
      ...(settings.length === 0 ? [] : [settingsSection(settings, file)]),
    ],
    records: () => records(recordColumns, checks),
    ...jsonViews(() => ({
      about: { level, range, requests },
      lists: {
        checks: ['check', checks.map(jsonCheck)],
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
    ...failures.map((one) => {
      const advice = checkAdvice(one);
      return `${capitalised(checkName(one.check))}: ${foundText(one)}${advice && ` ${advice}`}`;
    }),
  ];
}

/** What is said of each level; the worst first. */
const levels: Readonly<Record<Level, { word: string; several: string; tone: Tone }>> = {
  failure: { word: 'failure', several: 'failures', tone: 'bad' },
  warning: { word: 'warning', several: 'warnings', tone: 'unsure' },
  ok: { word: 'ok', several: 'ok', tone: 'good' },
  not_checked: { word: 'not checked', several: 'not checked', tone: 'quiet' },
};

/** The worst of them. What wasn't checked has its reason in another check. */
function worstLevel({ checks }: DoctorReport): Level {
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
      column(1, 'Result', 'text', ({ level }) => levels[level].word),
      column(1, 'Check', 'text', ({ check }) => checkName(check)),
      column(1, 'Found', 'text', foundText),
    ],
    {
      remarks: (check) => {
        const advice = checkAdvice(check);
        return advice === '' ? [] : [{ mark: '>', tone: levels[check.level].tone, text: advice }];
      },
      toneOf: ({ level }) => levels[level].tone,
    },
  );
}

/** For how many settlements each equation holds. */
function identitySection(check: Checked): readonly Section[] {
  if (check.check !== 'identity' || !('facts' in check)) return [];
  const { fits, chosen, settlements } = check.facts;
  return [
    section('Equations for the pay-in', fits, [
      column(1, 'Pay-in =', 'text', ({ identity }) => identityWords(identity)),
      column(1, 'Holds', 'text', (one) => `${one.settlements} of ${settlements}`),
      column(1, 'Current', 'text', ({ identity }) => (identity === chosen ? 'yes' : '')),
    ]),
  ];
}

function jsonCheck(check: Checked) {
  return {
    check: check.check,
    level: check.level,
    found: foundText(check),
    whatToDo: checkAdvice(check) || null,
    facts: 'facts' in check ? jsonFacts(check.facts, 0) : null,
    error: 'fault' in check ? check.fault : null,
    lacks: 'lacks' in check ? check.lacks : null,
  };
}
