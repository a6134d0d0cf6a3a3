import type { CommandSpec } from '../../command.ts';
import { addOutputOptions, addProfileOptions, configFileOption, quietOption } from '../../flags.ts';

const load = () => import('./run.ts');

/** `recon config path | show | init`. */
export const configCommand: CommandSpec = {
  name: 'config',
  summary: 'the settings: where they are, what they are, how to begin',
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
      summary: 'write a configuration file to be filled in, with every setting explained',
      flags: (command) =>
        addProfileOptions(command.optionsGroup('Configuration:')).addOption(quietOption()),
      run: async (context, flags) => (await load()).configInit(flags, context),
    },
  ],
};
