import type { CommandSpec } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { print } from '../host.ts';
import { acceptCommand } from './accept/command.ts';
import { auditCommand } from './audit/command.ts';
import { bankCommand } from './bank/command.ts';
import { chargeCommand } from './charge/command.ts';
import { closeCommand } from './close/command.ts';
import { completeCommand, completionCommand } from './completion.ts';
import { configCommand } from './config/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { explainCommand } from './explain/command.ts';
import { exportCommand } from './export/command.ts';
import { feesCommand } from './fees/command.ts';
import { journalCommand } from './journal/command.ts';
import { lakeCommand } from './lake/command.ts';
import { listenCommand } from './listen/command.ts';
import { nightlyCommand } from './nightly/command.ts';
import { ordersCommand } from './orders/command.ts';
import { sandboxCommand } from './sandbox/command.ts';
import { settlementsCommand } from './settlements/command.ts';
import { transactionsCommand } from './transactions/command.ts';

const versionCommand: CommandSpec = {
  name: 'version',
  summary: 'print the version',
  run: async ({ host }) => {
    await print(host, `${RECON_VERSION}\n`);
    return exitCodes.ok;
  },
};

const groups: Readonly<Record<string, readonly CommandSpec[]>> = {
  'Every day:': [
    settlementsCommand,
    explainCommand,
    transactionsCommand,
    exportCommand,
    nightlyCommand,
  ],
  'Month end:': [
    ordersCommand,
    feesCommand,
    bankCommand,
    journalCommand,
    acceptCommand,
    closeCommand,
  ],
  'For engineers:': [chargeCommand, auditCommand, lakeCommand, listenCommand, sandboxCommand],
  'Set-up:': [doctorCommand, configCommand, completionCommand, versionCommand, completeCommand],
};

export const commands: readonly CommandSpec[] = Object.entries(groups).flatMap(([group, specs]) =>
  specs.map((one) => ({ ...one, group })),
);
