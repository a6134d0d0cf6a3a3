import { formatMinor, magnitude } from '../../money/money.ts';
import type { Scenario } from '../scenario.ts';
import {
  type SandboxAccount,
  type SandboxEntry,
  sandboxAccounts,
  withoutDetails,
} from './accounts.ts';
import { camtOf } from './camt.ts';

/** The camt.053 statement of a scenario. */
export function camtStatement(scenario: Scenario) {
  return { name: `${scenario.name}.xml`, text: camtOf(scenario.name, sandboxAccounts(scenario)) };
}

/** The statements of a scenario in every format. */
export function statementsIn(scenario: Scenario) {
  const accounts = sandboxAccounts(scenario);
  return [
    camtStatement(scenario),
    { name: `${scenario.name}.mt940`, text: mt940Of(accounts) },
    ...accounts.map((account) => ({
      name: `${scenario.name}-${account.currency.toLowerCase()}.csv`,
      text: bankCsvOf(account),
    })),
  ];
}

/** Semicolons, decimal commas, days as 03.03.2026. */
function bankCsvOf(account: SandboxAccount): string {
  return [header, ...account.entries.map((one) => record(one, account))]
    .map((cells) => `${cells.map(quoted).join(';')}\r\n`)
    .join('');
}

const header = [
  'Account',
  'Booking date',
  'Value date',
  'Amount',
  'Currency',
  'Name',
  'IBAN',
  'End-to-end ID',
  'Text',
  'Bank reference',
];

function record(one: SandboxEntry, { iban, currency, scale }: SandboxAccount) {
  const day = one.date.split('-').reverse().join('.');
  const { endToEndId, text } = withoutDetails(one);
  const amount = formatMinor(one.amount, scale).replace('.', ',');
  return [iban, day, day, amount, currency, one.name, one.iban, endToEndId, text, one.reference];
}

function quoted(cell: string): string {
  return /[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** MT940 with `:86:` in subfields, as German banks write it. */
function mt940Of(accounts: readonly SandboxAccount[]): string {
  return accounts
    .flatMap((account, at) => [
      `:20:STATEMENT${at + 1}`,
      `:25:${account.iban}`,
      ':28C:1/1',
      `:60F:${balanceLine(account.opening, account.from, account)}`,
      ...account.entries.flatMap((one) => entryLines(one, account)),
      `:62F:${balanceLine(account.closing, account.to, account)}`,
      '-',
    ])
    .map((line) => `${line}\r\n`)
    .join('');
}

function balanceLine(minor: bigint, day: string, account: SandboxAccount): string {
  return `${sign(minor)}${short(day)}${account.currency}${amount(minor, account)}`;
}

function entryLines(one: SandboxEntry, account: SandboxAccount): readonly string[] {
  const day = short(one.date);
  const line = `:61:${day}${day.slice(2)}${sign(one.amount)}${amount(one.amount, account)}NTRFNONREF//${one.reference}`;
  return [line, ...(`:86:${information(one)}`.match(/.{1,65}/g) ?? [])];
}

/** Subfields have at most 27 characters. */
function information(one: SandboxEntry): string {
  const { amount: minor, name, iban } = one;
  const { endToEndId, text } = withoutDetails(one);
  const pieces = [`EREF+${plain(endToEndId) || 'NOTPROVIDED'}`, `SVWZ+${plain(text)}`].flatMap(
    (part) => part.match(/.{1,27}/g) ?? [],
  );
  const subfields = pieces.map((piece, at) => `?${at < 10 ? 20 + at : 50 + at}${piece}`);
  const [code, kind] = minor < 0n ? ['177', 'TRANSFER'] : ['166', 'CREDIT'];
  return `${code}?00${kind}${subfields.join('')}?31${iban}?32${plain(name).slice(0, 27)}`;
}

/** The SWIFT characters without the separator. */
const plain = (text: string): string => text.replace(/[^A-Za-z0-9/\-:().,'+ ]/g, '.');

const sign = (minor: bigint): string => (minor < 0n ? 'D' : 'C');

function amount(minor: bigint, { scale }: SandboxAccount): string {
  const text = formatMinor(magnitude(minor), scale);
  return scale === 0 ? `${text},` : text.replace('.', ',');
}

const short = (day: string): string => day.slice(2).replaceAll('-', '');
