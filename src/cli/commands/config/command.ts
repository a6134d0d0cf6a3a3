import type { CommandSpec } from '../../context.ts';
import { flags, outputFlags, profileFlags } from '../../flags.ts';

const load = () => import('./run.ts');

export const configCommand: CommandSpec = {
  name: 'config',
  summary: 'show, locate or create the configuration',
  examples: ['recon config init --profile spain', 'recon config show'],
  subcommands: [
    {
      name: 'path',
      summary: 'print the path of the configuration file',
      flags: [['Options:', flags.config]],
      run: async (context) => (await load()).configPath(context),
    },
    {
      name: 'show',
      summary: 'print every setting and where it comes from; secrets are never shown',
      flags: [['Configuration:', ...profileFlags], outputFlags()],
      run: async (context) => (await load()).configShow(context),
    },
    {
      name: 'init',
      summary: 'write a commented configuration file to fill in',
      flags: [['Configuration:', ...profileFlags, flags.quiet]],
      run: async (context) => (await load()).configInit(context),
    },
  ],
};
