import { type BankReport, type BankVerdict, bankVerdict } from '../../app/bank-report.ts';
import type { BanksOfSeveral } from '../../app/match-several.ts';
import { answerBlock, column, listed, section } from '../common/blocks.ts';
import { enumerate, present, rangeText } from '../common/phrase.ts';
import {
  countsByState,
  failedBlocks,
  type ProfileResult,
  recordsOfProfiles,
  sheetOfProfiles,
} from '../common/several.ts';
import type { Block, View, Views } from '../common/view.ts';
import { maxSheetRows, textBlocks } from '../common/workbook.ts';
import { bankHeadline, bankLabel, bankSummary } from './summary.ts';
import { bankPage, bankSheets, bankView, bankViews } from './view.ts';
import { reconciliationTones } from './words.ts';

/** The reports of several profiles on the same statements, and what is of none of them. */
export interface SeveralBanks extends Pick<BanksOfSeveral, 'none'> {
  readonly profiles: readonly ProfileResult<BankReport>[];
}

/** The reports of several profiles: each, then what is of none, and the statements once. */
export function severalBankViews(several: SeveralBanks): Views {
  const { profiles, none } = several;
  const reports = profiles.flatMap((one) => ('report' in one ? [one] : []));
  const all = [...reports, { profile: '', report: none }];
  const outcomes = profiles.map(outcomeOf);
  const rest = bankViews(none);
  const verdict = verdictOfBanks(several);
  return {
    view: () => [
      ...partsOf(several, bankView),
      ...listed('Next', [...new Set(all.flatMap(({ report }) => bankSummary(report).advice))], '>'),
    ],
    page: () => partsOf(several, bankPage),
    records: () =>
      recordsOfProfiles(
        all.map(({ profile, report }) => ({ profile, ...bankViews(report).records() })),
      ),
    workbook: () => ({
      title: `Bank ${rangeText(none.range)}`,
      summary: textBlocks(partsOf(several, bankView)),
      tables: Object.entries(bankSheets).flatMap(([name, sections]) =>
        sheetOfProfiles(
          name,
          all.flatMap(({ profile, report }) =>
            sections(report, maxSheetRows).map((section) => ({ profile, section })),
          ),
        ),
      ),
    }),
    document: () => ({
      ...rest.document(),
      verdict,
      profiles: profiles.map((one) => ({
        ...outcomeOf(one),
        ...('report' in one && bankViews(one.report).document()),
      })),
    }),
    *lines() {
      for (const { profile, report } of reports) {
        for (const line of bankViews(report).lines()) yield { ...line, profile };
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

function verdictOf(one: SeveralBanks['profiles'][number]): BankVerdict {
  return 'report' in one ? bankVerdict(one.report) : 'incomplete';
}

const falling = ['incomplete', 'not_reconciled', 'reconciled'] as const;

function verdictOfBanks({ profiles, none }: SeveralBanks): BankVerdict {
  const all = [...profiles.map(verdictOf), bankVerdict(none)];
  return falling.find((one) => all.includes(one)) ?? 'reconciled';
}

function outcomeOf(one: SeveralBanks['profiles'][number]) {
  const { profile, exitCode } = one;
  const error = 'failure' in one && { error: one.failure };
  return { profile, verdict: verdictOf(one), exitCode, ...error };
}

function stateOf(one: SeveralBanks['profiles'][number]): string {
  return 'failure' in one ? 'not read' : bankLabel(one.report).toLowerCase();
}

function partsOf(several: SeveralBanks, viewOf: (report: BankReport) => View): Block[] {
  const { profiles, none } = several;
  const verdict = verdictOfBanks(several);
  const states = profiles.map(stateOf);
  const unread = profiles.flatMap((one) => ('failure' in one ? one.profile : []));
  const text = present(
    countsByState(states, [...new Set(states)].sort()),
    bankHeadline(none),
    unread.length > 0 && `Entries may belong to pay-outs of ${enumerate(unread)}.`,
  );
  const [, ...rest] = viewOf(none);
  return [
    answerBlock(label(verdict), reconciliationTones[verdict], text.join(' ')),
    section('Profiles', profiles, [
      column.text('Profile', ({ profile }) => profile),
      column.text('Verdict', stateOf),
      column.text('Result', (one) =>
        'report' in one ? bankHeadline(one.report) : one.failure.message,
      ),
    ]),
    ...profiles.flatMap((one): readonly Block[] => {
      if ('failure' in one) return failedBlocks(one.profile, one.failure);
      const [, ...parts] = viewOf(one.report);
      const tone = reconciliationTones[bankVerdict(one.report)];
      const title = `${one.profile}: ${bankLabel(one.report)}`;
      return [answerBlock(title, tone, bankHeadline(one.report)), ...parts];
    }),
    answerBlock('All profiles', 'plain', 'What is of none of them, and the statements.'),
    ...rest,
  ];
}

const label = (verdict: BankVerdict) => verdict.replace('_', ' ').toUpperCase();
