import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { exampleHelp, exitCodeHelp, settingsHelp } from '../../help.ts';
import {
  addConnectionOptions,
  addDayOptions,
  addOutputOptions,
  chargeAuthOption,
  eachUuid,
} from '../../options.ts';

/** `recon charge`. */
export function addChargeCommand(
  program: Command,
  context: Context,
  run: (work: () => Promise<number>) => void,
): void {
  const charge = program
    .command('charge')
    .argument('<chargeId...>', 'one charge, or several', eachUuid)
    .description(
      'say what has come of charges: outcome, approved or not, amounts; with --verbose also what is not for customers',
    )
    .addHelpText(
      'before',
      exampleHelp(
        'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --sandbox --scenario charges',
        'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --settlements --month 2026-03',
        'recon charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 --raw --charge-auth v1',
      ),
    )
    .addHelpText('after', settingsHelp() + exitCodeHelp())
    .optionsGroup('Charges:')
    .addOption(chargeAuthOption())
    .option('--raw', 'what the service sent, without people and encrypted details')
    .option('--personal', 'with --raw: keep customer and payer')
    .option('--settlements', "look for the charges' rows in the settlements of a range");
  addConnectionOptions(addOutputOptions(addDayOptions(charge))).action((ids, flags) =>
    run(async () => (await import('./run.ts')).charge(ids, flags, context)),
  );
}
