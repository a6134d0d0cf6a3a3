import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { failureCode } from '../base/file-failures.ts';
import { didYouMean } from '../config/nearest.ts';
import { type Faults, faultNames, parseFaults } from '../sandbox/faults.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { Scenario } from '../sandbox/scenario.ts';
import { loadScenario, scenarioNames } from '../sandbox/scenarios.ts';

export interface LaunchOptions {
  readonly scenario?: string;
  readonly fault?: readonly string[];
  readonly host?: string;
  readonly port?: number;
  readonly clock: Clock;
}

/** Starts the embedded service with the scenario and the faults that were asked for. */
export async function launchSandbox(
  options: LaunchOptions,
): Promise<{ sandbox: Sandbox; scenario: Scenario }> {
  const { fault = [], clock, host, port } = options;
  const scenario = await chooseScenario(options.scenario);
  const faults = readFaults(fault);
  const sandbox = await startSandbox({
    scenario,
    faults,
    clock,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
  }).catch((error: unknown) => {
    throw cannotListen(error, options);
  });
  return { sandbox, scenario };
}

/** Why the sandbox can't listen where it was told to. */
function cannotListen(
  reason: unknown,
  { port = 0, host = '127.0.0.1' }: LaunchOptions,
): ReconError {
  const code = failureCode(reason) ?? 'unknown error';
  const [message, where, hint] = whyNot[code] ?? [
    'it is refused',
    '--host',
    'Choose another place.',
  ];
  const place = `port ${port} of ${host}`;
  return new ReconError('usage', `The sandbox can't listen on ${place}: ${message} (${code}).`, {
    where,
    hint,
    reason,
  });
}

const otherPort = 'Choose another --port, or 0 for any free one.';
const otherHost = 'Leave --host out, or name an address of this machine.';
const whyNot: Readonly<Record<string, readonly [message: string, where: string, hint: string]>> = {
  EADDRINUSE: ['another program listens there', '--port', otherPort],
  EACCES: ['the system does not allow it', '--port', otherPort],
  EADDRNOTAVAIL: ['that is no address of this machine', '--host', otherHost],
  ENOTFOUND: ['there is no such host', '--host', otherHost],
};

/** The scenario of that name, or the default one. */
export async function chooseScenario(name = scenarioNames[0] ?? ''): Promise<Scenario> {
  if (!scenarioNames.includes(name)) throw unknown('scenario', name, scenarioNames);
  return loadScenario(name);
}

function readFaults(texts: readonly string[]): Faults {
  const known = faultNames.map(({ name }) => name);
  for (const text of texts) {
    const name = text.replace(/[=@].*$/, '');
    if (!known.includes(name)) throw unknown('fault', name, known);
  }
  try {
    return parseFaults(texts);
  } catch (error) {
    throw new ReconError('usage', error instanceof Error ? error.message : String(error), {
      where: '--fault',
    });
  }
}

function unknown(what: 'scenario' | 'fault', name: string, known: readonly string[]): ReconError {
  const question = didYouMean(name, known);
  return new ReconError('usage', `There is no ${what} ${JSON.stringify(name)}.`, {
    where: `--${what}`,
    hint: [...(question ? [question] : []), 'recon sandbox --list shows all.'].join(' '),
  });
}
