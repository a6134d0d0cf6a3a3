import { dayIn } from '../base/calendar.ts';
import { csvColumns } from '../base/csv-records.ts';
import { cut } from '../base/texts.ts';
import { carriedState } from '../model/row.ts';
import type { SettlementsCsv } from '../model/settlement-files.ts';
import type { FieldForm } from '../model/source.ts';
import { atScale, writtenAmount } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { magnitude } from '../money/money.ts';

/** A line of a settlement file. Minor units at `scale`. */
export interface FileLine {
  readonly account: string;
  readonly payout: string;
  readonly currency: string;
  readonly scale: number;
  readonly day: string;
  readonly timestamp: string;
  readonly type: string;
  /** Empty if the line has none. */
  readonly id: string;
  /** The text in the place of the id. */
  readonly reference: string;
  readonly orderId: string;
  readonly chargeId: string;
  readonly method: string;
  readonly note: string;
  readonly state: string;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** What a line that states a pay-out says is paid; undefined for others. */
  readonly paid: bigint | undefined;
}

/** A cell that cannot be read, with the pay-out of its line if that can. */
export interface LineFault {
  readonly field: string;
  readonly found: string;
  readonly expected: FieldForm;
  readonly account: string;
  readonly payout: string;
  readonly currency: string;
}

/** The columns of a settlement file; without a header, they are named by number. */
export function lineColumns(mapping: SettlementsCsv, header: readonly string[] | undefined) {
  return csvColumns(mapping, header, {
    columns: [
      ...(['payout', 'date', 'type', 'id', 'order', 'charge', 'method', 'note'] as const),
      ...(['net', 'net_debit', 'net_credit', 'gross', 'gross_debit', 'gross_credit'] as const),
      ...(['gross_currency', 'fees', 'tax'] as const),
    ],
    columnsOrValues: [
      ['currency', /^[A-Z]{3}$/],
      ['account', /^(?!.* )/],
    ],
  });
}

type Cells = ReturnType<ReturnType<typeof lineColumns>['of']>;
type AmountKey =
  | 'net'
  | 'net_debit'
  | 'net_credit'
  | 'gross'
  | 'gross_debit'
  | 'gross_credit'
  | 'tax';

/** Larger amounts are not exact in columns. */
const mostMinor = BigInt(Number.MAX_SAFE_INTEGER);

/** What spreadsheets make of long numbers: `1.31609E+15`. */
const scientific = /^\d([.,]\d+)?E\+\d+$/i;

const longestFound = 40;

/** What a line says. All that it states must agree: the gross less the fees is the net. */
export function lineIn(cells: Cells, mapping: SettlementsCsv): FileLine | LineFault {
  const [account, payout] = [cells.columnOrValue('account'), cells.at('payout')];
  const currency = cells.columnOrValue('currency').toUpperCase();
  const scale = minorUnitsOf(currency) ?? 2;
  let fault: LineFault | undefined;
  const note = (field: string, found: string, expected: FieldForm) => {
    fault ??= { field, found: cut(found, longestFound), expected, account, payout, currency };
  };
  const minorOf = (text: string, column: string) => {
    if (text === '') return 0n;
    const amount = writtenAmount(text, mapping, currency);
    const minor = amount && amount.scale <= scale ? atScale(amount, scale) : undefined;
    if (minor === undefined || magnitude(minor) > mostMinor) note(column, text, 'amount');
    return minor ?? 0n;
  };
  const at = (key: AmountKey) => minorOf(cells.at(key), String(mapping[key]));
  const signed = (of: 'net' | 'gross') =>
    mapping[of] === undefined ? at(`${of}_credit`) - at(`${of}_debit`) : at(of);
  const isWritten = (...keys: readonly AmountKey[]) => keys.some((key) => cells.at(key) !== '');
  const type = cells.at('type');
  const [id, written] = [cells.at('id'), cells.at('date')];
  const day = dayIn(written, mapping.date_format);
  if (account === '') note(mapping.account, account, 'text');
  if (!/^[A-Z]{3}$/.test(currency)) note(mapping.currency, currency, 'text');
  if (day === undefined) note(mapping.date, written, 'date');
  if (scientific.test(id)) note(mapping.id ?? 'id', id, 'text');
  const [, time] = /\b(\d{2}:\d{2}:\d{2})\b/.exec(written) ?? [];
  const net = signed('net');
  const tax = at('tax');
  const written_fees = cells.all('fees');
  const charged = written_fees.reduce(
    (sum, text, place) => sum + minorOf(text, mapping.fees[place] ?? ''),
    0n,
  );
  const isFee = mapping.fee_types.includes(type);
  const isCarried = mapping.carried_types.includes(type);
  const ofGross = mapping.gross_currency === undefined ? currency : cells.at('gross_currency');
  const hasGross = isWritten('gross', 'gross_debit', 'gross_credit') && ofGross === currency;
  const gross = hasGross ? signed('gross') : net + charged + tax;
  const isSum = gross - charged - tax === net;
  if (hasGross && !isSum && !isFee && !isCarried) {
    const column = mapping.net ?? mapping.net_credit ?? mapping.net_debit ?? 'net';
    note(column, cells.at('net') || cells.at('net_credit') || cells.at('net_debit'), 'sum');
  }
  if (fault) return fault;
  const isPayout = mapping.payout_types.includes(type);
  return {
    account,
    payout,
    currency,
    scale,
    day: day ?? '',
    timestamp: time === undefined ? (day ?? '') : `${day}T${time}`,
    type,
    // What names a fee or a pay-out is a text, and no id.
    id: isFee || isCarried || isPayout ? '' : id,
    reference: id,
    orderId: cells.at('order'),
    chargeId: cells.at('charge'),
    method: cells.at('method'),
    note: cells.at('note'),
    state: isCarried ? carriedState : '',
    amount: isFee ? 0n : isCarried ? net : gross,
    fees: isFee ? -net : isCarried ? 0n : charged,
    tax: isFee || isCarried ? 0n : tax,
    // What leaves the provider's balance arrives at the bank.
    paid: isPayout ? -net : undefined,
  };
}
