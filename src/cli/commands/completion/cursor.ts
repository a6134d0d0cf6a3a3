import type { Command, Option } from 'commander';

/** Where on the command line a word is being typed. */
export interface Cursor {
  /** The innermost command that is named before it. */
  readonly command: Command;
  /** The option whose value it is. */
  readonly option: Option | undefined;
  /** Which of the command's arguments it is, if it is one. */
  readonly position: number;
  /** What is there of it already; of `--option=value`, the value. */
  readonly typed: string;
  /** What stands before that in the same word. */
  readonly before: string;
}

/** Finds the command, the option or the argument that the last of the words belongs to. */
export function findCursor(program: Command, words: readonly string[]): Cursor {
  let command = program;
  let option: Option | undefined;
  let position = 0;
  for (const word of words.slice(0, -1)) {
    if (option) option = undefined;
    else if (word.startsWith('-')) option = optionWithValue(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word);
      position = next ? 0 : position + 1;
      command = next ?? command;
    }
  }
  const last = words.at(-1) ?? '';
  if (option) return { command, option, position, typed: last, before: '' };
  const [, flag = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
  option = optionWithValue(command, flag);
  if (option) return { command, option, position, typed: value, before: `${flag}=` };
  return { command, option, position, typed: last, before: '' };
}

function optionWithValue(command: Command, word: string): Option | undefined {
  return command.options
    .filter(({ required, optional }) => required || optional)
    .find(({ long, short }) => word === long || word === short);
}

/** The value of an option that is given before the last word. */
export function givenValue(words: readonly string[], flag: string): string | undefined {
  const index = words.slice(0, -2).indexOf(flag);
  if (index >= 0) return words[index + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
