import type { Fault } from '../../base/errors.ts';
import type { Verdict } from '../../reconcile/reconciled.ts';
import { runVerdict } from '../../reconcile/verdict.ts';
import { answerBlock, column, listed, section } from '../common/blocks.ts';
import { many, present } from '../common/phrase.ts';
import { type Block, schema, type Views } from '../common/view.ts';
import { verdicts, verdictTones, verdictWords } from '../common/words.ts';
import { closingLines, settlementLine, settlementsDocument } from './document.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';
import { answerLabel, answerTone, headline } from './summary.ts';
import { settlementsPage, settlementsView, settlementsViews } from './view.ts';
import { settlementsWorkbook } from './workbook.ts';

/** What came of a profile among several: its report, or why there is none. */
export type ProfileSettlements = { readonly profile: string; readonly exitCode: number } & (
  | { readonly report: SettlementsReport }
  | { readonly failure: Fault }
);

/**
 * The report of `recon settlements` over several profiles: whole, one after the other. Nothing is
 * summed over them. One report at least must be there.
 */
export function severalViews(profiles: readonly ProfileSettlements[]): Views {
  const reports = profiles.flatMap((one) => ('report' in one ? [one] : []));
  return {
    view: () => partsOfSeveral(profiles, settlementsView),
    page: () => partsOfSeveral(profiles, settlementsPage),
    records: () => {
      // All rows have the same columns.
      const hasRegister = reports.some(({ report }) => report.hasRegister);
      const parts = reports.map(({ profile, report }) => ({
        profile,
        records: settlementsViews({ ...report, hasRegister }).records(),
      }));
      function* rows() {
        for (const { profile, records } of parts) {
          for (const row of records.rows) yield [...row, profile];
        }
      }
      const columns = parts[0]?.records.columns ?? [];
      return { columns: [...columns, { key: 'profile', kind: 'text' }], rows: rows() };
    },
    workbook: () => settlementsWorkbook(reports, partsOfSeveral(profiles, settlementsView)),
    document: () => ({
      schema,
      verdict: verdictOfSeveral(profiles),
      profiles: profiles.map((one) => ({
        ...outcome(one),
        ...('report' in one && settlementsDocument(one.report)),
      })),
    }),
    lines: () => severalLines(profiles),
  };
}

function verdictOf(one: ProfileSettlements): Verdict {
  // Nothing is known of what could not be read.
  return 'report' in one ? one.report.run.verdict : 'incomplete';
}

function verdictOfSeveral(profiles: readonly ProfileSettlements[]): Verdict {
  return runVerdict(profiles.map(verdictOf));
}

function outcome(one: ProfileSettlements) {
  const { profile, exitCode } = one;
  const error = 'failure' in one && { error: one.failure };
  return { profile, verdict: verdictOf(one), exitCode, ...error };
}

/** The lines of each profile, with its name; the last line is the summary of all. */
function* severalLines(profiles: readonly ProfileSettlements[]): Generator<object> {
  for (const one of profiles) {
    if (!('report' in one)) continue;
    const { profile, report } = one;
    const { names, explanations, bank } = report;
    const settlements = report.splits ? [] : shownSettlements(report);
    for (const settlement of settlements) {
      const explanation = explanations?.get(settlement.settlement.id);
      yield { ...settlementLine(settlement, names, explanation, bank), profile };
    }
    for (const line of closingLines(report)) yield { ...line, profile };
  }
  const verdict = verdictOfSeveral(profiles);
  yield { type: 'summary', schema, verdict, profiles: profiles.map(outcome) };
}

/** All profiles together, then `partsOf` each. */
function partsOfSeveral<Part>(
  profiles: readonly ProfileSettlements[],
  partsOf: (report: SettlementsReport) => readonly Part[],
): readonly (Block | Part)[] {
  const verdict = verdictOfSeveral(profiles);
  const isEmpty = profiles.every((one) => stateOf(one) === 'empty');
  const [label, tone] = isEmpty
    ? (['nothing found', 'plain'] as const)
    : [verdictWords[verdict], verdictTones[verdict]];
  return [
    answerBlock(label.toUpperCase(), tone, countsOf(profiles)),
    section<ProfileSettlements>('Profiles', profiles, [
      column(1, 'Profile', 'text', ({ profile }) => profile),
      column(1, 'Verdict', 'text', stateOf),
      column(1, 'Result', 'text', (one) =>
        'report' in one ? headline(one.report) : one.failure.message,
      ),
    ]),
    ...profiles.flatMap((one) => ofProfile(one, partsOf)),
  ];
}

const states = [...verdicts.map((verdict) => verdictWords[verdict]), 'empty', 'not read'];

/** The verdict in words. Where there is nothing, nothing is balanced either. */
function stateOf(one: ProfileSettlements): string {
  if ('failure' in one) return 'not read';
  const { verdict, settlements } = one.report.run;
  return verdict === 'balanced' && settlements.length === 0 ? 'empty' : verdictWords[verdict];
}

/** `3 profiles: 1 balanced, 1 out of balance, 1 not read.` */
function countsOf(profiles: readonly ProfileSettlements[]): string {
  const all = profiles.length;
  const counts = states.map((state) => {
    const count = profiles.filter((one) => stateOf(one) === state).length;
    if (all === 1) return count > 0 && state;
    return count > 0 && `${count === all ? 'all' : count} ${state}`;
  });
  return `${many(all, 'profile')}: ${present(...counts).join(', ')}.`;
}

/** The report of one profile under its name, or why there is none. */
function ofProfile<Part>(
  one: ProfileSettlements,
  partsOf: (report: SettlementsReport) => readonly Part[],
): readonly (Block | Part)[] {
  const title = (label: string) => `${one.profile}: ${label}`;
  if ('report' in one) {
    const [, ...parts] = partsOf(one.report);
    const tone = answerTone(one.report);
    return [answerBlock(title(answerLabel(one.report)), tone, headline(one.report)), ...parts];
  }
  const { message, where, hint } = one.failure;
  return [
    answerBlock(title('NOT READ'), 'unsure', message),
    ...listed('Where', present(where ?? undefined)),
    ...listed('Next', present(hint ?? undefined), '>'),
  ];
}
