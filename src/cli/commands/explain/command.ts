import { ticketFormats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../command.ts';
import {
  flags,
  handedOnFlags,
  rangeFlags,
  reportFlags,
  sourceOrExportFlags,
  uuids,
} from '../../flags.ts';

/** `recon explain`. */
export const explainCommand: CommandSpec = {
  name: 'explain',
  summary: 'explain why settlements do not balance: arithmetic, causes',
  examples: [
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
    'recon explain --month last',
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --output case.md',
  ],
  argument: uuids('[settlementId...]', 'one or more settlements, or use a range'),
  flags: [
    ...rangeFlags,
    [
      'Explanation (neighbours have the same accounting token and currency):',
      flags.neighbours,
      flags.neighbourRows,
      { ...flags.deep, about: 'read neighbours with more than 20 requests', isHidden: false },
      flags.charges,
      flags.chargeAuth,
      { ...flags.all, about: 'list all causes tested, including those ruled out' },
    ],
    reportFlags,
    handedOnFlags({ formats: ticketFormats, piped: 'table' }),
    sourceOrExportFlags,
  ],
  run: async (context, ids) => (await import('./run.ts')).explain(context, ids),
};
