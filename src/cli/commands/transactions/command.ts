import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../../context.ts';
import { exampleHelp, exitCodeHelp, settingsHelp } from '../../help.ts';
import {
  addConnectionOptions,
  addFromExportOption,
  addOutputOptions,
  addRangeOptions,
  dryRunOption,
  settlementOption,
} from '../../options.ts';

/** `recon transactions`. */
export function addTransactionsCommand(
  program: Command,
  context: Context,
  run: (work: () => Promise<number>) => void,
): void {
  const transactions = program
    .command('transactions')
    .description('list the transactions of the settlements of a range, or of one settlement')
    .addHelpText(
      'before',
      exampleHelp(
        'recon transactions --sandbox',
        'recon transactions --month 2026-03 --output march.csv --note merchant_order_ref',
        'recon transactions --from -7d --to yesterday --state declined --format ndjson',
        'recon transactions --settlement be678572-cc4e-5b84-ae52-bdd95f9ee0dd --notes --sandbox',
      ),
    )
    .addHelpText('after', settingsHelp() + exitCodeHelp());
  addRangeOptions(transactions)
    .optionsGroup('Instead of a range:')
    .addOption(settlementOption())
    .optionsGroup('Filters after reading (values exactly as the service writes them):')
    .addOption(values('--state <values>', 'states of a transaction'))
    .addOption(values('--type <values>', 'types of a transaction'))
    .addOption(values('--payment-type <values>', 'payment types'));
  addOutputOptions(transactions)
    .addOption(dryRunOption())
    .addOption(noteOption())
    .option('--notes', 'all notes of the merchant, as JSON in one column');
  addFromExportOption(addConnectionOptions(transactions)).action((flags) =>
    run(async () => (await import('./run.ts')).transactions(flags, context)),
  );
}

/** An option that takes any words, with commas between them or by being repeated. */
function values(flags: string, description: string): Option {
  return new Option(flags, description).argParser<string[]>((text, previous = []) => {
    const words = text.split(',').map((word) => word.trim());
    if (words.includes('')) throw new InvalidArgumentError('A value is empty.');
    return [...previous, ...words];
  });
}

function noteOption(): Option {
  const description = "a column for the merchant's notes with this key; may be repeated";
  return new Option('--note <key>', description).argParser<string[]>((key, previous = []) => {
    if (key === '') throw new InvalidArgumentError('It is empty.');
    if (previous.includes(key)) throw new InvalidArgumentError('It is given twice.');
    return [...previous, key];
  });
}
