import { byText } from '../base/texts.ts';
import type { Settlement } from '../model/settlement.ts';
import { united } from './joined.ts';

/** The settlements that an id stands for: one, or several that share it. */
export type Owners = readonly Settlement[];

/** Max35Text of ISO 20022: fields for ids are no longer, and a UUID with dashes is. */
const longestField = 35;

/** Shorter ids occur in texts, and cut ones at their ends, by chance. */
const shortestInText = 12;
const shortestStart = 16;

/** The beginning of a UUID occurs by chance in one of thousands of millions of words. */
const shortestUuidStart = 8;

/** Whole, or less the last digit, which fields for ids cut. */
const uuid = /^[0-9A-F]{31,32}$/;

/** A word of as many letters and digits, with the dashes that hold it together. */
const dashed = /[A-Z0-9](?:[-_.]?[A-Z0-9]){7,}/g;

/** What services write before an id. It has a letter that UUIDs lack. */
const descriptor = /^[A-Z]*[G-Z][A-Z]*[-_.]/;

const startLetters = 4;

/** What stands for a missing id, at the service too. */
const placeholders: ReadonlySet<string> = new Set(['', 'NOTPROVIDED', 'NONREF', 'NOREF', 'NONE']);

/** Ids of settlements, found as banks hand them on: without dashes, cut, within texts. */
export class IdOwners {
  /** By the id in upper case, whole and cut. */
  readonly #asWritten = new Map<string, Settlement[]>();
  /** By its letters and digits. */
  readonly #bare = new Map<string, Settlement[]>();
  /** How ids begin: most texts have no word that begins so. */
  readonly #starts = new Set<string>();
  readonly #shortest: number;
  #sorted: readonly string[] | undefined;

  /** Ids of fewer than `shortest` letters and digits are not found within texts. */
  constructor(
    settlements: readonly Settlement[],
    idsOf: (one: Settlement) => readonly string[],
    shortest = shortestInText,
  ) {
    this.#shortest = shortest;
    for (const settlement of settlements) {
      for (const id of idsOf(settlement)) this.#add(id.trim().toUpperCase(), settlement);
    }
  }

