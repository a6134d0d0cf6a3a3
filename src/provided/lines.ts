import { dayIn } from '../base/calendar.ts';
import { csvColumns } from '../base/csv-records.ts';
import { cut } from '../base/texts.ts';
import { carriedState } from '../model/row.ts';
import type { Amounts } from '../model/settlement.ts';
import type { PayoutsCsv, SettlementsCsv } from '../model/settlement-files.ts';
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
  /** Whether the provider says that it is not paid out yet. */
  readonly isOpen: boolean;
}

/** A line of a file that states what is paid out. What it does not state is undefined. */
export interface PayoutLine extends Amounts<bigint | undefined> {
  readonly account: string;
  readonly payout: string;
  readonly currency: string;
  readonly scale: number;
  readonly day: string;
  readonly timestamp: string;
  readonly reference: string;
  readonly payIn: bigint;
  readonly transactions: number | undefined;
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

const currencyCode = /^[A-Z]{3}$/;

/** Settings that are a column, or the value of all lines. */
const columnsOrValues = [
  ['currency', currencyCode],
  ['account', /^(?!.* )/],
] as const;

/** The columns of a settlement file; without a header, they are named by number. */
export function lineColumns(mapping: SettlementsCsv, header: readonly string[] | undefined) {
  return csvColumns(mapping, header, {
    columns: [
      ...(['payout', 'date', 'type', 'id', 'order', 'charge', 'method', 'note', 'status'] as const),
      ...(['net', 'net_debit', 'net_credit', 'gross', 'gross_debit', 'gross_credit'] as const),
      ...(['gross_currency', 'fees', 'tax'] as const),
    ],
    columnsOrValues,
  });
}

/** The columns of a file that states what is paid out. */
export function payoutColumns(mapping: PayoutsCsv, header: readonly string[]) {
  return csvColumns(mapping, header, {
    columns: [
      ...(['payout', 'date', 'paid', 'gross', 'fees', 'tax', 'transactions'] as const),
      ...(['reference', 'type'] as const),
    ],
    columnsOrValues,
  });
}

type Cells = ReturnType<ReturnType<typeof lineColumns>['of']>;
type PayoutCells = ReturnType<ReturnType<typeof payoutColumns>['of']>;
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

/** Reads the cells of one line; remembers the first that cannot be read. */
class LineReader {
  fault: LineFault | undefined;
  readonly #mapping: SettlementsCsv;
  readonly #of: Pick<LineFault, 'account' | 'payout' | 'currency'>;
  readonly scale: number;

  constructor(mapping: SettlementsCsv, of: Pick<LineFault, 'account' | 'payout' | 'currency'>) {
    this.#mapping = mapping;
    this.#of = of;
    this.scale = minorUnitsOf(of.currency) ?? 2;
  }

