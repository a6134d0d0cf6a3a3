import type { CommandSpec } from '../../command.ts';

/** `recon help`. */
export const helpCommand: CommandSpec = {
  name: 'help',
  summary: 'show help for a command or a topic',
  examples: ['recon help settlements', 'recon help settlements --all', 'recon help exit-codes'],
  flags: (command) =>
    command
      .argument('[words...]', 'a command, or dates, environment, exit-codes')
      .option('--all', 'list all flags of the command'),
  run: async (context, words, flags, command) =>
    (await import('./run.ts')).help(words, flags, command.parent, context),
};
