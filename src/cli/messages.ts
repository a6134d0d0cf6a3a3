import { parseArgs } from 'node:util';
import type { Observer, RequestEvent, Wait } from '../api/client.ts';
import type { Progress } from '../app/read-settlements.ts';
import { shown } from '../render/inert.ts';
import { wrap } from '../render/wrap.ts';
import type { Surroundings } from './context.ts';
import type { Flags } from './flags.ts';
import type { Stream } from './host.ts';
import { type ProgressLine, startProgress, together } from './progress.ts';

type MessageFlags = Pick<Flags, 'quiet' | 'verbose'>;

/** A wait of so long is told. */
const longWaitMs = 15_000;

/** One of several profiles, and what is said of them all. */
interface Among {
  readonly profile: string;
  readonly all: Messages;
}

/** What a run says on standard error while it is under way. Data never go this way. */
export class Messages {
  /** How far the run has come, with all profiles; absent where it reads no settlements, or none yet. */
  progress: Progress | undefined;
  /** Hears of the run's requests. */
  readonly observer: Observer;
  readonly #flags: MessageFlags;
  readonly #surroundings: Surroundings;
  /** Set where this is one of several profiles that are read at once. */
  readonly #among: Among | undefined;
  #line: ProgressLine;
  /** The reasons for which a long wait was told. */
  readonly #told = new Set<Wait['reason']>();
  /** How far each profile has come, where there are several. */
  readonly #progress = new Map<string, Progress>();

  constructor(flags: MessageFlags, surroundings: Surroundings, among?: Among) {
    this.#flags = flags;
    this.#surroundings = surroundings;
    this.#among = among;
    const { clock } = surroundings;
    const paced = () => this.say('V1 signing is limited to one request per second.');
    const waiting = (wait: Wait) => this.#tellWaiting(wait);
    this.observer = flags.verbose
      ? {
          request: (event) => this.warn(requestLine(event, clock.now())),
          paused: (ms) => this.warn(`rate limit: all requests wait ${ms} ms`),
          waiting,
          paced,
        }
      : { waiting, paced };
  }

  /** What a profile says while others are read at once: each line with its name, and one progress line for all. */
  of(profile: string): Messages {
    return new Messages(this.#flags, this.#surroundings, { profile, all: this });
  }

  /** Whether it is a program that is to read what is said. */
  get isForPrograms(): boolean {
    return asksForJson(this.#surroundings.host.argv);
  }

  /** Says something, unless nothing else than errors is to be read here. */
  say(text: string): void {
    if (!this.#flags.quiet && !this.isForPrograms) this.warn(text);
  }

  /** Says that something is wrong, which is said in any case. */
  warn(text: string): void {
    const { stderr } = this.#surroundings.host;
    const { profile, all } = this.#among ?? { all: this };
    all.#line?.stop();
    stderr.write(linesFor(stderr, profile === undefined ? text : `${profile}: ${text}`));
    all.#line?.resume();
  }

  /** Long waits once for each reason, also where nobody sees the progress line. */
  #tellWaiting(wait: Wait): void {
    (this.#among?.all ?? this).#line?.waiting(wait);
    if (wait.sinceMs + wait.nextMs < longWaitMs || this.#told.has(wait.reason)) return;
    this.#told.add(wait.reason);
    const end = new Date(this.#surroundings.clock.now() + wait.mostMs).toISOString();
    this.say(`Waiting: ${wait.failure} Repeated until ${end.slice(11, 19)} UTC at the latest.`);
  }

  /** Shows from now on how far the run has come, on a terminal; at first `text`. */
  async startProgress(text = 'reading the list of settlements'): Promise<void> {
    if (this.#flags.quiet || this.#flags.verbose || this.#among) return;
    const { host, clock } = this.#surroundings;
    this.#line = await startProgress(host, clock, text);
  }

  readonly onProgress = (progress: Progress): void => {
    const { profile, all } = this.#among ?? { profile: '', all: this };
    all.#progress.set(profile, progress);
    this.progress = together([...all.#progress.values()]);
    all.#line?.update(this.progress);
  };

  /** Takes the progress line away while something else is printed. */
  async aside(print: () => Promise<void>): Promise<void> {
    const { all } = this.#among ?? { all: this };
    all.#line?.stop();
    await print();
    all.#line?.resume();
  }

  /** Takes the progress line away; to be called before anything else is printed. */
  stop(): void {
    this.#line?.stop();
    this.#line = undefined;
  }
}

/** One line for one attempt at a request, for `--verbose`. It holds no token and no body. */
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

/** Lines are not broken to less. */
const narrowest = 20;
/** Nobody reads more of a sentence; what others wrote may have no end. */
const longestSentence = 2_000;

/** A sentence as lines; on a terminal they end between words, and go on after the label. */
export function linesFor({ isTTY, columns }: Stream, text: string, label = ''): string {
  const words = shown(text, longestSentence);
  const room = isTTY && columns ? Math.max(columns - label.length, narrowest) : undefined;
  return (room === undefined ? [words] : wrap(words, room))
    .map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${line}\n`)
    .join('');
}

/**
 * Whether whoever called wants JSON, by `--format` or `--json`: the suffix of a file says nothing of
 * who reads standard error. What is wrong may be the command line itself, so its words count.
 */
export function asksForJson(argv: readonly string[]): boolean {
  const { format, json } = parseArgs({
    args: argv.slice(2),
    strict: false,
    options: { format: { type: 'string' }, json: { type: 'boolean' } },
  }).values;
  return json === true || /^(nd)?json$/i.test(String(format));
}
