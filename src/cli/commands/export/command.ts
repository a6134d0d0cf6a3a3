import { ReconError } from '../../../base/errors.ts';
import type { CommandSpec, Context } from '../../context.ts';
import { exactValues, hidden, repeated, toggle } from '../../flag.ts';
import { days, flags, judgementFlags, outputFlags, rangeFlags, sourceFlags } from '../../flags.ts';

export const exportFlags = {
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

export type ExportContext = Context<typeof exportFlags>;

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
    ['Export:', ...Object.values(exportFlags)],
    ...rangeFlags,
    [...judgementFlags, flags.failOn],
    outputFlags(),
    sourceFlags,
  ],
  run: async (context: ExportContext, [folder]) => {
    const { verify, out = verify ? folder : undefined } = context.flags;
    if (out === undefined || (folder !== undefined && !verify)) {
      const hint = 'Name the folder with --out, or check an export with --verify FOLDER.';
      throw new ReconError('usage', "Required option '--out <folder>' not specified.", { hint });
    }
    if (verify) return (await import('./run.ts')).verify(context, folder ?? out);
    const { exportRange, exportTables } = await import('./run.ts');
    return context.flags.existing ? exportTables(context) : exportRange(context);
  },
};
