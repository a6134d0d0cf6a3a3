import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { systemClock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { commands } from './commands/index.ts';
import type { AnyCommand, CommandSpec } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { FlagOption } from './flag.ts';
import { flags } from './flags.ts';
import {
  type Host,
  Interrupted,
  interruptions,
  print,
  type Surroundings,
  timeLimit,
} from './host.ts';
import { topics } from './topics.ts';
import { hintForCommand, hintForFlag, pathOf } from './unknown-words.ts';

const helpCommand: AnyCommand = {
  name: 'help',
  group: 'Set-up:',
  summary: 'show help for a command or a topic',
  examples: ['recon help settlements', 'recon help settlements --all', 'recon help exit-codes'],
  argument: { name: '[words...]', about: 'a command, or dates, environment, exit-codes' },
  flags: [['Options:', flags.all]],
  run: async ({ host, flags: { all } }, words, { parent }) => {
    const topic = topics.find(({ name }) => name === words.join(' '));
    const command = topic ? undefined : commandNamed(words, parent);
    if (all) for (const option of command?.options ?? []) option.hideHelp(false);
    await print(host, topic?.text ?? command?.helpInformation() ?? '');
    return exitCodes.ok;
  },
};

function commandNamed(words: readonly string[], program: Command | null): Command | null {
  let command = program;
  for (const word of words) {
    const known = command?.commands.map((one) => one.name()) ?? [];
    const named = command?.commands[known.indexOf(word)];
    if (!named) {
      const hint = hintForCommand(word, [...known, ...topics.map(({ name }) => name)]);
      throw new ReconError('usage', `Unknown command '${word}'.`, { hint });
    }
    command = named;
  }
  return command;
}

type Work = () => Promise<number>;

const topicWidth = Math.max(...topics.map(({ name }) => name.length)) + 2;

const root: AnyCommand = {
  name: 'recon',
  summary: 'read every settlement exactly once, and show what does not balance, and why',
  examples: ['recon settlements --sandbox'],
  subcommands: commands,
  notes: `
Topics (details: recon help <command or topic>):
${topics.map(({ name, summary }) => `  ${name.padEnd(topicWidth)}${summary}`).join('\n')}
`,
};

function parseCommandLine(surroundings: Surroundings): Work {
  const words = surroundings.host.argv.slice(2);
  let chosen: Work = async () => exitCodes.ok;
  const program = createProgram(surroundings, (work) => {
    chosen = work;
  });
  try {
    program.parse(words.length === 0 ? ['--help'] : words, { from: 'user' });
  } catch (error) {
    // Help and version end the parsing too.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
  return chosen;
}

/** The tree of commands; `choose` gets what the command line asks for. */
export function createProgram(surroundings: Surroundings, choose: (work: Work) => void): Command {
  const { host } = surroundings;
  const program = new Command(root.name)
    .helpCommand(false)
    .addHelpOption(new Option('-h, --help', 'show help').hideHelp())
    .showSuggestionAfterError(false)
    .version(RECON_VERSION, '-V, --version', 'print the version')
    .configureOutput({
      writeOut: (text) =>
        choose(async () => {
          await print(host, text);
          return exitCodes.ok;
        }),
      // Errors are thrown instead.
      writeErr: () => {},
      getOutHelpWidth: () => host.stdout.columns ?? 80,
      getOutHasColors: () => false,
    });
  const add = (command: Command, spec: AnyCommand) => {
    const { name, summary = '', examples = [], notes = '' } = spec;
    command.summary(summary);
    // Only commands that are named need more.
    if (spec !== root && !host.argv.includes(name)) return;
    command
      .configureHelp({
        subcommandTerm: (one) => one.name(),
        optionDescription: ({ description }) => description,
        ...(spec === root && {
          visibleOptions: () => [],
          subcommandDescription: (one: Command) => one.summary().replace(/;.*/s, ''),
        }),
        formatHelp: (_, helper) =>
          [
            `${helper.boxWrap(sentence(summary), helper.helpWidth ?? 80)}\n\n`,
            // Not wrapped: examples are there to be copied.
            examples.length > 0 ? `${['Examples:', ...examples].join('\n  ')}\n\n` : '',
            new Help().formatHelp(command, helper),
            footer(command, notes),
          ].join(''),
      })
      .exitOverride((error) => {
        // A group alone shows its help.
        if (error.code === 'commander.help' && error.exitCode !== 0) command.help();
        throw error.exitCode === 0 ? error : usageError(error, command);
      });
    if ('subcommands' in spec) {
      for (const one of [...spec.subcommands, helpCommand]) {
        const below = command.command(one.name, { hidden: one.hidden ?? false });
        if (one.group && spec === root) below.helpGroup(one.group);
        add(below, one);
      }
      return;
    }
    addFlags(command, spec);
    command.action(() => {
      checkFlags(command);
      choose(async () => {
        const { Messages } = await import('./messages.ts');
        const flags = command.opts();
        const messages = new Messages(flags, surroundings);
        try {
          const context = { ...surroundings, flags, messages };
          return await spec.run(context, command.processedArgs.flat(), command);
        } finally {
          messages.stop();
        }
      });
    });
  };
  add(program, root);
  return program;
}

function addFlags(command: Command, { argument, flags = [] }: CommandSpec): void {
  if (argument) {
    const one = new Argument(argument.name, argument.about);
    if (argument.parse) one.argParser(argument.parse);
    if (typeof argument.words === 'object') one.choices(argument.words);
    command.addArgument(one);
  }
  for (const [heading, ...group] of flags) {
    for (const flag of group) command.addOption(new FlagOption(flag).helpGroup(heading));
  }
}

function footer(command: Command, notes: string): string {
  if (!command.options.some(({ hidden }) => hidden)) return notes;
  return `\nAll flags: recon help ${pathOf(command)} --all\n`;
}

function usageError({ code, message }: CommanderError, command: Command): ReconError {
  // The value of an unknown flag may be a secret.
  const what = message
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^'=]*)=.*'/s, "$1'")
    .replace(
      /^command-argument value '(.*?)' is invalid for argument '(\w+)'/s,
      "'$1' is not a valid $2",
    );
  const [, name = ''] = /^unknown \w+ '([^'=]*)/.exec(what) ?? [];
  const known = command.commands.map((one) => one.name());
  let hint = 'Add --help to see the commands and flags.';
  if (code === 'commander.unknownOption') hint = hintForFlag(name, command);
  if (code === 'commander.unknownCommand') hint = hintForCommand(name, known);
  return new ReconError('usage', sentence(what), { hint });
}

