import type { CommandSpec } from '../../command.ts';
import { addOutputOptions, addProfileOptions, configFileOption, quietOption } from '../../flags.ts';

const load = () => import('./run.ts');

/** `recon config path | show | init`. */
export const configCommand: CommandSpec = {
  name: 'config',
  summary: 'show, locate or create the configuration',
  examples: ['recon config init --profile spain', 'recon config show'],
  subcommands: [
    {
      name: 'path',
      summary: 'print the path of the configuration file',
      flags: (command) => command.addOption(configFileOption()),
      run: async (context, flags) => (await load()).configPath(flags, context),
    },
    {
      name: 'show',
      summary: 'print every setting and where it comes from; secrets are never shown',
      flags: (command) =>
        addOutputOptions(addProfileOptions(command.optionsGroup('Configuration:'))),
      run: async (context, flags) => (await load()).configShow(flags, context),
    },
    {
      name: 'init',
      summary: 'write a commented configuration file to fill in',
      flags: (command) =>
        addProfileOptions(command.optionsGroup('Configuration:')).addOption(quietOption()),
      run: async (context, flags) => (await load()).configInit(flags, context),
    },
  ],
};
