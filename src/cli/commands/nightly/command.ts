import { handedOnFormats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../context.ts';
import {
  failOnFlag,
  filterFlags,
  flags,
  handedOnFlags,
  judgementFlags,
  sourcesFlags,
} from '../../flags.ts';

export const nightlyCommand: CommandSpec = {
  name: 'nightly',
  summary: 'export all days that are due, and report what is new',
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
    [...judgementFlags, flags.accepted, failOnFlag('nightly')],
    ['Bank:', { ...flags.bank, isHidden: true }, { ...flags.payoutAccounts, isHidden: true }],
    handedOnFlags({ formats: handedOnFormats, piped: 'table' }),
    sourcesFlags,
  ],
  run: async (context) =>
    context.flags.dryRun
      ? (await import('./dry-run.ts')).dryRunOfNight(context)
      : (await import('./run.ts')).nightly(context),
};
