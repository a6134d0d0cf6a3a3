import { groupedBy } from '../../base/keys.ts';
import { absoluteSums, type Money, maxScale, moneySums, rescale } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Entry } from '../../reconcile/entry.ts';
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
  sectionIfAny,
  unsure,
  uuid,
} from '../common/blocks.ts';
import {
  amountText,
  capitalised,
  digitsOf,
  many,
  moneyText,
  signedDigitsOf,
  signedMoneyText,
  signedText,
} from '../common/phrase.ts';
import { effectTexts, notAppliedText, ruleClause } from '../common/rule-words.ts';
import type { Remark, Section } from '../common/view.ts';
import {
  codeWords,
  measures,
  measureWords,
  opinionsText,
  sentence,
  verdictWords,
} from '../common/words.ts';
import { bankDecisions, bankText } from './on-bank.ts';
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
      column(4, 'Settlements', 'integer', ({ total }) => String(total.settlements)),
      column(2, 'Rows', 'integer', ({ total }) => String(total.rows)),
      ...measures.map((one) =>
        column<Moved>(one === 'payIn' ? 1 : 3, capitalised(measureWords[one]), 'amount', (of) =>
          signedText(of.total.change[one], of.scale),
        ),
      ),
    ],
    {},
    ({ total: { notApplied } }) =>
      notApplied > 0 ? [unsure(capitalised(notAppliedText(notApplied)))] : [],
  );
}

/** A screen has room for so many exceptions, or for so many blocks of exceptions that are alike. */
const mostBlocks = 25;

/** So many settlements of a block are named. */
const mostNamed = 3;

const order: readonly Verdict[] = ['out_of_balance', 'incomplete', 'pending', 'balanced'];

/**
 * A section a verdict, and one for what is accepted, `most` rows at the most; more than `few` of them in
 * the order of their differences. Balanced settlements are shown where they are asked for.
 */
export function settlementSections(
  report: SettlementsReport,
  most: number,
  few = mostBlocks,
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
      if (commandForAll && isOff && rows.length > mostBlocks) {
        return alikeSection(title, rows, report);
      }
      const sorted = rows.length > few ? [...rows].sort(byDifference) : rows;
      return oneByOne(title, verdict, sorted, report, most);
    });
  return [...sections, ...bankDecisions(bank, shown, report, most)];
}

/** Settlements, a row each, with all that is to be said of them. */
function oneByOne(
  title: string,
  verdict: Verdict,
  rows: readonly ReconciledSettlement[],
  { names, settings, explanations, bank }: SettlementsReport,
  most: number,
): Section {
  const decisive = settings.identity === 'off' ? 'gross' : 'payIn';
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
    (one) => settlementRemarks(one, explanations?.get(one.settlement.id)),
    { most },
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
      column(1, 'Settlements', 'integer', ({ length }) => String(length)),
      column(1, 'Currency', 'text', ([one]) => one?.settlement.currency ?? ''),
      column(1, 'Net difference', 'difference', (block) =>
        moneySums(differencesOf(block)).map(signedDigitsOf).join(),
      ),
      column(1, 'Absolute difference', 'amount', (block) =>
        absoluteSums(differencesOf(block)).map(digitsOf).join(),
      ),
    ],
    (block) => [
      ...saidOf(block),
      ...block.slice(0, mostNamed).map((one) => {
        const { id, date, accountingToken: token } = one.settlement;
        const off = differencesOf([one]).map(signedMoneyText);
        const what = [`${date} ${id}`, names.get(token) ?? token, ...off].join(', ');
        return plain(block.length > 1 ? `largest: ${what}` : what, '>');
      }),
    ],
    { most: mostBlocks },
  );
  const shown = `${Math.min(blocks.length, mostBlocks)} of ${many(blocks.length, 'block')}`;
  return { ...table, note: `Showing ${shown}; --all lists each settlement.` };
}

/** The reported pay-in of pending settlements: `120.00 EUR, 5,000 JPY`. */
function pendingText({ run }: SettlementsReport): string {
  return run.totals
    .filter(({ settlements }) => settlements.pending > 0)
    .map(({ currency, pendingPayIn: minor, scale }) => moneyText({ minor, scale, currency }))
    .join(', ');
}

/** Settlements of one currency with the same findings and cause, the largest difference first. */
type Alike = readonly ReconciledSettlement[];

/** The differences that settlements are compared by: in the pay-in or, if none is computed, in the gross. */
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

/** The same of several each, by the sum of their differences without signs. */
function bySize(...pair: readonly Alike[]): number {
  const [one = 0n, other = 0n] = pair.map((all) => {
    const [sum] = absoluteSums(differencesOf(all));
    return sum && rescale(sum.minor, sum.scale, maxScale);
  });
  return Number(one < other) - Number(one > other);
}

/** Puts settlements together that are alike; those with the largest absolute difference first. */
function alikeBlocks(
  settlements: readonly ReconciledSettlement[],
  causes?: ReadonlyMap<string, string>,
): readonly Alike[] {
  const keyOf = (one: ReconciledSettlement) =>
    JSON.stringify([one.settlement.currency, commonRemarks(one, causes)]);
  return [...groupedBy([...settlements].sort(byDifference), keyOf).values()].sort(bySize);
}

/** What is to be said of a settlement as of all that are like it: findings by their names, and the cause. */
function commonRemarks(one: ReconciledSettlement, causes?: ReadonlyMap<string, string>) {
  return settlementRemarks(one, causes?.get(one.settlement.id), ({ code }) => codeWords[code]);
}

/**
 * All that is to be said of a settlement: what was accepted and opinions that differ first, its
 * explanation last. What was found is known to whoever accepted it.
 */
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
