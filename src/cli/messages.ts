import type { Observer, RequestEvent } from '../api/client.ts';
import type { Progress } from '../app/read-settlements.ts';
import type { Surroundings } from './context.ts';
import { asksForJson } from './failure.ts';
import type { Flags } from './flags.ts';
import { say } from './host.ts';
import { type ProgressLine, startProgress } from './progress.ts';

type MessageFlags = Pick<Flags, 'quiet' | 'verbose'>;

/** What a run says on standard error while it is under way. Data never go this way. */
export class Messages {
  /** Hears of the run's requests. */
  readonly observer: Observer;
  readonly #flags: MessageFlags;
  readonly #surroundings: Surroundings;
  #line: ProgressLine;

  constructor(flags: MessageFlags, surroundings: Surroundings) {
    this.#flags = flags;
    this.#surroundings = surroundings;
    const { host, clock } = surroundings;
    const paced = () => this.say('V1 signing is limited to one request per second.');
    this.observer = flags.verbose
      ? {
          request: (event) => say(host, requestLine(event, clock.now())),
          paused: (ms) => say(host, `rate limit: all requests wait ${ms} ms`),
          paced,
        }
      : { paused: (ms) => this.#line?.paused(ms), paced };
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
    say(this.#surroundings.host, text);
  }

  /** Shows from now on how far the run has come, on a terminal; at first `text`. */
  async startProgress(text = 'reading the list of settlements'): Promise<void> {
    if (this.#flags.quiet || this.#flags.verbose) return;
    const { host, clock } = this.#surroundings;
    this.#line = await startProgress(host, clock, text);
  }

  readonly onProgress = (progress: Progress): void => this.#line?.update(progress);

  /** Takes the progress line away while something else is printed. */
  async aside(print: () => Promise<void>): Promise<void> {
    this.#line?.stop();
    await print();
    this.#line?.resume();
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
