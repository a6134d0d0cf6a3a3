import { extname } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { type Format, formats } from '../render/formats.ts';
import type { RenderOptions } from '../render/renderer.ts';
import type { Context } from './context.ts';

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
  '.md': 'markdown',
};
const widthWithoutTerminal = 120;

/** The formats that a command has, and the one for a pipe; a terminal gets a table, if it is one. */
export interface OfferedFormats {
  readonly formats: readonly Format[];
  readonly piped: Format;
}

const ordinary: OfferedFormats = { formats, piped: 'csv' };

/**
 * Works out where the data go: what is given counts, then a file's suffix, then whether it is a
 * terminal.
 */
export function resolveTarget(
  { flags, host: { env, stdout } }: Pick<Context, 'flags' | 'host'>,
  offer: OfferedFormats = ordinary,
): Target {
  if (flags.output === '') {
    const hint = 'Name a file, or - for standard output.';
    throw new ReconError('usage', '--output is empty.', { hint });
  }
  const isFile = flags.output !== undefined && flags.output !== '-';
  const isTerminal = !isFile && stdout.isTTY === true;
  const onScreen = isTerminal && offer.formats.includes('table') ? 'table' : offer.piped;
  const format = flags.format ?? (isFile ? formatOfFile(flags.output, offer) : onScreen);
  if (flags.dialect !== undefined && format !== 'csv') {
    throw new ReconError('usage', `--dialect applies to csv only; the format is ${format}.`, {
      hint: 'Remove it, or add --format csv.',
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

function formatOfFile(path = '', offer: OfferedFormats): Format {
  const suffix = extname(path).toLowerCase();
  if (suffix === '') return offer.piped;
  const format = suffixes[suffix];
  if (format && offer.formats.includes(format)) return format;
  const known = Object.entries(suffixes).filter(([, implied]) => offer.formats.includes(implied));
  throw new ReconError('usage', `The suffix of ${path} does not match a format.`, {
    where: '--output',
    hint: `Add --format, or use one of ${known.map(([one]) => one).join(', ')}.`,
  });
}
