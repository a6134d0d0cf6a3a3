import { extname } from 'node:path';
import { ReconError } from '../base/errors.ts';
import type { Dialect, Format } from '../render/formats.ts';
import type { RenderOptions } from '../render/index.ts';
import type { Host } from './host.ts';

export interface TargetFlags {
  readonly format?: Format;
  readonly output?: string;
  readonly dialect?: Dialect;
  readonly color?: 'auto' | 'always' | 'never';
}

/** Where the data go, and in which form. */
export interface Target {
  readonly format: Format;
  readonly path: string | undefined;
  readonly options: RenderOptions;
}

const suffixes: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.txt': 'table',
};
const widthWithoutTerminal = 120;

/** Works out where the data go: what is given counts, then a file's suffix, then the terminal. */
export function resolveTarget(flags: TargetFlags, { env, stdout }: Host): Target {
  const isFile = flags.output !== undefined && flags.output !== '-';
  const isTerminal = !isFile && stdout.isTTY === true;
  const format =
    flags.format ?? (isFile ? formatOfFile(flags.output) : isTerminal ? 'table' : 'csv');
  if (flags.dialect !== undefined && format !== 'csv') {
    throw new ReconError('usage', `--dialect is for csv, and the format is ${format}.`, {
      hint: 'Leave it out, or add --format csv.',
    });
  }
  const isColourful = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const colour = flags.color === 'always' || (flags.color !== 'never' && isColourful);
  const width = (isTerminal && stdout.columns) || widthWithoutTerminal;
  return {
    format,
    path: isFile ? flags.output : undefined,
    options: { dialect: flags.dialect ?? 'rfc', screen: { width, colour } },
  };
}

function formatOfFile(path = ''): Format {
  const suffix = extname(path).toLowerCase();
  if (suffix === '' || path.startsWith('/dev/')) return 'csv';
  const format = suffixes[suffix];
  if (format) return format;
  throw new ReconError('usage', `The suffix of ${path} implies no format.`, {
    where: '--output',
    hint: `Add --format, or use one of ${Object.keys(suffixes).join(', ')}.`,
  });
}
