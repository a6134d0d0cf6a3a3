import { formatMinor } from '../../money/money.ts';
import type { Scenario } from '../scenario.ts';
import {
  type SandboxAccount,
  type SandboxEntry,
  sandboxAccounts,
  withoutDetails,
} from './accounts.ts';
import { camtOf } from './camt.ts';
import { mt940Of } from './mt940.ts';

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
