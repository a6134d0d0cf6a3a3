import type { Clock } from '../base/clock.ts';

/** A request as the pace sees it: when it was sent, and what the pace was then. */
export interface Sent {
  /** By the monotonic clock, like all times here. */
  readonly at: number;
  /** Requests a second; infinite before the first refusal. */
  readonly rate: number;
}

interface PaceOptions {
  readonly concurrency: number;
  readonly clock: Clock;
  readonly random: () => number;
}

interface Climb {
  readonly from: number;
  readonly to: number;
  /** How many accepted requests it takes, unless `climbMs` is shorter. */
  readonly accepted: number;
  /** The measured limit; 0 if none, infinite once refusals are taken to have other reasons. */
  readonly limit: number;
  readonly isPauseRequested: boolean;
}

/** Pauses that the service did not request: the first, how many of that length, and the longest. */
const firstPauseMs = 100;
const firstPauses = 3;
const longestPauseMs = 60_000;
/** Requests a second: the pace alone delays no request by more than two minutes. */
const leastRate = 1 / 120;
const leastRateIfUnmeasured = 1;
/** The climb starts this far below the limit, since requests arrive less evenly than they are sent. */
const margin = 0.95;
/** After a requested pause, which may be too long, less was accepted: how much the measured limit counts. */
const limitWeight = { ownPause: 1, requestedPause: 0.6 };
/** The climb takes at least so many accepted requests if the limit was measured. */
const climbAccepted = 60;
/** It takes so many if too few were accepted to measure the limit. */
const climbAcceptedIfUnmeasured = { ownPause: 20, requestedPause: 30 };
/** After a requested pause it takes at least as many as would have fit into so many such pauses. */
const climbPauses = 22;
/** After the first refusal the climb takes so long; after each further one, so many times longer. */
const firstClimbMs = 17;
const climbGrowth = 2.1;
/** In that time, so many requests may start and have to be accepted. */
const climbRequests = 8;
/** After more refusals, the last with a requested pause, only accepted requests end the climb, not time. */
const mostUnrelatedRefusals = 6;
/** So many refusals in a row below the limit have other reasons, if so much of the pace is accepted. */
const doubtfulRefusals = 3;
const leastAcceptedShare = 0.4;
/** The climb after them starts so many times above the refused pace. */
const doubtfulRaise = 1.4;

