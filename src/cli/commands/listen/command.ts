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
GET /healthz is 200 while events can be kept. SIGTERM and SIGINT stop it with
exit code 0; what is not answered by then is answered at the next start. What
can't be answered is set aside in the journal's set-aside/; a file that is moved
from there to new/ is tried again.
`;

/** `recon listen`. */
export const listenCommand: CommandSpec = {
  name: 'listen',
  summary: 'receive webhooks, keep them safe, and answer each by reading the API again',
  examples: [
    'recon listen --port 8090',
    'recon listen --port 8090 --path /hook/9f2c7d51 --quiet',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
  ],
  flags: (command) => {
    const keep = 'how long after they are answered (default: 30)';
    const format = 'table (a line an event) on a terminal and ndjson elsewhere';
    command
      .optionsGroup('Address:')
      .addOption(once('--port <number>', 'where to listen; 0 takes any free one', portNumber))
      .addOption(once('--host <address>', 'where to listen (default: 127.0.0.1)'))
      .addOption(once('--path <path>', 'where webhooks come in (default: /hook)'))
      .optionsGroup('Journal:')
      .addOption(suggesting(once('--journal <folder>', 'where events are kept'), 'files'))
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
  throw new InvalidArgumentError('It has to be a number from 0 to 65535.');
}
