import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { systemClock } from '../base/clock.ts';
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
import { checkFlags, sentence, unknownCommand, usageError } from './usage.ts';

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
    if (!named) throw unknownCommand(word, [...known, ...topics.map(({ name }) => name)]);
    command = named;
  }
  return command;
}

type Work = () => Promise<number>;

const topicWidth = Math.max(...topics.map(({ name }) => name.length)) + 2;

const root: AnyCommand = {
  name: 'recon',
  summary: 'read every settlement exactly once, and show what does not balance, and why',
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
function createProgram(surroundings: Surroundings, choose: (work: Work) => void): Command {
  const { host } = surroundings;
  const program = new Command(root.name)
    .usage('[options] [command], for example recon settlements --sandbox')
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
      getOutHelpWidth: () => host.stdout.columns || 80,
      getOutHasColors: () => false,
    });
  const add = (command: Command, spec: AnyCommand, above = '') => {
    const { name, summary = '', examples = [], notes = '' } = spec;
    const path = above + name;
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
            footer(command, path, notes),
          ].join(''),
      })
      .exitOverride((error) => {
        // A group alone shows its help.
        if (error.code === 'commander.help' && error.exitCode !== 0) command.help();
        throw error.exitCode === 0 ? error : usageError(error, command, path);
      });
    if ('subcommands' in spec) {
      for (const one of [...spec.subcommands, helpCommand]) {
        const below = command.command(one.name, { hidden: one.hidden ?? false });
        if (one.group && spec === root) below.helpGroup(one.group);
        add(below, one, path === root.name ? '' : `${path} `);
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

function footer(command: Command, path: string, notes: string): string {
  if (!command.options.some(({ hidden }) => hidden)) return notes;
  return `\nAll flags: recon help ${path} --all\n`;
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
