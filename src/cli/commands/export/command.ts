import { Option } from 'commander';
import type { CommandSpec } from '../../command.ts';
import {
  addConnectionOptions,
  addOutputOptions,
  addRangeOptions,
  addReconcileOptions,
  once,
  suggesting,
  wholeNumber,
} from '../../flags.ts';

/** `recon export`. */
export const exportCommand: CommandSpec = {
  name: 'export',
  summary: 'write a folder of files for each day of a range, complete or not at all',
  examples: [
    'recon export --from -7d --to yesterday --out /var/recon --quiet',
    'recon export --month 2026-03 --out march --deep',
    'recon export --verify --out march',
    'recon settlements --from-export march',
  ],
  flags: (command) => {
    const out = once('--out <folder>', 'where the days go').makeOptionMandatory();
    const deep = 'read the rows of days too whose headers say that nothing changed';
    const rebind = 'take over a folder whose host or profile only has another name now';
    const keep = 'superseded versions to keep of a day (default: all)';
    command
      .optionsGroup('Export:')
      .addOption(suggesting(out, 'files'))
      .addOption(new Option('--deep', deep).hideHelp())
      .addOption(once('--keep <number>', keep, wholeNumber).hideHelp())
      .addOption(new Option('--rebind', rebind).hideHelp())
      .option('--verify', 'only check what is there, without the service; nothing is written');
    addConnectionOptions(addOutputOptions(addReconcileOptions(addRangeOptions(command))));
  },
  run: async (context, flags) =>
    flags.verify
      ? (await import('./verify.ts')).verify(flags, context)
      : (await import('./run.ts')).exportRange(flags, context),
};
