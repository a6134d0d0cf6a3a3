import type { CommandSpec } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { print } from '../host.ts';

/** `recon version`: prints it, as `recon --version` does. */
export const versionCommand: CommandSpec = {
  name: 'version',
  summary: 'print the version',
  run: async ({ host }) => {
    await print(host, `${RECON_VERSION}\n`);
    return exitCodes.ok;
  },
};
