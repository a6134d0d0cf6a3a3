import { basename } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { type Beginning, beginningOf } from '../mapping/beginning.ts';
import type { Proposal, Setting } from '../mapping/proposal.ts';
import type { BankCsv } from '../model/bank.ts';
import { fileMapping, openQuestion } from '../report/mapping/template.ts';
import type { Context } from './context.ts';
import { filesAt } from './named-files.ts';
import { type OfferContext, offerTable } from './profile-table.ts';
import { canAsk, promptsFor } from './prompts.ts';
import { readSettings } from './settings.ts';

type MappingContext = OfferContext & Pick<Context, 'signal'>;

type Propose = (beginning: Beginning, where: string, other?: Beginning) => Proposal | undefined;

/** The first file alone, with one that says more, or each. */
type LooksAt = 'first' | 'pair' | 'each';

/**
 * `--init`: a first mapping for the files that are like the first one, as `offerTable`; of several banks, a named one
 * for the files of each. With `--write` at a terminal, it asks for what the files do not say. Returns the exit code.
 */
export async function printMapping(
  context: MappingContext,
  paths: readonly string[],
  propose: Propose,
  looksAt: LooksAt = 'first',
): Promise<number> {
  const found = await proposalsFor(paths, propose, looksAt);
  const [first] = found;
  // The profile need not be there yet.
  const settings = await readSettings(context).catch(() => undefined);
  const mappings = settings?.preferences.bank_csv ?? {};
  const known = looksAt === 'each' ? Object.values(mappings) : [];
  const forms = [...groupedBy(found, ({ proposal }) => proposal.names.join('\n')).values()];
  const fresh = forms.flatMap(([one]) => (one && !known.some(readsWith(one)) ? one : []));
  const isNamed = fresh.length > 0 && fresh.length + known.length > 1;
  const tables = new Map<string, Proposal>();
  for (const one of fresh.length > 0 ? fresh : [first]) {
    const name = isNamed ? nameFor(one.file, [...Object.keys(mappings), ...tables.keys()]) : '';
    tables.set(name, await completed(one, context));
  }
  const textFor = (profile: string) =>
    [...tables].map(([name, proposal]) => fileMapping(proposal, profile, name)).join('\n');
  return offerTable(first.proposal.table, textFor, context);
}

interface Looked {
  readonly file: string;
  readonly proposal: Proposal;
}

/** What is proposed for the files, at least for one. Throws ReconError if there is nothing. */
async function proposalsFor(paths: readonly string[], propose: Propose, looksAt: LooksAt) {
  const files = await filesAt(paths, 'File');
  const second = looksAt === 'pair' ? files[1] : undefined;
  const other = second && (await beginningOf(second));
  const hint = 'Name the file to look at: --init march.csv.';
  const faults = [new ReconError('usage', 'No file given.', { hint })];
  const found: Looked[] = [];
  for (const file of looksAt === 'each' ? files : files.slice(0, 1)) {
    try {
      const beginning = await beginningOf(file);
      const proposal = propose(beginning, file.name, other);
      if (!proposal) throw noTable(file.name, beginning);
      found.push({ file: file.name, proposal });
    } catch (error) {
      if (!(error instanceof ReconError)) throw error;
      faults.push(error);
    }
  }
  const [first, ...others] = found;
  if (!first) throw faults[1] ?? faults[0];
  return [first, ...others] as const;
}

function noTable(where: string, { kind }: Beginning): ReconError {
  const message = kind === undefined ? 'The file has no columns.' : `This is ${kind}, not a table.`;
  return new ReconError('usage', message, {
    where,
    hint: 'Name a CSV file or an Excel file (.xlsx).',
  });
}

/** Whether a mapping finds its columns in a file. */
function readsWith({ proposal: { names } }: Looked) {
  return ({ date, amount, debit, credit }: BankCsv) =>
    [date, amount, debit, credit].every((one) => one === undefined || names.includes(one));
}

/** A name for the files of a bank, by the first word of one. */
function nameFor(file: string, taken: readonly string[]): string {
  const words =
    basename(file)
      .replace(/\.\w+$/, '')
      .match(/\p{L}{3,}/gu) ?? [];
  const word = words.find((one) => one.toLowerCase() !== 'csv')?.toLowerCase() ?? 'bank';
  const isFree = (one: string) => /^\w+$/.test(one) && !taken.includes(one);
  const numbered = taken.map((_, at) => `bank${at + 2}`);
  return [word, 'bank', ...numbered].find(isFree) ?? 'bank';
}

/** A mapping with what a person at the terminal says of its open lines, if it is to be written. */
async function completed({ file, proposal }: Looked, context: MappingContext): Promise<Proposal> {
  if (!context.flags.write || !canAsk(context.host)) return proposal;
  const prompts = promptsFor(context, '--init', '');
  const settings: Setting[] = [];
  if (proposal.settings.some(({ isOpen }) => isOpen))
    context.messages.say(`The columns of ${basename(file)}: ${proposal.names.join(', ')}`);
  const hasMethod = proposal.settings.some(({ key }) => key === 'method' || key === 'preset');
  for (const one of proposal.settings) {
    if (one.key === 'methods' && one.isOpen && !hasMethod) {
      const value = await prompts.text('Its column with the payment method; Enter if it has none');
      if (value !== '') settings.push({ key: 'method', value, notes: [] });
    }
    // Words of a status are decided in the file.
    const question = one.isOpen && one.key !== 'status' && openQuestion(one, proposal.table);
    const isNumber = (answer: string) => /^$|\d/.test(answer) || proposal.names.includes(answer);
    const faultIn = (answer: string) =>
      one.key === 'account' && !isNumber(answer) ? 'Type its number, or only the last digits.' : '';
    const typed = question
      ? await prompts.text(`${basename(file)}, ${one.key}: ${question}`, { faultIn })
      : '';
    const words = typed
      .replace(/^\[\]$/, '')
      .split(',')
      .map((word) => word.trim());
    const value = typeof one.value === 'object' ? words.filter(Boolean) : typed;
    settings.push(typed === '' ? one : { key: one.key, value, notes: [] });
  }
  return { ...proposal, settings };
}
