import { Command, CommanderError } from 'commander';
import { ReconError } from '../base/errors.ts';
import { suggestion } from '../config/nearest.ts';
import type { CommandSpec } from './command.ts';
import { commands } from './commands/index.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { exampleHelp, exitCodeHelp } from './help.ts';
import { print } from './output.ts';

declare const RECON_VERSION: string;

/** What the words of a command line ask for; gives the exit code. */
type Work = () => Promise<number>;

/** What the words of a command line ask for, help and version too. Throws ReconError for wrong usage. */
export function parseCommandLine(words: readonly string[], context: Context): Work {
  let chosen: Work = async () => exitCodes.ok;
  const program = createProgram(context, (work) => {
    chosen = work;
  });
  try {
    program.parse(words.length === 0 ? ['--help'] : words, { from: 'user' });
  } catch (error) {
    // Help and version end the parsing too.
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw unknownTopic(error, words, program) ?? usageError(error);
  }
  return chosen;
}

/** The tree of commands. `choose` is handed what the words ask for. */
export function createProgram(context: Context, choose: (work: Work) => void): Command {
  let help = '';
  const program = new Command('recon')
    .description(
      'Settlement reconciliation: reads every settlement exactly once, checks every amount to the last minor unit, and says what does not add up, by how much, and why.',
    )
    .version(RECON_VERSION)
    // Errors are thrown, and told by whoever runs the program.
    .exitOverride()
    .configureOutput({
      // It comes in pieces, and to print them all is then what there is to do.
      writeOut: (text) => {
        help += text;
        choose(async () => {
          await print(context.host.stdout, help);
          return exitCodes.ok;
        });
      },
      writeErr: () => {},
      getOutHelpWidth: () => context.host.stdout.columns ?? 80,
      getOutHasColors: () => false,
    })
    .addHelpText(
      'before',
      exampleHelp(['recon settlements --sandbox', 'recon settlements --from -7d --to yesterday']),
    )
    .addHelpText('after', exitCodeHelp);
  const add = (parent: Command, spec: CommandSpec) => {
    const command = parent.command(spec.name, { hidden: spec.hidden ?? false });
    command.description(spec.summary ?? '');
    if (spec.examples) command.addHelpText('before', exampleHelp(spec.examples));
    if (spec.notes) command.addHelpText('after', spec.notes);
    spec.flags?.(command);
    if ('run' in spec) {
      command.action((...given) => choose(() => spec.run(context, ...given)));
      return;
    }
    for (const one of spec.subcommands) add(command, one);
    // Alone it shows its help, as `recon` does.
    command.exitOverride((error) => {
      if (error.code === 'commander.help' && error.exitCode !== 0) command.help();
      throw error;
    });
  };
  for (const spec of commands) add(program, spec);
  return program;
}

/** Help about what there isn't, of which commander's error says nothing. */
function unknownTopic({ code }: CommanderError, words: readonly string[], program: Command) {
  const [first, topic] = words;
  if (code !== 'commander.help' || first !== 'help' || topic === undefined) return undefined;
  const known = program.commands.map((command) => command.name());
  return new ReconError('usage', `Unknown command '${topic}'.`, { hint: suggestion(topic, known) });
}

function usageError({ message }: CommanderError): ReconError {
  const [, what = message, suggestion] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(message) ?? [];
  return new ReconError('usage', sentence(what), {
    hint: suggestion ? sentence(suggestion) : 'Add --help to see what there is.',
  });
}

function sentence(text: string): string {
  const whole = /[.?!]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
