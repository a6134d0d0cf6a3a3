import type { CommandSpec } from '../../command.ts';
import { parsed } from '../../flag.ts';
import { oneUuid } from '../../flag-values.ts';
import { flags, judgementFlags, outputFlags, sourceOrExportFlags } from '../../flags.ts';

/** `recon accept`. */
export const acceptCommand: CommandSpec = {
  name: 'accept',
  summary: 'accept a known difference until the settlement changes',
  examples: [
    'recon accept be678572-cc4e-5b84-ae52-bdd95f9ee0dd --difference 82.79 \\\n      --reason "refunded in April" --until 2026-06-30',
    'recon accept be678572-cc4e-5b84-ae52-bdd95f9ee0dd --bank --difference -1.50 \\\n      --reason "bank fee"',
    'recon accept --list',
  ],
  argument: parsed('[settlementId]', 'the settlement', oneUuid),
  flags: [
    [
      'Accept:',
      flags.difference,
      {
        ...flags.bank,
        about:
          'accept the bank difference; bank statements: files or folders (default: from the settings)',
      },
      flags.reason,
      flags.until,
      flags.acceptedBy,
      { ...flags.account, isHidden: true },
      { ...flags.list, about: 'list the accepted differences' },
      { ...flags.replace, isHidden: true },
      flags.remove,
      { ...flags.accepted, about: 'register file (default: from the settings)', isHidden: false },
    ],
    judgementFlags,
    outputFlags(),
    sourceOrExportFlags,
  ],
  run: async (context, ids) => (await import('./run.ts')).accept(context, ids),
};
