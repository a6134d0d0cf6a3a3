import { groupedBy } from '../../base/lists.ts';
import { isUuid } from '../../base/uuid.ts';
import { rescale } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Measure } from '../../reconcile/entry.ts';
import type { Group, Totals } from '../../reconcile/groups.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { acceptanceText } from '../common/acceptance.ts';
import { listed, maxScreenRows } from '../common/blocks.ts';
import { capitalised, grouped, present, rangeText, signedMoneyText } from '../common/phrase.ts';
import { accountName } from '../common/report.ts';
import { ruleTotalText } from '../common/rule-words.ts';
import type {
  NumberCell,
  SheetCell,
  TableSheet,
  TextBlock,
  View,
  Workbook,
} from '../common/view.ts';
import { verdicts, verdictWords } from '../common/words.ts';
import {
  addsUpExactly,
  columnLetters,
  columnRange,
  maxSheetRows,
  sectionSheet,
  type TableColumn,
  tableSheet,
  textBlocks,
} from '../common/workbook.ts';
import { unknownEntries } from './on-bank.ts';
import { isByAccount, type SettlementsReport, shownSettlements, splitsOf } from './report.ts';
import {
  exceptionsSheet,
  type FigureSide,
  figureSides,
  figureTitle,
  type ProfileReport,
  partsOfPayIn,
  settlementsSheet,
  type Told,
  transactionsSheet,
} from './settlement-sheets.ts';
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
  if (!first || isByAccount(splitsOf(first.report))) return [];
  return sheetsOf(reports, splitName(first.report), groupSections);
}

