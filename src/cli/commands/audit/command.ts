import type { CommandSpec } from '../../command.ts';
import { auditFailOn, flags, handedOnFlags, profileFlags } from '../../flags.ts';

/** `recon audit`. */
export const auditCommand: CommandSpec = {
  name: 'audit',
  summary: 'search all exported days for what only history shows, by SQL',
  examples: [
    'recon audit /var/recon',
    'recon audit spain portugal --refund-types refund --purchase-types purchase',
    'recon audit /var/recon --print-sql spark',
  ],
  argument: {
    name: '<folder...>',
    about: 'exports with Parquet tables (recon export --parquet), or their lake folders',
  },
  flags: [
    [
      'Audit:',
      flags.refundTypes,
      flags.purchaseTypes,
      flags.silentDays,
      flags.engine,
      flags.master,
      flags.memory,
      flags.threads,
      flags.printSql,
      auditFailOn,
    ],
    handedOnFlags(),
    ['Settings:', ...profileFlags],
  ],
  run: async (context, folders) => (await import('./run.ts')).auditLakes(context, folders),
};
