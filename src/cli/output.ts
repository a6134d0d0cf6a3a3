import { extname } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { writeOutputFile } from '../base/files.ts';
import { shellWord } from '../base/texts.ts';
import type { Source } from '../model/source.ts';
import { unusualAnswers } from '../reconcile/reconcile-run.ts';
import type { Format, formats, RenderOptions } from '../render/formats.ts';
import { renderers } from '../render/index.ts';
import type { Views } from '../report/common/view.ts';
import { entrySentence } from '../report/common/words.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { type Flags, type OfferedFormats, ordinary } from './flags.ts';
import { print } from './host.ts';
import type { Messages } from './messages.ts';

export interface Target<Offered extends Format = Format> {
  readonly format: Offered;
  /** Absent for standard output. */
  readonly path: string | undefined;
  readonly options: RenderOptions;
  /** Other files that the same report is written to, each in a format of its own. */
  readonly more?: readonly Target<Offered>[];
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

/** The target: by flag, then suffix, then terminal. ReconError `usage` if flags do not go together. */
export function resolveTarget<Offered extends Format = (typeof formats)[number]>(
  context: TargetContext,
  offer?: OfferedFormats<Offered>,
): Target<Offered>;
export function resolveTarget(context: TargetContext, offer: OfferedFormats = ordinary): Target {
  const { flags } = context;
  // Standard output goes first: the others are files.
  const isFile = (path: string) => Number(path !== '-');
  const paths = [...(flags.output ?? [])].sort((one, other) => isFile(one) - isFile(other));
  const [first, ...others] = paths;
  const target = targetAt(first, context, offer);
  const more = others.map((path) => targetAt(path, context, offer));
  const formats = [target, ...more].map(({ format }) => format);
  if (more.length > 0) refuseSeveral(formats, flags, offer);
  refuseOfOtherFormats(flags, formats);
  return { ...target, more };
}

/** Several outputs are of reports that are kept, and each has its own format. */
function refuseSeveral(all: readonly Format[], { format }: Flags, offer: OfferedFormats): void {
  const refuse = (message: string, hint: string) => {
    throw new ReconError('usage', message, { where: '--output', hint });
  };
  if (!offer.formats.includes('xlsx')) refuse('It can be given only once here.', 'Name one file.');
  if (format)
    refuse('--format is for one output.', 'Leave it out: the suffix of each file decides.');
  const twice = all.find((one, at) => all.indexOf(one) < at);
  if (twice) refuse(`Two outputs have the format ${twice}.`, 'Name a file of each format once.');
  if (all.includes('ndjson')) refuse('ndjson is written while it is read.', 'Write it alone.');
}

function targetAt(
  path: string | undefined,
  { flags, host: { env, stdout }, clock }: TargetContext,
  offer: OfferedFormats,
): Target {
  if (path === '') {
    const hint = 'Name a file, or - for standard output.';
    throw new ReconError('usage', '--output is empty.', { hint });
  }
  const isFile = path !== undefined && path !== '-';
  const isTerminal = !isFile && stdout.isTTY === true;
  const onScreen = isTerminal && offer.formats.includes('table') ? 'table' : offer.piped;
  const format = flags.format ?? (isFile ? formatOfFile(path, offer) : onScreen);
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
  return { format, path: isFile ? path : undefined, options };
}

/** The command that lists everything; absent if this one does. */
export function commandForAll({ options }: Target, { flags, host }: TargetContext) {
  if (options.screen.rows === undefined || flags.all) return undefined;
  return ['recon', ...host.argv.slice(2).map(shellWord), '--all'].join(' ');
}

const formatsOf = {
  dialect: ['csv'],
  rows: ['xlsx'],
  paper: ['xlsx', 'html'],
  stamp: ['xlsx', 'html'],
} as const satisfies Partial<Record<keyof Flags, readonly Format[]>>;

function refuseOfOtherFormats(flags: Flags, formats: readonly Format[]): void {
  for (const [flag, own] of Object.entries(formatsOf)) {
    const isFitting = own.some((one) => formats.includes(one));
    if (flags[flag as keyof typeof formatsOf] === undefined || isFitting) continue;
    const message = `--${flag} applies to ${own.join(' and ')} only; the format is ${formats.join(' and ')}.`;
    throw new ReconError('usage', message, { hint: `Remove it, or add --format ${own[0]}.` });
  }
}

function formatOfFile(path = '', offer: OfferedFormats): Format {
  const suffix = extname(path).toLowerCase();
  if (suffix === '') return offer.piped;
  const format = suffixes[suffix];
  if (format && offer.formats.includes(format)) return format;
  const known = Object.entries(suffixes).filter(([, implied]) => offer.formats.includes(implied));
  const message = `The suffix of ${path} does not match a format.`;
  const hint = `Add --format, or use one of ${known.map(([one]) => one).join(', ')}.`;
  throw new ReconError('usage', message, { where: '--output', hint });
}

type OutputContext = Pick<Context, 'host' | 'messages'>;

export type Write = (piece: string | Uint8Array) => Promise<void>;

/** Calls `work` with a writer to standard output or the file. The file appears only if `work` succeeds. */
export async function withOutput<Result>(
  { path, more = [] }: Pick<Target, 'path' | 'more'>,
  { host, messages }: OutputContext,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  const result = await (path === undefined
    ? work((piece) => print(host, piece))
    : writeOutputFile(path, work));
  const isTold = host.stderr.isTTY || more.length > 0;
  for (const one of [path, ...more.map(({ path }) => path)])
    if (isTold && one !== undefined) messages.say(`Written: ${one}`);
  return result;
}

/** Writes a report, and its other files whole before it ends. */
export async function writeReport(write: Write, views: Views, target: Target): Promise<void> {
  const { format, options, more = [] } = target;
  for await (const piece of renderers[format].report(views, options)) await write(piece);
  for (const { path, ...other } of more) {
    if (path !== undefined)
      await writeOutputFile(path, (write) => writeReport(write, views, { ...other, path }));
  }
}

/** Prints a report, and its conclusion if the output does not show it. Returns the exit code. */
export async function printReport(
  target: Target,
  views: Views,
  context: OutputContext,
  conclusion: readonly string[] = [],
  exitCode: number = exitCodes.ok,
): Promise<number> {
  await withOutput(target, context, (write) => writeReport(write, views, target));
  printConclusion(conclusion, target, exitCode, context.messages);
  return exitCode;
}

/** Prints a conclusion on standard error, unless it is on the screen or in JSON: CSV has no place for it. */
export function printConclusion(
  sentences: readonly string[],
  { format, path }: Pick<Target, 'format' | 'path'>,
  exitCode: number,
  messages: Messages,
): void {
  const isPrinted = format !== 'csv' && path === undefined;
  if (isPrinted || messages.isForPrograms) return;
  for (const sentence of sentences) {
    if (exitCode === exitCodes.ok) messages.say(sentence);
    else messages.warn(sentence);
  }
}

/** Ends the progress line once all is read, and reports unusual answers. Lets a pending interruption through. */
export async function endReading(source: Source, { messages, clock, signal }: Context) {
  await clock.sleep(0, signal);
  messages.stop();
  printOddAnswers(source, messages);
}

/** Reports unusual answers of the service that no report contains. */
export function printOddAnswers(source: Source, messages: Messages): void {
  const entries = unusualAnswers(source.oddAnswers?.());
  for (const entry of entries) messages.say(entrySentence(entry));
}
