import { dayWritten, withoutTime } from '../base/calendar.ts';
import { accountNumber } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { type Decimal, parseDigits, signed } from './decimal.ts';
import { joinedDetails, labelledDetails, noDetails, references } from './details.ts';
import type { WrittenEntry } from './entry-columns.ts';
import { entryOf, type Misfit } from './written.ts';

/** The columns of a file; without a header, they are named by number. */
export function columnsOf(mapping: BankCsv, header: readonly string[] | undefined) {
  const indexOf = (column: string) =>
    header ? header.indexOf(column) : /^\d{1,3}$/.test(column) ? Number(column) - 1 : -1;
  const named = (key: keyof BankCsv) => {
    const column = mapping[key];
    return typeof column === 'string' ? [column] : Array.isArray(column) ? column.map(String) : [];
  };
  const isTwice = (column: string) => header?.indexOf(column) !== header?.lastIndexOf(column);
  const needed = [
    ...columnKeys.flatMap(named),
    ...(/^[A-Z]{3}$/.test(mapping.currency) ? [] : [mapping.currency]),
    ...(/^$|\d/.test(mapping.account ?? '') ? [] : named('account')),
  ];
  return {
    /** Columns of the mapping that are missing or occur twice. */
    unclear: new Set([
      ...needed.filter((column) => indexOf(column) < 0),
      ...[...needed, ...named('currency'), ...named('account')].filter(isTwice),
    ]),
    /** The cells of a record by the keys of the mapping. */
    of: (cells: readonly string[]) => {
      const all = (key: keyof BankCsv) => named(key).map((column) => cells[indexOf(column)] ?? '');
      return {
        at: (key: keyof BankCsv) => all(key)[0] ?? '',
        all: (key: keyof BankCsv) => all(key).filter(isFilled),
        /** The cell of the column or, if no column has this name, the name itself as a value. */
        columnOrValue: (key: 'currency' | 'account') => {
          const column = mapping[key] ?? '';
          return indexOf(column) < 0 ? column : (cells[indexOf(column)] ?? '');
        },
      };
    },
  };
}

type Cells = ReturnType<ReturnType<typeof columnsOf>['of']>;

const isFilled = (text: string) => text !== '';

/** The keys of a mapping that always name a column. */
const columnKeys: readonly (keyof BankCsv)[] = [
  'date',
  'value_date',
  'amount',
  'debit',
  'credit',
  'direction',
  'status',
  'texts',
  'references',
  'bank_reference',
  'end_to_end_id',
  'name',
  'counterparty',
];

/** The entry of a record; undefined for one without a date and an amount. */
export function csvEntry(
  cells: Cells,
  mapping: BankCsv,
  place: WrittenEntry['place'],
): WrittenEntry | Misfit | undefined {
  const keys = (['amount', 'debit', 'credit'] as const).filter((key) => cells.at(key) !== '');
  if (cells.at('date') === '' && keys.length === 0) return undefined;
  const fault = (key: keyof BankCsv, expected: string): Misfit => ({
    element: String(mapping[key] ?? key),
    found: cells.at(key),
    expected,
  });
  const dayLike = `a date written ${mapping.date_format}`;
  const [date, value] = (['date', 'value_date'] as const).map((key) =>
    cells.at(key) === '' ? '' : csvDay(cells.at(key), mapping.date_format),
  );
  if (!date) return fault('date', dayLike);
  if (value === undefined) return fault('value_date', dayLike);
  const amount = amountOf(cells, mapping, fault);
  if ('element' in amount) return amount;
  const currency = cells.columnOrValue('currency').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) {
    return { element: mapping.currency, found: currency, expected: 'a currency code such as EUR' };
  }
  const isPending = mapping.pending_words.includes(cells.at('status'));
  const texts = cells.all('texts');
  return entryOf({
    account: accountNumber(cells.columnOrValue('account')),
    currency,
    amount,
    date,
    valueDate: value,
    status: mapping.status !== undefined && isPending ? 'pending' : 'booked',
    isReversal: false,
    returnReason: '',
    bankReference: references(cells.all('bank_reference'))[0] ?? '',
    details: joinedDetails([
      {
        ...noDetails,
        texts,
        names: cells.all('name'),
        endToEndIds: references(cells.all('end_to_end_id')),
        references: references(cells.all('references')),
        accounts: cells.all('counterparty').map(accountNumber).filter(isFilled),
      },
      labelledDetails(texts),
    ]),
    parts: [],
    place,
  });
}

