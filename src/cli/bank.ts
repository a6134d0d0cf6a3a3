import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { StatementFile } from '../bank/read-statements.ts';
import { ReconError } from '../base/errors.ts';
import { unreadable } from '../base/file-failures.ts';
import { fileSize, readBlocks } from '../base/files.ts';
import { isFolder, listFolder } from '../base/folders.ts';
import type { BankStatements } from '../model/bank.ts';
import type { Asked } from './asked.ts';
import type { Context } from './context.ts';

/** Statements, and where they are: as the command line names it, or nowhere. */
export interface NamedStatements extends BankStatements {
  readonly paths: readonly string[];
}

/**
 * Reads the statements that a command line asks for: the paths, or else those of the settings, or of the
 * sandbox its own. Throws ReconError where there are none.
 */
export async function readBank(
  paths: readonly string[],
  { settings }: Pick<Asked, 'settings'>,
  { flags, messages }: Context,
): Promise<NamedStatements> {
  const { readStatements } = await import('../bank/read-statements.ts');
  // Large statements leave much that is needed only once: so it is collected sooner.
  setFlagsFromString('--heap-growing-percent=50');
  const { statements, bank_csv: mapping } = settings.preferences;
  const places = paths.length === 0 && statements !== undefined ? [statements] : paths;
  if (places.length === 0 && flags.sandbox) {
    const { statementOfSandbox } = await import('./sandbox.ts');
    const own = [await statementOfSandbox(flags.scenario)];
    return { ...(await readStatements(own, undefined)), paths };
  }
  if (places.length === 0) {
    throw new ReconError('usage', 'No bank statement given.', {
      hint: 'Name files or folders, or set statements in the profile.',
    });
  }
  const files = (await Promise.all(places.map(filesAt))).flat();
  const { leftOut, ...read } = await readStatements(files, mapping);
  if (leftOut.length > 0) {
    messages.say(`Not read, because they are not bank statements: ${leftOut.join(', ')}.`);
  }
  if (read.statements.length === 0 && read.findings.length === 0) {
    throw new ReconError('usage', 'No bank statement found.', {
      where: places.join(', '),
      hint: 'Name a file or folder with statements: camt, MT940, zip, or CSV if bank_csv is set.',
    });
  }
  return { ...read, paths };
}

/** The file at a path or, of a folder, the files in it by name, without hidden ones and other folders. */
async function filesAt(path: string): Promise<readonly StatementFile[]> {
  const kind = await isFolder(path);
  if (kind === undefined) {
    throw new ReconError('usage', 'Bank statement not found.', {
      where: path,
      hint: 'Name a file or folder that exists.',
    });
  }
  if (!kind) return [await fileAt(path)];
  const inFolder = (await listFolder(path)) ?? [];
  const files = inFolder.filter((one) => !one.isFolder && !one.name.startsWith('.'));
  return Promise.all(
    files.map(async ({ name }) => ({ ...(await fileAt(join(path, name))), mayBeOther: true })),
  );
}

async function fileAt(path: string): Promise<StatementFile> {
  const size = await fileSize(path);
  return {
    name: path,
    ...(size !== undefined && { size }),
    blocks: async function* () {
      try {
        yield* readBlocks(path);
      } catch (error) {
        throw unreadable(path, error);
      }
    },
  };
}
