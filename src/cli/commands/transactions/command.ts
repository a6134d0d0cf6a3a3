import type { CommandSpec } from '../../context.ts';
import {
  exactValues,
  hidden,
  oneSettlement,
  parsed,
  refuse,
  repeated,
  toggle,
} from '../../flag.ts';
import { flags, outputFlags, rangeFlags, sourceOrExportFlags } from '../../flags.ts';

function noteKey(key: string, previous: readonly string[]): readonly string[] {
  if (key === '') refuse('It must not be empty.');
  return previous.includes(key) ? refuse('A key can be given only once.') : [key];
}

const transactionsFlags = {
  settlement: parsed('--settlement <id>', 'one settlement, instead of a range', oneSettlement),
  state: repeated('--state <values>', 'transaction states', exactValues),
  type: repeated('--type <values>', 'transaction types', exactValues),
  note: repeated(
    '--note <key>',
    "add a column for the merchant's notes with this key; repeatable",
    noteKey,
  ),
  notes: toggle('--notes', 'add all notes of the merchant as JSON in one column'),
  paymentType: hidden(repeated('--payment-type <values>', 'payment types', exactValues)),
};

export const transactionsCommand = {
  name: 'transactions',
  summary: 'list the transactions of a range or of one settlement',
  examples: [
    'recon transactions --sandbox',
    'recon transactions --month last --output march.csv --note merchant_order_ref',
    'recon transactions --from -7d --to yesterday --state declined --format ndjson',
    'recon transactions --settlement be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
  ],
  own: transactionsFlags,
  flags: [
    ...rangeFlags,
    ['Range (settlement dates, inclusive):', transactionsFlags.settlement],
    [
      'Filters applied after reading (exact values):',
      transactionsFlags.state,
      transactionsFlags.type,
      transactionsFlags.paymentType,
    ],
    [...outputFlags(), flags.dryRun, transactionsFlags.note, transactionsFlags.notes],
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
