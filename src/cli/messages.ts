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

/** What the profiles that are read at once have in common. */
interface Screen {
  line: ProgressLine;
  /** How far each has come. */
  readonly progress: Map<string | undefined, Progress>;
}

/** What a run says on standard error while it is under way. Data never go this way. */
export class Messages {
  /** Hears of the run's requests. */
  readonly observer: Observer;
  readonly #flags: MessageFlags;
  readonly #surroundings: Surroundings;
  /** Set where this is one of several that are read at once. */
  readonly #profile: string | undefined;
  readonly #screen: Screen;
  /** The reasons for which a long wait was told. */
  readonly #told = new Set<Wait['reason']>();

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
    return new Messages(this.#flags, this.#surroundings, profile, this.#screen);
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
    const { line } = this.#screen;
    line?.stop();
    stderr.write(
      linesFor(stderr, this.#profile === undefined ? text : `${this.#profile}: ${text}`),
    );
    line?.resume();
  }

  /** Long waits once for each reason, also where nobody sees the progress line. */
  #tellWaiting(wait: Wait): void {
    this.#screen.line?.waiting(wait);
    if (wait.sinceMs + wait.nextMs < longWaitMs || this.#told.has(wait.reason)) return;
    this.#told.add(wait.reason);
    const end = new Date(this.#surroundings.clock.now() + wait.mostMs).toISOString();
    this.say(`Waiting: ${wait.failure} Repeated until ${end.slice(11, 19)} UTC at the latest.`);
  }

  /** Shows from now on how far the run has come, on a terminal; at first `text`. */
  async startProgress(text = 'reading the list of settlements'): Promise<void> {
    if (this.#flags.quiet || this.#flags.verbose || this.#profile !== undefined) return;
    const { host, clock } = this.#surroundings;
    this.#screen.line = await startProgress(host, clock, text);
  }

  /** How far the run has come, with all profiles; absent where it reads no settlements, or none yet. */
  get progress(): Progress | undefined {
    const each = [...this.#screen.progress.values()];
    return each.length > 0 ? together(each) : undefined;
  }

  readonly onProgress = (progress: Progress): void => {
    const { line, progress: each } = this.#screen;
    each.set(this.#profile, progress);
    line?.update(together([...each.values()]));
  };

  /** Takes the progress line away while something else is printed. */
  async aside(print: () => Promise<void>): Promise<void> {
    this.#screen.line?.stop();
    await print();
    this.#screen.line?.resume();
  }

  /** Takes the progress line away; to be called before anything else is printed. */
  stop(): void {
    // That of several profiles goes on.
    if (this.#profile !== undefined) return;
    this.#screen.line?.stop();
    this.#screen.line = undefined;
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
  const { format, json } = flagsAsWritten(argv.slice(2));
  return json === true || /^(nd)?json$/i.test(String(format));
}

/** Some flags of a command line that may be wrong, or not yet whole. */
export function flagsAsWritten(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { format: text, json: { type: 'boolean' }, config: text } as const;
  return parseArgs({ args: [...args], strict: false, options }).values;
}
