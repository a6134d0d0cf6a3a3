import { type Command, InvalidArgumentError, Option } from 'commander';
import { isSameUuid } from '../base/uuid.ts';
import { uuidForm } from '../model/forms.ts';
import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import { dialects, formats } from '../render/formats.ts';
import { failOnWords } from './exit-codes.ts';

// What `hideHelp` hides is not what most people need: `recon help COMMAND --all` lists it.

/** Lists that are looked up only when they are needed. */
export type Lookup = 'files' | 'profiles' | 'scenarios' | 'faults';

/** What a shell may complete an option's value to. */
export interface Suggestions {
  readonly words: readonly string[] | Lookup;
  /** Several of them, with commas between. */
  readonly many: boolean;
}

// Not commander's own choices: help would list them a second time.
const suggestions = new WeakMap<Option, Suggestions>();

/** Lets a shell complete the value of an option. */
export function suggesting(option: Option, words: Suggestions['words'], many = false): Option {
  suggestions.set(option, { words, many });
  return option;
}

/** What a shell may complete the value of an option to, where that is known. */
export function suggestionsFor(option: Option): Suggestions | undefined {
  return suggestions.get(option);
}

/** An option that may be given once; commander alone would let the last one win in silence. */
export function once(
  flags: string,
  description: string,
  parse: (text: string) => string | number = (text) => text,
): Option {
  return new Option(flags, description).argParser<string | number>((text, previous) => {
    if (previous !== undefined) throw new InvalidArgumentError('It can be given only once.');
    return parse(text);
  });
}

/** An option that takes one word of a list. */
export function choice(flags: string, description: string, words: readonly string[]): Option {
  const option = once(flags, `${description}: ${words.join(', ')}`, (text) => oneOf(words, text));
  return suggesting(option, words);
}

/**
 * An option that takes words of a list, with commas between them or by being repeated; `alone` is
 * one that cannot be combined with the others. Help leaves out those that are others with a `+`.
 */
export function choices(
  flags: string,
  description: string,
  words: readonly string[],
  alone?: string,
): Option {
  const named = words.filter((word) => !word.startsWith('+')).join(', ');
  const option = new Option(flags, `${description}: ${named}`);
  option.argParser<string[]>((text, previous = []) => {
    const chosen = [...previous, ...text.split(',').map((word) => oneOf(words, word.trim()))];
    if (chosen.some((word) => word === alone) && chosen.some((word) => word !== alone)) {
      throw new InvalidArgumentError(`${alone} cannot be combined with others.`);
    }
    return chosen;
  });
  return suggesting(option, words, true);
}

/** An option that may be repeated. */
function repeated(
  flags: string,
  description: string,
  parse: (text: string) => string = (text) => text,
): Option {
  return new Option(flags, description).argParser<string[]>((text, previous = []) => [
    ...previous,
    parse(text),
  ]);
}

function oneOf(words: readonly string[], text: string): string {
  const word = wordMeant(words, text);
  if (words.includes(word)) return word;
  throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
}

/** The word of a list that `text` is, if it is one, in capitals or with `-` for `_` too; or `text`. */
export function wordMeant(words: readonly string[], text: string): string {
  const form = (word: string) => word.toLowerCase().replaceAll('_', '-');
  return words.find((word) => form(word) === form(text)) ?? text;
}

/** A flag that stands for another one with a value: `--json` for `--format json`. */
function shortFor(flag: string, name: string, value: string): Option {
  const option = new Option(flag, `same as --${name} ${value}`).implies({ [name]: value });
  // Commander would have --no-color switch off --color.
  option.negate = false;
  return option;
}

export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Whole numbers up to a bound. */
export function upTo(most: number, least = 0): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number > most) throw new InvalidArgumentError(`It must be at most ${most}.`);
    if (number < least) throw new InvalidArgumentError(`It must be at least ${least}.`);
    return number;
  };
}

/** What can't be an id is never asked for. */
export function oneUuid(text: string): string {
  if (uuidForm.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be a UUID, such as 3f0c5a52-7f0e-4c6b-9d0e-2b8f6a1c9e77.',
  );
}

/** Arguments that may be several, each taken once. */
export function eachUuid(text: string, previous: readonly string[] = []): readonly string[] {
  const id = oneUuid(text);
  return previous.some((one) => isSameUuid(one, id)) ? previous : [...previous, id];
}

const days = ['today', 'yesterday', '-7d', '-1w', '-1m'];

export function addRangeOptions(command: Command): Command {
  return addDayOptions(command)
    .optionsGroup('Filters applied by the service:')
    .addOption(once('--mid <uuid>', 'merchant', oneUuid).hideHelp())
    .addOption(once('--cid <number>', 'company', wholeNumber).hideHelp())
    .addOption(once('--chid <number>', 'chain', wholeNumber).hideHelp());
}

