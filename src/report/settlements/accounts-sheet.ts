import type { SettlementsReport } from '../../app/settlements-report.ts';
import { groupedBy } from '../../base/lists.ts';
import { rescale } from '../../money/money.ts';
import type { Figures } from '../../reconcile/computed.ts';
import type { Measure } from '../../reconcile/entry.ts';
import type { Group, Totals } from '../../reconcile/groups.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { accountName, capitalised } from '../common/phrase.ts';
import type { NumberCell, SheetCell, TableSheet } from '../common/view.ts';
import { measureWords, verdicts, verdictWords } from '../common/words.ts';
import {
  addsUpExactly,
  columnLetters,
  columnRange,
  isFoundAsIs,
  type TableColumn,
  tableSheet,
} from '../common/workbook.ts';

/** A report, and its profile if there are several. */
export interface ProfileReport<Report = SettlementsReport> {
  readonly profile?: string;
  readonly report: Report;
}

/** A settlement in a workbook, with its report. */
export interface SheetRow
  extends ProfileReport<Pick<SettlementsReport, 'names' | 'explanations' | 'rows' | 'bank'>> {
  readonly one: ReconciledSettlement;
}

export const figureSides = ['reported', 'computed', 'difference'] as const;
/** Only their differences are printed: more columns would be too small on paper. */
export const partsOfPayIn = ['gross', 'fees', 'tax'] as const;
export type FigureSide = (typeof figureSides)[number];

/** The title of a column of figures: `Gross reported`. */
export function figureTitle(measure: keyof Figures, side: FigureSide): string {
  return capitalised(`${measure === 'transactions' ? measure : measureWords[measure]} ${side}`);
}

interface Line {
  readonly profile: string;
  readonly account: string;
  readonly token: string;
  readonly totals: Totals;
  /** Its settlements in the sheet Settlements; absent if it adds up the lines above. */
  readonly own?: readonly ReconciledSettlement[];
}

/** A number of a line: the sum of `figure` over settlements, or else their count. */
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
const includedInTotals = ['In totals', 'yes'] as const;

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
  // More columns would be too small on paper. The net alone could hide differences.
  ...partsOfPayIn
    .flatMap((one) => [figureSum(one, 'reported'), figureSum(one, 'computed'), absoluteSum(one)])
    .map((sum) => ({ ...sum, isUnprinted: true })),
];

function figureSum(measure: Measure, side: FigureSide): Sum {
  return {
    title: figureTitle(measure, side),
    kind: side === 'difference' ? side : 'amount',
    value: ({ [measure]: sums }) => (side === 'difference' ? sums.difference?.net : sums[side]),
    figure: [measure, side],
    only: includedInTotals,
  };
}

function absoluteSum(measure: Measure): Sum {
  const sum = figureSum(measure, 'difference');
  const value: Sum['value'] = (totals) => totals[measure].difference?.absolute;
  return { ...sum, title: `${sum.title} absolute`, kind: 'amount', value, isAbsolute: true };
}

const name = 'Accounts';

type Reports = readonly ProfileReport[];
type Rows = readonly SheetRow[];

/** Totals by account and currency: formulas over the sheet of settlements if they are exact in a spreadsheet, or else values. */
export function accountsSheet(reports: Reports, rows: Rows, settlements: TableSheet): TableSheet {
  const groups = reports.flatMap((one) => groupLines(one, rows));
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
  const rangeOfSettlements = (title: string) => columnRange(settlements, title, rows.length);
  const rangeAbove = (title: string) => columnRange({ name, columns }, title, groups.length);

  function sumCell(sum: Sum, line: Line): SheetCell {
    const { totals, own } = line;
    const minor = sum.value(totals);
    if (minor === undefined) return '';
    const scale = sum.kind === 'count' ? 0 : totals.scale;
    const result = { kind: sum.kind, minor, scale };
    const parts = own
      ? own.map((one) => partOf(one, sum, totals.scale))
      : groups.filter((one) => isUnder(one, line)).map((one) => sum.value(one.totals) ?? 0n);
    if (parts.length === 0 || !addsUpExactly(parts)) return result;
    const rangeOf = own ? rangeOfSettlements : rangeAbove;
    // Rows with the same values in these columns as the line.
    const criteria = [...profile, ...(own ? [tokenTitle] : []), 'Currency'].map(
      (title) => `${rangeOf(title)},$${columnLetters(columns, title)}${rowOf.get(line)}`,
    );
    const formula = own
      ? formulaOf(sum, rangeOf, criteria)
      : `SUMIFS(${rangeOf(sum.title)},${criteria})`;
    const rounded = sum.kind === 'count' ? formula : `ROUND(${formula},${scale})`;
    return { kind: 'formula', formula: rounded, result };
  }

  return { ...tableSheet(name, lines, columns), totals: totals.length };
}

function formulaOf(sum: Sum, rangeOf: (title: string) => string, same: readonly string[]): string {
  const { figure, only, isAbsolute } = sum;
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

function groupLines({ profile = '', report }: ProfileReport, rows: Rows): readonly Line[] {
  const { groups } = report.run;
  const shown = rows.filter((one) => one.report === report).map(({ one }) => one);
  const owned = groupedBy(shown, ({ settlement }) => keyOf(settlement));
  const alike = groupedBy(groups, (group) => keyOf(group).toLowerCase());
  return groups.map((group) => {
    const { accountingToken: token, currency } = group;
    const own = owned.get(keyOf(group)) ?? [];
    const isWhole = own.length === verdicts.reduce((sum, one) => sum + group.settlements[one], 0);
    // Formulas ignore case.
    const isAlone = alike.get(keyOf(group).toLowerCase())?.length === 1;
    const isFound = [token, currency, profile || 'none'].every(isFoundAsIs);
    const account = accountName(report.names, token);
    const added = isWhole && isAlone && isFound ? own : [];
    return { profile, account, token, totals: group, own: added };
  });
}

function keyOf({ accountingToken, currency }: Pick<Group, 'accountingToken' | 'currency'>): string {
  return JSON.stringify([accountingToken, currency]);
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
