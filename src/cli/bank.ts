import type { BankInput } from '../app/match-bank.ts';
import { ReconError } from '../base/errors.ts';
import { BusinessDays } from '../match/business-days.ts';
import type { BankStatements } from '../model/bank.ts';
import type { Context } from './context.ts';
import { namedIn } from './exit-codes.ts';
import type { Inputs } from './inputs.ts';
import { filesAt } from './named-files.ts';

/** Reads the statements, with how they are matched by the settings. Throws ReconError as `readStatementsAt`. */
export async function readBank(
  paths: readonly string[],
  inputs: Pick<Inputs, 'settings' | 'whose'>,
  context: Context,
): Promise<BankInput> {
  const { preferences } = inputs.settings;
  const { payout_accounts: counterparties, holidays, bank_rules: rules } = preferences;
  const statements = await readStatementsAt(paths, inputs, context);
  const businessDays = new BusinessDays(holidays);
  const decidesByUnknown = namedIn(context.flags.failOn, 'unknown-on-bank') !== undefined;
  const how = { counterparties, businessDays, rules, decidesByUnknown };
  return { ...inputs.whose, statements, paths, ...how };
}

/** Reads the statements at the paths, or else of the settings or the sandbox. ReconError if there are none. */
export async function readStatementsAt(
  paths: readonly string[],
  { settings }: Pick<Inputs, 'settings'>,
  { flags, messages }: Context,
): Promise<BankStatements> {
  const { readStatements } = await import('../bank/read-statements.ts');
  const { statements, bank_csv: mapping } = settings.preferences;
  const places = paths.length === 0 && statements !== undefined ? [statements] : paths;
  if (places.length === 0 && flags.sandbox) {
    const { statementOfSandbox } = await import('./sandbox.ts');
    const own = [await statementOfSandbox(flags.scenario)];
    return readStatements(own, undefined);
  }
  if (places.length === 0) {
    throw new ReconError('usage', 'No bank statement given.', {
      hint: 'Name files or folders, or set statements in the profile.',
    });
  }
  const files = await filesAt(places, 'Bank statement');
  const { leftOut, ...read } = await readStatements(files, mapping);
  if (leftOut.length > 0) {
    messages.say(`Not read, because they are not bank statements: ${leftOut.join(', ')}.`);
  }
  if (read.statements.length === 0 && read.findings.length === 0) {
    throw new ReconError('usage', 'No bank statement found.', {
      where: places.join(', '),
      hint: 'Name a file or folder with statements: camt, MT940 or another format of banks, or CSV and Excel if bank_csv is set.',
    });
  }
  return read;
}
