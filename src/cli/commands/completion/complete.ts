import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { print } from '../../output.ts';
import { findCandidates, type LookUp } from './candidates.ts';
import { givenValue } from './cursor.ts';

/**
 * `recon complete`, which the completion scripts call: prints a line for each word that fits, with
 * what it means after a tab; or `:files`, where the shell is to complete a path. Says nothing of
 * errors: somebody is typing.
 */
export async function complete(
  words: readonly string[],
  program: Command,
  { host }: Context,
): Promise<number> {
  const candidates = await findCandidates(program, words, lookUpFor(words, host)).catch(() => []);
  const lines =
    candidates === 'files'
      ? [':files']
      : candidates.map(({ word, about }) =>
          about ? `${word}\t${about.replace(/\s+/g, ' ')}` : word,
        );
  await print(host.stdout, lines.map((line) => `${line}\n`).join(''));
  return exitCodes.ok;
}

function lookUpFor(words: readonly string[], host: Host): LookUp {
  const lists: Readonly<Record<Parameters<LookUp>[0], () => Promise<readonly string[]>>> = {
    profiles: () => profileNames(givenValue(words, '--config'), host),
    scenarios: async () => (await import('../../../sandbox/scenarios.ts')).scenarioNames,
    faults: async () =>
      (await import('../../../sandbox/faults.ts')).faultNames.map(({ name, usage }) =>
        usage.startsWith(`${name}=`) ? `${name}=` : name,
      ),
  };
  return (list) => lists[list]();
}

/** Those that a shell takes as they are. */
async function profileNames(config: string | undefined, host: Host): Promise<readonly string[]> {
  const { readConfigFile } = await import('../../../config/config-file.ts');
  const { findConfigFile } = await import('../../settings.ts');
  const place = findConfigFile(config === undefined ? {} : { config }, host);
  const file = await readConfigFile(place, undefined);
  return [...(file?.profiles.keys() ?? [])].filter((name) => /^[\w.-]+$/.test(name));
}
