import type { Command } from 'commander';
import type { CommandSpec } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Flag, FlagOption, type Lookup } from '../flag.ts';
import { type Host, print } from '../host.ts';
import { topics } from '../topics.ts';

/**
 * `recon complete`, which the completion scripts call: prints a line for each word that fits, with
 * what it means after a tab; or `:files`, where the shell is to complete a path. Says nothing of
 * errors: somebody is typing.
 */
export const completeCommand: CommandSpec = {
  name: 'complete',
  hidden: true,
  argument: { name: '[words...]', about: '' },
  run: async ({ host }, words, { parent }) => {
    const lines = parent ? await linesFor(words, parent, host).catch(() => []) : [];
    await print(host, lines.map((line) => `${line}\n`).join(''));
    return exitCodes.ok;
  },
};

/** What the last of the words, which may be begun or empty, can become. */
async function linesFor(
  words: readonly string[],
  program: Command,
  host: Host,
): Promise<readonly string[]> {
  const whole = joined(words);
  const cursor = cursorIn(whole, program);
  const { flag, typed, before } = cursor;
  if (flag?.words === 'files') return [':files'];
  const kept = keptByShell(words, whole);
  return (flag ? await valuesOf(flag, typed, words, host) : namesAt(cursor))
    .filter(([word]) => word.startsWith(typed))
    .map(([word, about]) => [(before + word).slice(kept), about] as const)
    .filter(([word]) => word !== '')
    .map(([word, about]) => (about ? `${word}\t${about.replace(/\s+/g, ' ')}` : word));
}

/** A word that fits, and what a shell may show beside it. */
type Candidate = readonly [word: string, about?: string];

async function valuesOf(
  { words: known = [], many }: Flag,
  typed: string,
  words: readonly string[],
  host: Host,
): Promise<readonly Candidate[]> {
  const all = typeof known === 'string' ? await lookUp(known, words, host) : known;
  const before = many ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const chosen = before.split(',');
  return all.filter((word) => !chosen.includes(word)).map((word) => [before + word]);
}

/** The words of a list. */
async function lookUp(list: Lookup, words: readonly string[], host: Host) {
  if (list === 'scenarios') return (await import('../../sandbox/scenarios.ts')).scenarioNames;
  if (list === 'faults') {
    const { faultNames } = await import('../../sandbox/faults.ts');
    return faultNames.map(({ name, usage }) => (usage.startsWith(`${name}=`) ? `${name}=` : name));
  }
  const { readConfigFile } = await import('../../config/config-file.ts');
  const { findConfigFile } = await import('../settings.ts');
  const { flagsAsWritten } = await import('../messages.ts');
  const { config } = flagsAsWritten(words.slice(0, -1));
  const place = findConfigFile(config === undefined ? config : String(config), host);
  const file = await readConfigFile(place, undefined);
  // Those that a shell takes as they are.
  return [...(file?.profiles.keys() ?? [])].filter((name) => /^[\w.-]+$/.test(name));
}

/** Commands, topics and arguments, or else options. */
function namesAt({ command, help, position, typed }: Cursor): readonly Candidate[] {
  const below = position === 0 ? command.createHelp().visibleCommands(command) : [];
  const choices = command.registeredArguments[position]?.argChoices ?? [];
  const others: readonly Candidate[] = [
    ...below.map((one) => [one.name(), one.summary()] as const),
    ...(help && !command.parent ? topics : []).map(({ name, summary }) => [name, summary] as const),
    ...(help ? [] : choices).map((word) => [word] as const),
  ];
  if ((help || others.length > 0) && !typed.startsWith('-')) return others;
  const options = (help ?? command).options.flatMap(({ short, long, description }) =>
    [short, long].flatMap((word) => (word ? [[word, description] as const] : [])),
  );
  return [...options, ['--help', 'show help']];
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

type Cursor = ReturnType<typeof cursorIn>;

/**
 * Finds where the last of the words is being typed: the innermost `command` that is named before it,
 * and there a `flag` whose value it is, or the `position` of an argument; `help`, where `recon help` is
 * asked about that command; what of it is `typed` already, and what of the same word comes `before`.
 */
function cursorIn(words: readonly string[], program: Command) {
  let command = program;
  let help: Command | undefined;
  let flag: Flag | undefined;
  let position = 0;
  for (const word of words.slice(0, -1)) {
    if (flag) flag = undefined;
    else if (word.startsWith('-')) flag = flagWithValue(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word);
      position = next ? 0 : position + 1;
      if (word === 'help') help = next;
      else command = next ?? command;
    }
  }
  const typed = words.at(-1) ?? '';
  const [, name = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const named = flag ? undefined : flagWithValue(command, name);
  if (named) return { command, help, flag: named, position, typed: value, before: `${name}=` };
  return { command, help, flag, position, typed, before: '' };
}

function flagWithValue(command: Command, word: string): Flag | undefined {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option instanceof FlagOption && option.flag.parse ? option.flag : undefined;
}
