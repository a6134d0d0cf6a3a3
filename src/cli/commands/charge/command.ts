import type { CommandSpec } from '../../context.ts';
import { dayFlags, flags, outputFlags, sourceFlags, uuids } from '../../flags.ts';

export const chargeCommand: CommandSpec = {
  name: 'charge',
  summary:
    'show the outcome of charges: status, approval, amounts; --verbose adds details not meant for customers',
  examples: [
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --sandbox --scenario charges',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --settlements --month last',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --raw --charge-auth v1',
  ],
  argument: uuids('<chargeId...>', 'one or more charges'),
  flags: [
    ['Charges:', flags.chargeAuth, flags.raw, flags.personal, flags.settlements],
    dayFlags,
    outputFlags(),
    sourceFlags,
  ],
  run: async (context, ids) => (await import('./run.ts')).charge(context, ids),
};
