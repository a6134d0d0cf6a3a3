import { keysOf } from '../../base/keys.ts';
import { rangeText } from '../common/phrase.ts';
import { sectionSheet } from '../common/record-sheets.ts';
import type { Tone, View } from '../common/view.ts';
import {
  amountCell,
  dateCell,
  mostSheetRows,
  type SheetCell,
  type TableColumn,
  type TableSheet,
  tableSheet,
  textBlocks,
  type Workbook,
} from '../common/workbook.ts';
import {
  type BankLine,
  bankLines,
  entryTexts,
  placeText,
  shareDifference,
  shareExpected,
  shareReceived,
} from './lines.ts';
import { type BankReport, isAcceptedMatch } from './report.ts';
import { statementSections, totalSections } from './sections.ts';
import { bankStateTones, bankStateWords, matchKeyWords, matchReasonWords } from './words.ts';

/** The workbook of `recon bank`; `view` is what a screen says. */
export function bankWorkbook(report: BankReport, view: View): Workbook {
  const lines = bankLines(report.matching.matches);
  return {
    title: `Bank ${rangeText(report.range)}`,
    summary: textBlocks(view).filter((block) => !('title' in block && block.title === 'Next')),
    tables: [
      payoutSheet(lines, report),
      entrySheet(lines),
      ...statementSections(report, mostSheetRows).map((one) => sectionSheet('Statements', one)),
      ...totalSections(report, mostSheetRows).map((one) => sectionSheet('Accounts', one)),
    ],
  };
}

const tones: Readonly<Record<string, Tone>> = Object.fromEntries(
  keysOf(bankStateWords).map((state) => [bankStateWords[state], bankStateTones[state]]),
);

const match: TableColumn<BankLine> = {
  title: 'Match',
  cell: ({ number }) => ({ kind: 'count', minor: BigInt(number), scale: 0 }),
  isKey: true,
};
const state: TableColumn<BankLine> = {
  title: 'State',
  cell: ({ match }) => bankStateWords[match.state],
  tones,
};
const matchedBy = text('Matched by', ({ match }) => (match.by ? matchKeyWords[match.by] : ''));

/** A row a pay-out. */
function payoutSheet(lines: readonly BankLine[], { names, accepted }: BankReport): TableSheet {
  return tableSheet(
    'Pay-outs',
    lines.filter(({ hasSettlement }) => hasSettlement),
    [
      match,
      { title: 'Date', cell: ({ share }) => dateCell(share?.settlement.date ?? '') },
      text('Settlement', ({ share }) => share?.settlement.id ?? ''),
      text('Account', ({ share }) => {
        const { accountingToken: token = '' } = share?.settlement ?? {};
        return names.get(token) ?? token;
      }),
      text('Currency', ({ match }) => match.currency),
      state,
      figure('Expected', shareExpected),
      figure('Received', shareReceived),
      figure('Difference', shareDifference, 'difference'),
      matchedBy,
      { title: 'Booked', cell: ({ entry }) => dateCell(entry?.entry.date ?? '') },
      { title: 'Days', cell: ageCell },
      text('Reason', ({ match }) => (match.reason ? matchReasonWords[match.reason] : '')),
      text('Accepted', ({ match }) => (isAcceptedMatch(match, accepted) ? 'yes' : '')),
      onScreen('End-to-end ids', ({ share }) => share?.settlement.paymentEndToEndIds ?? []),
      onScreen('Payment references', ({ share }) => share?.settlement.paymentReferences ?? []),
      onScreen('Accounting token', ({ share }) => [share?.settlement.accountingToken ?? '']),
      onScreen('Status', ({ share }) => [share?.settlement.status ?? '']),
    ],
  );
}

/** A row a bank entry, or the part of it that belongs to a match. */
function entrySheet(lines: readonly BankLine[]): TableSheet {
  return tableSheet(
    'Bank entries',
    lines.filter(({ hasEntry }) => hasEntry),
    [
      match,
      { title: 'Booked', cell: ({ entry }) => dateCell(entry?.entry.date ?? '') },
      { title: 'Value date', cell: ({ entry }) => dateCell(entry?.entry.valueDate ?? '') },
      text('Bank account', ({ entry }) => entry?.entry.account ?? ''),
      text('Currency', ({ entry }) => entry?.entry.currency ?? ''),
      { title: 'Amount', cell: ({ entry, match }) => amountCell(entry?.amount, match.scale) },
      state,
      matchedBy,
      text('Other side', ({ entry }) => (entry ? entryTexts(entry, 'names').join(' | ') : '')),
      text('Text', ({ entry }) => (entry ? entryTexts(entry, 'texts').join(' ') : '')),
      text('Settlement', ({ match }) =>
        match.settlements.map(({ settlement }) => settlement.id).join(' | '),
      ),
      onScreen('Other account', ({ entry }) => (entry ? entryTexts(entry, 'accounts') : [])),
      onScreen('Bank reference', ({ entry }) => [entry?.entry.bankReference ?? '']),
      onScreen('Status', ({ entry }) => [entry?.entry.status ?? '']),
      onScreen('Place', ({ entry }) => (entry ? [placeText(entry.entry.place)] : [])),
    ],
  );
}

function text(title: string, cell: (line: BankLine) => string): TableColumn<BankLine> {
  return { title, cell };
}

/** A column to the right of what is printed. */
function onScreen(
  title: string,
  texts: (line: BankLine) => readonly string[],
): TableColumn<BankLine> {
  return { title, cell: (line) => texts(line).join(' | '), isUnprinted: true };
}

function figure(
  title: string,
  minor: typeof shareReceived,
  kind: 'amount' | 'difference' = 'amount',
): TableColumn<BankLine> {
  return {
    title,
    cell: ({ match, share }) => {
      const value = share && minor(match, share);
      return value === undefined ? '' : { kind, minor: value, scale: match.scale };
    },
  };
}

function ageCell({ match: { ageDays } }: BankLine): SheetCell {
  return ageDays === undefined ? '' : { kind: 'count', minor: BigInt(ageDays), scale: 0 };
}
