import type { CommandSpec } from '../../command.ts';

/** `recon complete`, which the scripts of `recon completion` call. */
export const completeCommand: CommandSpec = {
  name: 'complete',
  hidden: true,
  flags: (command) => command.argument('[words...]'),
  run: async (context, words, _flags, command) =>
    (await import('./run.ts')).complete(words, command.parent, context),
};
