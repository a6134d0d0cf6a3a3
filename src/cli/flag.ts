import { InvalidArgumentError, Option } from 'commander';
import { matchWord } from '../base/texts.ts';
import { uuidForm } from '../model/row.ts';
import { isSettlementId } from '../model/settlement.ts';

/** Lists for shell completion that are read only when needed. */
type Lookup = 'files' | 'profiles' | 'scenarios' | 'faults';

export interface Flag<Value = unknown> {
  readonly name: string;
  readonly about: string;
  /** Parses its text; absent for a switch. Throws InvalidArgumentError. */
  parse?(text: string, previous?: Value): Value;
  readonly words?: readonly string[] | Lookup;
  /** The flag that it is short for: `--json` for `--format json`. */
  readonly implies?: Readonly<Record<string, string>>;
  readonly isMandatory?: true;
  readonly isHidden?: boolean;
}

/** The parsed flags of a table; absent if not given. */
export type FlagsOf<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends Flag<infer Value> ? Value : never;
};

export class FlagOption extends Option {
  readonly flag: Flag;

  constructor(flag: Flag) {
    super(flag.name, flag.about);
    this.flag = flag;
    // Commander would have --no-color switch off --color.
    if (flag.implies) this.implies(flag.implies).negate = false;
    if (flag.parse) this.argParser(flag.parse);
    // An optional value that is left out is empty.
    if (flag.name.endsWith(']')) this.preset('');
    if (flag.isMandatory) this.makeOptionMandatory();
    if (flag.isHidden) this.hideHelp();
  }
}

export type FlagGroup = readonly [heading: string, ...flags: readonly Flag[]];

type More = Pick<Flag, 'words' | 'implies' | 'isMandatory'>;
/** A switch: true if given. */
export function toggle<Value extends boolean = true>(name: string, about: string, more: More = {}) {
  const flag: Flag<Value> = { name, about, ...more };
  return flag;
}

/** Refuses repetition: commander alone would take the last one. */
export function once(name: string, about: string, more?: More): Flag<string> {
  return parsed(name, about, (text) => text, more);
}

/** A flag that may be given once, with its parser. */
export function parsed<Value>(
  name: string,
  about: string,
  parse: (text: string) => Value,
  more: More = {},
): Flag<Value> {
  const parseOnce = (text: string, previous?: Value) =>
    previous === undefined ? parse(text) : refuse('It can be given only once.');
  return { name, about, parse: parseOnce, ...more };
}

export function choice<Word extends string>(name: string, about: string, words: readonly Word[]) {
  return parsed(name, `${about}: ${words.join(', ')}`, (text) => wordOf(words, text), { words });
}

/** A flag that may be given several times; `parse` also gets the earlier values. */
export function repeated<Value>(
  name: string,
  about: string,
  parse: (text: string, previous: readonly Value[]) => readonly Value[],
  more: More = {},
): Flag<readonly Value[]> {
  const parseNext = (text: string, previous: readonly Value[] = []) => [
    ...previous,
    ...parse(text, previous),
  ];
  return { name, about, parse: parseNext, ...more };
}

/** Takes words of a list, separated or repeated; `none` excludes others. Help omits those with a `+`. */
export function choices<Word extends string>(name: string, about: string, words: readonly Word[]) {
  const named = words.filter((word) => !word.startsWith('+')).join(', ');
  const parse = (text: string, previous: readonly Word[]) => {
    const chosen = text.split(',').map((word) => wordOf(words, word.trim()));
    const kinds = new Set([...previous, ...chosen].map((word) => word === 'none'));
    return kinds.size === 1 ? chosen : refuse('none cannot be combined with others.');
  };
  return repeated(name, `${about}: ${named}`, parse, { words });
}

export function hidden<One extends Flag>(flag: One): One {
  return { ...flag, isHidden: true };
}

export function refuse(message: string): never {
  throw new InvalidArgumentError(message);
}

/** The word of a list, whatever its case; refuses any other. */
export function wordOf<Word extends string>(words: readonly Word[], text: string): Word {
  const word = matchWord(words, text);
  return words.find((one) => one === word) ?? refuse(`It must be one of ${words.join(', ')}.`);
}

export function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('It must be a whole number.');
}

export function upTo(most: number, least = 0): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number > most) refuse(`It must be at most ${most}.`);
    return number < least ? refuse(`It must be at least ${least}.`) : number;
  };
}

/** A UUID; drops quotes and spaces that were copied along. */
export function oneUuid(pasted: string): string {
  const text = withoutPasted(pasted);
  const example = '3f0c5a52-7f0e-4c6b-9d0e-2b8f6a1c9e77';
  return uuidForm.test(text) ? text : refuse(`It must be a UUID, such as ${example}.`);
}

/** The same of a settlement, which its first characters may name: eight at least. */
export function oneSettlement(pasted: string): string {
  const text = withoutPasted(pasted);
  return isSettlementId(text) || isShortId(text) ? text : oneUuid(text);
}

/** Whether a text is the beginning of a UUID. */
export function isShortId(text: string): boolean {
  const isBeginning = /^[0-9a-f]{8}(?:-[0-9a-f-]*)?$/i.test(text) && text.length < 36;
  return isBeginning && !isSettlementId(text);
}

function withoutPasted(pasted: string): string {
  return pasted.replace(/^[\s\p{Cf}"'`“”„‘’«»{(<[]+|[\s\p{Cf}"'`“”‘’«»})>\],;]+$/gu, '');
}

export function someText(text: string): string {
  return text.trim() === '' ? refuse('It must not be empty.') : text.trim();
}

/** Words as the service writes them, separated by commas. */
export function exactValues(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return words.includes('') ? refuse('A value must not be empty.') : words;
}