  note(field: string, found: string, expected: FieldForm): void {
    this.fault ??= { field, found: cut(found, longestFound), expected, ...this.#of };
  }

  /** Minor units; 0 if empty. */
  minor(text: string, column: string): bigint {
    if (text === '') return 0n;
    const amount = writtenAmount(text, this.#mapping, this.#of.currency);
    const minor = amount && amount.scale <= this.scale ? atScale(amount, this.scale) : undefined;
    if (minor === undefined || magnitude(minor) > mostMinor) this.note(column, text, 'amount');
    return minor ?? 0n;
  }

  sum(texts: readonly string[], columns: readonly string[]): bigint {
    return texts.reduce((sum, text, at) => sum + this.minor(text, columns[at] ?? ''), 0n);
  }

  /** The day, and the time as it is written. */
  when(written: string, column: string): Pick<FileLine, 'day' | 'timestamp'> {
    const day = dayIn(written, this.#mapping.date_format);
    if (day === undefined) this.note(column, written, 'date');
    const [, time] = /\b(\d{2}:\d{2}:\d{2})\b/.exec(written) ?? [];
    return { day: day ?? '', timestamp: time === undefined ? (day ?? '') : `${day}T${time}` };
  }
}

/** What a line says. All that it states must agree: the gross less the fees is the net. */
export function lineIn(cells: Cells, mapping: SettlementsCsv): FileLine | LineFault {
  const [account, payout] = [cells.columnOrValue('account'), cells.at('payout')];
  const currency = cells.columnOrValue('currency').toUpperCase();
  const reader = new LineReader(mapping, { account, payout, currency });
  const at = (key: AmountKey) => reader.minor(cells.at(key), String(mapping[key]));
  const signed = (of: 'net' | 'gross') =>
    mapping[of] === undefined ? at(`${of}_credit`) - at(`${of}_debit`) : at(of);
  const isWritten = (...keys: readonly AmountKey[]) => keys.some((key) => cells.at(key) !== '');
  const [type, id] = [cells.at('type'), cells.at('id')];
  const when = reader.when(cells.at('date'), mapping.date);
  if (account === '') reader.note(mapping.account, account, 'text');
  if (!currencyCode.test(currency)) reader.note(mapping.currency, currency, 'text');
  if (scientific.test(id)) reader.note(mapping.id ?? 'id', id, 'text');
  const net = signed('net');
  const sign = mapping.inverted ? -1n : 1n;
  const tax = sign * at('tax');
  const charged = sign * reader.sum(cells.all('fees'), mapping.fees);
  const isFee = mapping.fee_types.includes(type);
  const isCarried = mapping.carried_types.includes(type);
  const isPayout = mapping.payout_types.includes(type);
  const ofGross = mapping.gross_currency === undefined ? currency : cells.at('gross_currency');
  const hasGross = isWritten('gross', 'gross_debit', 'gross_credit') && ofGross === currency;
  const gross = hasGross ? signed('gross') : net + charged + tax;
  const isSum = gross - charged - tax === net;
  if (hasGross && !isSum && !isFee && !isCarried && !isPayout) {
    const column = mapping.net ?? mapping.net_credit ?? mapping.net_debit ?? 'net';
    const written = cells.at('net') || cells.at('net_credit') || cells.at('net_debit');
    reader.note(column, written, 'sum');
  }
  if (reader.fault) return reader.fault;
  return {
    account,
    payout,
    currency,
    scale: reader.scale,
    ...when,
    type,
    id: ((isFee || isCarried) && !mapping.fee_ids) || isPayout ? '' : id,
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
    paid: isPayout ? (mapping.payout_unsigned ? magnitude(net) : -net) : undefined,
    isOpen: mapping.open_words.includes(cells.at('status')),
  };
}

/** What a line states of a pay-out; undefined for one of another type. */
export function payoutIn(
  cells: PayoutCells,
  mapping: SettlementsCsv,
  payouts: PayoutsCsv,
): PayoutLine | LineFault | undefined {
  if (payouts.type !== undefined && !payouts.types.includes(cells.at('type'))) return undefined;
  const [account, payout] = [cells.columnOrValue('account') || mapping.account, cells.at('payout')];
  const currency = cells.columnOrValue('currency').toUpperCase();
  const reader = new LineReader(mapping, { account, payout, currency });
  const when = reader.when(cells.at('date'), payouts.date);
  if (payout === '') reader.note(payouts.payout, payout, 'text');
  if (!currencyCode.test(currency)) reader.note(payouts.currency, currency, 'text');
  if (cells.at('paid') === '') reader.note(payouts.paid, '', 'amount');
  const stated = (key: 'gross' | 'fees' | 'tax', sign: bigint) =>
    payouts[key].length === 0 ? undefined : sign * reader.sum(cells.all(key), payouts[key]);
  const sign = payouts.inverted ? -1n : 1n;
  const payIn = reader.minor(cells.at('paid'), payouts.paid);
  const amounts = {
    gross: stated('gross', 1n),
    fees: stated('fees', sign),
    tax: stated('tax', sign),
  };
  const count = cells.at('transactions');
  if (payouts.transactions !== undefined && !/^\d{1,15}$/.test(count)) {
    reader.note(payouts.transactions, count, 'count');
  }
  if (reader.fault) return reader.fault;
  return {
    account,
    payout,
    currency,
    scale: reader.scale,
    ...when,
    reference: cells.at('reference'),
    payIn,
    ...amounts,
    transactions: payouts.transactions === undefined ? undefined : Number(count),
  };
}
