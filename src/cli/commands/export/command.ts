import type { CommandSpec } from '../../context.ts';
import { exactValues, hidden, repeated, toggle } from '../../flag.ts';
import { days, flags, judgementFlags, outputFlags, rangeFlags, sourceFlags } from '../../flags.ts';

const exportFlags = {
  out: flags.out,
  deep: flags.deep,
  keep: flags.keep,
  publishIncomplete: hidden(
    repeated(
      '--publish-incomplete <days>',
      'publish these days even if they cannot be fully read',
      exactValues,
      days,
    ),
  ),
  rebind: flags.rebind,
  parquet: flags.parquet,
  existing: toggle('--existing', 'with --parquet: write the tables of all days exported before'),
  verify: toggle('--verify', 'only check the export, which is --out or [folder]'),
};

export const exportCommand = {
  name: 'export',
  summary: 'write one folder of files per day, complete or not at all',
  examples: [
    'recon export --month 2026-03 --out march --deep',
    'recon export --verify march',
    'recon settlements --from-export march',
  ],
  argument: { name: '[folder]', about: '' },
  own: exportFlags,
  flags: [
    ['Export:', ...Object.values(exportFlags)],
    ...rangeFlags,
    [...judgementFlags, flags.failOn],
    outputFlags(),
    sourceFlags,
  ],
} satisfies CommandSpec;
