import type { Clock } from '../base/clock.ts';
import { type Estimate, Inflow } from './inflow.ts';

/** A request as the pace sees it: when it was sent, and what the pace was then. */
export interface Sent {
  /** By the monotonic clock, as all times here. */
  readonly at: number;
  /** Requests a second; infinite while no limit is known. */
  readonly rate: number;
}

/** How the pace rises again after a refusal. */
interface Climb {
  readonly from: number;
  /** The pace that was refused. */
  readonly to: number;
  /** How many answers it takes to get there. */
  readonly answers: number;
  /** What was known to be let through: a refusal below that is none for the pace. */
  readonly limit: number;
}

/** Without a word from the service: the first pauses, and the longest. */
const firstPauseMs = 100;
const firstPauses = 3;
const longestPauseMs = 60_000;
/** Requests a second. Nobody waits longer than two minutes for the pace alone. */
const leastRate = 1 / 120;
/** Below what is let through, since requests don't arrive as evenly as they are sent. */
const margin = 0.95;
/** After a refusal, so many answers go before the same pace is tried again. */
const calmAnswers = 60;
/** After a pause that was asked for, as many as such a pause costs, so many times. */
const calmPauses = 22;
/** Where a pause was asked for, it is no loss to begin with so many requests in as much time. */
const requestsAPause = 50;
/** So many refusals in a row below what is let through have other reasons than the pace. */
const doubtful = 2;
/** So many answers tell a pace; fewer than that tell nothing yet, as at the beginning of a run. */
const leastAnswers = 16;

/**
 * How fast requests may be started, and how long everyone pauses, learnt from what the service lets
 * through and refuses: its limit is not shown (doc 8). Until the first refusal there is no limit at all.
 */
export class Pace {
  readonly #concurrency: number;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #inflow = new Inflow();
  #rate = Number.POSITIVE_INFINITY;
  /** How much an answer adds while the limit is sought. */
  #growth = 0.1;
  /** Absent while the limit is sought. */
  #climb: Climb | undefined;
  /** Answers since the climb began. */
  #climbed = 0;
  #doubts = 0;
  #startedAt: number | undefined;
  /** The pause that the first refusal asked for. */
  #askedMs: number | undefined;
  #latencyMs = 0;
  #refusalsInARow = 0;
  #resumesAt = 0;

  /** `random` gives a number from 0 to below 1. */
  constructor(options: { concurrency: number; clock: Clock; random: () => number }) {
    this.#concurrency = options.concurrency;
    this.#clock = options.clock;
    this.#random = options.random;
  }

  /** Requests a second that the service lets through; infinite while no limit was met. */
  get perSecond(): number {
    return this.#rate;
  }

  /** Milliseconds from one start to the next; 0 while no limit is known. */
  get gapMs(): number {
    return 1000 / this.#rate;
  }

  /** When requests may be started again, by the monotonic clock. */
  get resumesAt(): number {
    return this.#resumesAt;
  }

