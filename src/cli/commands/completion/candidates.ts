import type { Command } from 'commander';
import { type Lookup, type Offer, offerOf } from '../../offers.ts';
import { type Cursor, findCursor } from './cursor.ts';

/** A word that fits, and what a shell may show beside it. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

export type LookUp = (list: Exclude<Lookup, 'files'>) => Promise<readonly string[]>;

/** What the last of the words, which may be begun or empty, can become. */
export async function findCandidates(
  program: Command,
  words: readonly string[],
  lookUp: LookUp,
): Promise<readonly Candidate[] | 'files'> {
  const whole = joined(words);
  const cursor = findCursor(program, whole);
  const offer = cursor.option && offerOf(cursor.option);
  if (offer?.words === 'files') return 'files';
  const fitting = cursor.option ? await values(cursor, offer, lookUp) : names(cursor);
  const kept = keptByShell(words, whole);
  return fitting
    .filter(({ word }) => word.startsWith(cursor.typed))
    .map(({ word, about }) => ({ word: (cursor.before + word).slice(kept), about }))
    .filter(({ word }) => word !== '');
}

async function values(
  { typed }: Cursor,
  offer: Offer | undefined,
  lookUp: LookUp,
): Promise<readonly Candidate[]> {
  if (!offer || offer.words === 'files') return [];
  const words = typeof offer.words === 'string' ? await lookUp(offer.words) : offer.words;
  const before = offer.many ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const chosen = before.split(',');
  return words
    .filter((word) => !chosen.includes(word))
    .map((word) => ({ word: before + word, about: '' }));
}

/** Commands and arguments, or else options. */
function names({ command, position, typed }: Cursor): readonly Candidate[] {
  const help = command.createHelp();
  const choices = command.registeredArguments[position]?.argChoices ?? [];
  const others = [
    ...(position === 0 ? help.visibleCommands(command) : []).map((one) => ({
      word: one.name(),
      about: one.description(),
    })),
    ...choices.map((word) => ({ word, about: '' })),
  ];
  if (others.length > 0 && !typed.startsWith('-')) return others;
  return help
    .visibleOptions(command)
    .map(({ long, description }) => ({ word: long ?? '', about: description }));
}

const isSeparator = (word: string | undefined) => word === '=' || word === ':';

/** Bash splits words at `=` and `:`; puts them together again. */
function joined(words: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const [index, word] of words.entries()) {
    const isContinued = isSeparator(word) || isSeparator(words[index - 1]);
    whole.push(isContinued ? (whole.pop() ?? '') + word : word);
  }
  return whole;
}

/** How much of the last word bash holds for finished. */
function keptByShell(words: readonly string[], whole: readonly string[]): number {
  const last = words.at(-1) ?? '';
  return (whole.at(-1) ?? '').length - (isSeparator(last) ? 0 : last.length);
}
