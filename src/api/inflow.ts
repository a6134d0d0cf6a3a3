/** How much a limit lets through. */
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
