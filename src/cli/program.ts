import { Command } from 'commander';
import type { Context } from './context.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import {
  addConnectionOptions,
  addOutputOptions,
  addRangeOptions,
  addReconcileOptions,
  choice,
  choices,
  once,
  repeated,
  wholeNumber,
} from './options.ts';
import { identities, ignorableChecks } from './settings.ts';

declare const RECON_VERSION: string;

const verdicts = ['balanced', 'out_of_balance', 'pending', 'incomplete'];

/** A command, run with its flags; gives the exit code. Its module is loaded only then. */
type Run = () => Promise<number>;

/** The tree of commands. `run` is handed what was chosen. */
export function createProgram(context: Context, run: (work: Run) => void): Command {
  const program = new Command('recon')
    .description(
      'Settlement reconciliation: reads every settlement exactly once, checks every amount\nto the last minor unit, and says what does not add up, by how much, and why.',
    )
    .version(RECON_VERSION)
    // Errors are thrown, and told by whoever runs the program.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.host.stdout.write(text),
      writeErr: () => {},
      getOutHelpWidth: () => context.host.stdout.columns ?? 80,
      getOutHasColors: () => false,
    })
    .addHelpText('after', exitCodeHelp());

  const settlements = program
    .command('settlements')
    .description('reconcile the settlements of a range and their transactions')
    .addHelpText('after', settlementsExamples());
  addRangeOptions(settlements);
  addReconcileOptions(settlements, { identities, checks: ignorableChecks });
  addOutputOptions(settlements)
    .addOption(
      choice('--by <what>', 'a line for each settlement or group', ['settlement', 'group']),
    )
    .addOption(choices('--only <verdicts>', 'show some verdicts; totals stay whole', verdicts));
  addConnectionOptions(settlements).action((flags) =>
    run(async () => (await import('./commands/settlements.ts')).settlements(flags, context)),
  );

  program
    .command('sandbox')
    .description('run the service itself on this machine, with made-up data')
    .addOption(once('--port <number>', 'where to listen (default: any free port)', wholeNumber))
    .addOption(once('--host <address>', 'where to listen (default: 127.0.0.1)'))
    .addOption(once('--scenario <name>', 'which data it holds'))
    .addOption(repeated('--fault <name>', 'how it misbehaves'))
    .action((flags) =>
      run(async () => (await import('./commands/sandbox.ts')).sandbox(flags, context)),
    );
  return program;
}

function settlementsExamples(): string {
  return `
Examples:
  recon settlements --sandbox
  recon settlements --month 2026-03
  recon settlements --from -7d --to yesterday --output week.csv
  recon settlements --on yesterday --by group --format json --profile spain

Settings come from flags, then the environment (RECON_BASE_URL, RECON_AUTH_URL, RECON_CLIENT_ID,
RECON_CLIENT_SECRET, RECON_AUDIENCE, each also as ..._FILE), then a profile of the configuration
file ($XDG_CONFIG_HOME/recon/config.toml).
${exitCodeHelp()}`;
}

function exitCodeHelp(): string {
  const lines = exitCodeMeanings.map(([code, meaning]) => `  ${code.padEnd(10)}${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}
