import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../cli/temporary.ts';
import { type RunOptions, type RunResult, runRecon } from '../../support/run-recon.ts';
import { makeMonth, names, type ProviderMonth } from './month.ts';

/** A folder with the files of all providers, each with its profile. */
export interface Desk {
  readonly folder: string;
  readonly months: readonly ProviderMonth[];
  run(args: readonly string[], options?: RunOptions): Promise<RunResult>;
}

export async function openDesk(seed: number): Promise<Desk> {
  const kept = process.env['PROVIDED_KEEP'];
  const folder = kept ?? (await temporaryFolder());
  const months = names.map((name) => makeMonth(name, seed));
  for (const { provider, files } of months) {
    await mkdir(join(folder, provider.name), { recursive: true });
    for (const { name, text } of files) await writeFile(join(folder, provider.name, name), text);
  }
  const config = months.flatMap(({ provider: { name, settings } }) => [
    `[profiles.${name}]`,
    `settlement_files = "${name}"`,
    `[profiles.${name}.settlements_csv]`,
    ...settings,
  ]);
  const path = join(folder, 'config.toml');
  await writeFile(path, `${config.join('\n')}\n`, { mode: 0o600 });
  return {
    folder,
    months,
    run: (args, options) => runRecon([...args, '--config', path], options),
  };
}
