import { shellWord } from '../../base/texts.ts';
import type { BankMatch, SettlementShare } from '../../match/match.ts';
import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { shareDifference, shareReceived } from '../bank/lines.ts';
import { type BankReport, bankVerdict, openMatches, openStates } from '../bank/report.ts';
import { bankHeadline, statementDays } from '../bank/summary.ts';
import { bankStateWords, matchReasonWords, statementFindingText } from '../bank/words.ts';
import {
  accountColumn,
  alarm,
  type CellColumn,
  column,
  section,
  unsure,
  uuid,
} from '../common/blocks.ts';
import { type Column, field } from '../common/columns.ts';
import { jsonAmount } from '../common/json.ts';
import { amountText, many, signedText } from '../common/phrase.ts';
import type { Remark, Section } from '../common/view.ts';
import { command } from '../common/what-next.ts';
import { dateCell, type SheetCell } from '../common/workbook.ts';

/** What the bank statements have of the settlements of a report. */
export interface OnBank {
  readonly report: BankReport;
  /** The statements as the command line names them; empty where they come from elsewhere. */
  readonly paths: readonly string[];
  /** By settlement id. */
  readonly places: ReadonlyMap<string, BankPlace>;
}

/** A settlement in its match. */
interface BankPlace {
  readonly match: BankMatch;
  readonly share: SettlementShare;
}

/** Finds the match of each settlement. */
export function onBank(report: BankReport, paths: readonly string[]): OnBank {
  const places = report.matching.matches.flatMap((match) =>
    match.settlements.map((share) => [share.settlement.id, { match, share }] as const),
  );
  return { report, paths, places: new Map(places) };
}

/** The entries that pay settlements of any of the reports. */
export function entriesPaid(banks: readonly OnBank[]): ReadonlySet<string> {
  const paid = banks
    .flatMap(({ report: { matching } }) => [...matching.matches, ...matching.outside])
    .filter(({ settlements, difference }) => settlements.length > 0 && difference !== undefined);
  return new Set(paid.flatMap(entryIds));
}

function entryIds({ entries }: BankMatch): readonly string[] {
  return entries.map(({ entry, part }) => `${entry.id} ${part ?? ''}`);
}

/** Without the unknown entries that pay settlements of other reports: several may be paid to one account. */
export function withoutPaid(bank: OnBank, paid: ReadonlySet<string>): OnBank {
  const { report } = bank;
  const isPaid = (match: BankMatch) =>
    match.state === 'unknown_on_bank' && entryIds(match).every((id) => paid.has(id));
  const matches = report.matching.matches.filter((match) => !isPaid(match));
  return { ...bank, report: { ...report, matching: { ...report.matching, matches } } };
}

type Of = ReconciledSettlement;

/** Whether the statements say that something needs a decision, or couldn't be read. */
export function isOffOnBank(bank: OnBank | undefined): bank is OnBank {
  return bank !== undefined && bankVerdict(bank.report) !== 'reconciled';
}

/** `matched 2026-03-03`, `difference -1.50`, `missing, 18 days`; empty without statements. */
export function bankText(bank: OnBank | undefined, one: Of): string {
  const place = placeOf(bank, one);
  if (!place) return '';
  const { match, share } = place;
  const { state, ageDays, scale } = match;
  const words = bankStateWords[state];
  if (state === 'matched') return `${words} ${datesOf(match).join(', ')}`;
  if (state === 'difference')
    return `${words} ${signedText(shareDifference(match, share), scale)}`.trim();
  const hasAge = (state === 'missing_on_bank' || state === 'in_transit') && ageDays !== undefined;
  return hasAge ? `${words}, ${many(ageDays, 'day')}` : words;
}

/** The days on which it was booked, each once; none where nothing is known to be its own. */
function datesOf(match: BankMatch | undefined): readonly string[] {
  if (!match) return [];
  const { entries, difference, state } = match;
  const isOwn = difference !== undefined || state === 'pending_on_bank';
  return isOwn ? [...new Set(entries.map(({ entry }) => entry.date))].sort() : [];
}

/** What the statements have of a settlement. These columns come last. */
export function onBankColumns(bank: OnBank): readonly Column<Of>[] {
  const of = (one: Of) => placeOf(bank, one);
  const figure = (key: string, figureOf: typeof shareReceived) =>
    field.amount<Of>(key, (one) => {
      const money = moneyOf(of(one), figureOf);
      return amountText(money?.minor, money?.scale ?? 0);
    });
  return [
    field.text('bank_state', (one) => of(one)?.match.state ?? ''),
    field.text('bank_by', (one) => of(one)?.match.by ?? ''),
    field.list('bank_date', (one) => datesOf(of(one)?.match)),
    figure('bank_received', shareReceived),
    figure('bank_difference', shareDifference),
    field.integer('bank_age_days', (one) => of(one)?.match.ageDays),
  ];
}

