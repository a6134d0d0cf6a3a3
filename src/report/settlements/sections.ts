import { groupedBy } from '../../base/lists.ts';
import { absoluteSums, type Money, maxScale, moneySums, rescale } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Entry } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import { acceptanceRemarks } from '../common/acceptance.ts';
import {
  accountColumn,
  alarm,
  column,
  maxPageRows,
  missedByService,
  onlyByService,
  plain,
  remark,
  section,
  sectionIfAny,
  unsure,
  uuid,
} from '../common/blocks.ts';
import { amountOf, valueText } from '../common/columns.ts';
import {
  capitalised,
  grouped,
  many,
  moneyText,
  signedDigitsOf,
  signedMoneyText,
} from '../common/phrase.ts';
import { accountName } from '../common/report.ts';
import { effectTexts, notAppliedText, ruleClause } from '../common/rule-words.ts';
import type { Remark, Section } from '../common/view.ts';
import {
  codeWords,
  measures,
  measureWords,
  opinionsText,
  sentence,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { bankDecisions, bankListColumns, bankText } from './on-bank.ts';
import { measureOfTotals, type SettlementsReport, shownSettlements } from './report.ts';

/** What rules have made of the computed amounts of each group, a row a rule; nothing without rules. */
export function ruleSections({ run, names }: SettlementsReport): readonly Section[] {
  const moved = run.groups.flatMap(({ byRule, ...group }) =>
    byRule.map((total) => ({ ...group, total })),
  );
  type Moved = (typeof moved)[number];
  return sectionIfAny<Moved>(
    'By rule (changes to the computed amounts)',
    moved,
    [
      accountColumn(names, 1, ({ accountingToken }) => accountingToken),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(1, 'Rule', 'text', ({ total }) => capitalised(ruleClause(total.rule))),
      column(4, 'Settlements', 'integer', ({ total }) => total.settlements),
      column(2, 'Rows', 'integer', ({ total }) => total.rows),
      ...measures.map((one) =>
        column<Moved>(one === 'payIn' ? 1 : 3, capitalised(measureWords[one]), 'change', (of) =>
          amountOf(of.total.change[one], of.scale),
        ),
      ),
    ],
    {
      remarks: ({ total: { notApplied } }) =>
        notApplied > 0 ? [unsure(capitalised(notAppliedText(notApplied)))] : [],
    },
  );
}

const maxBlocks = 25;

const maxNamed = 3;

const order: readonly Verdict[] = ['out_of_balance', 'incomplete', 'pending', 'balanced'];

/** A section for each verdict, and for what is accepted. More than `few` rows are sorted by their differences. */
export function settlementSections(
  report: SettlementsReport,
  limit: number,
  few = maxBlocks,
): readonly Section[] {
  const { only, commandForAll, bank } = report;
  const shown = shownSettlements(report);
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
      const isWaiting = verdict === 'pending';
      const due = isWaiting ? `, pay-in ${pendingText(report)}` : '';
      const title = `${capitalised(words)}: ${many(rows.length, 'settlement')}${due}`;
      const isOff = !isWaiting && verdict !== 'balanced';
      if (commandForAll && isOff && rows.length > maxBlocks) {
        return alikeSection(title, rows, report);
      }
      const sorted = rows.length > few ? [...rows].sort(byDifference) : rows;
      return oneByOne(title, verdict, sorted, report, limit);
    });
  return [...sections, ...bankDecisions(bank, shown, report, limit)];
}

function oneByOne(
  title: string,
  verdict: Verdict,
  rows: readonly ReconciledSettlement[],
  { names, settings, explanations, bank }: SettlementsReport,
  limit: number,
): Section {
  const decisive = settings.identity === 'off' ? 'gross' : 'payIn';
  // On a narrow screen what is waited for stays, and elsewhere what is off.
  const [first, second] = verdict === 'pending' ? [5, 1] : [1, 5];
  return section(
    title,
    rows,
    [
      column(3, 'Date', 'day', ({ settlement }) => settlement.date),
      column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
      accountColumn(names, 4, ({ settlement }) => settlement.accountingToken),
      column(2, 'Currency', 'text', ({ settlement }) => settlement.currency),
      column(2, 'Bank', 'text', (one) => bankText(bank, one)),
      column(second, 'Pay-in', 'amount', (one) => amountOf(one.reported.payIn, one.scale)),
      ...measures.map((one) =>
        column<ReconciledSettlement>(
          one === decisive ? first : 6,
          `${capitalised(measureWords[one])} difference`,
          'difference',
          ({ difference, scale }) => amountOf(difference?.[one], scale),
        ),
      ),
    ],
    { remarks: (one) => settlementRemarks(one, explanations?.get(one.settlement.id)), limit },
  );
}

