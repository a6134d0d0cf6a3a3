import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import { type Column, field } from '../common/columns.ts';
import { amountText } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import { type BankLine, entryTexts, placeText, type ShareFigure, shareFigures } from './lines.ts';
import type { BankReport } from './report.ts';

/** A row a settlement with its entry, or an entry alone. New columns go to the end. */
export function bankColumns({
  names,
  accepted,
}: Pick<BankReport, 'names' | 'accepted'>): readonly Column<BankLine>[] {
  return [
    field.integer('match', ({ number }) => number),
    field.text('state', ({ match }) => match.state),
    field.text('matched_by', ({ match }) => match.by ?? ''),
    field.text('reason', ({ match }) => match.reason ?? ''),
    field.text('accepted', ({ match }) => bankAcceptanceOf(match, accepted)?.state ?? ''),
    ...settlementColumns(names),
    field.text('currency', ({ match }) => match.currency),
    field.integer('decimal_places', ({ match }) => match.scale),
    amount('expected', ofSettlement('expected')),
    amount('received', ofSettlement('received')),
    amount('difference', ofSettlement('difference')),
    field.integer('age_days', ({ match, share }) => share && match.ageDays),
    amount('match_expected', (line) => ofMatch(line)?.expected),
    amount('match_received', (line) => ofMatch(line)?.received),
    amount('match_difference', (line) => ofMatch(line)?.difference),
    ...entryColumns,
  ];
}

function settlementColumns(names: Names): readonly Column<BankLine>[] {
  return [
    field.text('settlement_date', ({ share }) => share?.settlement.date ?? ''),
    field.text('settlement_id', ({ share }) => share?.settlement.id ?? ''),
    ...field.account<BankLine>(names, ({ share }) => share?.settlement.accountingToken ?? ''),
    field.text('merchant_id', ({ share }) => share?.settlement.merchantId ?? ''),
    field.text('settlement_status', ({ share }) => share?.settlement.status ?? ''),
    field.list('payment_references', ({ share }) => share?.settlement.paymentReferences ?? []),
    field.list('payment_end_to_end_ids', ({ share }) => share?.settlement.paymentEndToEndIds ?? []),
  ];
}

const entryColumns: readonly Column<BankLine>[] = [
  field.text('bank_date', ({ entry }) => entry?.entry.date ?? ''),
  field.text('bank_value_date', ({ entry }) => entry?.entry.valueDate ?? ''),
  field.text('bank_status', ({ entry }) => entry?.entry.status ?? ''),
  amount('bank_amount', ({ entry, hasEntry }) => (hasEntry ? entry?.amount : undefined)),
  field.text('bank_currency', ({ entry }) => entry?.entry.currency ?? ''),
  field.text('bank_account', ({ entry }) => entry?.entry.account ?? ''),
  field.list('counterparty', ({ entry }) => entryTexts(entry, 'names')),
  field.list('counterparty_account', ({ entry }) => entryTexts(entry, 'accounts')),
  field.list('bank_text', ({ entry }) => entryTexts(entry, 'texts')),
  field.text('bank_reference', ({ entry }) => entry?.entry.bankReference ?? ''),
  field.text('return_reason', ({ entry }) => entry?.entry.returnReason ?? ''),
  // Its number in the entry, from 1, as people count.
  field.integer('bank_part', ({ entry }) =>
    entry?.part === undefined ? undefined : entry.part + 1,
  ),
  field.text('bank_place', ({ entry }) => (entry ? placeText(entry.entry.place) : '')),
];

function amount(key: string, minor: (line: BankLine) => bigint | undefined): Column<BankLine> {
  return field.amount(key, (line) => amountText(minor(line), line.match.scale));
}

/** A figure of a settlement, on the one line where it stands. */
function ofSettlement(figure: ShareFigure) {
  return ({ match, share, hasSettlement }: BankLine) =>
    share && hasSettlement ? shareFigures(match, share)[figure] : undefined;
}

/** A match, on its first line; nothing of an entry alone, of which nothing is expected. */
function ofMatch({ match, isFirst, share }: BankLine) {
  if (!isFirst || !share) return undefined;
  const { expected, difference } = match;
  return { expected, difference, received: difference === undefined ? undefined : match.received };
}
