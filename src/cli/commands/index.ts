import type { CommandSpec } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { print } from '../host.ts';
import { acceptCommand } from './accept/command.ts';
import { auditCommand } from './audit/command.ts';
import { bankCommand } from './bank/command.ts';
import { chargeCommand } from './charge/command.ts';
import { completeCommand } from './complete.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { explainCommand } from './explain/command.ts';
import { exportCommand } from './export/command.ts';
import { journalCommand } from './journal/command.ts';
import { listenCommand } from './listen/command.ts';
import { nightlyCommand } from './nightly/command.ts';
import { sandboxCommand } from './sandbox/command.ts';
import { settlementsCommand } from './settlements/command.ts';
import { transactionsCommand } from './transactions/command.ts';

/** `recon version`: prints it, as `recon --version` does. */
const versionCommand: CommandSpec = {
  name: 'version',
  summary: 'print the version',
  run: async ({ host }) => {
    await print(host, `${RECON_VERSION}\n`);
    return exitCodes.ok;
  },
};

/** All commands, in the order in which help names them. */
export const commands: readonly CommandSpec[] = [
  settlementsCommand,
  explainCommand,
  transactionsCommand,
  exportCommand,
  nightlyCommand,
  bankCommand,
  journalCommand,
  auditCommand,
  acceptCommand,
  chargeCommand,
  doctorCommand,
  listenCommand,
  sandboxCommand,
  configCommand,
  completionCommand,
  versionCommand,
  completeCommand,
];
