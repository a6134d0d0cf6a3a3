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
Warnings end with 0. If several checks fail, the first decides the exit code:
fix it first. At most seven requests are made, each repeated once if it fails.
`;

/** `recon doctor`. */
export const doctorCommand: CommandSpec = {
  name: 'doctor',
  summary: 'check the setup and the behaviour of the service',
  examples: [
    'recon doctor --sandbox',
    'recon doctor --profile spain --days 30',
    'recon doctor --format json --output doctor.json',
  ],
  flags: (command) => {
    const days = 'days of settlements to check (default: 7)';
    command
      .optionsGroup('Checks:')
      .addOption(once('--days <number>', days, upTo(366, 1)))
      .addOption(chargeAuthOption());
    const format = choice('--format <format>', 'format (default: table)', formats);
    addConnectionOptions(addOutputOptions(command, format));
  },
  notes: levelHelp,
  run: async (context, flags) => (await import('./run.ts')).doctor(flags, context),
};
