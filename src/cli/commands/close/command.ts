import type { CommandSpec } from '../../context.ts';
import { hidden, once, parsed, refuse, someText, toggle } from '../../flag.ts';
import {
  files,
  flags,
  judgementFlags,
  namedDays,
  officeFlags,
  sourcesOrExportFlags,
} from '../../flags.ts';

function oneFile(text: string): string {
  return text === 'none' ? refuse('It must be a file.') : text;
}

const closeFlags = {
  record: toggle('--record', 'add the close to the register, if it is ready'),
  by: parsed('--by <name>', 'who closes it', someText),
  force: toggle('--force', 'with --record: in spite of what is undecided'),
  note: parsed('--note <text>', 'with --force or --reopen: why', someText),
  init: hidden(toggle('--init', 'print what was in transit before the books, for the profile')),
  write: flags.write,
  list: toggle('--list', 'list the recorded closes'),
  reopen: hidden(toggle('--reopen', 'reopen the last close')),
  items: hidden(toggle('--items', 'with csv: the open items instead of the roll-forward')),
  decisions: once('--decisions <file>', 'CSV of what can be decided, to fill in', files),
  closes: flags.closes,
  newRegister: hidden(toggle('--new-register', 'with --record: start a new register')),
  // A close that leaves out the register that is set would not see what is missing there.
  booked: hidden({ ...flags.booked, parse: oneFile }),
};

export const closeCommand = {
  name: 'close',
  summary: 'close a month: what is in transit, and what is still open',
  examples: ['recon close --sandbox', 'recon close --month last statements/ --record --by Anna'],
  argument: {
    name: '[statement...]',
    about: 'files or folders: camt, MT940, CSV, Excel, …',
  },
  own: closeFlags,
  flags: [
    ['Range (settlement and booking dates, inclusive):', ...namedDays],
    ['Close:', ...Object.values(closeFlags)],
    [...judgementFlags, flags.accepted, hidden(flags.payoutAccounts)],
    officeFlags(),
    sourcesOrExportFlags,
  ],
} satisfies CommandSpec;
