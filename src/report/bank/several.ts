import { type BankReport, type BankVerdict, bankVerdict } from '../../app/bank-report.ts';
import type { BanksOfSeveral } from '../../app/match-several.ts';
import { answerBlock } from '../common/blocks.ts';
import { enumerate, present, rangeText } from '../common/phrase.ts';
import {
  countsByState,
  nextOfSeveral,
  outcomeOf,
  type ProfileViews,
  partOfSeveral,
  profilesSection,
  recordsOfProfiles,
  sheetsOfViews,
} from '../common/several.ts';
import type { Block, View, Views } from '../common/view.ts';
import { textBlocks } from '../common/workbook.ts';
import { bankHeadline, bankLabel, bankSummary } from './summary.ts';
import { bankViews } from './view.ts';
import { reconciliationTones } from './words.ts';

type Result = ProfileViews<BankReport>;

/** The reports of several profiles on the same statements, and what is of none of them. */
export interface SeveralBanks extends Pick<BanksOfSeveral, 'none'> {
  readonly profiles: readonly Result[];
}

/** The reports of several profiles: each, then what is of none, and the statements once. */
export function severalBankViews(several: SeveralBanks): Views {
  const { profiles, none } = several;
  const rest = bankViews(none);
  const all = [
    ...profiles.map(({ profile, views }) => ({ profile, views })),
    { profile: '', views: rest },
  ];
  const verdict = verdictOfBanks(several);
  const outcomes = profiles.map((one) => outcomeOf(one, verdictOf(one)));
  return {
    view: () => [
      ...partsOf(several, rest, ({ view }) => view()),
      ...nextOfSeveral(all.map(({ views }) => views)),
    ],
    page: () => partsOf(several, rest, ({ view, page = view }) => page() as View),
    records: () =>
      recordsOfProfiles(
        all.flatMap(({ profile, views }) => (views ? { profile, ...views.records() } : [])),
      ),
    workbook: () => ({
      title: `Bank ${rangeText(none.range)}`,
      summary: textBlocks(partsOf(several, rest, ({ view }) => view())),
      tables: sheetsOfViews(all),
    }),
    document: () => ({
      ...rest.document(),
      verdict,
      profiles: profiles.map(({ views }, at) => ({ ...outcomes[at], ...views?.document() })),
    }),
    *lines() {
      for (const { profile, views } of profiles) {
        for (const line of views?.lines() ?? []) yield { ...line, profile };
      }
      const lines = [...rest.lines()];
      yield* lines.slice(0, -1);
      yield { ...lines.at(-1), verdict, profiles: outcomes };
    },
  };
}

/** What standard error says of the statements and of what is of no profile. */
export function severalBankConclusion({ none }: SeveralBanks): readonly string[] {
  const [, ...others] = bankSummary(none).conclusion;
  return present(bankHeadline(none), ...others);
}

function verdictOf(one: Result): BankVerdict {
  return 'report' in one ? bankVerdict(one.report) : 'incomplete';
}

const falling = ['incomplete', 'not_reconciled', 'reconciled'] as const;

function verdictOfBanks({ profiles, none }: SeveralBanks): BankVerdict {
  const all = [...profiles.map(verdictOf), bankVerdict(none)];
  return falling.find((one) => all.includes(one)) ?? 'reconciled';
}

const stateOf = (one: Result) =>
  'failure' in one ? 'not read' : bankLabel(one.report).toLowerCase();

function partsOf(several: SeveralBanks, rest: Views, blocksOf: (views: Views) => View): Block[] {
  const { profiles, none } = several;
  const verdict = verdictOfBanks(several);
  const states = profiles.map(stateOf);
  const unread = profiles.flatMap((one) => ('failure' in one ? one.profile : []));
  const text = present(
    countsByState(states, [...new Set(states)].sort()),
    bankHeadline(none),
    unread.length > 0 && `Entries may belong to pay-outs of ${enumerate(unread)}.`,
  );
  const label = verdict.replace('_', ' ').toUpperCase();
  const ofNone: Result = { profile: '', exitCode: 0, report: none, views: rest };
  const [, ...others] = partOfSeveral(ofNone, blocksOf);
  return [
    answerBlock(label, reconciliationTones[verdict], text.join(' ')),
    profilesSection(profiles, stateOf),
    ...profiles.flatMap((one) => partOfSeveral(one, blocksOf)),
    answerBlock('All profiles', 'plain', 'What is of none of them, and the statements.'),
    ...others,
  ];
}
