import { formats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../context.ts';
import { parsed, upTo } from '../../flag.ts';
import { flags, outputFlags, sourceFlags } from '../../flags.ts';

const doctorFlags = {
  days: parsed(
    '--days <number>',
    'days of settlements to check (default: the last 7)',
    upTo(366, 1),
  ),
  chargeAuth: flags.chargeAuth,
};

export const doctorCommand = {
  name: 'doctor',
  summary: 'check the setup and the behaviour of the service',
  examples: [
    'recon doctor --sandbox',
    'recon doctor --profile spain --days 30',
    'recon doctor --format json --output doctor.json',
  ],
  own: doctorFlags,
  flags: [
    ['Checks:', ...Object.values(doctorFlags)],
    outputFlags({ formats, piped: 'table' }),
    sourceFlags,
  ],
  notes: `
Warnings end with 0. If several checks fail, the first decides the exit code:
fix it first. Without --days, older days are examined if the last 7 have no
settlement. At most twelve requests are made (27 to find older settlements),
each repeated once if it fails.
`,
} satisfies CommandSpec;
