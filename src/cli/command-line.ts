import { type Command, CommanderError } from 'commander';
import { ReconError } from '../base/errors.ts';
import { suggestion } from '../config/nearest.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { createProgram, type Run } from './program.ts';

/** What the words of a command line ask for, help and version too. Throws ReconError for wrong usage. */
export function parseCommandLine(words: readonly string[], context: Context): Run {
  let chosen: Run = async () => exitCodes.ok;
  const program = createProgram(context, (run) => {
    chosen = run;
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
