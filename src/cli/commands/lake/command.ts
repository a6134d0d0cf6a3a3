import { ReconError } from '../../../base/errors.ts';
import type { CommandSpec, Context } from '../../context.ts';
import { once } from '../../flag.ts';
import { files, flags } from '../../flags.ts';
import { duckDbFlags } from '../audit/command.ts';

const lakeFlags = {
  out: once('--out <folder>', 'folder for the files by month', files),
  ...duckDbFlags,
};

export type LakeContext = Context<typeof lakeFlags>;

export const lakeCommand: CommandSpec = {
  name: 'lake',
  summary: 'copy the Parquet tables of exports to files by month',
  examples: [
    'recon lake /var/recon --out /data/lake',
    'recon lake /var/recon/spain /var/recon/portugal --out /data/lake',
    'recon audit /data/lake',
  ],
  argument: {
    name: '<folder...>',
    about: 'exports with Parquet tables (recon export --parquet)',
  },
  flags: [['Lake:', ...Object.values(lakeFlags), flags.quiet, flags.verbose]],
  run: async (context: LakeContext, folders) => {
    const { out } = context.flags;
    if (out !== undefined) return (await import('./run.ts')).writeLake(context, folders, out);
    const hint = 'Name the folder of the lake with --out.';
    throw new ReconError('usage', "Required option '--out <folder>' not specified.", { hint });
  },
};
