import { Journal } from '../../src/listen/journal.ts';
import { temporaryFolder } from '../cli/temporary.ts';

interface Opened {
  readonly journal: Journal;
  readonly folder: string;
  /** What it complained about. */
  readonly troubles: readonly string[];
}

export const march4 = Date.UTC(2026, 2, 4);
export const dayMs = 24 * 3_600_000;

export async function openJournal(
  options: { folder?: string; now?: () => number; keepDays?: number } = {},
): Promise<Opened> {
  const folder = options.folder ?? (await temporaryFolder());
  const troubles: string[] = [];
  const journal = await Journal.open({
    now: () => march4,
    keepDays: 30,
    ...options,
    folder,
    onTrouble: ({ message }) => troubles.push(message),
  });
  return { journal, folder, troubles };
}

/** Keeps a payload as it came in; its name. */
export async function keep(journal: Journal, text: string): Promise<string> {
  let kept = '';
  await journal.keep(text, (name) => {
    kept = name;
  });
  return kept;
}

/** The payload of a settlement webhook with this id. */
export function settlementPayload(id: string): string {
  return JSON.stringify({ id, settlement_id: 'S' });
}
