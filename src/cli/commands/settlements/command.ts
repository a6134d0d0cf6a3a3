import { Option } from 'commander';
import type { CommandSpec } from '../../command.ts';
import {
  addConnectionOptions,
  addFromExportOption,
  addOutputOptions,
  addRangeOptions,
  addReconcileOptions,
  choice,
  choices,
  dryRunOption,
} from '../../flags.ts';

const verdicts = ['balanced', 'out_of_balance', 'pending', 'incomplete'];

/** `recon settlements`. */
export const settlementsCommand: CommandSpec = {
  name: 'settlements',
  summary: 'reconcile the settlements of a range and their transactions',
  examples: [
    'recon settlements --sandbox',
    'recon settlements --month last',
    'recon settlements --from -7d --to yesterday --output week.csv',
    'recon settlements --on yesterday --by group --format json --profile spain',
  ],
  flags: (command) => {
    const by = 'one line per settlement or per group';
    const noExplain = 'do not search for explanations';
    addReconcileOptions(addRangeOptions(command))
      .optionsGroup('Report:')
      .addOption(choice('--by <what>', by, ['settlement', 'group']))
      .addOption(
        choices(
          '--only <verdicts>',
          'show only these verdicts (totals are not filtered)',
          verdicts,
        ),
      )
      .addOption(new Option('--no-explain', noExplain).hideHelp())
      .addOption(dryRunOption());
    addOutputOptions(command);
    addFromExportOption(addConnectionOptions(command));
  },
  run: async (context, flags) => (await import('./run.ts')).settlements(flags, context),
};
