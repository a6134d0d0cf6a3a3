import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { bankVerdict } from '../bank/report.ts';
import { bankHeadline } from '../bank/summary.ts';
import { bankStates } from '../bank/words.ts';
import { jsonAcceptance } from '../common/acceptance.ts';
import { type CellColumn, column } from '../common/blocks.ts';
import { type Column, field } from '../common/columns.ts';
import { jsonAmount } from '../common/json.ts';
import { signedText } from '../common/phrase.ts';
import { dateCell, type SheetCell } from '../common/workbook.ts';
import { bankMoney, bankText, datesOf, figureText, type OnBank, placeOf } from './on-bank.ts';

type Of = ReconciledSettlement;

/** What the statements have of a settlement. These columns come last. */
export function onBankColumns(bank: OnBank): readonly Column<Of>[] {
  const of = (one: Of) => placeOf(bank, one);
  return [
    field.text('bank_state', (one) => of(one)?.match.state ?? ''),
    field.text('bank_by', (one) => of(one)?.match.by ?? ''),
    field.list('bank_date', (one) => datesOf(of(one)?.match)),
    field.amount('bank_received', (one) => figureText(of(one), 'received')),
    field.amount('bank_difference', (one) => figureText(of(one), 'difference')),
    field.integer('bank_age_days', (one) => of(one)?.match.ageDays),
    field.text('bank_accepted', (one) => of(one)?.acceptance?.state ?? ''),
  ];
}

/** The same in JSON; nothing without statements. */
export function jsonOnBank(bank: OnBank | undefined, one: Of) {
  if (!bank) return {};
  const place = placeOf(bank, one);
  if (!place) return { bank: null };
  const { match, figures, acceptance } = place;
  return {
    bank: {
      state: match.state,
      by: match.by ?? null,
      reason: match.reason ?? null,
      dates: datesOf(match),
      received: jsonAmount(figures.received, match.scale),
      difference: jsonAmount(figures.difference, match.scale),
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

type BankCell = (bank: OnBank | undefined, one: Of) => SheetCell;

/** The columns of a sheet of settlements, by their titles: what is said, then amounts. */
export const bankCells: readonly (readonly [title: string, cell: BankCell])[] = [
  ['Bank', bankText],
  ['Bank date', (bank, one) => dateCell(datesOf(placeOf(bank, one)?.match).join(' | '))],
  ['Bank received', numberCell('received', 'amount')],
  ['Bank difference', numberCell('difference', 'difference')],
];

function numberCell(figure: 'received' | 'difference', kind: 'amount' | 'difference'): BankCell {
  return (bank, one) => {
    const money = bankMoney(placeOf(bank, one), figure);
    return money ? { kind, ...money } : '';
  };
}

/** The columns of a list on a page: the states can be chosen from. */
export function bankListColumns(bank: OnBank | undefined): readonly CellColumn<Of>[] {
  const stateOf = (one: Of) => {
    const match = placeOf(bank, one)?.match;
    return match ? bankStates[match.state][0] : '';
  };
  const difference = (one: Of) => figureText(placeOf(bank, one), 'difference', signedText);
  return [
    { ...column<Of>(1, 'Bank', 'text', stateOf), filters: true },
    column(1, 'Bank difference', 'difference', difference),
  ];
}
