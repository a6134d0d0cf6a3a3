import type { Clock } from '../base/clock.ts';

/** A request as the pace sees it: when it was sent, and what the pace was then. */
export interface Sent {
  /** By the monotonic clock, as all times here. */
  readonly at: number;
  /** Requests a second; infinite while no limit is known. */
  readonly rate: number;
}

interface PaceOptions {
  readonly concurrency: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/** How the pace rises again after a refusal. */
interface Climb {
  readonly from: number;
  readonly to: number;
  /** How many answers it takes to get there, where it does not take less time. */
  readonly answers: number;
  /** What was known to be let through, 0 where nothing was: a refusal below that is none for the pace. */
  readonly limit: number;
  readonly isAsked: boolean;
}

/** Without a word from the service: the first pauses, and the longest. */
const firstPauseMs = 100;
const firstPauses = 3;
const longestPauseMs = 60_000;
/** Requests a second. Nobody waits longer than two minutes for the pace alone. */
const leastRate = 1 / 120;
/** While nothing is known of what is let through. */
const leastUnknown = 1;
/** Below what is let through, since requests don't arrive as evenly as they are sent. */
const margin = 0.95;
/** After a refusal, so many answers go before the same pace is tried again. */
const calmAnswers = 60;
/** Fewer where little came through to tell the limit: of them, the second number where a pause was asked for. */
const untoldAnswers = [20, 30] as const;
/** After a pause that was asked for, as many as such a pause costs, so many times. */
const calmPauses = 22;
/** After a first refusal, the pace is tried again after so long; with each further one, after longer. */
const firstCalmMs = 17;
const calmGrowth = 2.1;
/** So many refusals may have other reasons; more of them, each with a pause that was asked for, have not. */
const mostOdd = 6;
/** In that time so many requests may start, and as many have to be answered. */
const calmRequests = 8;
/** So many refusals in a row below what is let through have other reasons than the pace. */
const doubtful = 3;

/**
 * How fast requests may be started, and how long everyone pauses, learnt from what the service lets
 * through and refuses: its limit is not shown (doc 8). Until the first refusal there is no limit at all.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #inflow = new Inflow();
  /** Absent while no limit is known. */
  #climb: Climb | undefined;
  #climbed = 0;
  #doubts = 0;
  #latencyMs = 0;
  /** All of the run. */
  #refusals = 0;
  #refusalsInARow = 0;
  #resumesAt = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /**
   * Requests a second that may be started; infinite while no limit is known. It rises steadily to the
   * pace that was refused, and faster and faster beyond it, until there is no limit any more.
   */
  get perSecond(): number {
    if (!this.#climb) return Number.POSITIVE_INFINITY;
    const { from, to, answers } = this.#climb;
    const sinceMs = this.#options.clock.monotonic() - this.#resumesAt;
    const inTime = Math.min(sinceMs / this.#calmMs, this.#climbed / calmRequests);
    const part = Math.max(inTime, this.#climbed / answers);
    const rate = part < 1 ? from + (to - from) * part : Math.max(from, to) / Math.max(0, 2 - part);
    const least = this.#isKnown ? leastRate : leastUnknown;
    return Math.max(rate, least, (calmRequests * 1000) / this.#calmMs);
  }

  get letThrough(): number {
    return this.#inflow.perSecondUntil(this.#options.clock.monotonic());
  }

  get gapMs(): number {
    return 1000 / this.perSecond;
  }

  get resumesAt(): number {
    return this.#resumesAt;
  }

  get pauseMs(): number {
    return Math.max(0, this.#resumesAt - this.#options.clock.monotonic());
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
    return { at: this.#options.clock.monotonic(), rate: this.perSecond };
  }

  answered(sent: Sent): void {
    const now = this.#options.clock.monotonic();
    this.#latencyMs += (now - sent.at - this.#latencyMs) / (this.#latencyMs === 0 ? 1 : 8);
    this.#inflow.answered(sent.at);
    // What was sent before the last pause says nothing about the pace after it.
    if (sent.at < this.#resumesAt) return;
    this.#climbed += 1;
    this.#refusalsInARow = 0;
  }

  /**
   * The rate limit is reached: nobody starts for as long as the service asks, or as long as it makes
   * sense, and then more slowly. Returns that pause in milliseconds; undefined where it belongs to an
   * earlier refusal, as those do that were under way together.
   */
  limited(sent: Sent, askedMs: number | undefined): number | undefined {
    this.#refusals += 1;
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
    this.#resumesAt = Math.max(this.#resumesAt, this.#options.clock.monotonic() + ms);
  }

  get #isKnown(): boolean {
    return this.#climb !== undefined && this.#climb.limit > 0;
  }

  /** How long the pace is kept down: a few refusals may have other reasons, many have not. */
  get #calmMs(): number {
    if (this.#climb?.isAsked && this.#refusals > mostOdd) return Number.POSITIVE_INFINITY;
    return firstCalmMs * calmGrowth ** (this.#refusals - 1);
  }

  /** Requests a second, with as many under way as may be. */
  get #most(): number {
    return (this.#options.concurrency * 1000) / Math.max(1, this.#latencyMs);
  }

  /** One gap; doubling after the first ones in a row. Spread by chance. */
  #ownPause(): number {
    const free = this.#isKnown ? 2 : 0;
    const doublings = Math.max(0, this.#refusalsInARow - Math.max(free, 1) - firstPauses + 1);
    const doubledMs = this.#refusalsInARow > free ? firstPauseMs * 2 ** doublings : 0;
    const ms = Math.min(longestPauseMs, Math.max(doubledMs, this.gapMs));
    return Math.ceil(ms * (0.5 + this.#options.random() / 2));
  }

  #fallBack(refused: number, askedMs = 0): void {
    const estimate = this.#inflow.refused(this.#options.clock.monotonic());
    const limit = Math.min(refused, estimate?.perSecond ?? 0);
    const climb = { to: refused, answers: calmAnswers, limit, isAsked: askedMs > 0 };
    if (estimate && this.#isDoubtful(refused, estimate)) {
      this.#climb = { ...climb, from: 1.4 * refused, limit: Number.POSITIVE_INFINITY };
    } else if (estimate?.isTight) {
      // A pause that was asked for may have been longer than the limit: less came through for that.
      const from = margin * refused * (limit / refused) ** (askedMs ? 0.6 : 1);
      const answers = Math.max(calmAnswers, (calmPauses * askedMs * from) / 1000);
      this.#climb = { ...climb, from, answers };
    } else {
      const answers = untoldAnswers[askedMs ? 1 : 0];
      this.#climb = { ...climb, from: Math.sqrt(refused * limit), answers };
    }
    this.#climbed = 0;
  }

  /** Whether most is let through, and yet refusals don't end though the pace is below the limit. */
  #isDoubtful(refused: number, { perSecond }: Estimate): boolean {
    const isSoon = this.#climbed < calmAnswers / 2;
    const isBelow = this.#climb !== undefined && refused < this.#climb.limit;
    this.#doubts = isSoon && isBelow ? this.#doubts + 1 : 0;
    return this.#doubts >= doubtful && perSecond >= 0.4 * refused;
  }
}

export interface Estimate {
  /** Requests a second; the limit is no lower. */
  readonly perSecond: number;
  /** Whether it can't be much higher either. */
  readonly isTight: boolean;
}

/** A refusal, and how many answers there had been until then. */
interface Refusal {
  readonly at: number;
  readonly answers: number;
}

/** Refusals and answers that are looked back upon. */
const refusalsKept = 5;
const answersKept = 100;
/** So many answers, beyond what may have been saved up, tell the inflow. */
const tellingAnswers = 4;

/**
 * The limit, taken for a bucket that begins full: requests flow in at some rate, and a few are saved
 * up. In no stretch of time does it let through more than it held plus what flowed in; and since a
 * refusal finds it empty, from one refusal to the next it lets through no more than flowed in. What
 * was let through in each stretch therefore says how fast it flows at least. Times are milliseconds of a
 * clock that never goes back.
 */
export class Inflow {
  #answers = 0;
  /** How much the bucket held at most: all that was let through before the first refusal came. */
  #held = 0;
  #firstRefusedAt = Number.POSITIVE_INFINITY;
  readonly #refusals: Refusal[] = [];
  /** When the requests since the last refusal were sent that were answered. */
  #sentAt: number[] = [];

  /** Requests a second that were let through since the first refusal; infinite where there was none. */
  perSecondUntil(now: number): number {
    if (now <= this.#firstRefusedAt) return Number.POSITIVE_INFINITY;
    return perSecond(this.#answers - this.#held, now - this.#firstRefusedAt);
  }

  answered(sentAt: number): void {
    this.#answers += 1;
    if (sentAt <= this.#firstRefusedAt) this.#held += 1;
    const { at } = this.#refusals.at(-1) ?? { at: Number.POSITIVE_INFINITY };
    if (sentAt > at) this.#sentAt.push(sentAt);
    if (this.#sentAt.length > answersKept) this.#sentAt.shift();
  }

  /** Returns undefined at the first refusal: until then there was nothing to be learnt. */
  refused(at: number): Estimate | undefined {
    const isFirst = this.#refusals.length === 0;
    if (isFirst) this.#firstRefusedAt = at;
    const answers = this.#sentAt.length;
    const telling = this.#held + tellingAnswers;
    const estimate = {
      perSecond: Math.max(this.#sinceRefusals(at), this.#inStretches(telling)),
      // Where less came than may have been saved up, nothing overflowed in a pause.
      isTight: answers >= telling || answers < this.#held,
    };
    this.#refusals.push({ at, answers: this.#answers });
    if (this.#refusals.length > refusalsKept) this.#refusals.shift();
    this.#sentAt = [];
    return isFirst ? undefined : estimate;
  }

  /** From each of the last refusals until now. */
  #sinceRefusals(now: number): number {
    const rates = this.#refusals.map(({ at, answers }) =>
      perSecond(this.#answers - answers, now - at),
    );
    return Math.max(0, ...rates);
  }

  /** From each answer since the last refusal, `telling` ones back at least. */
  #inStretches(telling: number): number {
    const last = this.#sentAt.at(-1) ?? 0;
    const starts = this.#sentAt.slice(0, Math.max(0, this.#sentAt.length - telling + 1));
    const rates = starts.map((start, index) =>
      perSecond(this.#sentAt.length - index - this.#held, last - start),
    );
    return Math.max(0, ...rates);
  }
}

const perSecond = (count: number, ms: number): number => (count * 1000) / Math.max(1, ms);
