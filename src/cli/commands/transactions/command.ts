import { InvalidArgumentError, Option } from 'commander';
import type { CommandSpec } from '../../command.ts';
import {
  addConnectionOptions,
  addFromExportOption,
  addOutputOptions,
  addRangeOptions,
  dryRunOption,
  once,
  oneUuid,
} from '../../flags.ts';

/** `recon transactions`. */
export const transactionsCommand: CommandSpec = {
  name: 'transactions',
  summary: 'list the transactions of a range or of one settlement',
  examples: [
    'recon transactions --sandbox',
    'recon transactions --month last --output march.csv --note merchant_order_ref',
    'recon transactions --from -7d --to yesterday --state declined --format ndjson',
    'recon transactions --settlement be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
  ],
  flags: (command) => {
    addRangeOptions(command)
      .optionsGroup('Range (settlement dates, inclusive):')
      .addOption(once('--settlement <id>', 'one settlement, instead of a range', oneUuid))
      .optionsGroup('Filters applied after reading (exact values):')
      .addOption(values('--state <values>', 'transaction states'))
      .addOption(values('--type <values>', 'transaction types'))
      .addOption(values('--payment-type <values>', 'payment types').hideHelp());
    addOutputOptions(command)
      .addOption(dryRunOption())
      .addOption(noteOption())
      .option('--notes', 'add all notes of the merchant as JSON in one column');
    addFromExportOption(addConnectionOptions(command));
  },
  run: async (context, flags) => (await import('./run.ts')).transactions(flags, context),
};

/** An option that takes any words, with commas between them or by being repeated. */
function values(flags: string, description: string): Option {
  return new Option(flags, description).argParser<string[]>((text, previous = []) => {
    const words = text.split(',').map((word) => word.trim());
    if (words.includes('')) throw new InvalidArgumentError('A value must not be empty.');
    return [...previous, ...words];
  });
}

function noteOption(): Option {
  const description = "add a column for the merchant's notes with this key; repeatable";
  return new Option('--note <key>', description).argParser<string[]>((key, previous = []) => {
    if (key === '') throw new InvalidArgumentError('It must not be empty.');
    if (previous.includes(key)) throw new InvalidArgumentError('A key can be given only once.');
    return [...previous, key];
  });
}
