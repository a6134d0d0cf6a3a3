import { isDecided } from '../app/accept-decisions.ts';
import type { Decision } from '../app/decisions.ts';
import { ReconError } from '../base/errors.ts';
import { fileSize, writeOutputFile } from '../base/files.ts';
import { shellWord } from '../base/texts.ts';
import type { Settings } from '../config/settings.ts';
import { differenceKey } from '../model/accepted-difference.ts';
import { parseRegister } from '../register/accepted-register.ts';
import { readDecisions } from '../register/decisions-file.ts';
import { readKeptCsv } from '../register/kept-csv.ts';
import { renderCsv } from '../render/csv.ts';
import { decisionRecords } from '../report/accept/decisions.ts';
import { many } from '../report/common/phrase.ts';
import type { Context } from './context.ts';
import { filesAt } from './named-files.ts';

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

/** Refuses to replace a file that is no list, or a list with decisions that the register does not have yet. */
export async function refuseToLoseDecisions(
  path: string | undefined,
  { accepted }: Settings['preferences'],
): Promise<void> {
  if (path !== undefined && /\.(?!csv$|txt$)[a-z]{2,5}$/i.test(path)) {
    const hint =
      'Name it .csv. Spreadsheets open it, and recon accept --from reads their workbooks.';
    throw new ReconError('usage', 'A list of decisions is a CSV file.', { where: path, hint });
  }
  if (await refuseUnapplied(path, { accepted })) return;
  const hint = 'Name another file.';
  throw new ReconError('usage', 'This file is no list of decisions.', { where: path, hint });
}

/** Refuses to replace a file, also a workbook, with decisions that the register does not have yet. Whether it is a list, or none is there. */
export async function refuseUnapplied(
  path: string | undefined,
  { accepted }: Pick<Settings['preferences'], 'accepted'>,
): Promise<boolean> {
  if (path === undefined || (await fileSize(path)) === undefined) return true;
  const [file] = await filesAt([path], 'List of decisions');
  const written = file && (await readDecisions(file).catch(() => undefined));
  const decided = written?.filter(isDecided) ?? [];
  if (decided.length === 0) return written !== undefined;
  const { lines } = parseRegister(await readKeptCsv(accepted ?? ''));
  const known = new Set(lines.map((line) => differenceKey(line).id.toLowerCase()));
  if (decided.every(({ cells }) => known.has(cells.settlement_id.toLowerCase()))) return true;
  const hint = `Name another file, or apply it: recon accept --from ${shellWord(path)}.`;
  const message = 'This file has decisions that are not applied yet.';
  throw new ReconError('usage', message, { where: path, hint });
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
