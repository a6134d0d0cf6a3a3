import { join } from 'node:path';
import { removeWhole } from '../base/folders.ts';
import { appendPrivately, readJournalLines } from '../base/journal-file.ts';
import { GroupCommit } from './group-commit.ts';
import { answeredLine, parseAnsweredLine, parseEventLine } from './journal-lines.ts';
import { NumberSet } from './number-set.ts';

const digits = 12;

/** One file of the journal: events in the order in which they came, and beside it which are answered. */
export class Segment {
  /** The number of its first event, which names it. */
  readonly first: number;
  readonly eventsPath: string;
  /** The events that are still to be answered. */
  readonly unanswered: NumberSet;
  readonly #answeredPath: string;
  readonly #marks: GroupCommit<number>;

  constructor(folder: string, first: number) {
    this.first = first;
    const name = join(folder, String(first).padStart(digits, '0'));
    this.eventsPath = `${name}.events`;
    this.#answeredPath = `${name}.answered`;
    this.unanswered = new NumberSet(first);
    // A mark needs no flush: after a power cut without it, an event is answered once more.
    this.#marks = new GroupCommit((numbers) =>
      appendPrivately(this.#answeredPath, numbers.map(answeredLine).join('')),
    );
  }

  /** Resolves once the mark is written. */
  async markAnswered(number: number): Promise<void> {
    if (this.unanswered.delete(number)) await this.#marks.add(number);
  }

  settled(): Promise<void> {
    return this.#marks.settled();
  }

  /**
   * Learns from the files what is in them; gives the number of the last event, or the one before
   * the first where there is none. `onId` hears the ids of settlement payloads, `onDamage` of lines
   * that can't be understood: they are passed over.
   */
  async load(onId: (id: string) => void, onDamage: (path: string) => void): Promise<number> {
    let last = this.first - 1;
    let lines = 0;
    for await (const { text } of readJournalLines(this.eventsPath)) {
      const event = parseEventLine(text);
      // Numbers follow each other, so that none is beyond its line.
      if (event && event.number > last && event.number <= this.first + lines) {
        last = event.number;
        this.unanswered.add(last);
        if (event.webhook.kind === 'settlement') onId(event.webhook.payloadId);
      } else if (text !== '') onDamage(this.eventsPath);
      lines += 1;
    }
    // A crash came between the deletion of the two.
    if (last < this.first) await removeWhole(this.#answeredPath);
    for await (const { text } of readJournalLines(this.#answeredPath)) {
      const number = parseAnsweredLine(text);
      if (number !== undefined) this.unanswered.delete(number);
    }
    return last;
  }

  /** The ids of its settlement payloads. */
  async payloadIds(): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const { text } of readJournalLines(this.eventsPath)) {
      const webhook = parseEventLine(text)?.webhook;
      if (webhook?.kind === 'settlement' && webhook.payloadId !== '') ids.push(webhook.payloadId);
    }
    return ids;
  }

  /** Deletes its files. Marks without events mean nothing, so that they go last. */
  async remove(): Promise<void> {
    await this.#marks.settled();
    await removeWhole(this.eventsPath);
    await removeWhole(this.#answeredPath);
  }
}

/** The numbers that the files in a folder are named by, in order. */
export function segmentNumbers(names: readonly string[]): readonly number[] {
  const numbers = names.map((name) => Number(/^(\d{12})\.(events|answered)$/.exec(name)?.[1] ?? 0));
  return [...new Set(numbers)].filter((number) => number > 0).sort((one, other) => one - other);
}
