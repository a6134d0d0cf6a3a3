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
  summary: 'say why settlements do not add up: the arithmetic, the causes tested, what stays',
  examples: [
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --output case.md',
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --neighbours 7',
  ],
  flags: (command) => {
    const days = 'how far to look before and after; 0: not (default: 3)';
    command
      .argument('<settlementId...>', 'one settlement, or several', eachUuid)
      .optionsGroup('Neighbours (settlements of the same accounting token and currency):')
      .addOption(once('--neighbours <days>', days, upTo(366)))
      .option('--neighbour-rows', 'read their rows too')
      .optionsGroup('Charges:')
      .option('--charges', 'read the charges of the rows that an explanation names')
      .addOption(chargeAuthOption());
    addReconcileOptions(command);
    const format = choice('--format <format>', 'table, unless given', explainFormats);
    addFromExportOption(addConnectionOptions(addOutputOptions(command, format)));
  },
  run: async (context, ids, flags) => (await import('./run.ts')).explainByIds(ids, flags, context),
};
