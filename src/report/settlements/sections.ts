import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Group, ReconciledSettlement, Totals, Verdict } from '../../reconcile/reconciled.ts';
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
import { amountText, capitalised, enumerate, many, present, signedText } from '../common/phrase.ts';
import { effectTexts, notAppliedText, ruleClause } from '../common/rule-words.ts';
import type { Remark, Section } from '../common/view.ts';
import { measures, measureWords, opinionsText, verdictWords } from '../common/words.ts';
import { measureOfTotals, type SettlementsReport, shownSettlements } from './report.ts';

/** The groups, a row each, and the totals of each currency where there is more than one account. */
export function groupSections(report: SettlementsReport): readonly Section[] {
  const { run, names, settings } = report;
  const { groups } = run;
  if (groups.length === 0) return [];
  const measure = measureOfTotals(report);
  const decisive = ({ gross, payIn }: Line) => (settings.identity === 'off' ? gross : payIn);
  const token = (line: Line) => ('accountingToken' in line ? line.accountingToken : '');
  const tokenOfNamed = (line: Line) => (names.has(token(line)) ? token(line) : '');
  const amount = (priority: number, title: string, minor: (line: Line) => bigint | undefined) =>
    column<Line>(priority, title, 'amount', (line) => amountText(minor(line), line.scale));
  const count = (priority: number, title: string, settlements: (line: Line) => number) =>
    column<Line>(priority, title, 'integer', (line) => String(settlements(line)));
  const accounts = new Set(groups.map(token));
  const table = section<Line>(
    `Totals by accounting token and currency (differences in ${measure})`,
    groups,
    [
      column(1, 'Account', 'text', (line) => names.get(token(line)) ?? (token(line) || 'Total')),
      column(10, 'Accounting token', 'text', tokenOfNamed, uuid),
      column(1, 'Currency', 'text', (line) => line.currency),
      count(7, 'Settlements', ({ settlements }) => sum(Object.values(settlements))),
      count(7, 'Balanced', ({ settlements }) => settlements.balanced),
      count(3, 'Out of balance', ({ settlements }) => settlements.out_of_balance),
      count(3, 'Accepted', ({ accepted }) => accepted.settlements),
      count(7, 'Pending', ({ settlements }) => settlements.pending),
      count(5, 'Incomplete', ({ settlements }) => settlements.incomplete),
      amount(8, 'Reported gross', ({ gross }) => gross.reported),
      amount(8, 'Reported fees', ({ fees }) => fees.reported),
      amount(8, 'Reported tax', ({ tax }) => tax.reported),
      amount(4, 'Reported pay-in', ({ payIn }) => payIn.reported),
      amount(6, `Computed ${measure}`, (line) => decisive(line).computed),
      amount(9, 'Pending pay-in', (line) =>
        line.settlements.pending === 0 ? undefined : line.pendingPayIn,
      ),
      column(1, 'Net difference', 'difference', (line) =>
        signedText(decisive(line).difference?.net, line.scale),
      ),
      amount(2, 'Absolute difference', (line) => decisive(line).difference?.absolute),
    ],
    undefined,
    accounts.size > 1 ? run.totals : [],
  );
  const notes = present(whatSumsInclude(groups), mixedScales(report), table.note);
  return [{ ...table, note: notes.join(' ') || undefined }];
}

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

/** A group, or the totals of a currency over all groups. */
type Line = Group | Totals;

/** Which settlements the totals include and leave out, where the first line counts them otherwise. */
function whatSumsInclude(groups: readonly Group[]): string {
  const count = (verdict: Verdict) => sum(groups.map(({ settlements }) => settlements[verdict]));
  const left = (['pending', 'incomplete'] as const).filter((verdict) => count(verdict) > 0);
  const accepted = sum(groups.map((group) => group.accepted.settlements));
  if (left.length === 0 && accepted === 0) return '';
  const members = count('balanced') + count('out_of_balance');
  const acceptedToo = accepted > 0 ? ` (${accepted} accepted)` : '';
  const others = enumerate(left.map((verdict) => `${count(verdict)} ${verdict}`));
  return present(
    members === 0
      ? 'Totals include no settlements.'
      : `Totals include ${many(members, 'settlement')}, balanced or out of balance${acceptedToo}.`,
    others && `Not included: ${others}.`,
  ).join(' ');
}

/** Sums whose settlements have different decimal places; nothing where there are none. */
function mixedScales({ run, names }: SettlementsReport) {
  const mixed = run.groups
    .filter((group) => group.mixedScales.length > 0)
    .map(({ accountingToken, currency, mixedScales: scales }) => {
      const account = names.get(accountingToken) ?? accountingToken;
      return `${account}, ${currency} (${enumerate(scales.map(String))})`;
    });
  const all = mixed.join('; ');
  return all && `Settlements with different decimal places, converted exactly: ${all}.`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}

const order: readonly Verdict[] = ['out_of_balance', 'incomplete', 'pending', 'balanced'];

/** A section a verdict, and one for what is accepted. Balanced settlements are shown where they are asked for. */
export function settlementSections(report: SettlementsReport): readonly Section[] {
  const { names, settings, only, explanations } = report;
  const shown = shownSettlements(report);
  const decisive = settings.identity === 'off' ? 'gross' : 'payIn';
  return order
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
