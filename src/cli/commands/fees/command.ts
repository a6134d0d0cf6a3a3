import type { CommandSpec } from '../../context.ts';
import { choice, toggle } from '../../flag.ts';
import {
  failOnFlag,
  flags,
  officeFlags,
  rangeFlags,
  sourceOrExportFlags,
  ticket,
} from '../../flags.ts';

const feesFlags = {
  init: toggle(
    '--init',
    'print the rates that the transactions show, to hold against the contract',
  ),
  write: flags.write,
  by: choice('--by <what>', 'CSV of fees and tax, totals by', ['month']),
};

export const feesCommand = {
  name: 'fees',
  summary: 'check that the fees of every transaction are those that were agreed',
  examples: [
    'recon fees --sandbox',
    'recon fees --init --month last --profile spain',
    'recon fees --month last --output fees.xlsx --profile spain',
    'recon fees --month last --output claim.md --profile spain',
  ],
  own: feesFlags,
  flags: [
    ...rangeFlags,
    ['Fees:', feesFlags.init, feesFlags.write, feesFlags.by, failOnFlag('fees')],
    officeFlags(ticket),
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