/** `By month and payment` */
function splitName(report: SettlementsReport): string {
  return `By ${splitsOf(report).join(' and ')}`;
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

interface Line {
  readonly profile: string;
  readonly account: string;
  readonly token: string;
  readonly totals: Totals;
  /** Its settlements, as far as their sheet has them; absent where it adds up the lines above. */
  readonly own?: readonly ReconciledSettlement[];
}

/** A number of a line, and the figure of settlements that it adds up, or else their count. */
interface Sum {
  readonly title: string;
  readonly kind: NumberCell['kind'];
  readonly value: (totals: Totals) => bigint | undefined;
  readonly figure?: readonly [Measure, FigureSide];
  /** Only settlements with this word in this column count. */
  readonly only?: readonly [title: string, word: string];
  readonly isAbsolute?: true;
  readonly isUnprinted?: boolean;
}

const tokenTitle = 'Accounting token';
const inTotals = ['In totals', 'yes'] as const;

const sums: readonly Sum[] = [
  {
    title: 'Settlements',
    kind: 'count',
    value: ({ settlements }) => BigInt(verdicts.reduce((sum, one) => sum + settlements[one], 0)),
  },
  ...verdicts.map(
    (verdict): Sum => ({
      title: capitalised(verdictWords[verdict]),
      kind: 'count',
      value: ({ settlements }) => BigInt(settlements[verdict]),
      only: ['Verdict', verdictWords[verdict]],
    }),
  ),
  {
    title: 'Pay-in pending',
    kind: 'amount',
    value: ({ pendingPayIn }) => pendingPayIn,
    figure: ['payIn', 'reported'],
    only: ['Verdict', verdictWords.pending],
  },
  ...figureSides.map((side) => figureSum('payIn', side)),
  absoluteSum('payIn'),
  ...partsOfPayIn.map((measure) => figureSum(measure, 'difference')),
  // All of it would be too small on paper. The net alone could hide differences.
  ...partsOfPayIn
    .flatMap((measure) => [
      figureSum(measure, 'reported'),
      figureSum(measure, 'computed'),
      absoluteSum(measure),
    ])
    .map((sum) => ({ ...sum, isUnprinted: true })),
];

function figureSum(measure: Measure, side: FigureSide): Sum {
  const isDifference = side === 'difference';
  return {
    title: figureTitle(measure, side),
    kind: isDifference ? 'difference' : 'amount',
    value: (totals) => (isDifference ? totals[measure].difference?.net : totals[measure][side]),
    figure: [measure, side],
    only: inTotals,
  };
}

function absoluteSum(measure: Measure): Sum {
  return {
    title: `${figureTitle(measure, 'difference')} absolute`,
    kind: 'amount',
    value: (totals) => totals[measure].difference?.absolute,
    figure: [measure, 'difference'],
    only: inTotals,
    isAbsolute: true,
  };
}

const name = 'Accounts';

/** Totals by account and currency: formulas over the sheet of settlements where a spreadsheet gets the exact result, or else values. */
function accountsSheet(
  reports: readonly ProfileReport[],
  told: readonly Told[],
  settlements: TableSheet,
): TableSheet {
  const groups = reports.flatMap((one) => groupLines(one, told));
  const totals = reports.flatMap(totalLines);
  const lines = [...groups, ...totals];
  const profile = reports.some((one) => one.profile !== undefined) ? ['Profile'] : [];
  const columns: readonly TableColumn<Line>[] = [
    ...profile.map((title) => ({ title, cell: (line: Line) => line.profile, isKey: true })),
    { title: 'Account', cell: ({ account }) => account, isKey: true },
    { title: 'Currency', cell: ({ totals }) => totals.currency, isKey: true },
    ...sums.map((sum) => ({
      title: sum.title,
      isUnprinted: sum.isUnprinted ?? false,
      cell: (line: Line) => sumCell(sum, line),
    })),
    { title: tokenTitle, cell: ({ token }) => token, isUnprinted: true },
  ];
  // The titles are in row 1.
  const rowOf = new Map(lines.map((line, index) => [line, index + 2]));
  /** Only what has the same in these columns as the line. */
  const same = (line: Line, titles: readonly string[], rangeOf: (title: string) => string) =>
    titles.map((title) => `${rangeOf(title)},$${columnLetters(columns, title)}${rowOf.get(line)}`);
  const rangeOfSettlements = (title: string) => columnRange(settlements, title, told.length);
  const rangeAbove = (title: string) => columnRange({ name, columns }, title, groups.length);

  function sumCell(sum: Sum, line: Line): SheetCell {
    const { totals, own } = line;
    const minor = sum.value(totals);
    if (minor === undefined) return '';
    const result = { kind: sum.kind, minor, scale: sum.kind === 'count' ? 0 : totals.scale };
    const parts = own
      ? own.map((one) => partOf(one, sum, totals.scale))
      : groups.filter((one) => isUnder(one, line)).map((one) => sum.value(one.totals) ?? 0n);
    if (parts.length === 0 || !addsUpExactly(parts)) return result;
    const formula = own
      ? formulaOf(
          sum,
          rangeOfSettlements,
          same(line, [...profile, tokenTitle, 'Currency'], rangeOfSettlements),
        )
      : `SUMIFS(${rangeAbove(sum.title)},${same(line, [...profile, 'Currency'], rangeAbove)})`;
    const { scale } = result;
    return {
      kind: 'formula',
      formula: sum.kind === 'count' ? formula : `ROUND(${formula},${scale})`,
      result,
    };
  }

  return { ...tableSheet(name, lines, columns), totals: totals.length };
}

/** The formula of a sum over the sheet of settlements. */
function formulaOf(
  { figure, only, isAbsolute }: Sum,
  rangeOf: (title: string) => string,
  same: readonly string[],
): string {
  const criteria = [...same, ...(only ? [`${rangeOf(only[0])},"${only[1]}"`] : [])].join();
  if (!figure) return `COUNTIFS(${criteria})`;
  const amounts = rangeOf(figureTitle(...figure));
  if (!isAbsolute) return `SUMIFS(${amounts},${criteria})`;
  const above = `SUMIFS(${amounts},${criteria},${amounts},">0")`;
  return `${above}-SUMIFS(${amounts},${criteria},${amounts},"<0")`;
}

function partOf(one: ReconciledSettlement, { figure }: Sum, scale: number): bigint {
  if (!figure) return 1n;
  const [measure, side] = figure;
  return rescale(one[side]?.[measure] ?? 0n, one.scale, scale);
}

function groupLines(
  { profile = '', report }: ProfileReport,
  told: readonly Told[],
): readonly Line[] {
  const { groups } = report.run;
  const shown = told.filter((one) => one.report === report).map(({ one }) => one);
  const owned = groupedBy(shown, ({ settlement }) => keyOf(settlement));
  const alike = groupedBy(groups, (group) => keyOf(group).toLowerCase());
  return groups.map((group) => {
    const { accountingToken: token, currency } = group;
    const own = owned.get(keyOf(group)) ?? [];
    const isWhole = own.length === verdicts.reduce((sum, one) => sum + group.settlements[one], 0);
    // Formulas don't tell capitals from small letters.
    const isAlone = alike.get(keyOf(group).toLowerCase())?.length === 1;
    const isFound = [token, currency, profile || 'none'].every(isFoundAsIs);
    const account = accountName(report.names, token);
    return {
      profile,
      account,
      token,
      totals: group,
      own: isWhole && isAlone && isFound ? own : [],
    };
  });
}

function keyOf({ accountingToken, currency }: Pick<Group, 'accountingToken' | 'currency'>): string {
  return JSON.stringify([accountingToken, currency]);
}

/** Whether a formula that seeks a text finds just that: `<5` and `*` are asked otherwise, `007` is a number. */
function isFoundAsIs(text: string): boolean {
  return isUuid(text) || (/^[a-z][\w-]*$/i.test(text) && !/^(?:true|false)$/i.test(text));
}

function totalLines({ profile = '', report }: ProfileReport): readonly Line[] {
  const { groups, totals } = report.run;
  const accounts = new Set(groups.map(({ accountingToken }) => accountingToken));
  if (accounts.size < 2) return [];
  return totals.map((one) => ({ profile, account: 'Total', token: '', totals: one }));
}

function isUnder(group: Line, { profile, totals }: Line): boolean {
  return group.profile === profile && group.totals.currency === totals.currency;
}
