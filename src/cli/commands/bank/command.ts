import type { CommandSpec } from '../../context.ts';
import { toggle } from '../../flag.ts';
import {
  failOnFlag,
  filterFlags,
  flags,
  namedDays,
  officeFlags,
  sourcesFlags,
  ticket,
} from '../../flags.ts';

const bankFlags = {
  init: toggle('--init', 'print a first bank_csv for a CSV or Excel file'),
  write: flags.write,
  entries: toggle('--entries', 'only list what is read, without the service'),
};

export const bankCommand = {
  name: 'bank',
  summary: 'check that every pay-out is on the bank statements',
  examples: [
    'recon bank --init march.csv',
    'recon bank statements/ --month 2026-03 --output bank.xlsx',
  ],
  argument: {
    name: '[statement...]',
    about: 'files or folders (default: from the settings)',
  },
  own: bankFlags,
  flags: [
    ["Range (settlement dates; default: the statements' days):", ...namedDays],
    filterFlags,
    [
      'Bank:',
      bankFlags.init,
      bankFlags.write,
      bankFlags.entries,
      flags.payoutAccounts,
      failOnFlag('bank'),
      flags.accepted,
      flags.closes,
    ],
    officeFlags(ticket),
    [...sourcesFlags, flags.fromExport],
  ],
} satisfies CommandSpec;
