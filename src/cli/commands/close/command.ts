import { handedOnFormats } from '../../../render/formats.ts';
import type { CommandSpec, Context } from '../../context.ts';
import { hidden, once, parsed, someText, toggle } from '../../flag.ts';
import {
  files,
  flags,
  handedOnFlags,
  judgementFlags,
  namedDays,
  sourceOrExportFlags,
} from '../../flags.ts';

const closeFlags = {
  record: toggle('--record', 'add the close to the register, if nothing stands against it'),
  by: parsed('--by <name>', 'who closes it', someText),
  force: toggle('--force', 'with --record: close in spite of what needs a decision'),
  note: parsed('--note <text>', 'with --force or --reopen: why', someText),
  reopen: toggle('--reopen', 'reopen the last close'),
  items: toggle('--items', 'with csv: the open items instead of the roll-forward'),
  decisions: once(
    '--decisions <file>',
    'CSV file for the decisions that are due, to fill in',
    files,
  ),
  closes: { ...flags.closes, isHidden: false },
  newRegister: hidden(toggle('--new-register', 'with --record: start a new register')),
  booked: hidden(
    once('--booked <file>', 'register of booked entries: nothing may be missing in it', files),
  ),
};

export type CloseContext = Context<typeof closeFlags>;

export const closeCommand: CommandSpec = {
  name: 'close',
  summary: 'close a month: what is in transit, the bridge to the bank, what is still open',
  examples: [
    'recon close --sandbox',
    'recon close --month last statements/ --output march.xlsx',
    'recon close --month last statements/ --record --by Anna',
  ],
  argument: {
    name: '[statement...]',
    about: 'files or folders: camt, MT940, CSV, zip (default: from the settings)',
  },
  flags: [
    ['Range (settlement and booking dates, inclusive):', ...namedDays],
    ['Close:', ...Object.values(closeFlags)],
    [...judgementFlags, flags.accepted, flags.payoutAccounts],
    handedOnFlags({ formats: handedOnFormats, piped: 'csv' }),
    sourceOrExportFlags,
  ],
  run: async (context: CloseContext, paths) => (await import('./run.ts')).close(context, paths),
};
