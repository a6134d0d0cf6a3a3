import type { BankCheck } from '../../app/bank-check.ts';
import { bankLines, openMatches } from '../../app/bank-report.ts';
import type { SettlementsReport } from '../../app/settlements-report.ts';
import { isByAccount, shownSettlements, splitNamesOf } from '../../app/settlements-report.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { entryColumns } from '../bank/sections.ts';
import { acceptanceText } from '../common/acceptance.ts';
import { listed, maxScreenRows, sectionIfAny } from '../common/blocks.ts';
import { capitalised, grouped, present, rangeText, signedMoneyText } from '../common/phrase.ts';
import { ruleTotalText } from '../common/rule-words.ts';
import type { SheetCell, TableSheet, TextBlock, View, Workbook } from '../common/view.ts';
import { maxSheetRows, sectionSheet, textBlocks } from '../common/workbook.ts';
import { accountsSheet, type ProfileReport, type Told } from './accounts-sheet.ts';
import { exceptionsSheet, settlementsSheet, transactionsSheet } from './settlement-sheets.ts';
import {
  feeRateNotes,
  feeRateSections,
  feeRateSentences,
  groupSections,
  splitNotes,
  totalsNotes,
} from './totals.ts';

/** The workbook of one report, or of one for each profile. `view` is what a screen says of all of them. */
export function settlementsWorkbook(reports: readonly ProfileReport[], view: View): Workbook {
  const told = reports.flatMap((one): readonly Told[] =>
    shownSettlements(one.report).map((settlement) => ({ ...one, one: settlement })),
  );
  const settlements = settlementsSheet(told);
  const accounts = accountsSheet(reports, told, settlements);
  const hasRows = reports.some(({ report }) => report.rows !== undefined);
  const { places, sheet: transactions } = transactionsSheet(told);
  const ranges = new Set(reports.map(({ report: { range } }) => (range ? rangeText(range) : '')));
  return {
    title: present('Settlements', ...ranges).join(' '),
    summary: [
      ...textBlocks(view).filter((block) => !('title' in block && block.title === 'Next')),
      ...reports.flatMap(moreOf),
      ...textBlocks(listed('About the sheets', valuesNote(accounts))),
    ],
    tables: [
      accounts,
      exceptionsSheet(told, hasRows ? places : undefined),
      ...sheetsOf(reports, 'Unknown entries', unknownEntries),
      settlements,
      ...splitSheets(reports),
      ...sheetsOf(reports, 'Fee rates', feeRateSections),
      ...(hasRows ? [transactions] : []),
    ],
  };
}

/** What was asked for with `--by`: the totals split by it. */
function splitSheets(reports: readonly ProfileReport[]): readonly TableSheet[] {
  const [first] = reports;
  if (!first || isByAccount(splitNamesOf(first.report))) return [];
  return sheetsOf(reports, splitName(first.report), groupSections);
}

/** `By month and payment` */
function splitName(report: SettlementsReport): string {
  return `By ${splitNamesOf(report).join(' and ')}`;
}

function sheetsOf(
  reports: readonly ProfileReport[],
  name: string,
  sectionsOf: (report: SettlementsReport, most: number) => View,
): readonly TableSheet[] {
  return oneSheet(
    reports.flatMap(({ profile, report }) =>
      sectionsOf(report, maxSheetRows).flatMap((block) =>
        block.kind === 'section' ? [[profile, sectionSheet(name, block)] as const] : [],
      ),
    ),
  );
}

/** The sheets of several profiles as one, with the profile in each row and without totals. */
function oneSheet(
  sheets: readonly (readonly [profile: string | undefined, sheet: TableSheet])[],
): readonly TableSheet[] {
  const [[profile, first] = []] = sheets;
  if (first === undefined || profile === undefined) return first ? [first] : [];
  const all = sheets.flatMap(([, { columns }]) => columns);
  // A profile without a value for a column may lack it.
  const columns = [...new Map(all.map((column) => [column.title, column])).values()];
  const rows = sheets.flatMap(([profile = '', sheet]) => {
    const places = columns.map(({ title }) =>
      sheet.columns.findIndex((one) => one.title === title),
    );
    const lines = sheet.rows.slice(0, sheet.rows.length - (sheet.totals ?? 0));
    return lines.map((row) => [profile, ...places.map((place) => row[place] ?? '')]);
  });
  return [{ name: first.name, columns: [{ title: 'Profile', isKey: true }, ...columns], rows }];
}

function moreOf({ profile, report }: ProfileReport): readonly TextBlock[] {
  const { run, names } = report;
  const title = (words: string) => (profile === undefined ? words : `${profile}: ${words}`);
  const accounts = run.groups.map(({ accountingToken: token, currency }) =>
    present(names.get(token), token, currency).join(', '),
  );
  const byRule = run.totals.flatMap((totals) =>
    totals.byRule.map((total) => `${capitalised(ruleTotalText(total, totals))}.`),
  );
  const more = accounts.length - maxScreenRows;
  return textBlocks([
    ...listed(title('Accounts'), [
      ...accounts.slice(0, maxScreenRows),
      ...(more > 0 ? [`${grouped(more)} more on the sheet Accounts`] : []),
    ]),
    ...listed(title('Totals'), totalsNotes(report)),
    ...listed(title(splitName(report)), splitNotes(report)),
    ...listed(title('Fee rates'), [...feeRateSentences(report), ...feeRateNotes(report)]),
    ...listed(title('By rule'), byRule),
    ...listed(title('Accepted'), run.settlements.flatMap(acceptedTexts)),
  ]);
}

function acceptedTexts(one: ReconciledSettlement): readonly string[] {
  const { acceptance, settlement, difference, scale } = one;
  if (!acceptance || !isAccepted(one)) return [];
  const { id, date, currency } = settlement;
  const minor = difference?.payIn;
  const off = minor === undefined ? '' : signedMoneyText({ minor, scale, currency });
  const payIn = off && ` Pay-in difference ${off}.`;
  return [`Settlement ${id} (${date}): ${acceptanceText(acceptance)}.${payIn}`];
}

function valuesNote({ rows }: TableSheet): readonly string[] {
  const isValue = (cell: SheetCell) => typeof cell !== 'string' && cell.kind !== 'formula';
  if (!rows.some((row) => row.some(isValue))) return [];
  return [
    'On the sheet Accounts, numbers that a spreadsheet cannot compute exactly from the sheet ' +
      'Settlements are values, not formulas.',
  ];
}

/** The entries of the bank that the service does not know, a row each, `most` at the most. */
function unknownEntries({ bank }: { readonly bank?: BankCheck | undefined }, limit: number) {
  if (!bank) return [];
  const lines = [...bankLines(openMatches(bank.report, 'unknown_on_bank'))];
  return sectionIfAny('Unknown to the service', lines, entryColumns, { limit });
}
