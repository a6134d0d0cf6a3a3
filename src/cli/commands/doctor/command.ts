import type { Command } from 'commander';
import { formats } from '../../../render/formats.ts';
import type { Context } from '../../context.ts';
import { exampleHelp, exitCodeHelp, settingsHelp } from '../../help.ts';
import {
  addConnectionOptions,
  addOutputOptions,
  chargeAuthOption,
  choice,
  once,
  upTo,
} from '../../options.ts';

const levelHelp = `
A warning is worth knowing, and ends with 0. Of several failures the first one gives the exit code:
it is to be mended first. Seven requests at most are made, and repeated once where they fail.
`;

/** `recon doctor`. */
export function addDoctorCommand(
  program: Command,
  context: Context,
  run: (work: () => Promise<number>) => void,
): void {
  const doctor = program
    .command('doctor')
    .description('say whether everything is in place, and what the service really does')
    .addHelpText(
      'before',
      exampleHelp(
        'recon doctor --sandbox',
        'recon doctor --profile spain --days 30',
        'recon doctor --format json --output doctor.json',
      ),
    )
    .addHelpText('after', levelHelp + settingsHelp() + exitCodeHelp())
    .optionsGroup('Checks:')
    .addOption(
      once('--days <number>', 'how many days of settlements to look at (default: 7)', upTo(366, 1)),
    )
    .addOption(chargeAuthOption());
  const format = choice('--format <format>', 'table, unless given', formats);
  addConnectionOptions(addOutputOptions(doctor, format)).action((flags) =>
    run(async () => (await import('./run.ts')).doctor(flags, context)),
  );
}
