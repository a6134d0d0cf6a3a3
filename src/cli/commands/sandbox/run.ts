import { dirname, join } from 'node:path';
import { ReconError } from '../../../base/errors.ts';
import { writeOutputFile } from '../../../base/files.ts';
import { makeFolder } from '../../../base/folders.ts';
import { statementsIn } from '../../../sandbox/bank.ts';
import { faultNamesOf, sandboxFaults } from '../../../sandbox/faults.ts';
import { providerFilesIn } from '../../../sandbox/providers.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { loadScenario, scenarioNames } from '../../../sandbox/scenarios.ts';
import { orderFilesIn } from '../../../sandbox/shop.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import type { Messages } from '../../messages.ts';
import { chooseScenario, launchSandbox } from '../../sandbox.ts';
import type { sandboxCommand } from './command.ts';

type SandboxContext = ContextOf<typeof sandboxCommand>;

type Files = readonly {
  readonly name: string;
  readonly text: string;
  readonly isSecret?: boolean;
}[];

/** `recon sandbox`: serves the sandbox and prints the settings that reach it. */
export async function sandbox(context: SandboxContext): Promise<number> {
  const { flags, host, signal, messages } = context;
  if (flags.list) {
    await print(host, await listText());
    return exitCodes.ok;
  }
  const written = [
    [flags.statements, statementsIn],
    [flags.orders, orderFilesIn],
    [flags.providerFiles, providerFilesIn],
  ] as const;
  for (const [folder, filesIn] of written) {
    if (folder === undefined) continue;
    await writeFiles(folder, filesIn(await chooseScenario(flags.scenario)), messages);
    return exitCodes.ok;
  }
  const receiver = flags.notify === undefined ? undefined : readReceiver(flags.notify);
  const place = { host: flags.host, port: flags.port };
  const launched = await launchSandbox(flags, context, place);
  const { baseUrl, authUrl, credentials, signingKeys } = launched.sandbox;
  const { name, about, period } = launched.scenario;
  try {
    const variables = {
      BASE_URL: baseUrl,
      AUTH_URL: authUrl,
      CLIENT_ID: credentials.clientId,
      CLIENT_SECRET: credentials.clientSecret,
      AUDIENCE: credentials.audience,
      JWT_PUBLIC_KEY: signingKeys.publicKey,
      JWT_SECRET: signingKeys.secret,
    };
    const lines = Object.entries(variables).map(
      ([name, value]) => `export RECON_${name}=${value}\n`,
    );
    await print(host, lines.join(''));
    messages.say(`Scenario ${name}, ${period.from} to ${period.to}: ${about}`);
    messages.say('Sandbox running. Press Ctrl-C to stop.');
    if (receiver !== undefined) await sendWebhooks(launched.sandbox, receiver, context);
    // Stopping it is not an interruption.
    if (signal.aborted) return exitCodes.ok;
    await new Promise((stop) => signal.addEventListener('abort', stop, { once: true }));
    return exitCodes.ok;
  } finally {
    await launched.sandbox.close();
  }
}

async function writeFiles(folder: string, files: Files, messages: Messages): Promise<void> {
  for (const { name, text, isSecret: secret = false } of files) {
    const path = join(folder, name);
    await makeFolder(dirname(path));
    await writeOutputFile(path, (write) => write(text), { secret });
    messages.say(`Written: ${path}`);
  }
}

function readReceiver(text: string): string {
  if (/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) return text;
  const message = `${JSON.stringify(text)} is not an http or https URL.`;
  const hint = 'Write it as http://127.0.0.1:8090/hook.';
  throw new ReconError('usage', message, { where: '--notify', hint });
}

async function sendWebhooks(sandbox: Sandbox, url: string, { messages, signal }: SandboxContext) {
  const receipts = await sandbox.notify(url, signal).catch((error: unknown) => {
    if (signal.aborted) return new Map<number, number>();
    throw error;
  });
  for (const [status, count] of receipts) {
    messages.say(`Webhooks answered with HTTP ${status}: ${count}.`);
  }
}

async function listText(): Promise<string> {
  const scenarios = await Promise.all(scenarioNames.map(loadScenario));
  return [
    'Scenarios (the first is the default):',
    ...scenarios.map(({ name, about }) => `  ${name}\n      ${about}`),
    '',
    'Faults (WHEN is always, first:N, every:N or on:N; @headers, @rows, @charge, @token or @SETTLEMENT-ID select the requests):',
    ...faultNamesOf(sandboxFaults).map(({ usage, about }) => `  ${usage}\n      ${about}`),
    '',
  ].join('\n');
}
