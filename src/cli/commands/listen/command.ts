import type { CommandSpec } from '../../context.ts';
import { hidden, once, parsed, upTo } from '../../flag.ts';
import {
  files,
  flags,
  formatFlag,
  judgementFlags,
  profileFlags,
  sandboxFlags,
  screenFlags,
} from '../../flags.ts';

const listenFlags = {
  host: once('--host <address>', 'address to listen on (default: 127.0.0.1)'),
  port: parsed('--port <number>', 'port; 0 picks a free one', upTo(65_535)),
  path: once('--path <path>', 'path for webhooks (default: /hook)'),
  journal: once('--journal <folder>', 'folder for events', files),
  keepEvents: hidden(
    parsed('--keep-events <days>', 'days to keep answered events (default: 30)', upTo(36_500)),
  ),
};

export const listenCommand = {
  name: 'listen',
  summary: 'receive webhooks, store them, check each with the service',
  examples: [
    'recon listen --port 8090',
    'recon listen --port 8090 --path /hook/9f2c7d51 --quiet',
    'recon sandbox --port 8080 --notify http://127.0.0.1:8090/hook',
  ],
  own: listenFlags,
  flags: [
    ['Address:', listenFlags.port, listenFlags.host, listenFlags.path],
    ['Journal:', listenFlags.journal, listenFlags.keepEvents],
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
} satisfies CommandSpec;
