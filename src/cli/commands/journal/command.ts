import type { CommandSpec } from '../../context.ts';
import { flags, rangeFlags, reportFlags, screenFlags, sourceOrExportFlags } from '../../flags.ts';

export const journalCommand: CommandSpec = {
  name: 'journal',
  summary: 'write settlements as journal entries for accounting software',
  examples: [
    'recon journal --init > accounts.toml',
    'recon journal --sandbox --for hledger --output march.journal',
    'recon journal --month last --for datev --bank --output EXTF_march.csv',
  ],
  flags: [
    ...rangeFlags,
    [
      'Journal:',
      flags.for,
      flags.per,
      flags.detail,
      flags.includePending,
      flags.bank,
      flags.booked,
      { ...flags.newRegister, isHidden: true },
      { ...flags.batch, isHidden: true },
      flags.reverseMissing,
      {
        ...flags.rebind,
        about: 'with --booked: continue a register whose host or profile was renamed',
      },
      flags.init,
    ],
    reportFlags,
    ['Output:', { ...flags.output, about: 'file to write to' }, ...screenFlags],
    sourceOrExportFlags,
  ],
  run: async (context) => (await import('./run.ts')).journal(context),
};
