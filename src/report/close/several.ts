import { type CloseReport, type CloseVerdict, closeVerdict } from '../../app/close-report.ts';
import { keysOf } from '../../base/lists.ts';
import { answerBlock } from '../common/blocks.ts';
import { jsonRecord } from '../common/json.ts';
import { rangeText } from '../common/phrase.ts';
import {
  countsByState,
  nextOfSeveral,
  outcomeOf,
  type ProfileViews,
  partOfSeveral,
  plainSummary,
  profilesSection,
  recordsOfProfiles,
  sheetsOfViews,
} from '../common/several.ts';
import { schema, type Tone, type Views } from '../common/view.ts';
import { textBlocks } from '../common/workbook.ts';
import { jsonBridge } from './json.ts';
import { bridgeSections, closeViews, entrySections } from './view.ts';

type Result = ProfileViews<CloseReport>;

/** The views of the report of one of several profiles. Its bank accounts are those of all, and are shown once. */
export function closeViewsOfOne(report: CloseReport, isOfItems = false): Views {
  return closeViews({ ...report, bridge: [] }, isOfItems);
}

/**
 * The reports of several profiles as one paper: each with its checklist and its roll-forward, then each bank account
 * once, over all of them. At least one must have a report.
 */
export function severalCloseViews(profiles: readonly Result[]): Views {
  const [first] = profiles.flatMap((one) => ('report' in one ? one.report : []));
  const { bridge, range } = first ?? { bridge: [], range: { from: '', to: '' } };
  const parts = profiles.flatMap(({ profile, views }) => (views ? { profile, views } : []));
  const accounts = [
    answerBlock('All profiles', 'plain', 'The bank accounts, over all of them.'),
    ...bridgeSections({ bridge }),
  ];
  const verdict = verdictOf(profiles);
  const outcomes = profiles.map((one) => outcomeOf(one, ofOne(one)));
  const lines = bridge.map((one) => jsonRecord(jsonBridge(one)));
  return {
    view: () => [
      ...headOf(profiles),
      ...profiles.flatMap((one) => partOfSeveral(one, ({ view }) => view())),
      ...accounts,
      ...nextOfSeveral(parts.map(({ views }) => views)),
    ],
    page: () => [
      ...headOf(profiles),
      ...profiles.flatMap((one) => partOfSeveral(one, ({ view, page = view }) => page())),
      ...accounts,
      ...entrySections({ bridge }),
    ],
    records: () =>
      recordsOfProfiles(parts.map(({ profile, views }) => ({ profile, ...views.records() }))),
    workbook: () => {
      const ofAll = first && closeViews(first).workbook?.().tables;
      return {
        title: `Close ${rangeText(range)}`,
        summary: [...textBlocks(headOf(profiles)), ...profiles.flatMap((one) => plainSummary(one))],
        tables: [
          ...sheetsOfViews(parts),
          ...(ofAll ?? []).filter(({ name }) => name === 'Bridge' || name === 'Bank entries'),
        ],
      };
    },
    document: () => ({
      schema,
      verdict,
      profiles: profiles.map(({ views }, at) => ({ ...outcomes[at], ...views?.document() })),
      bridge: lines,
    }),
    *lines() {
      for (const { profile, views } of parts) {
        for (const line of views.lines()) yield { ...line, profile };
      }
      for (const line of lines) yield { type: 'bankAccount', schema, ...line };
      yield { type: 'summary', schema, verdict, profiles: outcomes };
    },
  };
}

/** From the worst, with their words and tones. */
const verdicts = {
  incomplete: ['incomplete', 'unsure'],
  not_ready: ['not ready', 'bad'],
  ready: ['ready to close', 'good'],
  closed: ['closed', 'good'],
} as const satisfies Readonly<Record<CloseVerdict, readonly [string, Tone]>>;

const ofOne = (one: Result): CloseVerdict =>
  'report' in one ? closeVerdict(one.report) : 'incomplete';

function verdictOf(profiles: readonly Result[]): CloseVerdict {
  const all = profiles.map(ofOne);
  return keysOf(verdicts).find((one) => all.includes(one)) ?? 'incomplete';
}

const wordsOf = (one: Result) => ('failure' in one ? 'not read' : verdicts[ofOne(one)][0]);

function headOf(profiles: readonly Result[]) {
  const [words, tone] = verdicts[verdictOf(profiles)];
  const states = profiles.map(wordsOf);
  return [
    answerBlock(words.toUpperCase(), tone, countsByState(states, [...new Set(states)].sort())),
    profilesSection(profiles, wordsOf),
  ];
}
