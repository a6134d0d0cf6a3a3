import { needsDecision, placeOf } from '../../app/bank-check.ts';
import { bankLines, openMatches } from '../../app/bank-report.ts';
import {
  measureOfTotals,
  type SettlementsReport,
  shownSettlements,
} from '../../app/settlements-report.ts';
import { groupedBy } from '../../base/lists.ts';
import { absoluteSums, type Money, maxScale, moneySums, rescale } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import { entryColumns } from '../bank/view.ts';
import { bankStates, matchReasonWords } from '../bank/words.ts';
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
} from '../common/blocks.ts';
import {
  accountName,
  capitalised,
  grouped,
  many,
  maxNamed,
  moneyText,
  signedMoneyText,
} from '../common/phrase.ts';
import { effectTexts, notAppliedText, ruleClause } from '../common/rule-words.ts';
import type { Section } from '../common/view.ts';
import {
  codeWords,
  entryClause,
  measures,
  measureWords,
  opinionsText,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { bankFigure, bankText } from './on-bank.ts';

/** The changes of rules in the computed amounts of each group, a row a rule; empty without rules. */
export function ruleSections({ run, names }: SettlementsReport): readonly Section[] {
  const moved = run.groups.flatMap(({ byRule, ...group }) =>
    byRule.map((total) => ({ ...group, total })),
  );
  type Moved = (typeof moved)[number];
  return sectionIfAny<Moved>(
    'By rule (changes to the computed amounts)',
    moved,
    [
      accountColumn(names, ({ accountingToken }) => accountingToken),
      column.text('Currency', ({ currency }) => currency),
      column.text('Rule', ({ total }) => capitalised(ruleClause(total.rule))),
      column.integer('Settlements', ({ total }) => total.settlements, { priority: 4 }),
      column.integer('Transactions', ({ total }) => total.rows, { priority: 2 }),
      ...measures.map((one) =>
        column.change<Moved>(capitalised(measureWords[one]), ({ total }) => total.change[one], {
          priority: one === 'payIn' ? 1 : 3,
        }),
      ),
    ],
    {
      remarks: ({ total: { notApplied } }) =>
        notApplied > 0 ? [unsure(capitalised(notAppliedText(notApplied)))] : [],
    },
  );
}

const maxOneByOne = 25;

const order: readonly Verdict[] = ['out_of_balance', 'incomplete', 'pending', 'balanced'];

/** A section for each verdict, and for accepted settlements. More than `few` rows are sorted by difference. */
export function settlementSections(report: SettlementsReport, limit: number, few = maxOneByOne) {
  const { only, commandForAll } = report;
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
      const due = isWaiting ? `, net pay-out ${pendingText(report)}` : '';
      const title = `${capitalised(words)}: ${many(rows.length, 'settlement')}${due}`;
      const isOff = !isWaiting && verdict !== 'balanced';
      if (commandForAll && isOff && rows.length > maxOneByOne) {
        return alikeSection(title, rows, report);
      }
      return oneByOne(title, rows.length > few ? rows.sort(byDifference) : rows, report, limit);
    });
  return [...sections, ...bankDecisions(report, shown, limit), ...unknownEntries(report, limit)];
}

/** The entries of the bank statements that are unknown to the service. */
export function unknownEntries({ bank }: Pick<SettlementsReport, 'bank'>, limit: number) {
  const lines = bank ? [...bankLines(openMatches(bank.report, 'unknown_on_bank'))] : [];
  return sectionIfAny(`Unknown to the service: ${grouped(lines.length)}`, lines, entryColumns, {
    limit,
  });
}

function oneByOne(title: string, rows: Alike, report: SettlementsReport, limit: number): Section {
  const { names, settings, explanations, bank } = report;
  const decisive = settings.identity === 'off' ? 'gross' : 'payIn';
  // A narrow screen keeps the pay-in of pending settlements, and the difference of others.
  const [differencePriority, payInPriority] = rows[0]?.verdict === 'pending' ? [5, 1] : [1, 5];
  return section(
    title,
    rows,
    [
      column.day('Date', ({ settlement }) => settlement.date, { priority: 3 }),
      column.id('Settlement', ({ settlement }) => settlement.id),
      accountColumn(names, ({ settlement }) => settlement.accountingToken, { priority: 4 }),
      column.text('Currency', ({ settlement }) => settlement.currency, { priority: 2 }),
      column.text('Bank', (one) => bankText(bank, one), { priority: 2 }),
      column.amount('Net pay-out', ({ reported }) => reported.payIn, { priority: payInPriority }),
      ...measures.map((one) => {
        const title = `${capitalised(measureWords[one])} difference`;
        const priority = one === decisive ? differencePriority : 6;
        return column.difference<ReconciledSettlement>(
          title,
          ({ difference }) => difference?.[one],
          { priority },
        );
      }),
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
      column.integer('Settlements', ({ length }) => length),
      column.text('Currency', ([one]) => one?.settlement.currency ?? ''),
      column.difference('Net difference', (block) => moneySums(differencesOf(block))[0]),
      column.amount('Absolute difference', (block) => absoluteSums(differencesOf(block))[0]),
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
      limit: maxOneByOne,
    },
  );
  const shown = `${Math.min(blocks.length, maxOneByOne)} of ${many(blocks.length, 'block')}`;
  return { ...table, note: `Showing ${shown}; --all lists each settlement.` };
}

