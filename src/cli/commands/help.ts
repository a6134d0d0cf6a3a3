import type { Command } from 'commander';
import { ReconError } from '../../base/errors.ts';
import type { CommandSpec } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { flags } from '../flags.ts';
import { print } from '../host.ts';
import { topics } from '../topics.ts';
import { hintForCommand } from '../unknown-words.ts';

/** `recon help`: prints what there is to know of a topic or of the command that its words name. */
export const helpCommand: CommandSpec = {
  name: 'help',
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
