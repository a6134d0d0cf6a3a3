import type { CommandSpec } from '../../command.ts';
import { flags, outputFlags, rangeFlags, reconcileFlags, sourceFlags } from '../../flags.ts';

/** `recon export`. */
export const exportCommand: CommandSpec = {
  name: 'export',
  summary: 'write one folder of files per day, complete or not at all',
  examples: [
    'recon export --month 2026-03 --out march --deep',
    'recon export --verify --out march',
    'recon settlements --from-export march',
  ],
  flags: [
    [
      'Export:',
      flags.out,
      flags.deep,
      flags.keep,
      flags.publishIncomplete,
      flags.rebind,
      flags.parquet,
      flags.existing,
      flags.verify,
    ],
    ...rangeFlags,
    reconcileFlags,
    outputFlags(),
    sourceFlags,
  ],
  run: async (context) => {
    if (context.flags.verify) return (await import('./verify.ts')).verify(context);
    const { exportRange, exportTables } = await import('./run.ts');
    return context.flags.existing ? exportTables(context) : exportRange(context);
  },
};
