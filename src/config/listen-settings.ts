import { join } from 'node:path';
import { stateFolder } from './config-file.ts';
import { findInEnvironment, type Warn } from './find-setting.ts';
import { type Environment, settingFault, variable } from './origin.ts';

export const defaultPath = '/hook';

/**
 * Where webhooks come in, and where they are kept until they are answered: flag, environment,
 * default. `path` is that of the address, by which whoever knows it can send events; `journal` is a
 * folder. Each service has one of its own, which `owner` names, since an event can be answered by no
 * other. `warn` hears of a path that others can read. Throws ReconError.
 */
export async function readListenSettings(
  flags: { readonly path?: string | undefined; readonly journal?: string | undefined },
  env: Environment,
  home: string,
  owner: string,
  warn: Warn,
) {
  const found = findInEnvironment(env, 'RECON_LISTEN_PATH');
  const path = flags.path ?? (await found?.read(undefined, warn)) ?? defaultPath;
  if (!/^\/[\w.~/-]*$/.test(path)) {
    const origin = flags.path === undefined && found ? found.origin : 'flag --path';
    const hint = 'Start it with / and use only letters, digits and the characters - _ . ~ /';
    throw settingFault(origin, 'Invalid path.', hint);
  }
  const given = flags.journal ?? variable(env, 'RECON_JOURNAL');
  const journal =
    given || join(stateFolder(env, home), 'recon', 'webhooks', encodeURIComponent(owner));
  return { path, journal };
}
