import { explainFormats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../command.ts';
import {
  flags,
  formatFlag,
  outputFlags,
  reportFlags,
  sourceOrExportFlags,
  uuids,
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
  argument: uuids('<settlementId...>', 'one or more settlements'),
  flags: [
    [
      'Neighbours (settlements of the same accounting token and currency):',
      flags.neighbours,
      flags.neighbourRows,
    ],
    ['Charges:', flags.charges, flags.chargeAuth],
    reportFlags,
    outputFlags(formatFlag('format (default: table)', explainFormats)),
    sourceOrExportFlags,
  ],
  run: async (context, ids) => (await import('./run.ts')).explainByIds(context, ids),
};
