import { journalFormats } from '../../../books/example-mapping.ts';
import type { CommandSpec } from '../../context.ts';
import { choice, hidden, parsed, refuse, toggle, upTo } from '../../flag.ts';
import { flags, rangeFlags, reportFlags, screenFlags, sourceOrExportFlags } from '../../flags.ts';

function currencyCode(text: string): string {
  const code = text.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : refuse('It must be a currency code, such as EUR.');
}

const journalFlags = {
  for: choice('--for <format>', 'format of the journal', journalFormats),
  per: choice('--per <what>', 'one entry per', ['settlement', 'day']),
  currency: parsed('--currency <code>', 'book only what is in this currency', currencyCode),
  detail: toggle('--detail', 'book each transaction on lines of its own'),
  bySaleMonth: toggle('--by-sale-month', 'accrue what was sold in a month before its settlement'),
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
  write: flags.write,
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
    ['Output:', { ...flags.output, about: 'file to write to, or a folder' }, ...screenFlags],
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
