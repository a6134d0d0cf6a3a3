import { join } from 'node:path';
import { removeWhole } from '../base/folders.ts';
import { appendPrivately, readJournalLines } from '../base/journal-file.ts';
import { rememberedIds } from './recent-ids.ts';

/**
 * The ids of settlement payloads whose events are gone from the journal, so that a payload that is
 * sent again is known after a restart too. Two files at most: the older one is forgotten whole.
 */
export class IdArchive {
  readonly #folder: string;
  readonly #capacity: number;
  #file = 1;
  #count = 0;

  constructor(folder: string, capacity = rememberedIds) {
    this.#folder = folder;
    this.#capacity = capacity;
  }

  /** Tells all ids, the oldest first. `names`: what is in the folder. */
  async load(names: readonly string[], onId: (id: string) => void): Promise<void> {
    const files = names.map((name) => Number(/^(\d{6})\.ids$/.exec(name)?.[1] ?? 0));
    for (const file of files.filter((number) => number > 0).sort((a, b) => a - b)) {
      this.#file = file;
      this.#count = 0;
      for await (const { text } of readJournalLines(this.#path(file))) {
        onId(text);
        this.#count += 1;
      }
    }
  }

  /** They are on the disk when this resolves. */
  async add(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    if (this.#count >= this.#capacity) {
      this.#file += 1;
      this.#count = 0;
      await removeWhole(this.#path(this.#file - 2));
    }
    this.#count += ids.length;
    const lines = ids.map((id) => `${id.replace(/[\r\n]/g, ' ')}\n`).join('');
    await appendPrivately(this.#path(this.#file), lines, true);
  }

  #path(file: number): string {
    return join(this.#folder, `${String(file).padStart(6, '0')}.ids`);
  }
}
