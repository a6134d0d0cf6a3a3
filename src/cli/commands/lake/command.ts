import type { CommandSpec } from '../../context.ts';
import { once } from '../../flag.ts';
import { files, flags } from '../../flags.ts';
import { duckDbFlags } from '../audit/command.ts';

const lakeFlags = {
  out: once('--out <folder>', 'folder for the files by month', files),
  ...duckDbFlags,
};

export const lakeCommand = {
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
  own: lakeFlags,
  flags: [['Lake:', ...Object.values(lakeFlags), flags.quiet, flags.verbose]],
} satisfies CommandSpec;
