import { Option } from 'commander';
import type { CommandSpec } from '../../command.ts';
import {
  addConnectionOptions,
  addDayOptions,
  addOutputOptions,
  chargeAuthOption,
  eachUuid,
} from '../../flags.ts';

/** `recon charge`. */
export const chargeCommand: CommandSpec = {
  name: 'charge',
  summary:
    'show the outcome of charges: status, approval, amounts; --verbose adds details not meant for customers',
  examples: [
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --sandbox --scenario charges',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --settlements --month last',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --raw --charge-auth v1',
  ],
  flags: (command) => {
    command
      .argument('<chargeId...>', 'one or more charges', eachUuid)
      .optionsGroup('Charges:')
      .addOption(chargeAuthOption())
      .option('--raw', 'JSON from the service, without customer, payer and encrypted details')
      .addOption(new Option('--personal', 'with --raw: include customer and payer').hideHelp())
      .option('--settlements', "find the charges' rows in the settlements of a range");
    addConnectionOptions(addOutputOptions(addDayOptions(command)));
  },
  run: async (context, ids, flags) => (await import('./run.ts')).charge(ids, flags, context),
};
