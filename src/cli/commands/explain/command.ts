import type { CommandSpec } from '../../context.ts';
import { oneSettlement, parsed, toggle, upTo } from '../../flag.ts';
import {
  flags,
  officeFlags,
  rangeFlags,
  reportFlags,
  sourceOrExportFlags,
  ticket,
  uuids,
} from '../../flags.ts';

const explainFlags = {
  neighbours: parsed(
    '--neighbours <days>',
    'days to search before and after (default: up to 14)',
    upTo(366),
  ),
  neighbourRows: toggle(
    '--neighbour-rows',
    'read transactions of all neighbours (default: nearest)',
  ),
  deep: { ...flags.deep, about: 'read neighbours with more than 20 requests', isHidden: false },
  charges: toggle('--charges', 'also read the charges that explanations name'),
  chargeAuth: flags.chargeAuth,
  all: { ...flags.all, about: 'list all causes tested, including those ruled out' },
};

export const explainCommand = {
  name: 'explain',
  summary: 'explain why settlements do not balance: arithmetic, causes',
  examples: [
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox',
    'recon explain --month last',
    'recon explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --output case.md',
  ],
  argument: uuids(
    '[settlementId...]',
    'settlements, by 8 characters at least, or a range',
    oneSettlement,
  ),
  own: explainFlags,
  flags: [
    ...rangeFlags,
    [
      'Explanation (neighbours have the same account and currency):',
      ...Object.values(explainFlags),
    ],
    reportFlags,
    officeFlags({ ...ticket, piped: 'table' }),
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
