import type { CommandSpec } from '../../command.ts';
import {
  flags,
  handedOnFlags,
  judgementFlags,
  rangeFlags,
  settlementsFailOn,
  sourcesFlags,
} from '../../flags.ts';

/** `recon settlements`. */
export const settlementsCommand: CommandSpec = {
  name: 'settlements',
  summary: 'reconcile the settlements of a range and their transactions',
  examples: [
    'recon settlements --sandbox',
    'recon settlements --from -7d --to yesterday --output week.csv',
    'recon settlements --month last --output month.xlsx',
    'recon settlements --month last --by month,payment --profile spain',
    'recon settlements --on yesterday --all-profiles --output yesterday.csv',
  ],
  flags: [
    ...rangeFlags,
    [...judgementFlags, settlementsFailOn, flags.accepted],
    [
      'Report:',
      flags.by,
      flags.only,
      { ...flags.all, about: 'list each settlement, however many there are', isHidden: true },
      flags.compare,
      flags.drift,
      {
        ...flags.bank,
        about: 'bank statements to match the pay-outs with',
      },
      { ...flags.payoutAccounts, isHidden: true },
      flags.explain,
      flags.dryRun,
    ],
    [...handedOnFlags(), flags.rows],
    [...sourcesFlags, flags.fromExport],
  ],
  run: async (context) => (await import('./run.ts')).settlements(context),
};
