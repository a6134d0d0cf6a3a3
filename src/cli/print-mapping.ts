import { ReconError } from '../base/errors.ts';
import { type Beginning, beginningOf } from '../mapping/beginning.ts';
import type { Proposal } from '../mapping/proposal.ts';
import { fileMapping } from '../report/mapping/template.ts';
import type { Context } from './context.ts';
import { filesAt } from './named-files.ts';
import { offerTable } from './profile-table.ts';

/**
 * `--init`: a first mapping for the files that are like the first one, and like another that says more if `most` is 2,
 * as `offerTable`. Returns the exit code.
 */
export async function printMapping(
  context: Pick<Context, 'flags' | 'host' | 'messages'>,
  paths: readonly string[],
  propose: (beginning: Beginning, where: string, other?: Beginning) => Proposal | undefined,
  most = 1,
): Promise<number> {
  const [file, other] = await filesAt(paths.slice(0, most), 'File');
  if (!file) {
    const hint = 'Name the file to look at: --init march.csv.';
    throw new ReconError('usage', 'No file given.', { hint });
  }
  const beginning = await beginningOf(file);
  const second = other && most > 1 ? await beginningOf(other) : undefined;
  const proposal = propose(beginning, file.name, second);
  if (!proposal) {
    const { kind } = beginning;
    const message =
      kind === undefined ? 'The file has no columns.' : `This is ${kind}, not a table.`;
    const hint = 'Name a CSV file or an Excel file (.xlsx).';
    throw new ReconError('usage', message, { where: file.name, hint });
  }
  return offerTable(proposal.table, (profile) => fileMapping(proposal, profile), context);
}
