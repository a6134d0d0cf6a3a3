import type { CommandSpec } from '../../context.ts';
import { hidden, once, parsed, someText } from '../../flag.ts';
import {
  files,
  flags,
  judgementFlags,
  namedDays,
  screenFlags,
  sourceOrExportFlags,
} from '../../flags.ts';

const reviewFlags = {
  by: parsed('--by <name>', 'who decides', someText),
  decisions: once('--decisions <file>', 'list to write (default: decisions.csv)', files),
  accepted: flags.accepted,
  closes: hidden(flags.closes),
  booked: hidden(flags.booked),
  payoutAccounts: hidden(flags.payoutAccounts),
};

export const reviewCommand = {
  name: 'review',
  summary: 'decide what is open in a month, one by one, by key',
  examples: ['recon review --month last', 'recon review --month 2026-03 statements/ --by Anna'],
  argument: {
    name: '[statement...]',
    about: 'files or folders: camt, MT940, CSV, Excel, …',
  },
  own: reviewFlags,
  flags: [
    ['Range (settlement and booking dates, inclusive):', ...namedDays],
    ['Review:', ...Object.values(reviewFlags)],
    judgementFlags,
    ['Output:', ...screenFlags],
    sourceOrExportFlags,
  ],
  notes: `
What is decided goes into the list, and counts once it is applied: at the end of
the review, or by recon accept --from decisions.csv. Ctrl-C keeps the list.
`,
} satisfies CommandSpec;