function moneyOf(place: BankPlace | undefined, figureOf: typeof shareReceived) {
  const minor = place && figureOf(place.match, place.share);
  return place && minor !== undefined ? { minor, scale: place.match.scale } : undefined;
}

/** The same in JSON; nothing without statements. */
export function jsonOnBank(bank: OnBank | undefined, one: Of) {
  if (!bank) return {};
  const place = placeOf(bank, one);
  if (!place) return { bank: null };
  const { match, share } = place;
  const amount = (minor: bigint | undefined) => jsonAmount(minor, match.scale);
  return {
    bank: {
      state: match.state,
      by: match.by ?? null,
      reason: match.reason ?? null,
      dates: datesOf(match),
      received: amount(shareReceived(match, share)),
      difference: amount(shareDifference(match, share)),
      decimalPlaces: match.scale,
      ageDays: match.ageDays ?? null,
    },
  };
}

/** What the statements come to, in JSON; nothing without statements. */
export function jsonBankTotal(bank: OnBank | undefined) {
  return bank
    ? { bank: { verdict: bankVerdict(bank.report), message: bankHeadline(bank.report) } }
    : {};
}

/** The settlements that need a decision because of the bank, whatever their verdict. */
export function bankDecisions(
  bank: OnBank | undefined,
  shown: readonly Of[],
  { names }: Pick<BankReport, 'names'>,
): readonly Section[] {
  if (!bank) return [];
  const open = new Set(openStates.flatMap((state) => openMatches(bank.report, state)));
  const matchOf = (one: Of) => placeOf(bank, one)?.match;
  const rows = shown.filter((one) => {
    const match = matchOf(one);
    return match !== undefined && open.has(match);
  });
  if (rows.length === 0) return [];
  return [
    section<Of>(
      `Not as expected on the bank: ${many(rows.length, 'settlement')}`,
      rows,
      [
        column(3, 'Date', 'text', ({ settlement }) => settlement.date),
        column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
        accountColumn(names, 4, ({ settlement }) => settlement.accountingToken),
        column(2, 'Currency', 'text', ({ settlement }) => settlement.currency),
        column(2, 'Pay-in', 'amount', (one) => amountText(one.reported.payIn, one.scale)),
        column(1, 'Bank', 'text', (one) => bankText(bank, one)),
      ],
      (one) => {
        const reason = matchOf(one)?.reason;
        return reason ? [alarm(matchReasonWords[reason])] : [];
      },
    ),
  ];
}

/** What is wrong in the statements themselves. */
export function statementRemarks(bank: OnBank | undefined): readonly Remark[] {
  const findings = bank?.report.statements.findings ?? [];
  return findings.map((finding) => {
    const text = statementFindingText(finding);
    return finding.code === 'unreadable' ? unsure(text) : alarm(text);
  });
}

/** The command that shows the entries of the bank; nothing where all is as it should be. */
export function commandForBank(bank: OnBank | undefined, words: string | undefined) {
  if (!isOffOnBank(bank)) return undefined;
  const { paths, report } = bank;
  return command('recon bank', ...paths.map(shellWord), words, report.flags, '# what the bank has');
}

type BankCell = (bank: OnBank | undefined, one: Of) => SheetCell;

/** The columns of a sheet of settlements, by their titles. */
export const bankCells: readonly (readonly [title: string, cell: BankCell])[] = [
  ['Bank', bankText],
  ['Bank date', (bank, one) => dateCell(datesOf(placeOf(bank, one)?.match).join(' | '))],
  ['Bank received', (bank, one) => numberCell(placeOf(bank, one), shareReceived, 'amount')],
  ['Bank difference', (bank, one) => numberCell(placeOf(bank, one), shareDifference, 'difference')],
];

function placeOf(bank: OnBank | undefined, { settlement }: Of): BankPlace | undefined {
  return bank?.places.get(settlement.id);
}

function numberCell(
  place: BankPlace | undefined,
  figureOf: typeof shareReceived,
  kind: 'amount' | 'difference',
): SheetCell {
  const money = moneyOf(place, figureOf);
  return money ? { kind, ...money } : '';
}

/** The columns of a list on a page: the states can be chosen from. */
export function bankListColumns(bank: OnBank | undefined): readonly CellColumn<Of>[] {
  const stateOf = (one: Of) => {
    const match = placeOf(bank, one)?.match;
    return match ? bankStateWords[match.state] : '';
  };
  return [
    { ...column<Of>(1, 'Bank', 'text', stateOf), filters: true },
    column(1, 'Bank difference', 'difference', (one) => {
      const money = moneyOf(placeOf(bank, one), shareDifference);
      return signedText(money?.minor, money?.scale ?? 0);
    }),
  ];
}

/** `2 statements, 2026-03-01 to 2026-03-31`, and what they come to where nothing is wrong. */
export function statementsText(bank: OnBank): string {
  const covered = statementDays(bank.report);
  return bankVerdict(bank.report) !== 'reconciled'
    ? covered
    : `${covered}. ${bankHeadline(bank.report)}`;
}
