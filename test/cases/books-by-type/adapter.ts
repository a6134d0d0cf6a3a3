/**
 * All that the cases know of the program's names: settings, flags, columns and sentences. Whoever
 * renames one changes this file alone.
 */
import { parse } from 'csv-parse/sync';
import type { RunResult } from '../../support/run-recon.ts';
import type { Books, OfRow, Rules } from './month.ts';
import type { Posting } from './oracle.ts';

/** The key that takes the amounts of rows of the reserve. */
export const reserveKey: OfRow = 'receivable';

/** A mapping as the settings write it. */
export function booksSettings({ general, currency, token, type, tokenType }: Books) {
  const tokens = [...new Set([...token.keys(), ...tokenType.keys()])].map((id) => {
    const types = tokenType.get(id);
    return [id, { ...token.get(id), ...(types && { type: Object.fromEntries(types) }) }] as const;
  });
  return {
    ...general,
    ...(currency.size > 0 && { currency: Object.fromEntries(currency) }),
    ...(tokens.length > 0 && { token: Object.fromEntries(tokens) }),
    ...(type.size > 0 && { type: Object.fromEntries(type) }),
  };
}

const rulesSettings = (rules: Rules) => ({
  ...(rules.isDeclinedLeftOut && { not_counted: [{ state: 'declined' }] }),
  ...(rules.isRefundTurned && { signs: [{ type: 'refund' }] }),
  ...(rules.isTaxInFees && { tax_in_fees: 'moved' }),
});

/** The settings of a profile below its connection, in TOML. */
export function profileSettings(books: object, rules?: Rules): string {
  const table = (path: string, content: object): string[] => {
    const entries = Object.entries(content);
    const isTable = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
    return [
      `[${path}]`,
      ...entries.filter(([, value]) => !isTable(value)).map(([key, value]) => line(key, value)),
      ...entries
        .filter(([, value]) => isTable(value))
        .flatMap(([key, value]) => table(`${path}.${JSON.stringify(key)}`, value)),
    ];
  };
  const ruled = rules ? table('profiles.shop.rules', rulesSettings(rules)) : [];
  return [...ruled, ...table('profiles.shop.books', books)].join('\n');
}

const line = (key: string, value: unknown) => `${JSON.stringify(key)} = ${toml(value)}`;

function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.entries(value).map(([key, one]) => line(key, one));
  return `{ ${keys.join(', ')} }`;
}

/** The arguments that write the journal of March. */
export const journal = (format: string, ...more: readonly string[]): readonly string[] => [
  ...['journal', '--month', '2026-03', '--for', format, ...more],
];

/** The arguments of the totals of March by type. */
export const totalsByType = [
  ...['settlements', '--sandbox', '--by', 'type', '--format', 'csv', '--fail-on', 'none'],
];

/** A posting as the journal has it. `kind` tells what rows make from what settlements make. */
export interface Booked extends Posting {
  readonly entry: string;
  readonly kind: string;
}

type Cells = Readonly<Record<string, string>>;

const recordsOf = (csv: string): readonly Cells[] => parse(csv, { columns: true, bom: true });

/** An amount in millionths; an empty one is 0. */
function money(text = ''): bigint {
  const match = /^([-−+]?)([\d,]+)(?:\.(\d{1,6}))?$/.exec(text === '' ? '0' : text);
  if (!match) throw new Error(`Not an amount: ${JSON.stringify(text)}`);
  const [, sign, whole = '', fraction = ''] = match;
  const size = BigInt(whole.replaceAll(',', '') + fraction.padEnd(6, '0'));
  return sign === '-' || sign === '−' ? -size : size;
}

/** Reads `--for csv`. */
export function postingsInCsv({ stdout }: Pick<RunResult, 'stdout'>): readonly Booked[] {
  return recordsOf(stdout).map((cells) => ({
    entry: cells['entry_id'] ?? '',
    settlement: cells['settlement_id'] ?? '',
    transaction: cells['transaction_id'] ?? '',
    account: cells['account'] ?? '',
    currency: cells['currency'] ?? '',
    kind: cells['purpose'] ?? '',
    amount: money(cells['debit']) - money(cells['credit']),
  }));
}

/** Reads the accounts and amounts of `--for hledger` and `--for ledger`, and checks that each account is declared. */
export function postingsInText({ stdout }: Pick<RunResult, 'stdout'>) {
  const lines = stdout.split('\n');
  const declared = lines.filter((one) => one.startsWith('account ')).map((one) => one.slice(8));
  const found = lines.flatMap((one) => {
    const match = /^ {4}(?!;)(.+?) {2,}(-?[\d.]+) ([A-Z]{3})(?!\S)/.exec(one);
    const [, account = '', amount, currency = ''] = match ?? [];
    return match ? [{ account, currency, amount: money(amount) }] : [];
  });
  const unknown = found.filter(({ account }) => !declared.includes(account));
  if (unknown.length > 0) throw new Error(`Not declared: ${JSON.stringify(unknown)}`);
  return found;
}

/** What a journal says of a type without an entry. */
export interface ToldType {
  readonly type: string;
  readonly rows: number;
  readonly amounts: readonly (readonly [currency: string, amount: bigint])[];
  readonly bookedTo: string;
}

const signed = '[-−+]?[\\d,]*\\d(?:\\.\\d+)?';
const amountIn = new RegExp(`\\b([A-Z]{3}) (${signed})|(${signed}) ([A-Z]{3})\\b`, 'g');

/** The types that a text names: "2 rows of the new type `adjustment`, EUR −12.00, booked to …". */
export function newTypesIn(text: string): readonly ToldType[] {
  const sentence = /([\d,]+) transactions? of the new type ([`"])(.*?)\2[,:](.*?),? booked to (.*)/;
  return text
    .split('\n')
    .filter((one) => one.includes('new type'))
    .map((one) => {
      const [, rows, , type = '', amounts = '', bookedTo = ''] = sentence.exec(one) ?? [];
      if (rows === undefined) throw new Error(`Not understood: ${one}`);
      const found = [...amounts.matchAll(amountIn)].map(
        ([, before, one, other, after]) => [before ?? after ?? '', money(one ?? other)] as const,
      );
      return {
        type: type.replaceAll('\\"', '"'),
        rows: Number(rows.replaceAll(',', '')),
        amounts: found,
        bookedTo,
      };
    });
}

/** Rows and gross by type and currency, of `settlements --by type --format csv`. */
export function totalsIn({ stdout }: Pick<RunResult, 'stdout'>): ReadonlyMap<string, string> {
  return new Map(
    recordsOf(stdout).map((cells) => [
      `${cells['transaction_type']} ${cells['currency']}`,
      `${cells['transactions_computed']} ${cells['gross_computed']}`,
    ]),
  );
}
