import { join } from 'node:path';
import { findInEnvironment, xdgFolder } from './environment.ts';
import { type Environment, settingFault, variable } from './origin.ts';

/** Flags of the command line, as they were written. */
export interface ListenFlags {
  readonly path?: string | undefined;
  readonly journal?: string | undefined;
}

/** Where webhooks come in, and where they are kept until they are answered. */
export interface ListenSettings {
  /** Of the address. Whoever knows it can send events. */
  readonly path: string;
  /** A folder. */
  readonly journal: string;
  /** What is wrong with them, in sentences. */
  readonly warnings: readonly string[];
}

export const defaultPath = '/hook';

/**
 * Collects them: flag, environment, default. Each service has a journal of its own, which `journal`
 * names, since an event can be answered by no other. Throws ReconError.
 */
export async function readListenSettings(
  flags: ListenFlags,
  env: Environment,
  home: string,
  journal: string,
): Promise<ListenSettings> {
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  const found = findInEnvironment(env, 'RECON_LISTEN_PATH');
  const path = flags.path ?? (await found?.read(undefined, warn)) ?? defaultPath;
  if (!isPath(path)) {
    const origin = flags.path === undefined && found ? found.origin : 'flag --path';
    const hint = 'It begins with / and has letters, digits and - _ . ~ / after it.';
    throw settingFault(origin, "That can't be the path of an address.", hint);
  }
  const state = xdgFolder(env, 'XDG_STATE_HOME', join(home, '.local', 'state'));
  return {
    path,
    journal:
      (flags.journal ?? variable(env, 'RECON_JOURNAL')) ||
      join(state, 'recon', 'webhooks', encodeURIComponent(journal)),
    warnings,
  };
}

function isPath(text: string): boolean {
  return /^\/[\w.~/-]*$/.test(text);
}
