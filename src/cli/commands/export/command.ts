import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { exampleHelp, exitCodeHelp, settingsHelp } from '../../help.ts';
import { offering } from '../../offers.ts';
import {
  addConnectionOptions,
  addOutputOptions,
  addRangeOptions,
  addReconcileOptions,
  once,
  wholeNumber,
} from '../../options.ts';
import { identities, ignorableChecks } from '../../setting-choices.ts';

/** `recon export`. */
export function addExportCommand(
  program: Command,
  context: Context,
  run: (work: () => Promise<number>) => void,
): void {
  const command = program
    .command('export')
    .description('write a folder of files for each day of a range, complete or not at all')
    .addHelpText(
      'before',
      exampleHelp(
        'recon export --from -7d --to yesterday --out /var/recon --quiet',
        'recon export --month 2026-03 --out march --deep',
        'recon export --verify --out march',
        'recon settlements --from-export march',
      ),
    )
    .addHelpText('after', settingsHelp() + exitCodeHelp());
  command
    .optionsGroup('Export:')
    .addOption(offering(once('--out <folder>', 'where the days go').makeOptionMandatory(), 'files'))
    .option('--deep', 'read the rows of days too whose headers say that nothing changed')
    .addOption(
      once('--keep <number>', 'superseded versions to keep of a day (default: all)', wholeNumber),
    )
    .option('--rebind', 'take over a folder whose host or profile only has another name now')
    .option('--verify', 'only check what is there, without the service; nothing is written');
  addRangeOptions(command);
  addReconcileOptions(command, { identities, checks: ignorableChecks });
  addOutputOptions(command);
  addConnectionOptions(command).action((flags) =>
    run(async () =>
      flags.verify
        ? (await import('./verify.ts')).verify(flags, context)
        : (await import('./run.ts')).exportRange(flags, context),
    ),
  );
}
