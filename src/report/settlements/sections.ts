import { isAccepted } from '../../reconcile/acceptance.ts';
import type { ReconciledSettlement, Verdict } from '../../reconcile/reconciled.ts';
import { acceptanceRemarks } from '../common/acceptance.ts';
import {
  accountColumn,
  alarm,
  column,
  missedByService,
  onlyByService,
  plain,
  remark,
  section,
  unsure,
  uuid,
} from '../common/blocks.ts';
import { amountText, capitalised, many, signedText } from '../common/phrase.ts';
import { effectTexts, notAppliedText, ruleClause } from '../common/rule-words.ts';
import type { Remark, Section } from '../common/view.ts';
import { measures, measureWords, opinionsText, verdictWords } from '../common/words.ts';
import { bankDecisions, bankText } from './on-bank.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';

/** What rules have made of the computed amounts of each group, a row a rule; nothing without rules. */
export function ruleSections({ run, names }: SettlementsReport): readonly Section[] {
  const moved = run.groups.flatMap(({ byRule, ...group }) =>
    byRule.map((total) => ({ ...group, total })),
  );
  if (moved.length === 0) return [];
  type Moved = (typeof moved)[number];
  return [
    section<Moved>(
      'By rule (changes to the computed amounts)',
      moved,
      [
        accountColumn(names, 1, ({ accountingToken }) => accountingToken),
        column(1, 'Currency', 'text', ({ currency }) => currency),
        column(1, 'Rule', 'text', ({ total }) => capitalised(ruleClause(total.rule))),
        column(4, 'Settlements', 'integer', ({ total }) => String(total.settlements)),
        column(2, 'Rows', 'integer', ({ total }) => String(total.rows)),
        ...measures.map((one) =>
          column<Moved>(one === 'payIn' ? 1 : 3, capitalised(measureWords[one]), 'amount', (of) =>
            signedText(of.total.change[one], of.scale),
          ),
        ),
      ],
      ({ total: { notApplied } }) =>
        notApplied > 0 ? [unsure(capitalised(notAppliedText(notApplied)))] : [],
    ),
  ];
}

const order: readonly Verdict[] = ['out_of_balance', 'incomplete', 'pending', 'balanced'];

/** A section a verdict, and one for what is accepted. Balanced settlements are shown where they are asked for. */
export function settlementSections(report: SettlementsReport): readonly Section[] {
  const { names, settings, only, explanations, bank } = report;
  const shown = shownSettlements(report);
  const decisive = settings.identity === 'off' ? 'gross' : 'payIn';
  const sections = order
    .filter((verdict) => verdict !== 'balanced' || only?.includes(verdict))
    .flatMap((verdict) => {
      const rows = shown.filter((one) => one.verdict === verdict);
      return [
        { verdict, rows: rows.filter((one) => !isAccepted(one)), words: verdictWords[verdict] },
        { verdict, rows: rows.filter(isAccepted), words: 'accepted' },
      ];
    })
    .filter(({ rows }) => rows.length > 0)
    .map(({ verdict, rows, words }) => {
      const due = verdict === 'pending' ? `, pay-in ${pendingText(report)}` : '';
      const title = `${capitalised(words)}: ${many(rows.length, 'settlement')}${due}`;
      // On a narrow screen what is waited for stays, and elsewhere what is off.
      const [first, second] = verdict === 'pending' ? [5, 1] : [1, 5];
      return section(
        title,
        rows,
        [
          column(3, 'Date', 'text', ({ settlement }) => settlement.date),
          column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
          accountColumn(names, 4, ({ settlement }) => settlement.accountingToken),
          column(2, 'Currency', 'text', ({ settlement }) => settlement.currency),
          column(2, 'Bank', 'text', (one) => bankText(bank, one)),
          column(second, 'Pay-in', 'amount', (one) => amountText(one.reported.payIn, one.scale)),
          ...measures.map((one) =>
            column<ReconciledSettlement>(
              one === decisive ? first : 6,
              `${capitalised(measureWords[one])} difference`,
              'difference',
              ({ difference, scale }) => signedText(difference?.[one], scale),
            ),
          ),
        ],
        (one) =>
          // What was found is known to whoever accepted it.
          isAccepted(one)
            ? acceptanceRemarks(one)
            : settlementRemarks(one, explanations?.get(one.settlement.id)),
      );
    });
  return [...sections, ...bankDecisions(bank, shown, report)];
}

/** The reported pay-in of pending settlements: `EUR 120.00, JPY 5000`. */
function pendingText({ run }: SettlementsReport): string {
  return run.totals
    .filter(({ settlements }) => settlements.pending > 0)
    .map(({ currency, pendingPayIn, scale }) => `${currency} ${amountText(pendingPayIn, scale)}`)
    .join(', ');
}

/** All that is to be said of a settlement: what was accepted and opinions that differ first, its explanation last. */
function settlementRemarks(one: ReconciledSettlement, explanation = ''): readonly Remark[] {
  const entries = [...one.discrepancies, ...one.notices];
  const differ = missedByService(one) || onlyByService(one);
  const said = differ ? entries.filter(({ code }) => code !== 'reported_by_service') : entries;
  return [
    ...acceptanceRemarks(one),
    ...(differ ? [alarm(opinionsText(one))] : []),
    ...said.map(remark),
    ...effectTexts(one).map((text) => plain(`by rule: ${text}`)),
    ...(explanation === '' ? [] : [plain(explanation, '=')]),
  ];
}
