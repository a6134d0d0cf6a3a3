import type { Scenario } from '../scenarios.ts';
import { sandboxAccounts } from './accounts.ts';
import { camtOf } from './camt.ts';
import { bankCsvOf } from './csv.ts';
import { mt940Of } from './mt940.ts';

/** The statement that the bank sends for a scenario: a camt.053 with all accounts. */
export function camtStatement(scenario: Scenario) {
  return { name: `${scenario.name}.xml`, text: camtOf(scenario.name, sandboxAccounts(scenario)) };
}

/** The same entries in every format: camt.053 and MT940 with all accounts, a CSV file an account. */
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
