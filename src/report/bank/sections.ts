import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import type { BankMatch, BankState } from '../../match/match.ts';
import { acceptanceRemarks } from '../common/acceptance.ts';
import { alarm, plain, section } from '../common/blocks.ts';
import { grouped, many, moneyText, signedMoneyText } from '../common/phrase.ts';
import type { Remark, Section } from '../common/view.ts';
import { ageColumn, entryColumns, payoutColumns, payoutFigures, stateColumn } from './cells.ts';
import { type BankLine, linesOfMatch } from './lines.ts';
import {
  acceptedMatches,
  type BankReport,
  openMatches,
  payoutsIn,
  waitingStates,
} from './report.ts';
import { entryText, matchKeyWords, matchReasonWords } from './words.ts';

/** What needs a decision, and what waits for one, a section each; the most urgent first. */
export function bankSections(report: BankReport): readonly Section[] {
  return parts.flatMap(({ title, states, isOfEntries = false }) => {
    const matches = (
      states?.flatMap((state) => openMatches(report, state)) ?? acceptedMatches(report)
    ).filter(({ settlements }) => (settlements.length === 0) === isOfEntries);
    if (matches.length === 0) return [];
    const count = isOfEntries ? matches.length : payoutsIn(matches);
    const whole = `${title}: ${grouped(count)}`;
    return [isOfEntries ? entrySection(whole, matches) : payoutSection(whole, matches, report)];
  });
}

interface Part {
  readonly title: string;
  /** Absent for differences that people have accepted. */
  readonly states?: readonly BankState[];
  /** Whether it is about entries without a pay-out. */
  readonly isOfEntries?: true;
}

const parts: readonly Part[] = [
  { title: 'Missing from the bank statements', states: ['missing_on_bank'] },
  { title: 'Paid with a difference', states: ['difference'] },
  { title: 'Returned by the bank', states: ['returned'] },
  { title: 'Several matches possible, none chosen', states: ['ambiguous'] },
  {
    title: 'On the bank statements, unknown to the service',
    states: ['unknown_on_bank'],
    isOfEntries: true,
  },
  { title: 'Suggested, not counted as paid', states: ['suggested'] },
  { title: 'Accepted differences' },
  { title: 'Waiting', states: waitingStates },
  { title: 'Announced by the bank, without a pay-out', states: waitingStates, isOfEntries: true },
  { title: 'Not covered by the statements', states: ['not_covered'] },
];

function payoutSection(
  title: string,
  matches: readonly BankMatch[],
  { names, accepted }: BankReport,
) {
  const hasStates = new Set(matches.map(({ state }) => state)).size > 1;
  const isPaid = matches.every(({ difference }) => difference !== undefined);
  const lines = matches
    .flatMap((match) => linesOfMatch(match))
    .filter(({ hasSettlement }) => hasSettlement);
  return section<BankLine>(
    title,
    lines,
    [
      ...(hasStates ? [stateColumn] : []),
      ...payoutColumns(names),
      ...payoutFigures(isPaid ? 2 : 1),
      ...(isPaid ? [] : [ageColumn]),
    ],
    ({ match, isFirst }) => (isFirst ? matchRemarks(match, accepted) : []),
  );
}

/** On a screen, so many entries of a match are named. */
const mostEntries = 10;

/** Why a match is as it is, and its entries, with what they were found by. */
function matchRemarks(match: BankMatch, accepted: BankReport['accepted']): readonly Remark[] {
  const { state, by, reason, settlements, entries, scale } = match;
  const { expected, received, difference, currency } = match;
  const text = (minor: bigint) => moneyText({ minor, scale, currency });
  const isWrong = state === 'difference';
  const named = entries.slice(0, mostEntries);
  const more = entries.length - named.length;
  const amounts = [
    `expected ${text(expected)}`,
    ...(difference
      ? [
          `received ${text(received)}`,
          `difference ${signedMoneyText({ minor: difference, scale, currency })}`,
        ]
      : []),
  ];
  const together = `${many(settlements.length, 'pay-out')} together: ${amounts.join(', ')}`;
  const doubt = { ambiguous: 'possible ', suggested: 'suggested ' }[String(state)] ?? '';
  const found = by ? `${doubt}by ${matchKeyWords[by]}: ` : doubt;
  return [
    ...acceptanceRemarks(bankAcceptanceOf(match, accepted)),
    // That it was returned, the title of its section says.
    ...(reason && reason !== state ? [(isWrong ? alarm : plain)(matchReasonWords[reason])] : []),
    ...(settlements.length > 1 ? [plain(together)] : []),
    ...named.map((one) => plain(`${found}${entryText(one, scale)}`, '=')),
    ...(more > 0
      ? [plain(`${many(more, 'more entry', 'more entries')}; --format csv lists all`)]
      : []),
  ];
}

function entrySection(title: string, matches: readonly BankMatch[]): Section {
  const lines = matches.flatMap((match) => linesOfMatch(match));
  return section<BankLine>(title, lines, entryColumns, ({ match: { reason }, isFirst }) =>
    reason && isFirst ? [plain(matchReasonWords[reason])] : [],
  );
}
