import { journalFormats } from '../../../books/example-mapping.ts';
import type { CommandSpec } from '../../context.ts';
import { choice, hidden, parsed, toggle, upTo } from '../../flag.ts';
import { flags, rangeFlags, reportFlags, screenFlags, sourceOrExportFlags } from '../../flags.ts';

const journalFlags = {
  for: choice('--for <format>', 'format of the journal', journalFormats),
  per: choice('--per <what>', 'one entry per', ['settlement', 'day']),
  detail: toggle('--detail', 'book each transaction on lines of its own'),
  includePending: toggle('--include-pending', 'book pending settlements too, marked as pending'),
  bank: flags.bank,
  booked: {
    ...flags.booked,
    about: 'register of booked entries: write only what is new, as a numbered batch',
  },
  newRegister: hidden(toggle('--new-register', 'with --booked: start a new register')),
  batch: hidden(
    parsed('--batch <number>', 'with --booked: print this batch again', upTo(999_999, 1)),
  ),
  reverseMissing: hidden(
    toggle(
      '--reverse-missing',
      'with --booked: reverse settlements that are no longer listed as settled',
    ),
  ),
  closedThrough: flags.closedThrough,
  rebind: {
    ...flags.rebind,
    about: 'with --booked: continue a register whose host or profile was renamed',
  },
  init: toggle('--init', 'print a first mapping of accounts, to adapt'),
};

export const journalCommand = {
  name: 'journal',
  summary: 'write settlements as journal entries for accounting software',
  examples: [
    'recon journal --init > accounts.toml',
    'recon journal --sandbox --for hledger --output march.journal',
    'recon journal --month last --for datev --bank --output EXTF_march.csv',
  ],
  own: journalFlags,
  flags: [
    ...rangeFlags,
    ['Journal:', ...Object.values(journalFlags)],
    [...reportFlags, flags.closes],
    ['Output:', { ...flags.output, about: 'file to write to' }, ...screenFlags],
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
