import { parseArgs } from 'node:util';
import type { Observer, RequestEvent, Wait } from '../api/client.ts';
import type { Progress } from '../app/read-settlements.ts';
import type { Clock } from '../base/clock.ts';
import { shown } from '../render/inert.ts';
import { wrap } from '../render/wrap.ts';
import { grouped } from '../report/common/phrase.ts';
import type { Flags } from './flags.ts';
import type { Host, Surroundings } from './host.ts';

type MessageFlags = Pick<Flags, 'quiet' | 'verbose'>;

const longWaitMs = 15_000;

interface Screen {
  line: ProgressLine;
  readonly progress: Map<string | undefined, Progress>;
}

export class Messages {
  readonly observer: Observer;
  readonly #flags: MessageFlags;
  readonly #surroundings: Surroundings;
  readonly #profile: string | undefined;
  readonly #screen: Screen;
  readonly #shown = new Set<Wait['reason']>();

  constructor(
    flags: MessageFlags,
    surroundings: Surroundings,
    profile?: string,
    screen: Screen = { line: undefined, progress: new Map() },
  ) {
    this.#flags = flags;
    this.#surroundings = surroundings;
    this.#profile = profile;
    this.#screen = screen;
    const { clock } = surroundings;
    const paced = () => this.say('V1 signing is limited to one request per second.');
    const waiting = (wait: Wait) => this.#showWaiting(wait);
    this.observer = flags.verbose
      ? {
          request: (event) => this.warn(requestLine(event, clock.now())),
          paused: (ms) => this.warn(`rate limit: all requests wait ${ms} ms`),
          waiting,
          paced,
        }
      : { waiting, paced };
  }

