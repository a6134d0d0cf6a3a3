import { type AnyCommand, runnable } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { print } from '../host.ts';
import { acceptCommand } from './accept/command.ts';
import { auditCommand } from './audit/command.ts';
import { bankCommand } from './bank/command.ts';
import { chargeCommand } from './charge/command.ts';
import { closeCommand } from './close/command.ts';
import { completionCommands } from './completion.ts';
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
import { reviewCommand } from './review/command.ts';
import { sandboxCommand } from './sandbox/command.ts';
import { settlementsCommand } from './settlements/command.ts';
import { transactionsCommand } from './transactions/command.ts';

const versionCommand: AnyCommand = {
  name: 'version',
  summary: 'print the version',
  run: async ({ host }) => {
    await print(host, `${RECON_VERSION}\n`);
    return exitCodes.ok;
  },
};

/** All commands, each with what runs it. */
const groups: Readonly<Record<string, readonly AnyCommand[]>> = {
  'Every day:': [
    runnable(settlementsCommand, async () => (await import('./settlements/run.ts')).settlements),
    runnable(explainCommand, async () => (await import('./explain/run.ts')).explain),
    runnable(transactionsCommand, async () => (await import('./transactions/run.ts')).transactions),
    runnable(exportCommand, async () => (await import('./export/run.ts')).runExport),
    runnable(nightlyCommand, async () => (await import('./nightly/run.ts')).nightly),
  ],
  'Month end:': [
    runnable(ordersCommand, async () => (await import('./orders/run.ts')).orders),
    runnable(feesCommand, async () => (await import('./fees/run.ts')).fees),
    runnable(bankCommand, async () => (await import('./bank/run.ts')).bank),
    runnable(journalCommand, async () => (await import('./journal/run.ts')).journal),
    runnable(acceptCommand, async () => (await import('./accept/run.ts')).accept),
    runnable(reviewCommand, async () => (await import('./review/run.ts')).review),
    runnable(closeCommand, async () => (await import('./close/run.ts')).close),
  ],
  'For engineers:': [
    runnable(chargeCommand, async () => (await import('./charge/run.ts')).charge),
    runnable(auditCommand, async () => (await import('./audit/run.ts')).auditLakes),
    runnable(lakeCommand, async () => (await import('./lake/run.ts')).writeLake),
    runnable(listenCommand, async () => (await import('./listen/run.ts')).listen),
    runnable(sandboxCommand, async () => (await import('./sandbox/run.ts')).sandbox),
  ],
  'Set-up:': [
    runnable(doctorCommand, async () => (await import('./doctor/run.ts')).doctor),
    configCommand,
    ...completionCommands,
    versionCommand,
  ],
};

export const commands: readonly AnyCommand[] = Object.entries(groups).flatMap(([group, specs]) =>
  specs.map((one) => ({ ...one, group })),
);
