import { groupedBy } from '../../base/keys.ts';
import { isUuid } from '../../base/uuid.ts';
import { rescale } from '../../money/money.ts';
import type { Measure } from '../../reconcile/entry.ts';
import type { Group, ReconciledSettlement, Totals } from '../../reconcile/reconciled.ts';
import { capitalised } from '../common/phrase.ts';
import { verdicts, verdictWords } from '../common/words.ts';
import {
  addsUpExactly,
  columnLetters,
  columnRange,
  type NumberCell,
  type SheetCell,
  type TableColumn,
  type TableSheet,
  tableSheet,
} from '../common/workbook.ts';
import {
  type FigureSide,
  figureSides,
  figureTitle,
  type ProfileReport,
  partsOfPayIn,
  type Told,
} from './settlement-sheets.ts';

/** An account and currency; or a currency, over all accounts of a report. */
interface Line {
  readonly profile: string;
  readonly account: string;
  readonly token: string;
  readonly totals: Totals;
  /** Its settlements, as far as their sheet has them; absent where it adds up the lines above. */
  readonly own?: readonly ReconciledSettlement[];
}

/** A number of a line, and what it adds up: a figure of settlements, or how many there are. */
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

/**
 * Accounts with their currencies, and the totals of each currency where a report has several accounts.
 * Numbers are formulas over the sheet of settlements, and totals over the lines above, wherever a
 * spreadsheet gets exactly what is reported; elsewhere they are values.
 */
export function accountsSheet(
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
    ...sums.map((sum) => ({ ...sum, cell: (line: Line) => sumCell(sum, line) })),
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

/** What a sheet of settlements adds up to, by its columns. */
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

/** What a settlement may add, at the scale of the sum. */
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
    const account = report.names.get(token) ?? token;
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

/** Whether the totals of a currency include a group. */
function isUnder(group: Line, { profile, totals }: Line): boolean {
  return group.profile === profile && group.totals.currency === totals.currency;
}
