import { maxScale, parseDecimal } from '../../../money/money.ts';
import type { CommandSpec } from '../../context.ts';
import {
  hidden,
  once,
  oneSettlement,
  parsed,
  refuse,
  repeated,
  someText,
  toggle,
} from '../../flag.ts';
import { files, flags, judgementFlags, outputFlags, sourceOrExportFlags } from '../../flags.ts';

function decimal(text: string): string {
  return parseDecimal(text.replace(/ +[A-Z]{3}$/, ''), maxScale) !== undefined
    ? text
    : refuse('It must be an amount, such as -5.00.');
}

/** A settlement, or an entry as JSON of `recon bank` has it. */
function settlementOrEntry(text: string): string {
  return /^[0-9a-f]{16}(-\d+)?(#\d+)?$/i.test(text.trim()) ? text.trim() : oneSettlement(text);
}

const acceptFlags = {
  from: once('--from <file>', 'accept a list of decisions: CSV, or a workbook', files),
  partial: hidden(toggle('--partial', 'with --from: accept the lines that are in order')),
  dryRun: hidden(
    toggle<boolean>('--dry-run', 'with --from: show what would be accepted, write nothing'),
  ),
  difference: parsed('--difference <amount>', 'the difference that you have seen: -5.00', decimal),
  order: parsed(
    '--order <reference>',
    'an order; --difference with its currency: "-0.01 EUR"',
    someText,
  ),
  bank: {
    ...flags.bank,
    about: 'bank difference; files or folders (default: settings)',
  },
  settledWith: parsed(
    '--settled-with <id>',
    'the settlement with which the service paid it in one',
    oneSettlement,
  ),
  entry: repeated(
    '--entry <place>',
    'its bank entry, as a person confirms: march.csv:12',
    (text) => [someText(text)],
  ),
  writtenOff: hidden(toggle('--written-off', 'the pay-out never comes: write off what is open')),
  note: hidden(parsed('--note <text>', 'the same as --reason', someText)),
  reason: parsed('--reason <text>', 'why it is accepted or decided so', someText),
  until: once('--until <day>', 'last day for which it is accepted (default: no end)'),
  by: parsed('--by <name>', 'who accepts it', someText),
  account: hidden(parsed('--account <text>', 'account in the books for the difference', someText)),
  list: toggle('--list', 'list the accepted differences'),
  replace: hidden(
    toggle('--replace', 'drop what an earlier acceptance said: by whom, until when, account'),
  ),
  remove: toggle('--remove', 'remove the difference from the register'),
  accepted: {
    ...flags.accepted,
    about: 'register file (default: from the settings)',
    isHidden: true,
  },
};

export const acceptCommand = {
  name: 'accept',
  summary: 'accept a known difference until the settlement changes',
  examples: [
    'recon accept be678572-cc4e-5b84-ae52-bdd95f9ee0dd --difference 82.79 \\\n      --reason "refunded in April" --until 2026-06-30',
    'recon accept --from decisions.csv',
  ],
  argument: parsed('[settlementId]', 'the settlement', settlementOrEntry),
  own: acceptFlags,
  flags: [
    ['Accept:', ...Object.values(acceptFlags)],
    judgementFlags,
    outputFlags(),
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
