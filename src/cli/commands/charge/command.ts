import type { CommandSpec } from '../../context.ts';
import { hidden, toggle } from '../../flag.ts';
import { flags, namedDays, outputFlags, sourceFlags, uuids } from '../../flags.ts';

const chargeFlags = {
  chargeAuth: flags.chargeAuth,
  raw: toggle('--raw', 'JSON from the service, without customer, payer and encrypted details'),
  personal: hidden(toggle('--personal', 'with --raw: include customer and payer')),
  settlements: toggle(
    '--settlements',
    "find the charges' transactions in the settlements of a range",
  ),
};

export const chargeCommand = {
  name: 'charge',
  summary:
    'show the outcome of charges: status, approval, amounts; --verbose adds details not meant for customers',
  examples: [
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --sandbox --scenario charges',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --settlements --month last',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --raw --charge-auth v1',
  ],
  argument: uuids('<chargeId...>', 'one or more charges'),
  own: chargeFlags,
  flags: [
    ['Charges:', ...Object.values(chargeFlags)],
    ['Range (settlement dates, inclusive):', ...namedDays],
    outputFlags(),
    sourceFlags,
  ],
} satisfies CommandSpec;
