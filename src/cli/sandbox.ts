import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { type Faults, parseFaults } from '../sandbox/faults.ts';
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
  }).catch((error: Error) => {
    throw new ReconError('usage', `The sandbox can't listen there: ${error.message}.`, {
      where: '--port',
      hint: 'Choose another --port, or 0 for any free one.',
    });
  });
  return { sandbox, scenario };
}

/** The scenario of that name, or the default one. */
export function chooseScenario(name = scenarioNames[0] ?? ''): Promise<Scenario> {
  return loadScenario(name).catch((error: Error) => {
    throw new ReconError('usage', error.message, { where: '--scenario' });
  });
}

function readFaults(texts: readonly string[]): Faults {
  try {
    return parseFaults(texts);
  } catch (error) {
    throw new ReconError('usage', error instanceof Error ? error.message : String(error), {
      where: '--fault',
    });
  }
}