  #add(id: string, owner: Settlement): void {
    if (placeholders.has(bare(id))) return;
    const cut = id.slice(0, longestField);
    for (const form of [id, cut]) add(this.#asWritten, form, owner);
    for (const form of [bare(id), bare(cut)]) add(this.#bare, form, owner);
    this.#starts.add(bare(id).slice(0, startLetters));
  }

  /** The owners of the ids that fill whole fields. */
  whole(fields: readonly string[]): readonly Owners[] {
    const ids = fields.map((field) => field.trim().toUpperCase());
    return found(ids.map((id) => this.#asWritten.get(id) ?? this.#bare.get(bare(id))));
  }

  /** The owners of the ids within a text: perhaps broken by blanks, dashes and lines, but no part of a longer word. */
  within(text: string): readonly Owners[] {
    const words = wordsOf(text);
    const owners: (Owners | undefined)[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const longest = this.#longestAt(words, at);
      if (!longest) continue;
      owners.push(longest.owners);
      at = longest.end - 1;
    }
    return found(owners);
  }

  /** Whether any id is within a text, or the beginning of one. */
  isNamedIn(text: string): boolean {
    return this.within(text).length > 0 || this.#begunIn(text).length > 0;
  }

  /** The settlements of which a text has the beginning of an id that no other settlement shares. */
  begunIn(text: string): readonly Settlement[] {
    return united(this.#begunIn(text).filter(({ length }) => length === 1));
  }

  #begunIn(text: string): readonly Owners[] {
    const written = text.toUpperCase();
    const words = [...written.matchAll(dashed)].map(({ 0: word, index }) =>
      this.#begunBy(word, written.slice(index + word.length)),
    );
    return [this.#startedAtEndOf(text), ...words].filter(({ length }) => length > 0);
  }

  /** The owners of the ids that begin with a word, or with what a descriptor is written before: `PAYOUT-3D279A78`. */
  #begunBy(word: string, rest: string): Owners {
    const starts = [word, word.replace(descriptor, '')].map(bare);
    const start = starts.find((one) => this.#isStart(one));
    if (start === undefined) return [];
    let begun = start;
    for (let at = 0; ; ) {
      const [gap = '', next] = /^[-_.]*\s?([A-Z0-9]+)/.exec(rest.slice(at)) ?? [];
      if (next === undefined) break;
      if (this.#idsFrom(begun + next).length === 0) {
        // Another id that begins alike may go on behind a blank or in the next line.
        if (/\d|^[A-F]+$/.test(next)) return [];
        break;
      }
      begun += next;
      at += gap.length;
    }
    return this.#startingWith(begun);
  }

  /** Words have no digits; dates and numbers have no letters. */
  #isStart(start: string): boolean {
    if (!this.#mayBegin(start) || !/\d/.test(start) || !/[A-Z]/.test(start)) return false;
    if (start.length < shortestUuidStart) return false;
    const ids = this.#idsFrom(start);
    return ids.length > 0 && (start.length >= shortestInText || ids.every((one) => uuid.test(one)));
  }

  /** Whether an id may begin anywhere in a text; false for most texts. */
  mayBeginIn(text: string): boolean {
    const words = wordsOf(text);
    return words.some((word, at) => {
      let start = word;
      for (let next = at + 1; start.length < startLetters && next < words.length; next += 1) {
        start += words[next];
      }
      return this.#mayBegin(start);
    });
  }

  #mayBegin(id: string): boolean {
    return id.length < startLetters || this.#starts.has(id.slice(0, startLetters));
  }

  #longestAt(words: readonly string[], from: number) {
    if (!this.#mayBegin(words[from] ?? '')) return undefined;
    let id = '';
    let longest: { readonly end: number; readonly owners: Owners } | undefined;
    for (let end = from; end < words.length && id.length < longestField; ) {
      id += words[end];
      end += 1;
      const owners = id.length < this.#shortest ? undefined : this.#bare.get(id);
      if (owners) longest = { end, owners };
    }
    return longest;
  }

  /** The owners of a cut id at the end of a text, broken or not. */
  #startedAtEndOf(text: string): Owners {
    const words = wordsOf(text);
    let end = '';
    for (let at = words.length - 1; at >= 0 && end.length < longestField; at -= 1) {
      end = (words[at] ?? '') + end;
      const isPossible = end.length >= shortestStart && /\d/.test(end) && this.#mayBegin(end);
      const owners = isPossible ? this.#startingWith(end) : [];
      if (owners.length > 0) return owners;
    }
    return [];
  }

  #startingWith(start: string): Owners {
    return united(this.#idsFrom(start).map((id) => this.#bare.get(id) ?? []));
  }

  /** The ids that begin so. */
  #idsFrom(start: string): readonly string[] {
    this.#sorted ??= [...this.#bare.keys()].sort(byText);
    const from = firstFrom(this.#sorted, start);
    let to = from;
    while (this.#sorted[to]?.startsWith(start)) to += 1;
    return this.#sorted.slice(from, to);
  }
}

/** The id of a settlement, and those of its payments (doc 2.7). */
export function payoutIdsOf({
  id,
  paymentEndToEndIds,
  paymentReferences,
}: Settlement): readonly string[] {
  return [id, ...paymentEndToEndIds, ...paymentReferences];
}

/** The ids of a settlement that are too short to be found within texts. */
export function shortIdsOf(settlement: Settlement): readonly string[] {
  const { paymentEndToEndIds, paymentReferences } = settlement;
  const ids = new Set([...paymentEndToEndIds, ...paymentReferences]);
  return [...ids].filter((id) => bare(id).length < shortestInText);
}

/** The ids of a settlement that stand in texts, but are so short that they may stand there by chance. */
export function shortIdsIn(settlement: Settlement, texts: readonly string[]): readonly string[] {
  return shortIdsOf(settlement).filter((id) => {
    const owners = new IdOwners([settlement], () => [id], 1);
    return texts.some((text) => owners.within(text).length > 0);
  });
}

function add(owners: Map<string, Settlement[]>, form: string, owner: Settlement): void {
  const known = owners.get(form);
  if (!known) owners.set(form, [owner]);
  // All ids of one settlement come together.
  else if (known.at(-1) !== owner) known.push(owner);
}

function found(owners: readonly (Owners | undefined)[]): readonly Owners[] {
  return [...new Set(owners)].filter((one) => one !== undefined);
}

function wordsOf(text: string): readonly string[] {
  return text.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
}

const bare = (id: string): string => wordsOf(id).join('');

/** The place of the first of some sorted texts that is not before `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? '') < text) from = middle + 1;
    else to = middle;
  }
  return from;
}
