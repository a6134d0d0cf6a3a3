import { ReconError } from '../base/errors.ts';
import type { BankStatements } from '../model/bank.ts';
import type { Asked } from './asked.ts';
import type { Context } from './context.ts';

/**
 * Reads the statements that a command line asks for: the paths, or else those of the settings, or of the
 * sandbox its own. Throws ReconError where there are none.
 */
export async function readBank(
  paths: readonly string[],
  { settings }: Pick<Asked, 'settings'>,
  { flags }: Context,
): Promise<BankStatements> {
  const { readStatements } = await import('../bank/read-statements.ts');
  if (paths.length === 0 && flags.sandbox) {
    const { statementOfSandbox } = await import('./sandbox.ts');
    return readStatements([await statementOfSandbox(flags.scenario)], undefined);
  }
  const { statements } = settings.preferences;
  if (paths.length === 0 && statements === undefined) {
    throw new ReconError('usage', 'No bank statement given.', {
      hint: 'Name files or folders, or set statements in the profile.',
    });
  }
  return readStatements([], undefined);
}