/** Settlements with the same findings and cause as one row, the largest difference first. */
function alikeSection(title: string, all: Alike, report: SettlementsReport): Section {
  const { causes, names, explanations } = report;
  const blocks = alikeBlocks(all, causes);
  const saidOf = ([one, ...others]: Alike) => {
    if (one && others.length > 0) return commonRemarks(one, causes);
    return one ? settlementRemarks(one, explanations?.get(one.settlement.id)) : [];
  };
  const table = section<Alike>(
    `${title} (differences in ${measureOfTotals(report)}; those with the same findings and cause together)`,
    blocks,
    [
      column(1, 'Settlements', 'integer', ({ length }) => length),
      column(1, 'Currency', 'text', ([one]) => one?.settlement.currency ?? ''),
      column(1, 'Net difference', 'difference', (block) =>
        moneySums(differencesOf(block)).map(signedDigitsOf).join(),
      ),
      column(1, 'Absolute difference', 'amount', (block) =>
        absoluteSums(differencesOf(block)).map(valueText).join(),
      ),
    ],
    {
      remarks: (block) => [
        ...saidOf(block),
        ...block.slice(0, maxNamed).map((one) => {
          const { id, date, accountingToken } = one.settlement;
          const off = differencesOf([one]).map(signedMoneyText);
          const what = [`${date} ${id}`, accountName(names, accountingToken), ...off].join(', ');
          return plain(block.length > 1 ? `largest: ${what}` : what, '>');
        }),
      ],
      limit: maxBlocks,
    },
  );
  const shown = `${Math.min(blocks.length, maxBlocks)} of ${many(blocks.length, 'block')}`;
  return { ...table, note: `Showing ${shown}; --all lists each settlement.` };
}

/** The reported pay-in of pending settlements: `120.00 EUR, 5,000 JPY`. */
function pendingText({ run }: SettlementsReport): string {
  return run.totals
    .filter(({ settlements }) => settlements.pending > 0)
    .map(({ currency, pendingPayIn: minor, scale }) => moneyText({ minor, scale, currency }))
    .join(', ');
}

type Alike = readonly ReconciledSettlement[];

/** The differences by which settlements are ordered: in pay-in, or else in gross. */
function differencesOf(settlements: Alike): readonly Money[] {
  return settlements.flatMap(({ settlement, difference, scale }) => {
    const minor = difference?.payIn ?? difference?.gross;
    return minor === undefined ? [] : { currency: settlement.currency, minor, scale };
  });
}

/** Orders settlements by their differences, the largest first, whatever its sign. */
export function byDifference(...pair: readonly [ReconciledSettlement, ReconciledSettlement]) {
  return bySize(...pair.map((one) => [one]));
}

function bySize(...pair: readonly Alike[]): number {
  const [one = 0n, other = 0n] = pair.map((all) => {
    const [sum] = absoluteSums(differencesOf(all));
    return sum && rescale(sum.minor, sum.scale, maxScale);
  });
  return Number(one < other) - Number(one > other);
}

function alikeBlocks(
  settlements: readonly ReconciledSettlement[],
  causes?: ReadonlyMap<string, string>,
): readonly Alike[] {
  const keyOf = (one: ReconciledSettlement) =>
    JSON.stringify([one.settlement.currency, commonRemarks(one, causes)]);
  return [...groupedBy([...settlements].sort(byDifference), keyOf).values()].sort(bySize);
}

function commonRemarks(one: ReconciledSettlement, causes?: ReadonlyMap<string, string>) {
  return settlementRemarks(one, causes?.get(one.settlement.id), ({ code }) => codeWords[code]);
}

/** Acceptance first, then findings, explanation last. Accepted findings are known, so they are not repeated. */
function settlementRemarks(
  one: ReconciledSettlement,
  explanation = '',
  wordsOf: (entry: Entry) => string = sentence,
): readonly Remark[] {
  const accepted = acceptanceRemarks(one.acceptance);
  if (isAccepted(one)) return accepted;
  const entries = [...one.discrepancies, ...one.notices];
  const differ = missedByService(one) || onlyByService(one);
  const said = differ ? entries.filter(({ code }) => code !== 'reported_by_service') : entries;
  return [
    ...accepted,
    ...(differ ? [alarm(opinionsText(one))] : []),
    ...said.map((entry) => ({ ...remark(entry), text: wordsOf(entry) })),
    ...(wordsOf === sentence ? effectTexts(one).map((text) => plain(`by rule: ${text}`)) : []),
    ...(explanation === '' ? [] : [plain(explanation, '=')]),
  ];
}

/** The settlements, a row each, to be sorted and filtered; none where there are none. */
export function settlementList(report: SettlementsReport): readonly Section[] {
  const all = shownSettlements(report);
  const measure = measureOfTotals(report);
  const decisive = measure === 'gross' ? 'gross' : 'payIn';
  const tokenOf = ({ settlement }: ReconciledSettlement) => settlement.accountingToken;
  const amount = (title: string, minor: (one: ReconciledSettlement) => bigint | undefined) =>
    column<ReconciledSettlement>(1, title, 'amount', (one) => amountOf(minor(one), one.scale));
  return sectionIfAny<ReconciledSettlement>(
    `${report.only ? 'Settlements' : 'All settlements'}: ${grouped(all.length)}`,
    all,
    [
      { ...column(1, 'Verdict', 'text', ({ verdict }) => verdictWords[verdict]), filters: true },
      column(1, 'Date', 'day', ({ settlement }) => settlement.date),
      column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
      { ...accountColumn(report.names, 1, tokenOf), filters: true },
      column(1, 'Currency', 'text', ({ settlement }) => settlement.currency),
      amount('Pay-in', ({ reported }) => reported.payIn),
      amount(`Computed ${measure}`, ({ computed }) => computed?.[decisive]),
      column(1, `${capitalised(measure)} difference`, 'difference', ({ difference, scale }) =>
        amountOf(difference?.[decisive], scale),
      ),
      amount('Gross', ({ reported }) => reported.gross),
      amount('Fees', ({ reported }) => reported.fees),
      amount('Tax', ({ reported }) => reported.tax),
      column(1, 'Transactions', 'integer', ({ reported }) => reported.transactions),
      ...bankListColumns(report.bank),
    ],
    { limit: maxPageRows, toneOf: ({ verdict }) => verdictTones[verdict] },
  );
}
