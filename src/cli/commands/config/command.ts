import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { exampleHelp, settingsHelp } from '../../help.ts';
import { addOutputOptions, addProfileOptions, configFileOption } from '../../options.ts';

/** `recon config path | show | init`. */
export function addConfigCommands(
  program: Command,
  context: Context,
  run: (work: () => Promise<number>) => void,
): void {
  const config = program
    .command('config')
    .description('the settings: where they are, what they are, how to begin')
    .addHelpText('before', exampleHelp('recon config init --profile spain', 'recon config show'))
    .addHelpText('after', settingsHelp());
  const load = () => import('./run.ts');

  config
    .command('path')
    .description('print the path of the configuration file')
    .addOption(configFileOption())
    .action((flags) => run(async () => (await load()).configPath(flags, context)));

  const show = config
    .command('show')
    .description('print every setting and where it comes from; secrets are never shown');
  addProfileOptions(addOutputOptions(show)).action((flags) =>
    run(async () => (await load()).configShow(flags, context)),
  );

  addProfileOptions(config.command('init'))
    .description('write a configuration file to be filled in, with every setting explained')
    .option('--quiet', 'say nothing on standard error unless something is wrong')
    .action((flags) => run(async () => (await load()).configInit(flags, context)));

  // Alone it shows its help, as `recon` does.
  config.exitOverride((error) => {
    if (error.code === 'commander.help' && error.exitCode !== 0) config.help();
    throw error;
  });
}
