import { explainFormats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../command.ts';
import {
  addConnectionOptions,
  addFromExportOption,
  addOutputOptions,
  addReconcileOptions,
  chargeAuthOption,
  choice,
  eachUuid,
  once,
  upTo,
} from '../../flags.ts';

/** `recon explain`. */
export const explainCommand: CommandSpec = {
  name: 'explain',
  summary: 'explain why settlements do not balance: arithmetic, causes tested, residual',
  examples: [
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --output case.md',
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --neighbours 7',
  ],
  flags: (command) => {
    const days = 'days to search before and after; 0 for none (default: 3)';
    command
      .argument('<settlementId...>', 'one or more settlements', eachUuid)
      .optionsGroup('Neighbours (settlements of the same accounting token and currency):')
      .addOption(once('--neighbours <days>', days, upTo(366)))
      .option('--neighbour-rows', 'also read their rows')
      .optionsGroup('Charges:')
      .option('--charges', 'also read the charges of rows in explanations')
      .addOption(chargeAuthOption());
    addReconcileOptions(command);
    const format = choice('--format <format>', 'format (default: table)', explainFormats);
    addFromExportOption(addConnectionOptions(addOutputOptions(command, format)));
  },
  run: async (context, ids, flags) => (await import('./run.ts')).explainByIds(ids, flags, context),
};
