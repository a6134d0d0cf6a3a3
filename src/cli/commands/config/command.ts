import { type AnyCommand, runnable } from '../../context.ts';
import { flags, outputFlags, profileFlags } from '../../flags.ts';

export const configCommand: AnyCommand = {
  name: 'config',
  summary: 'show, locate or create the configuration',
  examples: ['recon config init --profile spain', 'recon config show'],
  subcommands: [
    runnable(
      {
        name: 'path',
        summary: 'print the path of the configuration file',
        flags: [['Options:', flags.config]],
      },
      async () => (await import('./run.ts')).configPath,
    ),
    runnable(
      {
        name: 'show',
        summary: 'print every setting and where it comes from; secrets are never shown',
        flags: [['Configuration:', ...profileFlags], outputFlags()],
      },
      async () => (await import('./run.ts')).configShow,
    ),
    runnable(
      {
        name: 'init',
        summary: 'write a commented configuration file to fill in',
        flags: [['Configuration:', ...profileFlags, flags.quiet]],
      },
      async () => (await import('./run.ts')).configInit,
    ),
  ],
};
