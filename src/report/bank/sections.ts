import type { BankMatch, BankState, BankTotal, StateTotal } from '../../match/match.ts';
import type { BankStatement } from '../../model/bank.ts';
import { formatMinor } from '../../money/money.ts';
import {
  accountColumn,
  alarm,
  type CellColumn,
  column,
  plain,
  section,
  uuid,
} from '../common/blocks.ts';
import { amountText, capitalised, grouped, many, signedText } from '../common/phrase.ts';
import type { Remark, Section } from '../common/view.ts';
import {
  type BankLine,
  bankLines,
  entryTexts,
  linesOfMatch,
  placeText,
  shareDifference,
  shareExpected,
  shareReceived,
} from './lines.ts';
import { type BankReport, isAcceptedMatch, openMatches, payoutsIn } from './report.ts';
import {
  bankStateTones,
  bankStateWords,
  entryText,
  matchKeyWords,
  matchReasonWords,
} from './words.ts';

/** What needs a decision, and what waits for one, a section each; the most urgent first. */
export function bankSections(report: BankReport): readonly Section[] {
  const accepted = report.matching.matches.filter((one) => isAcceptedMatch(one, report.accepted));
  return sectionsInOrder.flatMap(([title, ...states]) => {
    const matches =
      title === acceptedTitle ? accepted : states.flatMap((state) => openMatches(report, state));
    if (matches.length === 0) return [];
    const isOfEntries = states.includes('unknown_on_bank');
    const count = isOfEntries ? matches.length : payoutsIn(matches);
    const whole = `${title}: ${grouped(count)}`;
    return [isOfEntries ? entrySection(whole, matches) : payoutSection(whole, matches, report)];
  });
}

const acceptedTitle = 'Accepted differences';

const sectionsInOrder: readonly (readonly [title: string, ...states: BankState[]])[] = [
  ['Missing from the bank statements', 'missing_on_bank'],
  ['Paid with a difference', 'difference'],
  ['Returned by the bank', 'returned'],
  ['Several entries possible, none chosen', 'ambiguous'],
  ['On the bank statements, unknown to the service', 'unknown_on_bank'],
  ['Suggested, not counted as paid', 'suggested'],
  [acceptedTitle],
  ['Waiting', 'in_transit', 'pending_on_bank', 'not_paid_yet'],
  ['Not covered by the statements', 'not_covered'],
];

function payoutSection(title: string, matches: readonly BankMatch[], { names }: BankReport) {
  const hasStates = new Set(matches.map(({ state }) => state)).size > 1;
  const lines = matches
    .flatMap((match) => linesOfMatch(match, 0))
    .filter(({ hasSettlement }) => hasSettlement);
  return section<BankLine>(
    title,
    lines,
    [
      ...(hasStates ? [stateColumn] : []),
      ...payoutColumns.slice(0, 2),
      accountColumn<BankLine>(names, 4, ({ share }) => share?.settlement.accountingToken ?? ''),
      ...payoutColumns.slice(2),
      column(5, 'Days', 'integer', ({ match }) => String(match.ageDays ?? '')),
    ],
    ({ match, isFirst }) => (isFirst ? matchRemarks(match) : []),
  );
}

const stateColumn = column<BankLine>(
  1,
  'State',
  'text',
  ({ match }) => bankStateWords[match.state],
);

/** What is said of a pay-out, and of the entry that it has. */
const payoutColumns: readonly CellColumn<BankLine>[] = [
  column(1, 'Date', 'text', ({ share }) => share?.settlement.date ?? ''),
  column(1, 'Settlement', 'text', ({ share }) => share?.settlement.id ?? ''),
  column(1, 'Currency', 'text', ({ match }) => match.currency),
  amountOf(2, 'Expected', shareExpected),
  amountOf(3, 'Received', shareReceived),
  column(1, 'Difference', 'difference', ({ match, share }) =>
    signedText(share && shareDifference(match, share), match.scale),
  ),
  column(3, 'By', 'text', ({ match }) => (match.by ? matchKeyWords[match.by] : '')),
];

function amountOf(priority: number, title: string, figure: typeof shareReceived) {
  return column<BankLine>(priority, title, 'amount', ({ match, share }) =>
    amountText(share && figure(match, share), match.scale),
  );
}

/** On a screen, so many entries of a match are named. */
const mostEntries = 10;

/** Why a match is as it is, and its entries. */
function matchRemarks(match: BankMatch): readonly Remark[] {
  const { state, reason, settlements, entries, expected, received, difference, scale } = match;
  const isOff = state === 'difference' || state === 'returned';
  const named = entries.slice(0, mostEntries).map((one) => entryText(one, scale));
  const more = entries.length - named.length;
  const sums =
    `together: expected ${formatMinor(expected, scale)}, received ` +
    `${formatMinor(received, scale)}, difference ${signedText(difference, scale)}`;
  return [
    ...(reason ? [isOff ? alarm(matchReasonWords[reason]) : plain(matchReasonWords[reason])] : []),
    ...(settlements.length > 1 && difference ? [plain(sums)] : []),
    ...named.map((text) => plain(`${state === 'ambiguous' ? 'possible: ' : ''}${text}`, '=')),
    ...(more > 0 ? [plain(`${many(more, 'more entry', 'more entries')} in --format csv`)] : []),
  ];
}