function sentence(text: string): string {
  const whole = text === '' || /[.?!]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

type RunOptions = Partial<Pick<Surroundings, 'clock' | 'random' | 'faultKinds'>>;

/** Runs the command line of `host` and returns the exit code. Never throws. */
export async function run(
  host: Host,
  { clock = systemClock, random = Math.random, ...others }: RunOptions = {},
): Promise<number> {
  const end = new AbortController();
  const { limit, clear } = timeLimit(end);
  const listeners = interruptions.map((by) => ({ by, stop: () => end.abort(new Interrupted(by)) }));
  for (const { by, stop } of listeners) host.on(by, stop);
  try {
    return await parseCommandLine({ ...others, host, clock, random, signal: end.signal, limit })();
  } catch (error) {
    const { endingOf, failureText } = await import('./failure.ts');
    host.stderr.write(failureText(error, host));
    return endingOf(error).exitCode;
  } finally {
    clear();
    for (const { by, stop } of listeners) host.off(by, stop);
  }
}

/** Of commands that have them all: none of the first flags goes with (or without) one of the others. */
type Rule = readonly [
  flags: string,
  relation: 'excludes' | 'needs',
  others: string,
  hint: string,
  message?: string,
];

const days = '--from --to --on --month';
const ways = 'The range is given more than once.';
const oneWay = 'Use --from with --to, or --on, or --month.';
const noService = 'Remove one of them: an export is read without the service.';
const onlySandbox = 'Add --sandbox: only the sandbox has scenarios and faults.';
const acceptance = '--difference --reason --until --by --account --replace';
const noAcceptance = 'Remove --list or --remove to accept a difference.';
const listSays = 'Remove one of them: the list of --from says what is accepted, and why.';
const idAlone = 'Remove one of them: --settlement reads one settlement by its id.';
const addTables = 'Add --parquet: --existing writes the tables of earlier days.';
const addRegister = 'Add --booked FILE, the register of booked entries.';
const noExport = 'Remove one of them: --verify writes nothing.';
const existingAlone =
  '--verify --publish-incomplete --deep --rebind --from --to --on --month --mid --cid --chid';
const filesAlone = 'Remove one of them: recon sandbox writes files and ends.';
const inVain = 'A range needs --settlements.';

const journalRun = `${days} --for --per --detail --include-pending --bank --new-register --init`;

const rules: readonly Rule[] = [
  ['--quiet', 'excludes', '--verbose', 'Remove one of them.'],
  ['--all-profiles', 'excludes', '--profile', 'Remove one of them.'],
  ['--json', 'excludes', '--format', 'Remove one of them.'],
  ['--no-color', 'excludes', '--color', 'Remove one of them.'],
  ['--from-export', 'excludes', '--sandbox --scenario --fault --dry-run', noService],
  ['--charges', 'excludes', '--from-export', 'Remove one of them: an export contains no charges.'],
  ['--verify', 'excludes', '--publish-incomplete', noExport],
  ['--existing', 'needs', '--parquet', addTables],
  ['--existing', 'excludes', existingAlone, 'Remove one of them: --existing covers every day.'],
  ['--verify', 'excludes', '--parquet', noExport],
  ['--scenario --fault', 'needs', '--sandbox', onlySandbox],
  ['--note', 'excludes', '--notes', 'Use --note for some keys, or --notes for all.'],
  ['--batch --reverse-missing', 'needs', '--booked', addRegister],
  ['--new-register', 'needs', '--booked --record', addRegister],
  ['--batch', 'excludes', journalRun, 'Remove one of them: --batch prints what was written.'],
  ['--settlement', 'excludes', '--dry-run', 'Remove one of them: a dry run needs a range.'],
  ['--settlement', 'excludes', `${days} --mid --cid --chid`, idAlone],
  [
    '--reopen',
    'excludes',
    `${days} --record --force --items`,
    'Remove one of them: the last close is reopened.',
  ],
  ['--force', 'needs', '--record', 'Add --record: without it, nothing is recorded.'],
  ['--list', 'excludes', '--remove', 'Remove one of them.'],
  ['--partial', 'needs', '--from', 'Add the list of decisions: --from FILE.'],
  ['--difference --reason --until --account --list --remove', 'excludes', '--from', listSays],
  ['--list --remove', 'excludes', acceptance, noAcceptance],
  ['--list', 'excludes', '--bank', 'Remove one of them: --list shows the whole register.'],
  ['--statements --orders', 'excludes', '--list --port --host --fault --notify', filesAlone],
  ['--statements', 'excludes', '--orders', filesAlone],
  ['--drift', 'needs', '--compare', 'Add a range: --compare previous.'],
  ['--compare', 'excludes', '--dry-run', 'Remove one of them: an estimate is for one range.'],
  ['--personal', 'needs', '--raw', 'Add --raw: only raw output can include customer and payer.'],
  ['--print-sql', 'excludes', '--engine --master', 'Remove one of them: --print-sql runs nothing.'],
  ['--raw', 'excludes', '--settlements', 'Remove one of them.'],
  [days, 'needs', '--settlements', 'Add --settlements, or remove the range.', inVain],
  ['--on', 'excludes', '--from --to --month', oneWay, ways],
  ['--month', 'excludes', '--from --to', oneWay, ways],
  // A lone date filters nothing (doc 4.3).
  ['--from', 'needs', '--to', 'Add --to, or use --on for a single day.'],
  ['--to', 'needs', '--from', 'Add --from, or use --on for a single day.'],
];

function checkFlags(command: Command): void {
  const keys = new Map(command.options.map((one) => [one.long, one.attributeName()]));
  const isGiven = (flag: string) => command.getOptionValueSource(keys.get(flag) ?? '') === 'cli';
  for (const [flags, relation, others, hint, message] of rules) {
    const flag = flags.split(' ').find(isGiven);
    const known = others.split(' ').filter((one) => keys.has(one));
    const other = known.find(isGiven);
    const isBroken = relation === 'excludes' ? other : known.length > 0 && !other;
    if (flag === undefined || !isBroken) continue;
    const what = other ? `cannot be combined with ${other}` : `needs ${known.join(' or ')}`;
    throw new ReconError('usage', message ?? `${flag} ${what}.`, { hint });
  }
}
