import { handedOnFormats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../command.ts';
import {
  filterFlags,
  flags,
  handedOnFlags,
  judgementFlags,
  nightlyFailOn,
  sourcesFlags,
} from '../../flags.ts';

/** `recon nightly`. */
export const nightlyCommand: CommandSpec = {
  name: 'nightly',
  summary: 'export every day that is due, and report what is new since the last run',
  examples: [
    'recon nightly --out /var/recon --since 2026-01-01',
    'recon nightly --out /var/recon --quiet',
    'recon nightly --out /var/recon --all-profiles --quiet',
    'recon nightly --out /var/recon --dry-run',
  ],
  flags: [
    [
      'Export:',
      { ...flags.out, isMandatory: true },
      flags.since,
      flags.deep,
      flags.keep,
      flags.rebind,
      flags.parquet,
      flags.dryRun,
    ],
    filterFlags,
    [...judgementFlags, flags.accepted, nightlyFailOn],
    ['Bank:', { ...flags.bank, isHidden: true }, { ...flags.payoutAccounts, isHidden: true }],
    handedOnFlags({ formats: handedOnFormats, piped: 'table' }),
    sourcesFlags,
  ],
  run: async (context) =>
    context.flags.dryRun
      ? (await import('./dry-run.ts')).dryRunOfNight(context)
      : (await import('./run.ts')).nightly(context),
};
