/** A request as the pace sees it: when it was sent, and what the pace was then. */
export interface Sent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Requests a second; infinite while no limit is known. */
  readonly rate: number;
}

/** A refusal that began anew, and how many answers the run had had until then. */
interface Refusal {
  readonly at: number;
  readonly answers: number;
}

/** Without a word from the service: the first pause, and the longest. */
const firstPauseMs = 100;
const longestPauseMs = 60_000;
/** Requests a second. Nobody waits longer than a minute for the pace alone. */
const leastRate = 1 / 60;
/** After a pause that was asked for, the pace rises only after so many times its length. */
const pausesOfCalm = 8;
/** Refusals whose answers are counted together. */
const remembered = 3;
/** So many refusals soon one after the other are too many for a limit that was underestimated. */
const tooMany = 4;

/**
 * How fast requests may be started, and how long everyone pauses, learnt from what the service lets
 * through and refuses. Its limit is not shown (doc 8), so it is taken for a bucket that fills at
 * some rate: from one refusal to the next, it lets through what flows in. Until the first refusal
 * there is no limit at all. Pure: it is told the time.
 */
export class Pace {
  readonly #concurrency: number;
  readonly #random: () => number;
  #rate = Number.POSITIVE_INFINITY;
  /** The pace after the last refusal, from where it rises; undefined while the limit is sought. */
  #base: number | undefined;
  #risesAt = 0;
  #rises = 0;
  /** How many answers it takes until the rise is felt. */
  #calm = 0;
  #startedAt: number | undefined;
  #answers = 0;
  #askedMs = 0;
  readonly #refusals: Refusal[] = [];
  #inARow = 0;
  #soonInARow = 0;
  #resumesAt = 0;

  /** `random` gives a number from 0 to below 1. */
  constructor(options: { concurrency: number; random: () => number }) {
    this.#concurrency = options.concurrency;
    this.#random = options.random;
  }

  /** Milliseconds from one start to the next; 0 while no limit is known. */
  get gapMs(): number {
    return 1000 / this.#rate;
  }

  /** When requests may be started again, milliseconds since the epoch. */
  get resumesAt(): number {
    return this.#resumesAt;
  }

  /** Refusals since the service let something through, each at its own time. */
  get refusalsInARow(): number {
    return this.#inARow;
  }

  /** Whether one request goes ahead alone, to see if the service answers again. */
  get isTrying(): boolean {
    return this.#inARow > (this.#isKnown ? 1 : 0);
  }

  send(now: number): Sent {
    this.#startedAt ??= now;
    return { at: now, rate: this.#rate };
  }

  answered(sent: Sent, now: number): void {
    this.#answers += 1;
    // What was sent before the last pause says nothing about the pace after it.
    if (this.#refusals.length === 0 || sent.at < this.#resumesAt) return;
    this.#inARow = 0;
    if (this.#isKnown) this.#rise(now - sent.at, now);
    else this.#rate = this.#throughput(now);
  }

  /**
   * A refusal, with the pause that the service asks for. Returns the pause that it calls for, or
   * undefined where it belongs to an earlier refusal, as those do that were under way together.
   */
  limited(sent: Sent, now: number, askedMs: number | undefined): number | undefined {
    if (sent.at < this.#resumesAt) {
      if (askedMs) this.pause(now, askedMs);
      return undefined;
    }
    if (this.#inARow === 0) this.#fallBack(sent.rate, now, askedMs !== undefined);
    this.#inARow += 1;
    // What was asked for may turn out to be too short, again and again.
    const pauseMs = Math.max(askedMs ?? 0, this.#ownPause());
    this.pause(now, pauseMs);
    this.#risesAt = this.#resumesAt + (askedMs ? pausesOfCalm * askedMs : 0);
    if (!this.#isKnown) this.#askedMs += askedMs ?? 0;
    return pauseMs;
  }

  /** Nobody starts for so many milliseconds; the pace stays. */
  pause(now: number, ms: number): void {
    this.#resumesAt = Math.max(this.#resumesAt, now + ms);
  }

  get #isKnown(): boolean {
    return this.#rate < Number.POSITIVE_INFINITY;
  }

  /** One gap, if the pace is known; doubling from the third time on, or at once. Spread by chance. */
  #ownPause(): number {
    const free = this.#isKnown ? 2 : 0;
    const gapMs = this.#isKnown ? this.gapMs : firstPauseMs;
    const doubledMs = firstPauseMs * 2 ** (this.#inARow - Math.max(free, 1));
    const ms = Math.min(longestPauseMs, this.#inARow > free ? Math.max(doubledMs, gapMs) : gapMs);
    return Math.ceil(ms * (0.5 + this.#random() / 2));
  }

  /**
   * The first measure: all answers over the time they took. Whether a pause that was asked for
   * belongs to that time depends on what the service saves up in it, so it counts half.
   */
  #throughput(now: number): number {
    const ms = now - (this.#startedAt ?? now);
    return (this.#answers * 1000) / Math.max(1, Math.sqrt(ms * Math.max(0, ms - this.#askedMs)));
  }

  /** Fast while the limit is sought; then hardly at first, and ever faster while nothing is refused. */
  #rise(latencyMs: number, now: number): void {
    const most = (this.#concurrency * 1000) / Math.max(1, latencyMs);
    if (this.#rate > most || now < this.#risesAt) return;
    if (this.#base === undefined) this.#rate *= 1.3;
    else {
      this.#rises += 1;
      this.#rate = this.#base * (1 + 0.1 * (this.#rises / this.#calm) ** 3);
    }
  }

  #fallBack(refusedRate: number, now: number, wasAsked: boolean): void {
    const last = this.#refusals.at(-1);
    const from = this.#refusals.at(-remembered) ?? this.#refusals[0];
    const refusal = { at: now, answers: this.#answers };
    this.#refusals.push(refusal);
    if (this.#refusals.length > remembered) this.#refusals.shift();
    if (!last || !from || !this.#isKnown) return;
    const answers = refusal.answers - last.answers;
    const measured = ((refusal.answers - from.answers) * 1000) / Math.max(1, now - from.at);
    this.#rate = Math.max(leastRate, this.#lower(refusedRate, measured, answers, wasAsked));
    this.#base = this.#rate;
    this.#rises = 0;
    this.#calm = Math.min(60, Math.max(30, 1.5 * answers));
  }

  /** The pace after a refusal at the pace `refused`, `answers` after the last one. */
  #lower(refused: number, measured: number, answers: number, wasAsked: boolean): number {
    if (this.#base === undefined) return 0.7 * refused;
    this.#soonInARow = answers < 30 ? this.#soonInARow + 1 : 0;
    if (this.#soonInARow >= tooMany) {
      // So often in a row: either it is still far too fast, or refusals have nothing to do with the
      // pace, and then it doesn't help to be slow.
      return measured >= 0.4 * refused ? 1.4 * refused : Math.min(0.7 * refused, 0.9 * measured);
    }
    // After a long pause, the measure says little: what came in meanwhile may have been lost.
    if (wasAsked && answers < 40) return 0.75 * refused;
    if (answers >= 10) return Math.max((wasAsked ? 0.94 : 0.88) * refused, measured);
    const least = this.#soonInARow <= 2 ? 0.5 : 0.7;
    return Math.min(0.7 * refused, Math.max(least * refused, 0.95 * measured));
  }
}
