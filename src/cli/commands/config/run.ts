import { ReconError } from '../../../base/errors.ts';
import { createPrivateFile } from '../../../base/files.ts';
import { shellWord } from '../../../base/texts.ts';
import { configTemplate } from '../../../config/template.ts';
import { configViews } from '../../../report/config/view.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { findConfigFile, readSettings } from '../../settings.ts';

export async function configPath({ flags, host }: Context): Promise<number> {
  await print(host, `${findConfigFile(flags.config, host).path}\n`);
  return exitCodes.ok;
}

/** `recon config show`: prints every setting with its source. Missing settings are not a failure. */
export async function configShow(context: Context): Promise<number> {
  const { flags, messages } = context;
  const target = resolveTarget(context);
  const settings = await readSettings(context);
  const views = configViews({ ...settings, settings: await settings.show() });
  await printReport(target, views, context);
  if (!flags.quiet) for (const sentence of settings.advice()) messages.warn(sentence);
  return exitCodes.ok;
}

export async function configInit({ flags, host, messages }: Context): Promise<number> {
  const { path } = findConfigFile(flags.config, host);
  const profile = flags.profile ?? (host.env['RECON_PROFILE'] || 'main');
  const text = await configTemplate(profile);
  if (!(await createPrivateFile(path, text))) {
    const message = 'The configuration file already exists and was not changed.';
    const hint =
      'Edit that file (each profile starts with a line [profiles.NAME]), or name another file with --config.';
    throw new ReconError('configuration', message, { where: path, hint });
  }
  const named = flags.config === undefined ? '' : ` --config ${shellWord(flags.config)}`;
  messages.say(`Wrote ${path} with profile ${profile}. Only you can read it.`);
  messages.say(
    'Next: fill in the empty settings, then check them, the connection and the service with',
  );
  messages.say(`  recon doctor${named}`);
  return exitCodes.ok;
}
