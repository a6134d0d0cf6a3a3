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
    'say what has come of charges: outcome, approved or not, amounts; with --verbose also what is not for customers',
  examples: [
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --sandbox --scenario charges',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --settlements --month last',
    'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --raw --charge-auth v1',
  ],
  flags: (command) => {
    command
      .argument('<chargeId...>', 'one charge, or several', eachUuid)
      .optionsGroup('Charges:')
      .addOption(chargeAuthOption())
      .option('--raw', 'what the service sent, without people and encrypted details')
      .addOption(new Option('--personal', 'with --raw: keep customer and payer').hideHelp())
      .option('--settlements', "look for the charges' rows in the settlements of a range");
    addConnectionOptions(addOutputOptions(addDayOptions(command)));
  },
  run: async (context, ids, flags) => (await import('./run.ts')).charge(ids, flags, context),
};
