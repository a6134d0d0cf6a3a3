import { readJournalLines } from '../base/journal-file.ts';
import { type JournalEvent, parseEventLine } from './journal-lines.ts';
import type { Segment } from './segment.ts';

/** Where a cursor finds the files of the journal. */
export interface Segments {
  /** The first file that begins at this number or later. */
  from(number: number): Segment | undefined;
  /** Bytes of a file that may be read: what is beyond isn't acknowledged yet. */
  readable(segment: Segment): number;
}

/** So many bytes are read at once. */
const readAhead = 65_536;

/** Goes through the events that are still to be answered, the oldest first, with little in memory. */
export class Cursor {
  readonly #segments: Segments;
  #segment = 0;
  #offset = 0;
  #ahead: JournalEvent[] = [];

  constructor(segments: Segments) {
    this.#segments = segments;
  }

  /** The next one; undefined at the end, where more may come later. */
  async next(): Promise<JournalEvent | undefined> {
    for (;;) {
      const event = this.#ahead.shift();
      if (!event) {
        if (!(await this.#readOn())) return undefined;
      } else if (this.#segments.from(this.#segment)?.unanswered.has(event.number)) return event;
    }
  }

  /** Whether there was anything to read. */
  async #readOn(): Promise<boolean> {
    const segment = this.#segments.from(this.#segment);
    if (!segment) return false;
    if (segment.first !== this.#segment) {
      this.#segment = segment.first;
      this.#offset = 0;
    }
    const begin = this.#offset;
    const end = this.#segments.readable(segment);
    if (segment.unanswered.size > 0 && begin < end) {
      for await (const line of readJournalLines(segment.eventsPath, begin, end)) {
        this.#offset = line.end;
        const event = parseEventLine(line.text);
        if (event && segment.unanswered.has(event.number)) this.#ahead.push(event);
        if (this.#offset - begin >= readAhead) return true;
      }
    }
    if (this.#offset > begin) return true;
    if (!this.#segments.from(segment.first + 1)) return false;
    this.#segment = segment.first + 1;
    this.#offset = 0;
    return true;
  }
}
