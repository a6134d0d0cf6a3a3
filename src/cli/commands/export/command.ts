import { ReconError } from '../../../base/errors.ts';
import type { CommandSpec } from '../../command.ts';
import { flags, outputFlags, rangeFlags, reconcileFlags, sourceFlags } from '../../flags.ts';

/** `recon export`. */
export const exportCommand: CommandSpec = {
  name: 'export',
  summary: 'write one folder of files per day, complete or not at all',
  examples: [
    'recon export --month 2026-03 --out march --deep',
    'recon export --verify march',
    'recon settlements --from-export march',
  ],
  argument: { name: '[folder]', about: '' },
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
  run: async (context, [folder]) => {
    const { verify, out = verify ? folder : undefined } = context.flags;
    if (out === undefined || (folder !== undefined && !verify)) {
      const hint = 'Name the folder with --out, or check an export with --verify FOLDER.';
      throw new ReconError('usage', "Required option '--out <folder>' not specified.", { hint });
    }
    if (verify) return (await import('./verify.ts')).verify(context, folder ?? out);
    const { exportRange, exportTables } = await import('./run.ts');
    return context.flags.existing ? exportTables(context) : exportRange(context);
  },
};
