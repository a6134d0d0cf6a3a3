import { onTestFinished } from 'vitest';
import type { Cursor } from '../../src/listen/cursor.ts';
import { Journal } from '../../src/listen/journal.ts';
import { temporaryFolder } from '../cli/temporary.ts';

interface Opened {
  readonly journal: Journal;
  readonly folder: string;
  /** What it complained about. */
  readonly troubles: readonly string[];
}

/** A journal that is closed when the test ends. */
export async function openJournal(
  options: { folder?: string; segmentBytes?: number; rememberedIds?: number } = {},
): Promise<Opened> {
  const folder = options.folder ?? (await temporaryFolder());
  const troubles: string[] = [];
  const journal = await Journal.open({
    ...options,
    folder,
    now: () => Date.UTC(2026, 2, 4),
    onTrouble: (text) => troubles.push(text),
  });
  onTestFinished(() => journal.close());
  return { journal, folder, troubles };
}

/** The numbers of the events that are left for a cursor. */
export async function numbersOf(cursor: Cursor): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (let event = await cursor.next(); event; event = await cursor.next()) {
    numbers.push(event.number);
  }
  return numbers;
}
