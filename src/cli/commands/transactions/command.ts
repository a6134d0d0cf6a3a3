import type { CommandSpec } from '../../command.ts';
import { flags, outputFlags, rangeFlags, sourceOrExportFlags } from '../../flags.ts';

/** `recon transactions`. */
export const transactionsCommand: CommandSpec = {
  name: 'transactions',
  summary: 'list the transactions of a range or of one settlement',
  examples: [
    'recon transactions --sandbox',
    'recon transactions --month last --output march.csv --note merchant_order_ref',
    'recon transactions --from -7d --to yesterday --state declined --format ndjson',
    'recon transactions --settlement be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
  ],
  flags: [
    ...rangeFlags,
    ['Range (settlement dates, inclusive):', flags.settlement],
    ['Filters applied after reading (exact values):', flags.state, flags.type, flags.paymentType],
    [...outputFlags(), flags.dryRun, flags.note, flags.notes],
    sourceOrExportFlags,
  ],
  run: async (context) => (await import('./run.ts')).transactions(context),
};