function amountOf(
  cells: Cells,
  mapping: BankCsv,
  fault: (key: keyof BankCsv, expected: string) => Misfit,
): Decimal | Misfit {
  const { decimal, direction, debit_words: out, credit_words: into } = mapping;
  const expected = `an amount such as 1234${decimal}56`;
  const read = (key: 'amount' | 'debit' | 'credit') => csvAmount(cells.at(key), mapping);
  if (mapping.amount === undefined) {
    const [debit, credit] = [read('debit'), read('credit')];
    const has = (key: 'debit' | 'credit', amount: Decimal | undefined) =>
      cells.at(key) !== '' && amount?.digits !== 0n;
    if (has('debit', debit) && has('credit', credit)) return fault('debit', 'one amount, not two');
    const key = has('debit', debit) || cells.at('credit') === '' ? 'debit' : 'credit';
    const amount = key === 'debit' ? debit : credit;
    // Some banks also write a sign in the column for money out.
    if (!amount || (key === 'credit' && amount.digits < 0n)) return fault(key, expected);
    return signed(amount, key === 'debit' && amount.digits > 0n);
  }
  const amount = read('amount');
  if (!amount) return fault('amount', expected);
  if (direction === undefined) return signed(amount, mapping.inverted);
  const word = cells.at('direction');
  if (!out.includes(word) && !into.includes(word)) {
    return fault('direction', `one of ${[...out, ...into].join(', ')}`);
  }
  if (amount.digits < 0n) return fault('amount', `${expected}, without a sign`);
  return signed(amount, out.includes(word));
}

/**
 * Parses an amount with a sign before or after it, or in brackets. Digits may be grouped in threes by the
 * separator of the mapping or, if decimals follow, by any usual one; without decimals, `1.234` is ambiguous.
 */
export function csvAmount(
  text: string,
  { decimal, thousands }: Pick<BankCsv, 'decimal' | 'thousands'>,
): Decimal | undefined {
  if (text.length > longestAmount) return undefined;
  const [, open = '', before = '', number = '', after = '', close = ''] =
    /^(\()?\s*([-+−]?)\s*([\d.,'’\p{Zs}_]*\d)\s*([-+−]?)\s*(\))?$/u.exec(text.trim()) ?? [];
  if (number === '' || (before !== '' && after !== '') || (open !== '') !== (close !== '')) {
    return undefined;
  }
  const [whole = '', decimals, ...more] = number.split(decimal);
  if (more.length > 0 || (decimals !== undefined && !/^\d*$/.test(decimals))) return undefined;
  const digits = ungrouped(whole, thousands, decimals !== undefined);
  const amount = digits === undefined ? undefined : parseDigits(`${digits}.${decimals ?? ''}`);
  return amount && signed(amount, open !== '' || /[-−]/.test(before + after));
}

const longestAmount = 60;

function ungrouped(
  whole: string,
  thousands: string | undefined,
  hasDecimals: boolean,
): string | undefined {
  if (/^\d*$/.test(whole)) return whole;
  const [, sign = ''] = /^\d{1,3}(\D)\d{3}/.exec(whole) ?? [];
  const isKnown = sign === thousands || (thousands === undefined && hasDecimals);
  const groups = whole.split(sign);
  const areThrees = groups.slice(1).every((group) => /^\d{3}$/.test(group));
  return isKnown && sign !== '' && areThrees ? groups.join('') : undefined;
}

/** Cached, as a statement has few days. */
const daysByText = new Map<string, string | undefined>();

/** Parses a day in a format such as `DD.MM.YYYY`; a time may follow. */
export function csvDay(text: string, format: string): string | undefined {
  const written = withoutTime(text.trim());
  const key = `${format} ${written}`;
  if (daysByText.has(key)) return daysByText.get(key);
  if (daysByText.size > maxCachedDays) daysByText.clear();
  const day = dayWritten(written, format);
  daysByText.set(key, day);
  return day;
}

const maxCachedDays = 1_000;
