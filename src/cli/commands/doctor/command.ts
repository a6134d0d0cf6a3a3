import { formats } from '../../../render/formats.ts';
import type { CommandSpec } from '../../context.ts';
import { flags, outputFlags, sourceFlags } from '../../flags.ts';

export const doctorCommand: CommandSpec = {
  name: 'doctor',
  summary: 'check the setup and the behaviour of the service',
  examples: [
    'recon doctor --sandbox',
    'recon doctor --profile spain --days 30',
    'recon doctor --format json --output doctor.json',
  ],
  flags: [
    ['Checks:', flags.days, flags.chargeAuth],
    outputFlags({ formats, piped: 'table' }),
    sourceFlags,
  ],
  notes: `
Warnings end with 0. If several checks fail, the first decides the exit code:
fix it first. At most twelve requests are made, each repeated once if it fails.
`,
  run: async (context) => (await import('./run.ts')).doctor(context),
};
