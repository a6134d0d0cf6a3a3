import { faultNames } from '../../sandbox/faults.ts';
import { loadScenario, scenarioNames } from '../../sandbox/scenarios.ts';
import { type Context, say } from '../context.ts';
import { launchSandbox } from '../sandbox.ts';

export interface SandboxFlags {
  readonly host?: string;
  readonly port?: number;
  readonly scenario?: string;
  readonly fault?: readonly string[];
  readonly list?: true;
}

/** `recon sandbox`: keeps the service running and prints the settings that reach it. */
export async function sandbox(
  flags: SandboxFlags,
  { host, clock, signal }: Context,
): Promise<number> {
  if (flags.list) {
    host.stdout.write(await listText());
    return 0;
  }
  const launched = await launchSandbox({ ...flags, clock });
  const { baseUrl, authUrl, credentials, signingKeys } = launched.sandbox;
  const { name, about, period } = launched.scenario;
  try {
    host.stdout.write(
      [
        `export RECON_BASE_URL=${baseUrl}`,
        `export RECON_AUTH_URL=${authUrl}`,
        `export RECON_CLIENT_ID=${credentials.clientId}`,
        `export RECON_CLIENT_SECRET=${credentials.clientSecret}`,
        `export RECON_AUDIENCE=${credentials.audience}`,
        `export RECON_JWT_PUBLIC_KEY=${signingKeys.publicKey}`,
        `export RECON_JWT_SECRET=${signingKeys.secret}`,
        '',
      ].join('\n'),
    );
    say(host, `Scenario ${name}, ${period.from} to ${period.to}: ${about}`);
    say(host, 'The sandbox is running; Ctrl-C stops it.');
    await aborted(signal);
    return 0;
  } finally {
    await launched.sandbox.close();
  }
}

/** Stopping it is how it is meant to end, so that is no interruption. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function listText(): Promise<string> {
  const scenarios = await Promise.all(scenarioNames.map(loadScenario));
  return [
    'Scenarios, the default one first:',
    ...scenarios.map(({ name, about }) => `  ${name}\n      ${about}`),
    '',
    'Faults (WHEN is always, first:N, every:N or on:N; @headers, @rows, @charge, @token or @SETTLEMENT-ID say where):',
    ...faultNames.map(({ usage, about }) => `  ${usage}\n      ${about}`),
    '',
  ].join('\n');
}
