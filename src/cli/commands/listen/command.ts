import { InvalidArgumentError } from 'commander';
import type { CommandSpec } from '../../command.ts';
import {
  addJudgementOptions,
  addProfileOptions,
  addSandboxOptions,
  addScreenOptions,
  chargeAuthOption,
  choice,
  concurrencyOption,
  once,
  suggesting,
  upTo,
  wholeNumber,
} from '../../flags.ts';

const listenHelp = `
GET /healthz returns 200 while events can be stored. SIGTERM and SIGINT stop it
with exit code 0; events not answered by then are answered at the next start.
Events that cannot be answered are moved to set-aside/ in the journal. To try
one again, move its file to new/.
`;

/** `recon listen`. */
export const listenCommand: CommandSpec = {
  name: 'listen',
  summary: 'receive webhooks, store them, and check each against the service',
  examples: [
    'recon listen --port 8090',
    'recon listen --port 8090 --path /hook/9f2c7d51 --quiet',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
  ],
  flags: (command) => {
    const keep = 'days to keep answered events (default: 30)';
    const format = 'format (default: table on a terminal, ndjson elsewhere)';
    command
      .optionsGroup('Address:')
      .addOption(once('--port <number>', 'port; 0 picks a free one', portNumber))
      .addOption(once('--host <address>', 'address to listen on (default: 127.0.0.1)'))
      .addOption(once('--path <path>', 'path for webhooks (default: /hook)'))
      .optionsGroup('Journal:')
      .addOption(suggesting(once('--journal <folder>', 'folder for events'), 'files'))
      .addOption(once('--keep-events <days>', keep, upTo(36_500)).hideHelp());
    addJudgementOptions(command)
      .optionsGroup('Output:')
      .addOption(choice('--format <format>', format, ['table', 'ndjson']));
    addProfileOptions(addScreenOptions(command).optionsGroup('Source:'))
      .addOption(chargeAuthOption())
      .addOption(concurrencyOption());
    addSandboxOptions(command);
  },
  notes: listenHelp,
  run: async (context, flags) => (await import('./run.ts')).listen(flags, context),
};

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}
