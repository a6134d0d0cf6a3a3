import type { CommandSpec } from '../../command.ts';
import { faultOption, once, scenarioOption, upTo } from '../../flags.ts';

/** `recon sandbox`. */
export const sandboxCommand: CommandSpec = {
  name: 'sandbox',
  summary: 'run a simulated service on this machine, with sample data',
  examples: [
    'recon sandbox --list',
    'recon sandbox --port 8080 --scenario refund',
    'recon sandbox --port 8080 --fault wrapper-429=every:5 --fault page-max=30',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
  ],
  flags: (command) =>
    command
      .addOption(once('--port <number>', 'port (default: any free port)', upTo(65_535)))
      .addOption(once('--host <address>', 'address to listen on (default: 127.0.0.1)'))
      .addOption(scenarioOption('sample data to use'))
      .addOption(faultOption('simulated fault; repeatable'))
      .addOption(once('--notify <url>', 'URL to send webhooks to'))
      .option('--list', 'list scenarios and faults'),
  run: async (context, flags) => (await import('./run.ts')).sandbox(flags, context),
};