function bankDecisions({ bank, names }: SettlementsReport, shown: Alike, limit: number) {
  const rows = shown.filter((one) => needsDecision(bank, one));
  return sectionIfAny<ReconciledSettlement>(
    `Not as expected on the bank statements: ${many(rows.length, 'settlement')}`,
    rows,
    [
      column.day('Date', ({ settlement }) => settlement.date, { priority: 3 }),
      column.id('Settlement', ({ settlement }) => settlement.id),
      accountColumn(names, ({ settlement }) => settlement.accountingToken, { priority: 4 }),
      column.text('Currency', ({ settlement }) => settlement.currency, { priority: 2 }),
      column.amount('Net pay-out', ({ reported }) => reported.payIn, { priority: 2 }),
      column.amount('Received', (one) => bankFigure(bank, one, 'received'), { priority: 5 }),
      column.id('Bank', (one) => bankText(bank, one)),
    ],
    {
      remarks: (one) => {
        const reason = placeOf(bank, one)?.match.reason;
        return reason ? [alarm(matchReasonWords[reason])] : [];
      },
      limit,
    },
  );
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

/** Orders settlements by their absolute differences, the largest first. */
export function byDifference(one: ReconciledSettlement, other: ReconciledSettlement): number {
  return bySize([one], [other]);
}

function bySize(some: Alike, others: Alike): number {
  const [one, other] = [sizeOf(some), sizeOf(others)];
  return Number(one < other) - Number(one > other);
}

function sizeOf(all: Alike): bigint {
  const [sum] = absoluteSums(differencesOf(all));
  return sum ? rescale(sum.minor, sum.scale, maxScale) : 0n;
}

function alikeBlocks(settlements: Alike, causes: SettlementsReport['causes']): readonly Alike[] {
  const keyOf = (one: ReconciledSettlement) =>
    JSON.stringify([one.settlement.currency, commonRemarks(one, causes)]);
  return [...groupedBy([...settlements].sort(byDifference), keyOf).values()].sort(bySize);
}

function commonRemarks(one: ReconciledSettlement, causes: SettlementsReport['causes']) {
  return settlementRemarks(one, causes?.get(one.settlement.id), ({ code }) => codeWords[code]);
}

/** Acceptance, then findings, then the explanation. Accepted findings are not repeated. */
function settlementRemarks(one: ReconciledSettlement, explanation = '', wordsOf = entryClause) {
  const accepted = acceptanceRemarks(one.acceptance);
  if (isAccepted(one)) return accepted;
  const entries = [...one.discrepancies, ...one.notices];
  const differ = missedByService(one) || onlyByService(one);
  const said = differ ? entries.filter(({ code }) => code !== 'reported_by_service') : entries;
  return [
    ...accepted,
    ...(differ ? [alarm(opinionsText(one))] : []),
    ...said.map((entry) => ({ ...remark(entry), text: wordsOf(entry) })),
    ...(wordsOf === entryClause ? effectTexts(one).map((text) => plain(`by rule: ${text}`)) : []),
    ...(explanation === '' ? [] : [plain(explanation, '=')]),
  ];
}

/** The settlements, a row each, to be sorted and filtered; no section without settlements. */
export function settlementList(report: SettlementsReport): readonly Section[] {
  const all = shownSettlements(report);
  const measure = measureOfTotals(report);
  const decisive = measure === 'gross' ? 'gross' : 'payIn';
  const tokenOf = ({ settlement }: ReconciledSettlement) => settlement.accountingToken;
  const stateOf = (one: ReconciledSettlement) => {
    const match = placeOf(report.bank, one)?.match;
    return match ? bankStates[match.state][0] : '';
  };
  return sectionIfAny<ReconciledSettlement>(
    `${report.only ? 'Settlements' : 'All settlements'}: ${grouped(all.length)}`,
    all,
    [
      column.text('Verdict', ({ verdict }) => verdictWords[verdict], { filters: true }),
      column.day('Date', ({ settlement }) => settlement.date),
      column.id('Settlement', ({ settlement }) => settlement.id),
      accountColumn(report.names, tokenOf, { filters: true }),
      column.text('Currency', ({ settlement }) => settlement.currency),
      column.amount('Net pay-out', ({ reported }) => reported.payIn),
      column.amount(`Computed ${measure}`, ({ computed }) => computed?.[decisive]),
      column.difference(`${capitalised(measure)} difference`, (one) => one.difference?.[decisive]),
      column.amount('Gross', ({ reported }) => reported.gross),
      column.amount('Fees', ({ reported }) => reported.fees),
      column.amount('Tax', ({ reported }) => reported.tax),
      column.integer('Transactions', ({ reported }) => reported.transactions),
      column.text('Bank', stateOf, { filters: true }),
      column.difference('Bank difference', (one) => bankFigure(report.bank, one, 'difference')),
    ],
    { limit: maxPageRows, toneOf: ({ verdict }) => verdictTones[verdict] },
  );
}
