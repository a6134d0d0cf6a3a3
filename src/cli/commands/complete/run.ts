import type { Command, Option } from 'commander';
import type { Context, Host } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type Lookup, type Suggestions, suggestionsFor } from '../../flags.ts';
import { print } from '../../output.ts';
import { topics } from '../../topics.ts';

/**
 * `recon complete`, which the completion scripts call: prints a line for each word that fits, with
 * what it means after a tab; or `:files`, where the shell is to complete a path. Says nothing of
 * errors: somebody is typing.
 */
export async function complete(
  words: readonly string[],
  program: Command,
  { host }: Context,
): Promise<number> {
  const candidates = await findCandidates(program, words, lookUpFor(words, host)).catch(() => []);
  const lines =
    candidates === 'files'
      ? [':files']
      : candidates.map(({ word, about }) =>
          about ? `${word}\t${about.replace(/\s+/g, ' ')}` : word,
        );
  await print(host.stdout, lines.map((line) => `${line}\n`).join(''));
  return exitCodes.ok;
}

function lookUpFor(words: readonly string[], host: Host): LookUp {
  const lists: Readonly<Record<Parameters<LookUp>[0], () => Promise<readonly string[]>>> = {
    profiles: () => profileNames(givenValue(words, '--config'), host),
    scenarios: async () => (await import('../../../sandbox/scenarios.ts')).scenarioNames,
    faults: async () =>
      (await import('../../../sandbox/faults.ts')).faultNames.map(({ name, usage }) =>
        usage.startsWith(`${name}=`) ? `${name}=` : name,
      ),
  };
  return (list) => lists[list]();
}

/** Those that a shell takes as they are. */
async function profileNames(config: string | undefined, host: Host): Promise<readonly string[]> {
  const { readConfigFile } = await import('../../../config/config-file.ts');
  const { findConfigFile } = await import('../../settings.ts');
  const place = findConfigFile(config === undefined ? {} : { config }, host);
  const file = await readConfigFile(place, undefined);
  return [...(file?.profiles.keys() ?? [])].filter((name) => /^[\w.-]+$/.test(name));
}

/** A word that fits, and what a shell may show beside it. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

type LookUp = (list: Exclude<Lookup, 'files'>) => Promise<readonly string[]>;

/** What the last of the words, which may be begun or empty, can become. */
async function findCandidates(
  program: Command,
  words: readonly string[],
  lookUp: LookUp,
): Promise<readonly Candidate[] | 'files'> {
  const whole = joined(words);
  const cursor = findCursor(program, whole);
  const suggested = cursor.option && suggestionsFor(cursor.option);
  if (suggested?.words === 'files') return 'files';
  const fitting = cursor.option ? await values(cursor, suggested, lookUp) : names(cursor);
  const kept = keptByShell(words, whole);
  return fitting
    .filter(({ word }) => word.startsWith(cursor.typed))
    .map(({ word, about }) => ({ word: (cursor.before + word).slice(kept), about }))
    .filter(({ word }) => word !== '');
}

async function values(
  { typed }: Cursor,
  suggested: Suggestions | undefined,
  lookUp: LookUp,
): Promise<readonly Candidate[]> {
  if (!suggested || suggested.words === 'files') return [];
  const words =
    typeof suggested.words === 'string' ? await lookUp(suggested.words) : suggested.words;
  const before = suggested.many ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const chosen = before.split(',');
  return words
    .filter((word) => !chosen.includes(word))
    .map((word) => ({ word: before + word, about: '' }));
}

/** Commands, topics and arguments, or else options. */
function names({ command, help, position, typed }: Cursor): readonly Candidate[] {
  const words = command.registeredArguments[position]?.argChoices ?? [];
  const others = [
    ...(position === 0 ? command.createHelp().visibleCommands(command) : []).map((one) => ({
      word: one.name(),
      about: one.summary(),
    })),
    ...(help && !command.parent ? topics : []).map(({ name, summary }) => ({
      word: name,
      about: summary,
    })),
    ...(help ? [] : words).map((word) => ({ word, about: '' })),
  ];
  if ((help || others.length > 0) && !typed.startsWith('-')) return others;
  const options = (help ?? command).options.flatMap(({ short, long, description: about }) =>
    [short, long].flatMap((word) => (word ? [{ word, about }] : [])),
  );
  return [...options, { word: '--help', about: 'show help' }];
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

/** Where on the command line a word is being typed. */
interface Cursor {
  /** The innermost command that is named before it. */
  readonly command: Command;
  /** `recon help`, if it is asked about that command. */
  readonly help: Command | undefined;
  /** The option whose value it is. */
  readonly option: Option | undefined;
  /** Which of the command's arguments it is, if it is one. */
  readonly position: number;
  /** What is there of it already; of `--option=value`, the value. */
  readonly typed: string;
  /** What comes before that in the same word. */
  readonly before: string;
}

/** Finds the command, the option or the argument that the last of the words belongs to. */
function findCursor(program: Command, words: readonly string[]): Cursor {
  let command = program;
  let help: Command | undefined;
  let option: Option | undefined;
  let position = 0;
  for (const word of words.slice(0, -1)) {
    if (option) option = undefined;
    else if (word.startsWith('-')) option = optionWithValue(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word);
      position = next ? 0 : position + 1;
      if (word === 'help') help = next;
      else command = next ?? command;
    }
  }
  const last = words.at(-1) ?? '';
  if (option) return { command, help, option, position, typed: last, before: '' };
  const [, flag = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
  option = optionWithValue(command, flag);
  if (option) return { command, help, option, position, typed: value, before: `${flag}=` };
  return { command, help, option, position, typed: last, before: '' };
}

function optionWithValue(command: Command, word: string): Option | undefined {
  return command.options
    .filter(({ required, optional }) => required || optional)
    .find(({ long, short }) => word === long || word === short);
}

/** The value of an option that is given before the last word. */
function givenValue(words: readonly string[], flag: string): string | undefined {
  const index = words.slice(0, -2).indexOf(flag);
  if (index >= 0) return words[index + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