  /** Messages of one of several profiles: its name before each line, one progress line for all. */
  of(profile: string): Messages {
    return new Messages(this.#flags, this.#surroundings, profile, this.#screen);
  }

  get isForPrograms(): boolean {
    return wantsJson(this.#surroundings.host.argv);
  }

  /** Prints a message, unless only errors are wanted. */
  say(text: string): void {
    if (!this.#flags.quiet && !this.isForPrograms) this.warn(text);
  }

  warn(text: string): void {
    const { stderr } = this.#surroundings.host;
    const { line } = this.#screen;
    line?.stop();
    stderr.write(
      linesFor(stderr, this.#profile === undefined ? text : `${this.#profile}: ${text}`),
    );
    line?.resume();
  }

  #showWaiting(wait: Wait): void {
    this.#screen.line?.waiting(wait);
    if (wait.sinceMs + wait.nextMs < longWaitMs || this.#shown.has(wait.reason)) return;
    this.#shown.add(wait.reason);
    const end = new Date(this.#surroundings.clock.now() + wait.mostMs).toISOString();
    this.say(`Waiting: ${wait.failure} Repeated until ${end.slice(11, 19)} UTC at the latest.`);
  }

  async startProgress(text = 'reading the list of settlements'): Promise<void> {
    if (this.#flags.quiet || this.#flags.verbose || this.#profile !== undefined) return;
    const { host, clock } = this.#surroundings;
    this.#screen.line = await startProgress(host, clock, text);
  }

  get progress(): Progress | undefined {
    const each = [...this.#screen.progress.values()];
    return each.length > 0 ? together(each) : undefined;
  }

  readonly onProgress = (progress: Progress): void => {
    const { line, progress: each } = this.#screen;
    each.set(this.#profile, progress);
    line?.update(together([...each.values()]));
  };

  async aside(print: () => Promise<void>): Promise<void> {
    this.#screen.line?.stop();
    await print();
    this.#screen.line?.resume();
  }

  /** Removes the progress line; call before printing. */
  stop(): void {
    // Other profiles still use it.
    if (this.#profile !== undefined) return;
    this.#screen.line?.stop();
    this.#screen.line = undefined;
  }
}

/** A request for `--verbose`, without token and body. */
function requestLine(event: RequestEvent, now: number): string {
  const { method, path, subject, attempt, status, code, records, ms, requestId, failure } = event;
  const outcome = [
    status === undefined ? 'no answer' : `HTTP ${status}`,
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(records === undefined ? [] : [records === 1 ? '1 record' : `${records} records`]),
    `${ms} ms`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(requestId === undefined ? [] : [`request id ${requestId}`]),
  ];
  const time = new Date(now).toISOString().slice(11, 23);
  const what = [time, method, path, ...(subject === '' ? [] : [`(${subject})`])].join(' ');
  return `${what}: ${outcome.join(', ')}${failure === undefined ? '' : `: ${failure}`}`;
}

const narrowest = 20;
const longestSentence = 2_000;

/** A message as lines, wrapped and indented on a terminal. */
export function linesFor({ isTTY, columns }: Host['stderr'], text: string, label = ''): string {
  const words = shown(text, longestSentence);
  const room = isTTY && columns ? Math.max(columns - label.length, narrowest) : undefined;
  return (room === undefined ? [words] : wrap(words, room))
    .map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${line}\n`)
    .join('');
}

/** Whether JSON is asked for. Reads the words, as the command line may be invalid. */
export function wantsJson(argv: readonly string[]): boolean {
  const options = { format: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { format, json } = parseArgs({ args: argv.slice(2), strict: false, options }).values;
  return json === true || /^(nd)?json$/i.test(String(format));
}

type ProgressLine = Awaited<ReturnType<typeof startProgress>>;

async function startProgress(host: Host, clock: Clock, first: string) {
  const { stderr, env } = host;
  // ora loops endlessly at 0 columns.
  const canShow = stderr.isTTY && stderr.columns && env['TERM'] !== 'dumb' && !env['CI'];
  if (!canShow) return undefined;
  const { default: ora } = await import('ora');
  const spinner = ora({ stream: stderr, color: false, discardStdin: false });
  spinner.start(first);
  const started = clock.monotonic();
  let text = first;
  let pausedUntil = 0;
  let why = '';
  const show = () => {
    const pauseMs = pausedUntil - clock.monotonic();
    spinner.text = pauseMs > 0 ? `${text}  ${why}waiting ${seconds(pauseMs)}` : text;
  };
  return {
    update: (progress: Progress) => {
      text = progressText(progress, clock.monotonic() - started);
      show();
    },
    waiting: (wait: Wait) => {
      pausedUntil = clock.monotonic() + wait.nextMs;
      why = waitText(wait);
      show();
    },
    stop: () => spinner.stop(),
    resume: () => spinner.start(),
  };
}

/** The progress of several profiles. */
export function together(all: readonly Progress[]): Progress {
  const [first, ...others] = all;
  if (first && others.length === 0) return first;
  const sum = (of: (one: Progress) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    settlements: sum(({ settlements }) => settlements),
    decided: sum(({ decided }) => decided),
    rows: sum(({ rows }) => rows),
    expectedRows: sum(({ expectedRows }) => expectedRows),
  };
}

export function progressText(progress: Progress, elapsedMs: number): string {
  const { day, settlements, decided, rows, expectedRows } = progress;
  const rate = (rows * 1000) / Math.max(elapsedMs, 1);
  const parts = [
    ...(day === undefined ? [] : [day]),
    `settlements ${decided}/${settlements}`,
    `transactions ${grouped(rows)}/${grouped(expectedRows)}`,
  ];
  // The time is of the run, the rows of the day.
  if (day !== undefined) return parts.join('  ');
  if (rows > 0) parts.push(`${grouped(Math.round(rate))} a second`);
  const left = expectedRows - rows;
  // Too early to estimate.
  if (rows > 0 && left > 0 && elapsedMs > 1000) parts.push(`${seconds((left * 1000) / rate)} left`);
  return parts.join('  ');
}

/** Why a request waits. */
export function waitText({ reason, failed, mostAttempts }: Wait): string {
  if (reason === 'rate_limit') return 'rate limit: ';
  const what = reason === 'network' ? 'no answer' : 'the service fails';
  return `${what} (attempt ${failed} of ${mostAttempts}): `;
}

function seconds(ms: number): string {
  const total = Math.ceil(ms / 1000);
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}
