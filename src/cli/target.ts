import { extname } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { shellWord } from '../base/texts.ts';
import type { Format, formats } from '../render/formats.ts';
import type { RenderOptions } from '../render/renderer.ts';
import type { Context } from './context.ts';
import { type Flags, type OfferedFormats, ordinary } from './flags.ts';

/** Where the data go, and in which form. */
export interface Target<Offered extends Format = Format> {
  readonly format: Offered;
  /** Absent for standard output. */
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
  '.xlsx': 'xlsx',
  '.html': 'html',
  '.htm': 'html',
};
const widthWithoutTerminal = 120;

type TargetContext = Pick<Context, 'flags' | 'host' | 'clock'>;

/**
 * Works out where the data go: what is given counts, then a file's suffix, then whether it is a
 * terminal. ReconError `usage` where that isn't clear, or flags are of other formats.
 */
export function resolveTarget(context: TargetContext): Target<(typeof formats)[number]>;
export function resolveTarget<Offered extends Format>(
  context: TargetContext,
  offer: OfferedFormats<Offered>,
): Target<Offered>;
export function resolveTarget(
  { flags, host: { env, stdout }, clock }: TargetContext,
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
  refuseOfOtherFormats(flags, format);
  if (format === 'xlsx' && isTerminal) {
    const hint = 'Name a file: --output report.xlsx.';
    throw new ReconError('usage', 'A workbook cannot be shown on a terminal.', { hint });
  }
  const isColourful = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const colour = flags.color === 'always' || (flags.color !== 'never' && isColourful);
  const width = (isTerminal && stdout.columns) || widthWithoutTerminal;
  const options: RenderOptions = {
    dialect: flags.dialect ?? 'rfc',
    screen: {
      width,
      colour,
      rows: isTerminal ? stdout.rows || Number.POSITIVE_INFINITY : undefined,
    },
    paper: flags.paper,
    madeAt: flags.stamp ? new Date(clock.now()).toISOString() : undefined,
  };
  return { format, path: isFile ? flags.output : undefined, options };
}

/** The command that lists all of a report; absent if this one does: with --all, and off a terminal. */
export function commandForAll({ options }: Target, { flags, host }: TargetContext) {
  if (options.screen.rows === undefined || flags.all) return undefined;
  return ['recon', ...host.argv.slice(2).map(shellWord), '--all'].join(' ');
}

/** Flags that apply to some formats only. */
const formatsOf = {
  dialect: ['csv'],
  rows: ['xlsx'],
  paper: ['xlsx', 'html'],
  stamp: ['xlsx', 'html'],
} as const satisfies Partial<Record<keyof Flags, readonly Format[]>>;

function refuseOfOtherFormats(flags: Flags, format: Format): void {
  for (const [flag, own] of Object.entries(formatsOf)) {
    const isFitting = own.some((one) => one === format);
    if (flags[flag as keyof typeof formatsOf] === undefined || isFitting) continue;
    const message = `--${flag} applies to ${own.join(' and ')} only; the format is ${format}.`;
    throw new ReconError('usage', message, { hint: `Remove it, or add --format ${own[0]}.` });
  }
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
