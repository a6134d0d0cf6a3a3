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
  summary: 'write one folder of files per day, complete or not at all',
  examples: [
    'recon export --from -7d --to yesterday --out /var/recon --quiet',
    'recon export --month 2026-03 --out march --deep',
    'recon export --verify --out march',
    'recon settlements --from-export march',
  ],
  flags: (command) => {
    const out = once('--out <folder>', 'folder for the daily files').makeOptionMandatory();
    const deep = 'also reread the rows of days whose headers have not changed';
    const rebind = 'continue an export whose host or profile was renamed';
    const keep = 'superseded versions to keep per day (default: all)';
    command
      .optionsGroup('Export:')
      .addOption(suggesting(out, 'files'))
      .addOption(new Option('--deep', deep).hideHelp())
      .addOption(once('--keep <number>', keep, wholeNumber).hideHelp())
      .addOption(new Option('--rebind', rebind).hideHelp())
      .option('--verify', 'only check the export, without the service; writes nothing');
    addConnectionOptions(addOutputOptions(addReconcileOptions(addRangeOptions(command))));
  },
  run: async (context, flags) =>
    flags.verify
      ? (await import('./verify.ts')).verify(flags, context)
      : (await import('./run.ts')).exportRange(flags, context),
};
