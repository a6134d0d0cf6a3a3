import type { CommandSpec } from '../../command.ts';
import {
  flags,
  formatFlag,
  judgementFlags,
  profileFlags,
  sandboxFlags,
  screenFlags,
} from '../../flags.ts';

/** `recon listen`. */
export const listenCommand: CommandSpec = {
  name: 'listen',
  summary: 'receive webhooks, store them, check each with the service',
  examples: [
    'recon listen --port 8090',
    'recon listen --port 8090 --path /hook/9f2c7d51 --quiet',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
  ],
  flags: [
    ['Address:', flags.port, flags.host, flags.path],
    ['Journal:', flags.journal, flags.keepEvents],
    [...judgementFlags, flags.accepted],
    ['Output:', formatFlag({ formats: ['table', 'ndjson'], piped: 'ndjson' }), ...screenFlags],
    ['Source:', ...profileFlags, flags.chargeAuth, flags.concurrency, ...sandboxFlags],
  ],
  notes: `
GET /healthz returns 200 while events can be stored. SIGTERM and SIGINT stop it
with exit code 0; events not answered by then are answered at the next start.
Events that cannot be answered are moved to set-aside/ in the journal. To try
one again, move its file to new/.
`,
  run: async (context) => (await import('./run.ts')).listen(context),
};
