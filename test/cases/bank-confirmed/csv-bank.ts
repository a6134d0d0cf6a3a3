import { writeFileSync } from 'node:fs';
import {
  books,
  type Company,
  type Listed,
  openCompany,
  usual,
  web,
} from '../closed-stays-true/company.ts';

/** A bank that drops the ids: two accounts, two currencies, files with a balance after each row. */
const settings = [...usual.filter((one) => !one.startsWith('payout')), 'accepted = "accepted.csv"'];
const mapping = [
  '[profiles.main.bank_csv]',
  'delimiter = ";"',
  'decimal = ","',
  'date_format = "DD.MM.YYYY"',
  'date = "Booked"',
  'amount = "Amount"',
  'currency = "Currency"',
  'account = "Account"',
  'balance = "Balance"',
  'texts = ["Text"]',
];

/** The settings and the tables of a profile, with rules for bank lines. */
export const profile = (rules: readonly string[] = []) =>
  [settings, [...mapping, ...rules, ...books]] as const;

export const open = (rules?: readonly string[]): Promise<Company> =>
  openCompany(...profile(rules)).then((company) => {
    company.becomes('2026-04-02');
    return company;
  });

export type Line = readonly [day: string, amount: string, balance: string, text: string];

export const euros = ['DE79123456780000143027', 'EUR'] as const;
export const yens = ['DE02120300000000202051', 'JPY'] as const;

/** Writes a file of the bank. */
export function write(
  company: Company,
  name: string,
  [account, currency]: readonly [string, string],
  ...lines: readonly Line[]
): void {
  const rows = lines.map((line) => [account, currency, ...line].join(';'));
  const text = ['Account;Currency;Booked;Amount;Balance;Text', ...rows].join('\r\n');
  writeFileSync(company.file(`bank/${name}`), `${text}\r\n`);
}

const idOf = (letter: string) => `${letter.repeat(8)}-1a2b-4c3d-8e4f-5a6b7c8d9e0f`;

/** A settlement with an end-to-end id that is too short to count in a text. */
export const listed = (
  letter: string,
  day: string,
  a: number,
  more: Partial<Listed> = {},
): Listed => ({
  ...{ id: idOf(letter), day, rows: [{ a, f: 0, t: 0 }] },
  ...{ endToEndId: `E2E-${letter}`, token: web },
  ...more,
});
