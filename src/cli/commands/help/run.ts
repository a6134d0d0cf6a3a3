import type { Command } from 'commander';
import { ReconError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../output.ts';
import { topics } from '../../topics.ts';
import { hintForCommand } from '../../unknown-words.ts';

export interface HelpFlags {
  /** List every flag, not only those that people use. */
  readonly all?: true;
}

/** `recon help`: prints what there is to know of a topic or of the command that `words` name. */
export async function help(
  words: readonly string[],
  { all }: HelpFlags,
  program: Command,
  { host }: Context,
): Promise<number> {
  const topic = topics.find(({ name }) => name === words.join(' '));
  const command = topic ? program : commandNamed(words, program);
  if (all) for (const option of command.options) option.hideHelp(false);
  await print(host.stdout, topic?.text ?? command.helpInformation());
  return exitCodes.ok;
}

function commandNamed(words: readonly string[], program: Command): Command {
  let command = program;
  for (const word of words) {
    const known = command.commands.map((one) => one.name());
    const named = command.commands[known.indexOf(word)];
    if (!named) {
      const hint = hintForCommand(word, [...known, ...topics.map(({ name }) => name)]);
      throw new ReconError('usage', `Unknown command '${word}'.`, { hint });
    }
    command = named;
  }
  return command;
}