function entrySection(title: string, matches: readonly BankMatch[]): Section {
  const lines = matches.flatMap((match) => linesOfMatch(match, 0));
  return section<BankLine>(title, lines, entryColumns);
}

/** What is said of an entry. */
const entryColumns: readonly CellColumn<BankLine>[] = [
  column(1, 'Booked', 'text', ({ entry }) => entry?.entry.date ?? ''),
  column(3, 'Bank account', 'text', ({ entry }) => entry?.entry.account ?? '', uuid),
  column(1, 'Currency', 'text', ({ entry }) => entry?.entry.currency ?? ''),
  column(1, 'Amount', 'amount', ({ entry, match }) => amountText(entry?.amount, match.scale)),
  column(1, 'Other side', 'text', ({ entry }) =>
    entry ? entryTexts(entry, 'names').join(', ') : '',
  ),
  column(2, 'Text', 'text', ({ entry }) => (entry ? entryTexts(entry, 'texts').join(' ') : ''), 35),
  column(4, 'Place', 'text', ({ entry }) => (entry ? placeText(entry.entry.place) : ''), uuid),
];

/** All pay-outs and entries, to be sorted and filtered, `most` at the most; none where there are none. */
export function lineList({ matching, names }: BankReport, most: number): readonly Section[] {
  const lines = bankLines(matching.matches);
  if (lines.length === 0) return [];
  const [booked, ...ofEntry] = entryColumns.filter(({ title }) => title !== 'Currency');
  const token = ({ share }: BankLine) => share?.settlement.accountingToken ?? '';
  const table = section<BankLine>(
    `All pay-outs and entries: ${grouped(lines.length)}`,
    lines,
    [
      { ...stateColumn, filters: true },
      ...payoutColumns.slice(0, 2),
      { ...accountColumn(names, 1, token), filters: true },
      ...payoutColumns.slice(2),
      ...(booked ? [booked] : []),
      ...ofEntry,
    ],
    undefined,
    [],
    most,
  );
  const rows = table.rows.map((row, at) => {
    const line = lines[at];
    return line ? { ...row, tone: bankStateTones[line.match.state] } : row;
  });
  return [{ ...table, rows }];
}

/** What an account has in one state. */
type TotalLine = BankTotal & { readonly state: BankState; readonly of: StateTotal };

/** What pay-outs and entries come to by account, currency and state. */
export function totalSections({ matching, names }: BankReport, most?: number): readonly Section[] {
  const states = Object.keys(bankStateWords) as BankState[];
  const lines = matching.totals.flatMap((total) =>
    states.flatMap((state): readonly TotalLine[] => {
      const of = total.states.get(state);
      return of ? [{ ...total, state, of }] : [];
    }),
  );
  if (lines.length === 0) return [];
  const amount = (priority: number, title: string, minor: (of: StateTotal) => bigint) =>
    column<TotalLine>(priority, title, 'amount', ({ of, scale, accountingToken }) =>
      accountingToken === '' ? '' : formatMinor(minor(of), scale),
    );
  return [
    section<TotalLine>(
      'Totals by accounting token and currency',
      lines,
      [
        column(1, 'Account', 'text', ({ accountingToken: token }) =>
          token === '' ? '(entries alone)' : (names.get(token) ?? token),
        ),
        column(1, 'Currency', 'text', ({ currency }) => currency),
        column(1, 'State', 'text', ({ state }) => capitalised(bankStateWords[state])),
        column(1, 'Pay-outs', 'integer', ({ of }) => String(of.settlements)),
        column(4, 'Entries', 'integer', ({ of }) => String(of.entries)),
        amount(2, 'Expected', ({ expected }) => expected),
        amount(3, 'Received', ({ received }) => received),
        column(2, 'Net difference', 'difference', ({ of, scale, state }) =>
          isOff(state) ? signedText(of.difference.net, scale) : '',
        ),
        column(5, 'Absolute difference', 'amount', ({ of, scale, state }) =>
          isOff(state) ? formatMinor(of.difference.absolute, scale) : '',
        ),
      ],
      undefined,
      [],
      most,
    ),
  ];
}

function isOff(state: BankState): boolean {
  return state === 'difference' || state === 'returned';
}

/** The statements that were read, with their balances. */
export function statementSections(
  { statements: { statements } }: BankReport,
  most?: number,
): readonly Section[] {
  if (statements.length === 0) return [];
  const amount = (title: string, minor: (one: BankStatement) => bigint | undefined) =>
    column<BankStatement>(3, title, 'amount', (one) => amountText(minor(one), one.scale));
  return [
    section<BankStatement>(
      'Statements',
      statements,
      [
        column(1, 'Bank account', 'text', ({ account }) => account, uuid),
        column(1, 'Currency', 'text', ({ currency }) => currency),
        column(4, 'Number', 'text', ({ number }) => number),
        column(1, 'From', 'text', ({ from }) => from),
        column(1, 'To', 'text', ({ to }) => to),
        column(2, 'Entries', 'integer', ({ entries }) => String(entries)),
        amount('Opening balance', ({ opening }) => opening),
        amount('Sum of entries', ({ sum }) => sum),
        amount('Closing balance', ({ closing }) => closing),
        column(5, 'Place', 'text', ({ place }) => placeText(place), uuid),
      ],
      undefined,
      [],
      most,
    ),
  ];
}
