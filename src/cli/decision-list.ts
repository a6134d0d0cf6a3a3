import type { Decision } from '../app/decisions.ts';
import { writeOutputFile } from '../base/files.ts';
import { renderCsv } from '../render/csv.ts';
import { decisionRecords } from '../report/accept/decisions.ts';
import { many } from '../report/common/phrase.ts';
import type { Context } from './context.ts';

type ListContext = Parameters<typeof decisionRecords>[1];

/** Writes what can be decided as a list for `recon accept --from`. */
export async function writeDecisionList(
  path: string,
  due: readonly Decision[],
  about: ListContext,
  dialect: NonNullable<Context['flags']['dialect']> = 'rfc',
): Promise<void> {
  await writeOutputFile(path, async (write) => {
    for (const text of renderCsv(decisionRecords(due, about), dialect)) await write(text);
  });
}

/** The same with a message: nobody has filled in anything yet. */
export async function writeEmptyList(
  path: string,
  due: readonly Decision[],
  about: ListContext,
  { flags, messages }: Pick<Context, 'flags' | 'messages'>,
): Promise<void> {
  await writeDecisionList(path, due, about, flags.dialect);
  messages.say(`Written: ${path}, ${many(due.length, 'difference')} to decide.`);
}
