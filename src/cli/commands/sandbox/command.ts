import type { CommandSpec } from '../../command.ts';
import { flags } from '../../flags.ts';

/** `recon sandbox`. */
export const sandboxCommand: CommandSpec = {
  name: 'sandbox',
  summary: 'run a simulated service on this machine, with sample data',
  examples: [
    'recon sandbox --list',
    'recon sandbox --port 8080 --scenario refund',
    'recon sandbox --port 8080 --fault wrapper-429=every:5 --fault page-max=30',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
    'recon sandbox --statements bank/',
  ],
  flags: [
    [
      'Options:',
      { ...flags.port, about: 'port (default: any free port)' },
      flags.host,
      { ...flags.scenario, about: 'sample data to use', isHidden: false },
      { ...flags.fault, about: 'simulated fault; repeatable', isHidden: false },
      flags.notify,
      flags.statements,
      flags.list,
    ],
  ],
  run: async (context) => (await import('./run.ts')).sandbox(context),
};