export function addDayOptions(command: Command): Command {
  const from = 'first day: 2026-03-05, today, -7d (recon help dates)';
  return command
    .optionsGroup('Range (settlement dates, inclusive):')
    .addOption(suggesting(once('--from <day>', from), days))
    .addOption(suggesting(once('--to <day>', 'last day'), days))
    .addOption(suggesting(once('--on <day>', 'single day'), days))
    .addOption(
      suggesting(once('--month <month>', 'whole month: 2026-03, this, last'), ['this', 'last']),
    );
}

/** How settlements are judged. */
export function addJudgementOptions(command: Command): Command {
  const identity = `equation for the pay-in: ${identities.join(', ')}`;
  const tolerance = 'allowed difference per amount, in minor units (default: 0)';
  const ignore = `checks to switch off: ${ignorableChecks.join(', ')}`;
  const meant = (text: string) => wordMeant(identities, text);
  const checks = (text: string) =>
    text
      .split(',')
      .map((word) => wordMeant(ignorableChecks, word.trim()))
      .join();
  return command
    .optionsGroup('Reconciliation:')
    .addOption(suggesting(once('--identity <name>', identity, meant), identities).hideHelp())
    .addOption(once('--tolerance <minor units>', tolerance).hideHelp())
    .addOption(
      suggesting(repeated('--ignore <codes>', ignore, checks), ignorableChecks, true).hideHelp(),
    );
}

export function addReconcileOptions(command: Command): Command {
  return addJudgementOptions(command).addOption(
    choices(
      '--fail-on <conditions>',
      'conditions for exit code 1 (default: out-of-balance; +NAME adds to it)',
      failOnWords,
      'none',
    )
      .default(undefined, 'out-of-balance')
      .hideHelp(),
  );
}

export function addOutputOptions(
  command: Command,
  format = choice(
    '--format <format>',
    'format (default: table on a terminal, csv elsewhere)',
    formats,
  ),
): Command {
  const path = 'file to write to; its suffix selects the format';
  command
    .optionsGroup('Output:')
    .addOption(format)
    .addOption(shortFor('--json', 'format', 'json'))
    .addOption(suggesting(once('-o, --output <path>', path), 'files'))
    .addOption(choice('--dialect <dialect>', 'csv dialect', dialects));
  return addScreenOptions(command);
}

/** What is said on the screen, and how. */
export function addScreenOptions(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      choice('--color <when>', 'when to use colours', ['auto', 'always', 'never']).hideHelp(),
    )
    .addOption(shortFor('--no-color', 'color', 'never').hideHelp())
    .addOption(quietOption())
    .option('--verbose', 'log each request to standard error');
}

export function quietOption(): Option {
  return new Option('-q, --quiet', 'print no messages unless something is wrong');
}

/** Which settings of the configuration file count. */
export function addProfileOptions(command: Command): Command {
  return command
    .addOption(
      suggesting(once('--profile <name>', 'profile in the configuration file'), 'profiles'),
    )
    .addOption(configFileOption().hideHelp());
}

export function configFileOption(): Option {
  return suggesting(once('--config <file>', 'configuration file'), 'files');
}

/** Which service to read, with which settings, and how fast. */
export function addConnectionOptions(command: Command): Command {
  addSandboxOptions(addProfileOptions(command.optionsGroup('Source:')));
  return command
    .addOption(concurrencyOption())
    .addOption(
      once(
        '--timeout <duration>',
        'time limit for the whole run: 90s, 10m (default: none)',
      ).hideHelp(),
    );
}

export function concurrencyOption(): Option {
  return once('--concurrency <number>', 'requests in parallel (default: 8)').hideHelp();
}

/** The embedded service in the place of the real one. */
export function addSandboxOptions(command: Command): Command {
  return command
    .option('--sandbox', 'use the built-in sandbox; no credentials needed')
    .addOption(scenarioOption('data of the sandbox (recon sandbox --list)').hideHelp())
    .addOption(faultOption('simulated fault; repeatable (recon sandbox --list)').hideHelp());
}

/** For commands that can read an export in place of the service. */
export function addFromExportOption(command: Command): Command {
  const description = 'read an export instead of the service';
  return command.addOption(suggesting(once('--from-export <folder>', description), 'files'));
}

/** For commands that read the rows of a range. */
export function dryRunOption(): Option {
  const description = 'only estimate the number of requests and the time';
  return new Option('--dry-run', description).hideHelp();
}

/** Which scheme charges take is not documented, so that it may have to be tried out. */
export function chargeAuthOption(): Option {
  return choice('--charge-auth <scheme>', 'authentication scheme for charges', [
    'v2',
    'v1',
  ]).hideHelp();
}

export function scenarioOption(description: string): Option {
  return suggesting(once('--scenario <name>', description), 'scenarios');
}

export function faultOption(description: string): Option {
  return suggesting(repeated('--fault <name>', description), 'faults');
}
