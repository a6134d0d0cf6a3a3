/**
 * Strict readers of the files that four vendors import, written from the vendors' pages alone
 * (read on 2026-11-28; docs/journal.md names them). A file that breaks a rule of its page throws.
 */
import { parse } from 'csv-parse/sync';

/** A line of an entry. Debits are positive; amounts are in millionths. */
export interface TargetLine {
  readonly entry: string;
  readonly day: string;
  readonly account: string;
  /** Empty where the layout has no column for it. */
  readonly currency: string;
  readonly amount: bigint;
}

type Cells = Readonly<Record<string, string>>;
type Reader = (text: string) => readonly TargetLine[];

function refuse(rule: string, what: unknown): never {
  throw new Error(`${rule}: ${JSON.stringify(what)}`);
}

function recordsOf(text: string, columns: readonly string[]): readonly Cells[] {
  const [head = [], ...rows]: string[][] = parse(text);
  if (new Set(head).size < head.length) refuse('A column twice', head);
  const missing = columns.filter((column) => !head.includes(column));
  if (missing.length > 0) refuse('Missing columns', missing);
  if (rows.length === 0) refuse('No line', text);
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
}

function mandatory(cells: Cells, ...names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const value = cells[name] ?? '';
    return value.trim() === '' || value !== value.trim() ? refuse(`Empty ${name}`, cells) : value;
  });
}

function day(text: string, form: RegExp): string {
  const { y = '', m = '', d = '' } = form.exec(text)?.groups ?? refuse('Not a date', text);
  const iso = `${y}-${m}-${d}`;
  const isDay = new Date(`${iso}T00:00:00Z`).toISOString().startsWith(iso);
  return isDay ? iso : refuse('No such day', text);
}

const monthFirst = /^(?<m>\d\d)\/(?<d>\d\d)\/(?<y>\d{4})$/;
const dayFirst = /^(?<d>\d\d)\/(?<m>\d\d)\/(?<y>\d{4})$/;
const yearFirst = /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)$/;

/** Plain digits with a point: no thousands, no currency, no plus. */
function money(text: string, form: RegExp): bigint {
  if (!form.test(text)) refuse('Not an amount', text);
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

const plain = /^\d+(\.\d{1,6})?$/;

/** Exactly one of the two is filled in. */
function sides(cells: Cells, [debit, credit]: readonly [string, string], form = plain): bigint {
  const [left = '', right = ''] = [cells[debit], cells[credit]];
  if ((left === '') === (right === '')) refuse('Not one side', cells);
  return left === '' ? -money(right, form) : money(left, form);
}

/** Two lines or more, one day, one currency, a sum of nothing. */
function balanced(lines: readonly TargetLine[]): readonly TargetLine[] {
  for (const entry of new Set(lines.map(({ entry }) => entry))) {
    const own = lines.filter((line) => line.entry === entry);
    if (own.length < 2) refuse('An entry of one line', entry);
    if (new Set(own.map(({ day, currency }) => `${day} ${currency}`)).size > 1) {
      refuse('An entry of several days or currencies', own);
    }
    if (own.reduce((sum, { amount }) => sum + amount, 0n) !== 0n) refuse('Out of balance', own);
  }
  return lines;
}

/** Each entry stands in one piece, or the next would take its lines. */
function inOnePiece(lines: readonly TargetLine[]): readonly TargetLine[] {
  const starts = lines.filter(({ entry }, at) => entry !== lines[at - 1]?.entry);
  if (new Set(starts.map(({ entry }) => entry)).size < starts.length) refuse('In pieces', starts);
  return lines;
}

/** Journal entries of QuickBooks Online: accounts by name, for numbers are turned off. */
const quickbooks: Reader = (text) => {
  const columns = ['JournalNo', 'JournalDate', 'AccountName', 'Debits', 'Credits', 'Description'];
  const lines = recordsOf(text, columns).map((cells) => {
    const [entry = '', date = '', account = ''] = mandatory(cells, ...columns.slice(0, 3));
    if (entry.length > 21) refuse('A number of more than 21 characters', entry);
    if (/^\d+$/.test(account)) refuse('A number instead of a name', account);
    const amount = sides(cells, ['Debits', 'Credits']);
    return { entry, day: day(date, monthFirst), account, currency: '', amount };
  });
  return inOnePiece(balanced(lines));
};

/** Manual journals of Xero: one narration and date is one journal, and a file has 300 lines. */
const xero: Reader = (text) => {
  const needed = ['*Narration', '*Date', '*AccountCode', '*TaxRate', '*Amount'];
  const records = recordsOf(text, [...needed, 'Description']);
  if (records.length > 300) refuse('More than 300 lines', records.length);
  const lines = records.map((cells) => {
    const [narration, date = '', account = '', , text = ''] = mandatory(cells, ...needed);
    // A code, not "200 - Sales".
    if (/\s/.test(account)) refuse('Not a code', account);
    const amount = money(text, /^-?\d+(\.\d{1,6})?$/);
    if (amount === 0n) refuse('Nothing', cells);
    const entry = `${narration} ${date}`;
    return { entry, day: day(date, dayFirst), account, currency: '', amount };
  });
  return inOnePiece(balanced(lines));
};

/** Journal entries of NetSuite: an external id, ten digits and two decimals. */
const netsuite: Reader = (text) => {
  const header = ['External ID', 'Date', 'Currency', 'Memo'];
  const heads = new Map<string, string>();
  const lines = recordsOf(text, [...header, 'Account', 'Debit', 'Credit']).map((cells) => {
    const needed = ['External ID', 'Date', 'Currency', 'Account'];
    const [entry = '', date = '', currency = '', account = ''] = mandatory(cells, ...needed);
    const head = header.map((name) => cells[name]).join('\n');
    if ((heads.get(entry) ?? head) !== head) refuse('Two headers of an entry', cells);
    heads.set(entry, head);
    const amount = sides(cells, ['Debit', 'Credit'], /^\d{1,10}(\.\d{1,2})?$/);
    return { entry, day: day(date, monthFirst), account, currency, amount };
  });
  return inOnePiece(balanced(lines));
};

/** `account.move` of Odoo: a line with header fields begins an entry, one without continues it. */
const odoo: Reader = (text) => {
  const header = ['date', 'journal_id', 'ref'];
  const columns = ['line_ids/account_id', 'line_ids/name', 'line_ids/debit', 'line_ids/credit'];
  let head: { readonly entry: string; readonly day: string } | undefined;
  const lines = recordsOf(text, [...header, ...columns]).map((cells) => {
    if (header.some((name) => cells[name] !== '')) {
      const [date = '', , entry = ''] = mandatory(cells, ...header);
      if (entry === head?.entry) refuse('A header twice', cells);
      head = { entry, day: day(date, yearFirst) };
    }
    if (!head) return refuse('A line before its entry', cells);
    const [account = ''] = mandatory(cells, 'line_ids/account_id', 'line_ids/name');
    const amount = sides(cells, ['line_ids/debit', 'line_ids/credit']);
    return { entry: head.entry, day: head.day, account, currency: '', amount };
  });
  return inOnePiece(balanced(lines));
};

export const readers = { quickbooks, xero, netsuite, odoo } as const;
export type Target = keyof typeof readers;
export const targets = [
  'quickbooks',
  'xero',
  'netsuite',
  'odoo',
] as const satisfies readonly Target[];
