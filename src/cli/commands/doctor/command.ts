import { formats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../command.ts';
import {
  addConnectionOptions,
  addOutputOptions,
  chargeAuthOption,
  choice,
  once,
  upTo,
} from '../../flags.ts';

const levelHelp = `
A warning is worth knowing, and ends with 0. Of several failures the first one
gives the exit code: it is to be mended first. Seven requests at most are made,
and repeated once where they fail.
`;

/** `recon doctor`. */
export const doctorCommand: CommandSpec = {
  name: 'doctor',
  summary: 'say whether everything is in place, and what the service really does',
  examples: [
    'recon doctor --sandbox',
    'recon doctor --profile spain --days 30',
    'recon doctor --format json --output doctor.json',
  ],
  flags: (command) => {
    const days = 'how many days of settlements to look at (default: 7)';
    command
      .optionsGroup('Checks:')
      .addOption(once('--days <number>', days, upTo(366, 1)))
      .addOption(chargeAuthOption());
    const format = choice('--format <format>', 'table, unless given', formats);
    addConnectionOptions(addOutputOptions(command, format));
  },
  notes: levelHelp,
  run: async (context, flags) => (await import('./run.ts')).doctor(flags, context),
};
