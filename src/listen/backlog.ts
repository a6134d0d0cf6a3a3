import type { Clock } from '../base/clock.ts';
import type { Cursor } from './cursor.ts';
import type { Journal } from './journal.ts';
import type { JournalEvent } from './journal-lines.ts';
import { Lane } from './lane.ts';

/** An event that is to be answered, and the lane that it came by. */
export interface Due {
  readonly event: JournalEvent;
  readonly lane: Lane;
}

const minuteMs = 60_000;

/**
 * Hands out what the journal holds: fresh events as they came, and beside them, in rounds, those
 * that could not be answered before. The journal is the queue: only those under way are kept here.
 */
export class Backlog {
  readonly #journal: Pick<Journal, 'cursor'>;
  readonly #fresh: Lane;
  readonly #again: Lane;
  readonly #freshEvents: Cursor;
  #againEvents: Cursor;
  /** The last fresh event that was handed out. */
  #furthest = 0;
  readonly #underWay = new Set<number>();
  /** Those that were handed out and are still to be answered, but for those under way. */
  #leftBehind = 0;
  #roundsInARow = 0;

  constructor(journal: Pick<Journal, 'cursor'>, clock: Clock, random: () => number) {
    this.#journal = journal;
    this.#fresh = new Lane({ baseMs: 5_000, capMs: minuteMs }, clock, random);
    this.#again = new Lane({ baseMs: minuteMs / 2, capMs: 15 * minuteMs }, clock, random);
    this.#freshEvents = journal.cursor();
    this.#againEvents = journal.cursor();
  }

  /** The next one; undefined where there is none, or where all have to wait. */
  async next(): Promise<Due | undefined> {
    const event = (await this.#nextAgain()) ?? (await this.#nextFresh());
    if (event) this.#underWay.add(event.event.number);
    return event;
  }

  /** It is answered. */
  answered({ event, lane }: Due): void {
    this.#underWay.delete(event.number);
    lane.succeeded();
    if (lane !== this.#again) return;
    this.#leftBehind -= 1;
    this.#roundsInARow = 0;
  }

  /**
   * One reading could not answer them: they will be handed out again. `concernsAll`: nor can others
   * be answered now.
   */
  failed(dues: readonly Due[], concernsAll: boolean): void {
    for (const lane of new Set(dues.map((due) => due.lane))) lane.failed(concernsAll);
    for (const { event, lane } of dues) {
      this.#underWay.delete(event.number);
      if (lane === this.#again) continue;
      this.#leftBehind += 1;
      if (this.#leftBehind === 1) this.#beginRound();
    }
  }

  /** Milliseconds until something that waits may go on; undefined where nothing waits for the time. */
  get waitMs(): number | undefined {
    const waits = [this.#fresh.restsFor, this.#leftBehind > 0 ? this.#again.restsFor : 0];
    const longer = waits.filter((ms) => ms > 0);
    return longer.length === 0 ? undefined : Math.min(...longer);
  }

  async #nextFresh(): Promise<Due | undefined> {
    if (this.#fresh.restsFor > 0) return undefined;
    const event = await this.#freshEvents.next();
    if (!event) return undefined;
    this.#furthest = event.number;
    return { event, lane: this.#fresh };
  }

  async #nextAgain(): Promise<Due | undefined> {
    if (this.#leftBehind === 0 || this.#again.restsFor > 0) return undefined;
    for (;;) {
      const event = await this.#againEvents.next();
      if (!event || event.number > this.#furthest) {
        this.#beginRound();
        return undefined;
      }
      if (!this.#underWay.has(event.number)) return { event, lane: this.#again };
    }
  }

  #beginRound(): void {
    this.#roundsInARow += 1;
    this.#againEvents = this.#journal.cursor();
    this.#again.rest(this.#roundsInARow);
  }
}