/** How fast requests may start, learned from accepted and refused ones: the document gives no limit (doc 8). */
export class Pace {
  readonly #options: PaceOptions;
  readonly #inflow = new Inflow();
  #climb: Climb | undefined;
  #acceptedInClimb = 0;
  #doubts = 0;
  #latencyMs = 0;
  #refusals = 0;
  #refusalsInARow = 0;
  #resumesAt = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Requests a second that may start: rises steadily to the refused pace, and beyond it faster and faster. */
  get perSecond(): number {
    if (!this.#climb) return Number.POSITIVE_INFINITY;
    const { from, to, accepted } = this.#climb;
    const sinceMs = this.#options.clock.monotonic() - this.#resumesAt;
    const inTime = Math.min(sinceMs / this.#climbMs, this.#acceptedInClimb / climbRequests);
    const part = Math.max(inTime, this.#acceptedInClimb / accepted);
    const rate = part < 1 ? from + (to - from) * part : Math.max(from, to) / Math.max(0, 2 - part);
    const least = this.#isLimitMeasured ? leastRate : leastRateIfUnmeasured;
    return Math.max(rate, least, (climbRequests * 1000) / this.#climbMs);
  }

  get acceptedPerSecond(): number {
    return this.#inflow.acceptedPerSecond(this.#options.clock.monotonic());
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

  get refusalsInARow(): number {
    return this.#refusalsInARow;
  }

  /** Whether one request goes ahead alone, to see if the service accepts any again. */
  get isTrying(): boolean {
    return this.#refusalsInARow > (this.#isLimitMeasured ? 1 : 0);
  }

  send(): Sent {
    return { at: this.#options.clock.monotonic(), rate: this.perSecond };
  }

  accepted(sent: Sent): void {
    const now = this.#options.clock.monotonic();
    this.#latencyMs += (now - sent.at - this.#latencyMs) / (this.#latencyMs === 0 ? 1 : 8);
    this.#inflow.accepted(sent.at);
    // Requests sent before the last pause do not measure the pace after it.
    if (sent.at < this.#resumesAt) return;
    this.#acceptedInClimb += 1;
    this.#refusalsInARow = 0;
  }

  /** All pause, then start more slowly. The pause in milliseconds; undefined if an earlier one covers the request. */
  refused(sent: Sent, requestedMs: number | undefined): number | undefined {
    this.#refusals += 1;
    if (sent.at < this.#resumesAt) {
      if (requestedMs) this.pause(requestedMs);
      return undefined;
    }
    if (this.#refusalsInARow === 0) this.#fallBack(Math.min(sent.rate, this.#most), requestedMs);
    this.#refusalsInARow += 1;
    // Requested pauses may be too short, again and again.
    const pauseMs = Math.max(requestedMs ?? 0, this.#ownPause());
    this.pause(pauseMs);
    return pauseMs;
  }

  /** Nothing starts for so many milliseconds; the pace stays. */
  pause(ms: number): void {
    this.#resumesAt = Math.max(this.#resumesAt, this.#options.clock.monotonic() + ms);
  }

  get #isLimitMeasured(): boolean {
    return this.#climb !== undefined && this.#climb.limit > 0;
  }

  /** How long the climb takes at most: a few refusals may have other reasons than the pace, many do not. */
  get #climbMs(): number {
    const isFew = this.#refusals <= mostUnrelatedRefusals;
    if (!isFew && this.#climb?.isPauseRequested) return Number.POSITIVE_INFINITY;
    return firstClimbMs * climbGrowth ** (this.#refusals - 1);
  }

  /** Requests a second, with as many under way as may be. */
  get #most(): number {
    return (this.#options.concurrency * 1000) / Math.max(1, this.#latencyMs);
  }

  /** One gap, or a pause that doubles after some refusals in a row; by chance up to half shorter. */
  #ownPause(): number {
    const withGapOnly = this.#isLimitMeasured ? 2 : 0;
    const notDoubled = Math.max(withGapOnly, 1) + firstPauses - 1;
    const doublings = Math.max(0, this.#refusalsInARow - notDoubled);
    const doubledMs = this.#refusalsInARow > withGapOnly ? firstPauseMs * 2 ** doublings : 0;
    const ms = Math.min(longestPauseMs, Math.max(doubledMs, this.gapMs));
    return Math.ceil(ms * (0.5 + this.#options.random() / 2));
  }

  #fallBack(refused: number, requestedMs = 0): void {
    const estimate = this.#inflow.refused(this.#options.clock.monotonic());
    const limit = Math.min(refused, estimate?.perSecond ?? 0);
    const isPauseRequested = requestedMs > 0;
    const pause = isPauseRequested ? 'requestedPause' : 'ownPause';
    const climb = { to: refused, accepted: climbAccepted, limit, isPauseRequested };
    if (estimate && this.#isDoubtful(refused, estimate)) {
      this.#climb = { ...climb, from: doubtfulRaise * refused, limit: Number.POSITIVE_INFINITY };
    } else if (estimate?.isTight) {
      const from = margin * refused * (limit / refused) ** limitWeight[pause];
      const accepted = Math.max(climbAccepted, (climbPauses * requestedMs * from) / 1000);
      this.#climb = { ...climb, from, accepted };
    } else {
      const accepted = climbAcceptedIfUnmeasured[pause];
      this.#climb = { ...climb, from: Math.sqrt(refused * limit), accepted };
    }
    this.#acceptedInClimb = 0;
  }

  /** Whether refusals go on below the limit, although enough of the refused pace is accepted. */
  #isDoubtful(refused: number, { perSecond }: Estimate): boolean {
    const isSoon = this.#acceptedInClimb < climbAccepted / 2;
    const isBelow = this.#climb !== undefined && refused < this.#climb.limit;
    this.#doubts = isSoon && isBelow ? this.#doubts + 1 : 0;
    return this.#doubts >= doubtfulRefusals && perSecond >= leastAcceptedShare * refused;
  }
}

export interface Estimate {
  /** Requests a second; the limit is no lower. */
  readonly perSecond: number;
  /** Whether it cannot be much higher either. */
  readonly isTight: boolean;
}

/** A refusal, and how many requests had been accepted until then. */
interface Refusal {
  readonly at: number;
  readonly accepted: number;
}

const refusalsKept = 5;
const acceptedKept = 100;
/** So many accepted requests, beyond what may have been saved up, measure the inflow. */
const measuringRequests = 4;

/** The limit as a bucket that starts full: what it accepts from refusal to refusal shows the least inflow. */
export class Inflow {
  #accepted = 0;
  /** How much the bucket holds at most: all that was accepted before the first refusal. */
  #capacity = 0;
  #firstRefusedAt = Number.POSITIVE_INFINITY;
  readonly #refusals: Refusal[] = [];
  /** When the accepted requests since the last refusal were sent. */
  #sentAt: number[] = [];

  /** Since the first refusal; infinite before it. */
  acceptedPerSecond(now: number): number {
    if (now <= this.#firstRefusedAt) return Number.POSITIVE_INFINITY;
    return rateOf(this.#accepted - this.#capacity, now - this.#firstRefusedAt);
  }

  accepted(sentAt: number): void {
    this.#accepted += 1;
    if (sentAt <= this.#firstRefusedAt) this.#capacity += 1;
    const { at } = this.#refusals.at(-1) ?? { at: Number.POSITIVE_INFINITY };
    if (sentAt > at) this.#sentAt.push(sentAt);
    if (this.#sentAt.length > acceptedKept) this.#sentAt.shift();
  }

  /** Returns undefined at the first refusal, which measures nothing. */
  refused(at: number): Estimate | undefined {
    const isFirst = this.#refusals.length === 0;
    if (isFirst) this.#firstRefusedAt = at;
    const accepted = this.#sentAt.length;
    const enough = this.#capacity + measuringRequests;
    const estimate = {
      perSecond: Math.max(this.#sinceRefusals(at), this.#inStretches(enough)),
      // If less was accepted than the bucket holds, it was never full: no inflow was lost.
      isTight: accepted >= enough || accepted < this.#capacity,
    };
    this.#refusals.push({ at, accepted: this.#accepted });
    if (this.#refusals.length > refusalsKept) this.#refusals.shift();
    this.#sentAt = [];
    return isFirst ? undefined : estimate;
  }

  /** The highest rate from one of the last refusals until now. */
  #sinceRefusals(now: number): number {
    const rates = this.#refusals.map(({ at, accepted }) =>
      rateOf(this.#accepted - accepted, now - at),
    );
    return Math.max(0, ...rates);
  }

  /** The highest rate over the last requests since the last refusal, at least `enough` of them. */
  #inStretches(enough: number): number {
    const last = this.#sentAt.at(-1) ?? 0;
    const starts = this.#sentAt.slice(0, Math.max(0, this.#sentAt.length - enough + 1));
    const rates = starts.map((start, index) =>
      rateOf(this.#sentAt.length - index - this.#capacity, last - start),
    );
    return Math.max(0, ...rates);
  }
}

const rateOf = (count: number, ms: number): number => (count * 1000) / Math.max(1, ms);
