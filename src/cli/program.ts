import { Command } from 'commander';
import { explainFormats } from '../render/formats.ts';
import { addChargeCommand } from './commands/charge/command.ts';
import { addCompletionCommands } from './commands/completion/command.ts';
import { addConfigCommands } from './commands/config/command.ts';
import { addDoctorCommand } from './commands/doctor/command.ts';
import { addExportCommand } from './commands/export/command.ts';
import { addListenCommand } from './commands/listen/command.ts';
import { addTransactionsCommand } from './commands/transactions/command.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { exampleHelp, exitCodeHelp, settingsHelp } from './help.ts';
import {
  addConnectionOptions,
  addFromExportOption,
  addOutputOptions,
  addRangeOptions,
  addReconcileOptions,
  chargeAuthOption,
  choice,
  choices,
  dryRunOption,
  eachUuid,
  faultOption,
  once,
  scenarioOption,
  upTo,
} from './options.ts';
import { print } from './output.ts';
import { identities, ignorableChecks } from './setting-choices.ts';

declare const RECON_VERSION: string;

const verdicts = ['balanced', 'out_of_balance', 'pending', 'incomplete'];

/** A command, run with its flags; gives the exit code. Its module is loaded only then. */
export type Run = () => Promise<number>;

/** The tree of commands. `run` is handed what was chosen. */
export function createProgram(context: Context, run: (work: Run) => void): Command {
  let help = '';
  const program = new Command('recon')
    .description(
      'Settlement reconciliation: reads every settlement exactly once, checks every amount to the last minor unit, and says what does not add up, by how much, and why.',
    )
    .version(RECON_VERSION)
    // Errors are thrown, and told by whoever runs the program.
    .exitOverride()
    .configureOutput({
      // It comes in pieces, and to print them all is then what there is to do.
      writeOut: (text) => {
        help += text;
        run(async () => {
          await print(context.host.stdout, help);
          return exitCodes.ok;
        });
      },
      writeErr: () => {},
      getOutHelpWidth: () => context.host.stdout.columns ?? 80,
      getOutHasColors: () => false,
    })
    .addHelpText(
      'before',
      exampleHelp('recon settlements --sandbox', 'recon settlements --from -7d --to yesterday'),
    )
    .addHelpText('after', exitCodeHelp());

  const settlements = program
    .command('settlements')
    .description('reconcile the settlements of a range and their transactions')
    .addHelpText(
      'before',
      exampleHelp(
        'recon settlements --sandbox',
        'recon settlements --month 2026-03',
        'recon settlements --from -7d --to yesterday --output week.csv',
        'recon settlements --on yesterday --by group --format json --profile spain',
      ),
    )
    .addHelpText('after', settingsHelp() + exitCodeHelp());
  addRangeOptions(settlements);
  addReconcileOptions(settlements, { identities, checks: ignorableChecks });
  addOutputOptions(settlements)
    .addOption(
      choice('--by <what>', 'a line for each settlement or group', ['settlement', 'group']),
    )
    .option('--no-explain', 'do not look for what makes a settlement out of balance')
    .addOption(choices('--only <verdicts>', 'show some verdicts; totals stay whole', verdicts))
    .addOption(dryRunOption());
  addFromExportOption(addConnectionOptions(settlements)).action((flags) =>
    run(async () => (await import('./commands/settlements/run.ts')).settlements(flags, context)),
  );

  const explain = program
    .command('explain')
    .argument('<settlementId...>', 'one settlement, or several', eachUuid)
    .description('say why settlements do not add up: the arithmetic, the causes tested, what stays')
    .addHelpText(
      'before',
      exampleHelp(
        'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
        'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --format markdown --output case.md',
        'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --neighbours 7 --neighbour-rows',
      ),
    )
    .addHelpText('after', settingsHelp() + exitCodeHelp())
    .optionsGroup('Neighbours (settlements of the same accounting token and currency):')
    .addOption(
      once(
        '--neighbours <days>',
        'how far to look before and after; 0: not (default: 3)',
        upTo(366),
      ),
    )
    .option('--neighbour-rows', 'read their rows too')
    .optionsGroup('Charges:')
    .option('--charges', 'read the charges of the rows that an explanation names')
    .addOption(chargeAuthOption());
  addReconcileOptions(explain, { identities, checks: ignorableChecks });
  const format = choice('--format <format>', 'table, unless given', explainFormats);
  addFromExportOption(addConnectionOptions(addOutputOptions(explain, format))).action(
    (ids, flags) =>
      run(async () => (await import('./commands/explain/run.ts')).explain(ids, flags, context)),
  );

  addTransactionsCommand(program, context, run);
  addExportCommand(program, context, run);
  addChargeCommand(program, context, run);
  addDoctorCommand(program, context, run);

  addListenCommand(program, context, run);

  program
    .command('sandbox')
    .description('run the service itself on this machine, with made-up data')
    .addOption(once('--port <number>', 'where to listen (default: any free port)', upTo(65_535)))
    .addOption(once('--host <address>', 'where to listen (default: 127.0.0.1)'))
    .addOption(scenarioOption('which data it holds'))
    .addOption(faultOption('how it misbehaves; may be repeated'))
    .addOption(once('--notify <url>', 'where to send the webhooks of its data'))
    .option('--list', 'list the scenarios and the faults, and stop')
    .addHelpText(
      'before',
      exampleHelp(
        'recon sandbox --list',
        'recon sandbox --port 8080 --scenario refund',
        'recon sandbox --port 8080 --fault wrapper-429=every:5 --fault page-max=30',
        'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook --fault webhook-twice',
      ),
    )
    .action((flags) =>
      run(async () => (await import('./commands/sandbox/run.ts')).sandbox(flags, context)),
    );

  addConfigCommands(program, context, run);
  addCompletionCommands(program, context, run);
  return program;
}
