import type { CommandSpec } from '../../command.ts';
import { faultOption, once, scenarioOption, upTo } from '../../flags.ts';

/** `recon sandbox`. */
export const sandboxCommand: CommandSpec = {
  name: 'sandbox',
  summary: 'run the service itself on this machine, with made-up data',
  examples: [
    'recon sandbox --list',
    'recon sandbox --port 8080 --scenario refund',
    'recon sandbox --port 8080 --fault wrapper-429=every:5 --fault page-max=30',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
  ],
  flags: (command) =>
    command
      .addOption(once('--port <number>', 'where to listen (default: any free port)', upTo(65_535)))
      .addOption(once('--host <address>', 'where to listen (default: 127.0.0.1)'))
      .addOption(scenarioOption('which data it holds'))
      .addOption(faultOption('how it misbehaves; may be repeated'))
      .addOption(once('--notify <url>', 'where to send the webhooks of its data'))
      .option('--list', 'list the scenarios and the faults, and stop'),
  run: async (context, flags) => (await import('./run.ts')).sandbox(flags, context),
};
