import { tmpdir } from 'node:os';
import { findLakes } from '../../../audit/find-lakes.ts';
import { writeMonthLake } from '../../../audit/write-months.ts';
import { enumerate, grouped, many, present } from '../../../report/common/phrase.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { lockOptions } from '../../processes.ts';
import { usualMemory } from '../audit/command.ts';
import type { LakeContext } from './command.ts';

/** `recon lake`: writes the files of months that have changed. Returns the exit code. */
export async function writeLake(context: LakeContext, folders: readonly string[], out: string) {
  const { flags, host, messages, signal } = context;
  const { memory = usualMemory, threads, quiet = false } = flags;
  const lakes = await findLakes(folders);
  await messages.startProgress('reading the tables');
  const { written, unchanged, removed, transactions, repeatedDays } = await writeMonthLake(
    lakes,
    out,
    {
      memory,
      threads,
      temporary: tmpdir(),
      signal,
      lock: await lockOptions(context),
      onMonth: (month) => messages.say(`${month}: written`),
    },
  );
  messages.stop();
  const sentences = present(
    `${many(written.length, 'month')} written, ${unchanged} unchanged.`,
    removed.length > 0 && `Removed, because the exports do not have them: ${enumerate(removed)}.`,
    `${grouped(String(transactions))} transactions.`,
    repeatedDays > 0 &&
      `${many(repeatedDays, 'day')} with the same data in several exports, counted once.`,
  );
  if (!quiet) await print(host, `${sentences.join(' ')}\n`);
  return exitCodes.ok;
}
