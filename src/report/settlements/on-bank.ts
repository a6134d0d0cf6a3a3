import { shellWord } from '../../base/texts.ts';
import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import { entryKey, explainedEntries } from '../../match/explained-entries.ts';
import type { BankMatch, SettlementShare } from '../../match/match.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { entryColumns } from '../bank/records.ts';
import {
  type BankReport,
  bankLines,
  bankVerdict,
  openMatches,
  openStates,
  type ShareFigure,
  shareFigures,
} from '../bank/report.ts';
import { bankHeadline, statementDays } from '../bank/summary.ts';
import { bankStates, matchReasonWords, statementRemark } from '../bank/words.ts';
import { jsonAcceptance } from '../common/acceptance.ts';
import {
  accountColumn,
  alarm,
  type CellColumn,
  column,
  sectionIfAny,
  uuid,
} from '../common/blocks.ts';
import {
  type Amount,
  amountOf,
  type CellKind,
  type Column,
  field,
  type Value,
} from '../common/columns.ts';
import { jsonAmounts } from '../common/json.ts';
import { command, grouped, many, present, signedText } from '../common/phrase.ts';
import type { Remark, Section } from '../common/view.ts';

/** What the bank statements have of the settlements of a report. */
export interface OnBank {
  readonly report: BankReport;
  /** By settlement id. */
  readonly places: ReadonlyMap<string, BankPlace>;
}

type BankPlace = ReturnType<typeof placeIn>;

function placeIn(match: BankMatch, share: SettlementShare, { accepted }: BankReport) {
  return {
    match,
    acceptance: bankAcceptanceOf(match, accepted),
    figures: shareFigures(match, share),
  };
}

/** Finds the match of each settlement. */
export function onBank(report: BankReport): OnBank {
  const places = report.matching.matches.flatMap((match) =>
    match.settlements.map((share) => [share.settlement.id, placeIn(match, share, report)] as const),
  );
  return { report, places: new Map(places) };
}

/** Without the unknown entries that pay-outs of other reports explain: several may be paid to one account. */
export function withoutExplainedEntries(bank: OnBank, others: readonly OnBank[]): OnBank {
  const explained = explainedEntries(
    others.flatMap(({ report: { matching } }) => [...matching.matches, ...matching.outside]),
  );
  const { report } = bank;
  const matches = report.matching.matches.filter(
    ({ state, entries }) =>
      state !== 'unknown_on_bank' || !entries.every((one) => explained.has(entryKey(one))),
  );
  return { ...bank, report: { ...report, matching: { ...report.matching, matches } } };
}

/** Whether the statements say that something needs a decision, or couldn't be read. */
export function isOffOnBank(bank: OnBank | undefined): bank is OnBank {
  return bank !== undefined && bankVerdict(bank.report) !== 'reconciled';
}

/** `matched 2026-03-03`, `difference -1.50`, `missing, 18 days`; empty without statements, and for pending settlements. */
export function bankText(bank: OnBank | undefined, one: ReconciledSettlement): string {
  const place = placeOf(bank, one);
  if (!place || place.match.state === 'not_paid_yet') return '';
  const { state, ageDays } = place.match;
  const [words] = bankStates[state];
  if (state === 'matched') return `${words} ${datesOf(place.match).join(', ')}`;
  if (state === 'difference') {
    const off = grouped(signedText(place.figures.difference, place.match.scale));
    return present(words, off, place.acceptance?.state === 'accepted' && '(accepted)').join(' ');
  }
  const hasAge = (state === 'missing_on_bank' || state === 'in_transit') && ageDays !== undefined;
  return hasAge ? `${words}, ${many(ageDays, 'day')}` : words;
}

/** The days on which it was booked; none if no entry is certain to be its own. */
function datesOf(match: BankMatch | undefined): readonly string[] {
  if (!match) return [];
  const { entries, difference, state } = match;
  const isOwn = difference !== undefined || state === 'pending_on_bank';
  return isOwn ? [...new Set(entries.map(({ entry }) => entry.date))].sort() : [];
}

function figureOf(place: BankPlace | undefined, figure: ShareFigure): Amount | undefined {
  return place && amountOf(place.figures[figure], place.match.scale);
}

/** Whether the bank has something else than was expected of a settlement, which nobody has accepted. */
export function needsDecision(bank: OnBank | undefined, one: ReconciledSettlement): boolean {
  const { match, acceptance } = placeOf(bank, one) ?? {};
  return acceptance?.state !== 'accepted' && openStates.some((state) => state === match?.state);
}

