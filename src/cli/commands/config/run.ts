import { ReconError } from '../../../base/errors.ts';
import { createPrivateFile } from '../../../base/files.ts';
import { shellWord } from '../../../base/texts.ts';
import { configTemplate } from '../../../config/template.ts';
import { configViews } from '../../../report/config/view.ts';
import { type Context, say } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../output.ts';
import { printReport } from '../../print-report.ts';
import { findConfigFile, readSettings } from '../../settings.ts';
import { resolveTarget, type TargetFlags } from '../../target.ts';

interface PlaceFlags {
  readonly config?: string;
  readonly profile?: string;
}

interface QuietFlags {
  readonly quiet?: true;
}

/** `recon config path`: prints the path of the configuration file, and nothing else. */
export async function configPath(flags: PlaceFlags, { host }: Context): Promise<number> {
  await print(host.stdout, `${findConfigFile(flags, host).path}\n`);
  return exitCodes.ok;
}

/** `recon config show`: prints every setting with its source. That some are missing is no failure. */
export async function configShow(
  flags: PlaceFlags & TargetFlags & QuietFlags,
  { host }: Context,
): Promise<number> {
  const target = resolveTarget(flags, host);
  const settings = await readSettings(flags, host);
  const views = configViews({ ...settings, settings: await settings.show() });
  await printReport(target, views, host);
  if (!flags.quiet) for (const sentence of settings.adviceOnMissing()) say(host, sentence);
  return exitCodes.ok;
}

/** `recon config init`: writes a configuration file to be filled in. */
export async function configInit(
  flags: PlaceFlags & QuietFlags,
  { host }: Context,
): Promise<number> {
  const { path } = findConfigFile(flags, host);
  const profile = flags.profile ?? (host.env['RECON_PROFILE'] || 'main');
  const text = configTemplate(profile);
  if (!(await createPrivateFile(path, text))) {
    throw new ReconError('configuration', 'The configuration file is there already, and is kept.', {
      where: path,
      hint: 'Edit that file (a further profile begins with a line [profiles.NAME]), or name another place with --config.',
    });
  }
  if (!flags.quiet) {
    const named = flags.config === undefined ? '' : ` --config ${shellWord(flags.config)}`;
    say(host, `Wrote ${path} with the profile ${profile}. Only you can read it.`);
    say(host, 'Next: fill in what is empty there, then look at it with');
    say(host, `  recon config show${named}`);
  }
  return exitCodes.ok;
}
