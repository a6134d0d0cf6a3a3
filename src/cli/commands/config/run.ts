import { ReconError } from '../../../base/errors.ts';
import { createPrivateFile, isThere } from '../../../base/files.ts';
import { shellWord } from '../../../base/texts.ts';
import { configTemplate } from '../../../config/template.ts';
import { configViews } from '../../../report/config/view.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { canAsk } from '../../prompts.ts';
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

/** `recon config init`: writes a file by the answers of a person at a terminal, or else one to fill in. */
export async function configInit(context: Context): Promise<number> {
  const { flags, host, messages } = context;
  const { path } = findConfigFile(flags.config, host);
  const profile = flags.profile ?? (host.env['RECON_PROFILE'] || 'main');
  const exists = new ReconError(
    'configuration',
    'The configuration file already exists and was not changed.',
    {
      where: path,
      hint: 'Edit that file (each profile starts with a line [profiles.NAME]), or name another file with --config.',
    },
  );
  // Nobody answers in vain.
  if (await isThere(path)) throw exists;
  const isAsked = canAsk(host);
  const text = isAsked
    ? await (await import('./ask.ts')).askForFile({ path, profile }, context)
    : await configTemplate(profile);
  if (!(await createPrivateFile(path, text))) throw exists;
  const named = flags.config === undefined ? '' : ` --config ${shellWord(flags.config)}`;
  messages.say(`Wrote ${path} with profile ${profile}. Only you can read it.`);
  const open = [...text.matchAll(/^(\w+) = ""$/gm)].flatMap(([, key]) => key ?? []);
  messages.say(
    open.length > 0
      ? 'Next: fill in the empty settings, then check them, the connection and the service with'
      : 'Next: check the settings, the connection and the service with',
  );
  messages.say(`  recon doctor${named}`);
  return exitCodes.ok;
}