/** The settlements that need a decision because of the bank, whatever their verdict. */
export function bankDecisions(
  bank: OnBank | undefined,
  shown: readonly ReconciledSettlement[],
  { names }: Pick<BankReport, 'names'>,
  limit: number,
): readonly Section[] {
  const rows = shown.filter((one) => needsDecision(bank, one));
  return sectionIfAny<ReconciledSettlement>(
    `Not as expected on the bank statements: ${many(rows.length, 'settlement')}`,
    rows,
    [
      column(3, 'Date', 'day', ({ settlement }) => settlement.date),
      column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
      accountColumn(names, 4, ({ settlement }) => settlement.accountingToken),
      column(2, 'Currency', 'text', ({ settlement }) => settlement.currency),
      column(2, 'Pay-in', 'amount', (one) => amountOf(one.reported.payIn, one.scale)),
      column(5, 'Received', 'amount', (one) => figureOf(placeOf(bank, one), 'received')),
      column(1, 'Bank', 'text', (one) => bankText(bank, one), uuid),
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

/** The entries of the bank that the service does not know, a row each, `most` at the most. */
export function unknownEntries({ bank }: { readonly bank?: OnBank | undefined }, limit: number) {
  if (!bank) return [];
  const lines = [...bankLines(openMatches(bank.report, 'unknown_on_bank'))];
  return sectionIfAny('Unknown to the service', lines, entryColumns, { limit });
}

/** What is wrong in the statements themselves. */
export function statementRemarks(bank: OnBank | undefined): readonly Remark[] {
  return (bank?.report.statements.findings ?? []).map(statementRemark);
}

/** The command that shows the entries of the bank; nothing where all is as it should be. */
export function commandForBank(bank: OnBank | undefined, words: string | undefined) {
  if (!isOffOnBank(bank)) return undefined;
  const { paths, flags } = bank.report;
  return command(
    'recon bank',
    ...paths.map(shellWord),
    words,
    flags,
    '# what is on the bank statements',
  );
}

/** Where a settlement stands; undefined without statements. */
export function placeOf(
  bank: OnBank | undefined,
  { settlement }: ReconciledSettlement,
): BankPlace | undefined {
  return bank?.places.get(settlement.id);
}

/** How many pay-outs are on the bank, where not all of them are or could be looked for. */
export function bankSentence(bank: OnBank | undefined) {
  if (!bank) return undefined;
  const isCovered = openMatches(bank.report, 'not_covered').length === 0;
  return (!isCovered || isOffOnBank(bank)) && bankHeadline(bank.report);
}

/** `2 statements, 2026-03-01 to 2026-03-31`, and how many pay-outs are on them where nothing is wrong. */
export function statementsText(bank: OnBank): string {
  const days = statementDays(bank.report);
  return bankSentence(bank) ? days : `${days}. ${bankHeadline(bank.report)}`;
}

/** What the statements have of a settlement. These columns come last. */
export function onBankColumns(bank: OnBank): readonly Column<ReconciledSettlement>[] {
  const of = (one: ReconciledSettlement) => placeOf(bank, one);
  return [
    field.text('bank_state', (one) => of(one)?.match.state),
    field.text('bank_by', (one) => of(one)?.match.by),
    field.list('bank_date', (one) => datesOf(of(one)?.match)),
    field.amount('bank_received', (one) => figureOf(of(one), 'received')),
    field.amount('bank_difference', (one) => figureOf(of(one), 'difference')),
    field.integer('bank_age_days', (one) => of(one)?.match.ageDays),
    field.text('bank_accepted', (one) => of(one)?.acceptance?.state),
  ];
}

/** The same in JSON; nothing without statements. */
export function jsonOnBank(bank: OnBank | undefined, one: ReconciledSettlement) {
  if (!bank) return {};
  const place = placeOf(bank, one);
  if (!place) return { bank: null };
  const { match, acceptance } = place;
  const { received, difference } = place.figures;
  return {
    bank: {
      state: match.state,
      matchedBy: match.by ?? null,
      reason: match.reason ?? null,
      dates: datesOf(match),
      ...jsonAmounts({ received, difference }, match.scale),
      decimalPlaces: match.scale,
      ageDays: match.ageDays ?? null,
      accepted: jsonAcceptance(acceptance),
    },
  };
}

/** What the statements come to, in JSON; nothing without statements. */
export function jsonBankTotal(bank: OnBank | undefined) {
  return bank
    ? { bank: { verdict: bankVerdict(bank.report), message: bankHeadline(bank.report) } }
    : {};
}

interface BankSheetColumn {
  readonly title: string;
  readonly kind: CellKind;
  readonly cell: (bank: OnBank | undefined, one: ReconciledSettlement) => Value;
}

export const bankTextColumns: readonly BankSheetColumn[] = [
  { title: 'Bank', kind: 'text', cell: bankText },
  { title: 'Bank date', kind: 'day', cell: (bank, one) => datesOf(placeOf(bank, one)?.match) },
];

export const bankAmountColumns: readonly BankSheetColumn[] = [
  amountColumn('Bank received', 'amount', 'received'),
  amountColumn('Bank difference', 'difference', 'difference'),
];

function amountColumn(title: string, kind: CellKind, figure: ShareFigure): BankSheetColumn {
  return { title, kind, cell: (bank, one) => figureOf(placeOf(bank, one), figure) };
}

/** The columns of a list on a page: the states can be chosen from. */
export function bankListColumns(
  bank: OnBank | undefined,
): readonly CellColumn<ReconciledSettlement>[] {
  const stateOf = (one: ReconciledSettlement) => {
    const match = placeOf(bank, one)?.match;
    return match ? bankStates[match.state][0] : '';
  };
  const difference = (one: ReconciledSettlement) => figureOf(placeOf(bank, one), 'difference');
  return [
    { ...column<ReconciledSettlement>(1, 'Bank', 'text', stateOf), filters: true },
    column(1, 'Bank difference', 'difference', difference),
  ];
}
