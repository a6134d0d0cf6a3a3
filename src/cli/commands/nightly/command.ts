import { officeFormats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../context.ts';
import { once } from '../../flag.ts';
import {
  days,
  failOnFlag,
  filterFlags,
  flags,
  judgementFlags,
  officeFlags,
  sourcesFlags,
} from '../../flags.ts';

const nightlyFlags = {
  since: once('--since <day>', 'first day to read; needed only for an empty folder', days),
};

export const nightlyCommand = {
  name: 'nightly',
  summary: 'export all days that are due, and report what is new',
  examples: [
    'recon nightly --out /var/recon --since 2026-01-01',
    'recon nightly --out /var/recon --quiet',
    'recon nightly --out /var/recon --all-profiles --quiet',
    'recon nightly --out /var/recon --dry-run',
  ],
  own: nightlyFlags,
  flags: [
    [
      'Export:',
      { ...flags.out, isMandatory: true },
      nightlyFlags.since,
      flags.deep,
      flags.keep,
      flags.rebind,
      flags.parquet,
      flags.dryRun,
    ],
    filterFlags,
    [...judgementFlags, flags.accepted, flags.closes, failOnFlag('nightly')],
    ['Bank:', { ...flags.bank, isHidden: true }, { ...flags.payoutAccounts, isHidden: true }],
    officeFlags({ formats: officeFormats, piped: 'table' }),
    sourcesFlags,
  ],
} satisfies CommandSpec;
