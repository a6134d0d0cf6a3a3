import { accountColumn, type CellColumn, column, sectionIfAny, uuid } from '../common/blocks.ts';
import { amountText, grouped, signedText } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import type { Section } from '../common/view.ts';
import {
  type BankLine,
  bankLines,
  entryTexts,
  placeText,
  type ShareFigure,
  shareFigures,
} from './lines.ts';
import type { BankReport } from './report.ts';
import { bankStates, matchKeyWords, matchReasonWords } from './words.ts';

type Cells = CellColumn<BankLine>;

export const stateColumn: Cells = {
  ...column(1, 'State', 'text', ({ match }) => bankStates[match.state][0]),
  filters: true,
};

/** Which pay-out it is. */
export function payoutColumns(names: Names): readonly Cells[] {
  const token = ({ share }: BankLine) => share?.settlement.accountingToken ?? '';
  return [
    column(1, 'Date', 'text', ({ share }) => share?.settlement.date ?? ''),
    column(1, 'Settlement', 'text', ({ share }) => share?.settlement.id ?? ''),
    { ...accountColumn(names, 4, token), filters: true },
    column(1, 'Currency', 'text', ({ match }) => match.currency),
  ];
}

/** What a pay-out should be, and what the bank has of it; `priority` is that of the amounts beside the difference. */
export function payoutFigures(priority: number): readonly Cells[] {
  const amount = (title: string, figure: ShareFigure) =>
    column<BankLine>(priority, title, 'amount', ({ match, share }) =>
      amountText(share && shareFigures(match, share)[figure], match.scale),
    );
  return [
    amount('Expected', 'expected'),
    amount('Received', 'received'),
    column(1, 'Difference', 'difference', ({ match, share }) =>
      signedText(share && shareFigures(match, share).difference, match.scale),
    ),
  ];
}

/** How long the money is not there. */
export const ageColumn: Cells = column(
  1,
  'Days',
  'integer',
  ({ match: { difference, ageDays } }) => (difference === undefined ? String(ageDays ?? '') : ''),
);

const byColumn: Cells = column(1, 'By', 'text', ({ match: { by } }) =>
  by ? matchKeyWords[by] : '',
);

const bookingDate = (title: string): Cells =>
  column(1, title, 'text', ({ entry }) => entry?.entry.date ?? '');

/** What is said of a bank entry. */
export const entryColumns: readonly Cells[] = [
  bookingDate('Date'),
  column(3, 'Bank account', 'text', ({ entry }) => entry?.entry.account ?? '', uuid),
  column(1, 'Currency', 'text', ({ entry }) => entry?.entry.currency ?? ''),
  column(1, 'Amount', 'amount', ({ entry, match }) => amountText(entry?.amount, match.scale)),
  column(1, 'Other side', 'text', ({ entry }) => entryTexts(entry, 'names').join(', ')),
  column(2, 'Text', 'text', ({ entry }) => entryTexts(entry, 'texts').join(' '), 35),
  column(4, 'Place', 'text', ({ entry }) => (entry ? placeText(entry.entry.place) : ''), uuid),
];

/** The number of the match in records: all that belong together have the same. */
const numberColumn: Cells = column(1, 'Match', 'integer', ({ number }) => String(number));

/** All pay-outs, a row each, to be sorted and filtered, `most` at the most; none where there are none. */
export function payoutList({ matching, names }: BankReport, most: number): readonly Section[] {
  const lines = [...bankLines(matching.matches)].filter(({ hasSettlement }) => hasSettlement);
  const columns: readonly Cells[] = [
    stateColumn,
    ...payoutColumns(names),
    ...payoutFigures(1),
    byColumn,
    bookingDate('Booking date'),
    column(1, 'Reason', 'text', ({ match: { reason } }) =>
      reason ? matchReasonWords[reason] : '',
    ),
    ageColumn,
    column(1, 'End-to-end id', 'text', ({ share }) =>
      (share?.settlement.paymentEndToEndIds ?? []).join(' | '),
    ),
    numberColumn,
  ];
  return list('All pay-outs', lines, columns, most);
}

/** All bank entries, or the parts of them that belong to a match, as above. */
export function entryList({ matching }: BankReport, most: number): readonly Section[] {
  const lines = [...bankLines(matching.matches)].filter(({ hasEntry }) => hasEntry);
  const columns: readonly Cells[] = [
    stateColumn,
    ...entryColumns,
    byColumn,
    column(1, 'Settlement', 'text', ({ match }) =>
      match.settlements.map(({ settlement }) => settlement.id).join(' | '),
    ),
    numberColumn,
  ];
  return list('Bank entries', lines, columns, most);
}

function list(title: string, lines: readonly BankLine[], columns: readonly Cells[], most: number) {
  const toneOf = ({ match }: BankLine) => bankStates[match.state][1];
  return sectionIfAny(`${title}: ${grouped(lines.length)}`, lines, columns, { most, toneOf });
}
