import { Option } from 'commander';
import { refuse, wordOf } from './flag-values.ts';

/** Lists that a shell may complete to, looked up only when they are needed. */
export type Lookup = 'files' | 'profiles' | 'scenarios' | 'faults';

/** A flag, or an argument. */
export interface Flag<Value = unknown> {
  /** As help shows it: `-o, --output <path>`. */
  readonly name: string;
  readonly about: string;
  /**
   * Understands its text, which is given after `previous`; absent for a switch, which is true. Throws
   * InvalidArgumentError.
   */
  parse?(text: string, previous?: Value): Value;
  /** What a shell may complete its value to, where that is known. */
  readonly words?: readonly string[] | Lookup;
  /** Whether it takes several of the words, with commas between. */
  readonly many?: boolean;
  /** Another flag that it stands for, with its value: `--json` for `--format json`. */
  readonly implies?: Readonly<Record<string, string>>;
  readonly isMandatory?: true;
  /** Not what most people need: only `recon help COMMAND --all` lists it. */
  readonly isHidden?: boolean;
  /** Its name among the parsed flags, where another command has a flag that is written the same. */
  readonly key?: string;
}

/** A flag as commander takes it. */
export class FlagOption extends Option {
  readonly flag: Flag;

  constructor(flag: Flag) {
    super(flag.name, flag.about);
    this.flag = flag;
    // Commander would have --no-color switch off --color.
    if (flag.implies) this.implies(flag.implies).negate = false;
    if (flag.parse) this.argParser(flag.parse);
    // Where the value may be left out, its text is empty.
    if (flag.name.endsWith(']')) this.preset('');
    if (flag.isMandatory) this.makeOptionMandatory();
    if (flag.isHidden) this.hideHelp();
  }

  override attributeName(): string {
    return this.flag.key ?? super.attributeName();
  }
}

/** Flags that help shows together, below a heading. */
export type FlagGroup = readonly [heading: string, ...flags: readonly Flag[]];

type More = Pick<Flag, 'words' | 'many' | 'implies' | 'isMandatory'>;
export function toggle<Value extends boolean = true>(name: string, about: string, more: More = {}) {
  const flag: Flag<Value> = { name, about, ...more };
  return flag;
}

/** One that may be given once; commander alone would let the last one win in silence. */
export function once(name: string, about: string, more?: More): Flag<string> {
  return parsed(name, about, (text) => text, more);
}

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

/** One that takes a word of a list. */
export function choice<Word extends string>(name: string, about: string, words: readonly Word[]) {
  return parsed(name, `${about}: ${words.join(', ')}`, (text) => wordOf(words, text), { words });
}

/** One that may be repeated. */
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

/**
 * One that takes words of a list, with commas between them or by being repeated; `none` cannot be
 * combined with the others. Help leaves out those that are others with a `+`.
 */
export function choices<Word extends string>(name: string, about: string, words: readonly Word[]) {
  const named = words.filter((word) => !word.startsWith('+')).join(', ');
  const parse = (text: string, previous: readonly Word[]) => {
    const chosen = text.split(',').map((word) => wordOf(words, word.trim()));
    const kinds = new Set([...previous, ...chosen].map((word) => word === 'none'));
    return kinds.size === 1 ? chosen : refuse('none cannot be combined with others.');
  };
  return repeated(name, `${about}: ${named}`, parse, { words, many: true });
}

/** The same flags, left out of help but for `recon help COMMAND --all`. */
export function hidden<Table extends Readonly<Record<string, Flag>>>(table: Table): Table {
  const all = Object.entries(table).map(([name, flag]) => [name, { ...flag, isHidden: true }]);
  return Object.fromEntries(all);
}
