import { tmpdir } from 'node:os';
import { findLakes } from '../../../audit/find-lakes.ts';
import { writeMonthLake } from '../../../audit/write-months.ts';
import { ReconError } from '../../../base/errors.ts';
import { enumerate, grouped, many, present } from '../../../report/common/phrase.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { lockOptions } from '../../processes.ts';
import { usualMemory } from '../audit/command.ts';
import type { lakeCommand } from './command.ts';

type LakeContext = ContextOf<typeof lakeCommand>;

/** `recon lake`: writes the files of months that have changed. Returns the exit code. */
export async function writeLake(context: LakeContext, folders: readonly string[]) {
  const { flags, host, messages, signal } = context;
  const { out, memory = usualMemory, threads, quiet = false } = flags;
  if (out === undefined) {
    const hint = 'Name the folder of the lake with --out.';
    throw new ReconError('usage', "Required option '--out <folder>' not specified.", { hint });
  }
  const lakes = await findLakes(folders);
  await messages.startProgress('reading the tables');
  const lock = await lockOptions(context);
  const onMonth = (month: string) => messages.say(`${month}: written`);
  const options = { memory, threads, temporary: tmpdir(), signal, lock, onMonth };
  const done = await writeMonthLake(lakes, out, options);
  messages.stop();
  const sentences = present(
    `${many(done.written, 'month')} written, ${done.unchanged} unchanged.`,
    done.removed.length > 0 &&
      `Removed, because the exports do not have them: ${enumerate(done.removed)}.`,
    `${grouped(String(done.transactions))} transactions.`,
    done.repeatedDays > 0 &&
      `${many(done.repeatedDays, 'day')} with the same data in several exports, counted once.`,
  );
  if (!quiet) await print(host, `${sentences.join(' ')}\n`);
  return exitCodes.ok;
}
