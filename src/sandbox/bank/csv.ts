import { formatMinor } from '../../money/money.ts';
import { type SandboxAccount, type SandboxEntry, withoutDetails } from './accounts.ts';

/** The entries of an account as many banks write them: semicolons, decimal commas, days as 03.03.2026. */
export function bankCsvOf(account: SandboxAccount): string {
  return [header, ...account.entries.map((one) => record(one, account))]
    .map((cells) => `${cells.map(quoted).join(';')}\r\n`)
    .join('');
}

const header = [
  ...['Account', 'Booking date', 'Value date', 'Amount', 'Currency'],
  ...['Name', 'IBAN', 'End-to-end ID', 'Text', 'Bank reference'],
];

function record(one: SandboxEntry, { iban, currency, scale }: SandboxAccount) {
  const day = one.date.split('-').reverse().join('.');
  const { endToEndId, text } = withoutDetails(one);
  const amount = formatMinor(one.amount, scale).replace('.', ',');
  return [
    ...[iban, day, day, amount, currency],
    ...[one.name, one.iban, endToEndId, text, one.reference],
  ];
}

function quoted(cell: string): string {
  return /[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