  /** Milliseconds until a pause is over; 0 where none is on. */
  get pauseMs(): number {
    return Math.max(0, this.#resumesAt - this.#clock.monotonic());
  }

  /** How often in a row the service has refused, with nothing let through in between. */
  get refusalsInARow(): number {
    return this.#refusalsInARow;
  }

  /** Whether one request goes ahead alone, to see if the service answers again. */
  get isTrying(): boolean {
    return this.#refusalsInARow > (this.#isKnown ? 1 : 0);
  }

  /** To be called when a request is sent, for `answered` or `limited` afterwards. */
  send(): Sent {
    const at = this.#clock.monotonic();
    this.#startedAt ??= at;
    return { at, rate: this.#rate };
  }

  /** The service answered well. */
  answered(sent: Sent): void {
    const now = this.#clock.monotonic();
    this.#latencyMs += (now - sent.at - this.#latencyMs) / (this.#latencyMs === 0 ? 1 : 8);
    this.#inflow.answered(sent.at);
    // What was sent before the last pause says nothing about the pace after it.
    if (sent.at < this.#resumesAt) return;
    if (this.#isKnown) this.#rise();
    else if (this.#refusalsInARow > 0 && this.#isTelling) this.#rate = this.#firstRate(now);
    this.#refusalsInARow = 0;
  }

  /**
   * The rate limit is reached: nobody starts for as long as the service asks, or as long as it makes
   * sense, and then more slowly. Returns that pause in milliseconds; undefined where it belongs to an
   * earlier refusal, as those do that were under way together.
   */
  limited(sent: Sent, askedMs: number | undefined): number | undefined {
    if (sent.at < this.#resumesAt) {
      if (askedMs) this.pause(askedMs);
      return undefined;
    }
    if (this.#refusalsInARow === 0) this.#fallBack(Math.min(sent.rate, this.#most), askedMs);
    this.#refusalsInARow += 1;
    // What was asked for may turn out to be too short, again and again.
    const pauseMs = Math.max(askedMs ?? 0, this.#ownPause());
    this.pause(pauseMs);
    return pauseMs;
  }

  /** Nobody starts for so many milliseconds; the pace stays. */
  pause(ms: number): void {
    this.#resumesAt = Math.max(this.#resumesAt, this.#clock.monotonic() + ms);
  }

  get #isKnown(): boolean {
    return this.#rate < Number.POSITIVE_INFINITY;
  }

  /** Whether enough came to know a pace from; a pause that was asked for costs too much to wait. */
  get #isTelling(): boolean {
    return this.#inflow.answers >= leastAnswers || this.#askedMs !== undefined;
  }

  /** Requests a second, with as many under way as may be. */
  get #most(): number {
    return (this.#concurrency * 1000) / Math.max(1, this.#latencyMs);
  }

  /** One gap, if the pace is known; doubling after the first ones in a row. Spread by chance. */
  #ownPause(): number {
    const free = this.#isKnown ? 2 : 0;
    const gapMs = this.#isKnown ? this.gapMs : firstPauseMs;
    const short = Math.max(free, 1) + firstPauses - 1;
    const doubledMs = firstPauseMs * 2 ** Math.max(0, this.#refusalsInARow - short);
    const ms = Math.min(
      longestPauseMs,
      this.#refusalsInARow > free ? Math.max(doubledMs, gapMs) : gapMs,
    );
    return Math.ceil(ms * (0.5 + this.#random() / 2));
  }

  /** All answers over the time they took; or more, where a climb from there would take longer than a pause. */
  #firstRate(now: number): number {
    const ms = Math.max(1, now - (this.#startedAt ?? now));
    const least = this.#askedMs ? (requestsAPause * 1000) / this.#askedMs : 0;
    return Math.max(least, (this.#inflow.answers * 1000) / ms);
  }

  /** Steadily to the pace that was refused, and beyond it ever faster; not above what is sent at all. */
  #rise(): void {
    if (this.#rate > this.#most) return;
    if (!this.#climb) {
      this.#rate *= 1 + this.#growth;
      return;
    }
    this.#climbed += 1;
    const { from, to, answers } = this.#climb;
    const part = this.#climbed / answers;
    this.#rate = from * (1 + 0.1 * part ** 3) + (to - from) * Math.min(1, part);
  }

  /** A refusal at the pace `refused`. */
  #fallBack(refused: number, askedMs: number | undefined): void {
    const estimate = this.#inflow.refused(this.#clock.monotonic());
    if (!estimate) {
      this.#askedMs = askedMs;
      return;
    }
    if (this.#isDoubtful(refused, estimate)) {
      this.#climbFrom(1.4 * refused, { to: 1.4 * refused, limit: Number.POSITIVE_INFINITY });
    } else if (estimate.isTight || this.#climb) {
      const through = Math.min(refused, estimate.perSecond);
      // A pause that was asked for may have been longer than the limit: less came through for that.
      const found = askedMs ? Math.sqrt(refused * through) : through;
      const rate = estimate.isTight ? margin * found : 0.85 * refused;
      this.#climbFrom(rate, { to: refused, limit: estimate.perSecond, askedMs });
    } else {
      // Somewhere between what is let through at least and what was refused, to be found more slowly.
      this.#rate = Math.max(leastRate, Math.sqrt(estimate.perSecond * refused));
      this.#growth /= 2;
    }
  }

  /** Whether most is let through, and yet refusals don't end though the pace is below the limit. */
  #isDoubtful(refused: number, { perSecond }: Estimate): boolean {
    const isSoon = this.#climbed < calmAnswers / 2;
    const isBelow = this.#climb !== undefined && refused < this.#climb.limit;
    this.#doubts = isSoon && isBelow ? this.#doubts + 1 : 0;
    return this.#doubts >= doubtful && perSecond >= 0.4 * refused;
  }

  #climbFrom(
    rate: number,
    { to, limit, askedMs = 0 }: Pick<Climb, 'to' | 'limit'> & { askedMs?: number | undefined },
  ): void {
    const from = Math.max(leastRate, rate);
    this.#rate = from;
    this.#climbed = 0;
    const answers = Math.max(calmAnswers, (calmPauses * askedMs * from) / 1000);
    this.#climb = { from, to: Math.max(from, to), answers, limit };
  }
}
