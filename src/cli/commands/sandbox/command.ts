import type { CommandSpec } from '../../context.ts';
import { once, parsed, toggle, upTo } from '../../flag.ts';
import { files, flags } from '../../flags.ts';

const servingFlags = {
  port: parsed('--port <number>', 'port (default: any free port)', upTo(65_535)),
  host: once('--host <address>', 'address to listen on (default: 127.0.0.1)'),
  scenario: { ...flags.scenario, about: 'sample data to use', isHidden: false },
  fault: { ...flags.fault, about: 'simulated fault; repeatable', isHidden: false },
  notify: once('--notify <url>', 'URL to send webhooks to'),
  statements: once(
    '--statements <folder>',
    "only write the scenario's bank statements to this folder (camt.053, MT940, CSV)",
    files,
  ),
  orders: once(
    '--orders <folder>',
    "only write the order files of the scenario's shop to this folder, in two dialects",
    files,
  ),
  providerFiles: once(
    '--provider-files <folder>',
    'only write the month of two other providers, with a statement, orders and settings of all three',
    files,
  ),
  list: toggle('--list', 'list scenarios and faults'),
};

export const sandboxCommand = {
  name: 'sandbox',
  summary: 'run a simulated service on this machine, with sample data',
  examples: [
    'recon sandbox --list',
    'recon sandbox --port 8080 --scenario refund',
    'recon sandbox --port 8080 --fault wrapper-429=every:5 --fault page-max=30',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
    'recon sandbox --statements bank/',
    'recon sandbox --orders shop/',
  ],
  own: servingFlags,
  flags: [['Options:', ...Object.values(servingFlags)]],
} satisfies CommandSpec;
