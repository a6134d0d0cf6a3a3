import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { ReconError } from '../base/errors.ts';
import type { CommandSpec } from './command.ts';
import { helpCommand } from './commands/help.ts';
import { commands } from './commands/index.ts';
import type { Surroundings } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { FlagOption } from './flag.ts';
import { checkFlags } from './flag-rules.ts';
import { print } from './host.ts';
import { topics } from './topics.ts';
import { hintForCommand, hintForFlag, pathOf } from './unknown-words.ts';

/** What the words of a command line ask for; gives the exit code. */
type Work = () => Promise<number>;

const topicWidth = Math.max(...topics.map(({ name }) => name.length)) + 2;

/** `recon` itself. */
const root: CommandSpec = {
  name: 'recon',
  summary:
    'reconcile settlements: read every settlement exactly once, check every amount to the last minor unit, and show what does not balance, by how much, and why',
  examples: [
    'recon settlements --sandbox',
    'recon settlements --from -7d --to yesterday',
    'recon settlements --month last --output march.csv',
  ],
  subcommands: commands,
  notes: `
Topics:
${topics.map(({ name, summary }) => `  ${name.padEnd(topicWidth)}${summary}`).join('\n')}

Details: recon help <command or topic>
`,
};

/** What the words of a command line ask for, help and version too. Throws ReconError for wrong usage. */
export function parseCommandLine(surroundings: Surroundings): Work {
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

/** The tree of commands. `choose` is handed what the words ask for. */
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
      // Errors are thrown, and told by whoever runs the program.
      writeErr: () => {},
      getOutHelpWidth: () => host.stdout.columns ?? 80,
      getOutHasColors: () => false,
    });
  const add = (command: Command, spec: CommandSpec) => {
    const { name, summary = '', examples = [], notes = '' } = spec;
    command.summary(summary);
    // Of a command that isn't named, nobody asks for more.
    if (spec !== root && !host.argv.includes(name)) return;
    command
      .configureHelp({
        subcommandTerm: (one) => one.name(),
        optionDescription: ({ description }) => description,
        formatHelp: (_, helper) =>
          [
            `${helper.boxWrap(sentence(summary), helper.helpWidth ?? 80)}\n\n`,
            // Never broken: they are there to be copied.
            examples.length > 0 ? `${['Examples:', ...examples].join('\n  ')}\n\n` : '',
            new Help().formatHelp(command, helper),
            footer(command, notes),
          ].join(''),
      })
      .exitOverride((error) => {
        // A group alone shows its help, as `recon` does.
        if (error.code === 'commander.help' && error.exitCode !== 0) command.help();
        throw error.exitCode === 0 ? error : usageError(error, command);
      });
    if ('subcommands' in spec) {
      for (const one of [...spec.subcommands, helpCommand]) {
        add(command.command(one.name, { hidden: one.hidden ?? false }), one);
      }
      return;
    }
    addFlags(command, spec);
    command.action(() => {
      checkFlags(command);
      choose(() => start(spec, command, surroundings));
    });
  };
  add(program, root);
  return program;
}

async function start(
  { run }: Extract<CommandSpec, { readonly run: unknown }>,
  command: Command,
  surroundings: Surroundings,
): Promise<number> {
  const { Messages } = await import('./messages.ts');
  const flags = command.opts();
  const messages = new Messages(flags, surroundings);
  try {
    return await run({ ...surroundings, flags, messages }, command.processedArgs.flat(), command);
  } finally {
    messages.stop();
  }
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

/** Below the flags: how to see those that are hidden, or else what there is to say of them. */
function footer(command: Command, notes: string): string {
  if (!command.options.some(({ hidden }) => hidden)) return notes;
  return `\nAll flags: recon help ${pathOf(command)} --all\n`;
}

function usageError({ code, message }: CommanderError, command: Command): ReconError {
  // A flag that is unknown may hold a secret.
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
