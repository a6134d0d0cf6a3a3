import type { BankInput } from '../app/match-bank.ts';
import { ReconError } from '../base/errors.ts';
import { BusinessDays } from '../match/business-days.ts';
import type { BankCsv, BankStatements } from '../model/bank.ts';
import { statementSentence } from '../report/bank/words.ts';
import { present } from '../report/common/phrase.ts';
import type { Context } from './context.ts';
import { namedIn } from './exit-codes.ts';
import type { Inputs } from './inputs.ts';
import { filesAt, refuseToReplace } from './named-files.ts';
import { setElsewhere } from './profile-table.ts';

/**
 * Reads the statements, none without paths, or takes those that were read, with how they are matched by the settings.
 * Throws ReconError as `readStatementsAt`.
 */
export async function readBank(
  paths: readonly string[] | undefined,
  inputs: Pick<Inputs, 'settings' | 'whose' | 'today'>,
  context: Context,
  read?: BankStatements,
): Promise<BankInput> {
  const { preferences } = inputs.settings;
  const { payout_accounts: counterparties, holidays, bank_rules: rules } = preferences;
  const statements =
    read ?? (paths ? await readStatementsAt(paths, inputs, context) : noStatements);
  const businessDays = new BusinessDays(holidays);
  const decidesByUnknown = namedIn(context.flags.failOn, 'unknown-on-bank') !== undefined;
  const today = inputs.today();
  const how = { paths: paths ?? [], counterparties, businessDays, rules, decidesByUnknown, today };
  return { ...inputs.whose, statements, ...how };
}

/** Reads the statements of several profiles once, with the places and the mappings of all. As `readStatementsAt`. */
export async function readSharedStatements(
  paths: readonly string[],
  profiles: readonly { readonly inputs: Pick<Inputs, 'settings'> }[],
  context: Context,
): Promise<BankStatements> {
  const all = profiles.map(({ inputs }) => inputs.settings);
  const [first] = all;
  if (!first) return noStatements;
  const places = [...new Set(all.flatMap(({ preferences }) => preferences.statements ?? []))];
  const mappings = new Map<string, BankCsv>();
  for (const { profile, preferences } of all) {
    for (const [name, mapping] of Object.entries(preferences.bank_csv ?? {})) {
      const known = [...mappings.values()].some(
        (one) => JSON.stringify(one) === JSON.stringify(mapping),
      );
      const own = mappings.has(name) ? present(profile, name).join('.') : name;
      if (!known) mappings.set(own, mapping);
    }
  }
  const preferences = { ...first.preferences, bank_csv: Object.fromEntries(mappings) };
  const from = paths.length > 0 ? paths : places;
  return readStatementsAt(from, { settings: { ...first, preferences } }, context);
}

const noStatements: BankStatements = { statements: [], entries: [], findings: [], repeated: 0 };

/** Reads the statements at the paths, or else of the settings or the sandbox. ReconError if there are none. */
export async function readStatementsAt(
  paths: readonly string[],
  inputs: Pick<Inputs, 'settings'>,
  context: Pick<Context, 'flags' | 'host'>,
): Promise<BankStatements> {
  const { settings } = inputs;
  const { flags } = context;
  const { readStatements } = await import('../bank/read-statements.ts');
  const { statements, bank_csv: mappings } = settings.preferences;
  const places = paths.length === 0 && statements !== undefined ? [statements] : paths;
  if (places.length === 0 && flags.sandbox) {
    const { statementOfSandbox } = await import('./sandbox.ts');
    return readStatements([await statementOfSandbox(flags.scenario)], mappings);
  }
  if (places.length === 0) {
    const hint =
      (await setElsewhere('statements', inputs, context)) ||
      'Name files or folders, or set statements in the profile.';
    throw new ReconError('usage', 'No bank statement given.', { hint });
  }
  const setting = paths.length === 0 ? 'statements' : undefined;
  const files = await filesAt(places, 'Bank statement', setting);
  await refuseToReplace(
    flags.output,
    files.map(({ name }) => name),
  );
  const read = await readStatements(files, mappings).catch(async (error: unknown) => {
    const lacks = await setElsewhere('bank_csv', inputs, context);
    if (!lacks || !(error instanceof ReconError)) throw error;
    const { failure, message, where } = error;
    throw new ReconError(failure, message, { where, hint: lacks, reason: error });
  });
  if (read.statements.length > 0 || read.findings.some(({ code }) => code === 'unreadable')) {
    return read;
  }
  const [reason] = read.findings.map(statementSentence);
  throw new ReconError('usage', present('No bank statement found.', reason).join(' '), {
    where: places.join(', '),
    hint:
      (await setElsewhere('bank_csv', inputs, context)) ||
      'Name a file or folder with statements: camt, MT940 or another format of banks, or CSV and Excel if bank_csv is set.',
  });
}
