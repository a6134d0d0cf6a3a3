import type { StatementFile } from '../bank/read-statements.ts';
import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { didYouMean, wordMeant } from '../config/nearest.ts';
import { camtStatement } from '../sandbox/bank/statements.ts';
import { type Faults, faultNames, parseFaults } from '../sandbox/faults.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { loadScenario, type Scenario, scenarioNames } from '../sandbox/scenarios.ts';
import { cannotListen } from './cannot-listen.ts';
import type { Flags } from './flags.ts';

/** Starts the embedded service with the scenario and the faults that were asked for. */
export async function launchSandbox(
  flags: Pick<Flags, 'scenario' | 'fault' | 'host' | 'port'>,
  clock: Clock,
): Promise<{ readonly sandbox: Sandbox; readonly scenario: Scenario }> {
  const { fault = [], host, port } = flags;
  const scenario = await chooseScenario(flags.scenario);
  const faults = readFaults(fault);
  const place = { ...(host !== undefined && { host }), ...(port !== undefined && { port }) };
  const sandbox = await startSandbox({ scenario, faults, clock, ...place }).catch(
    (error: unknown) => {
      throw cannotListen('The sandbox', place, error);
    },
  );
  return { sandbox, scenario };
}

/** The scenario of that name, or the default one. */
export async function chooseScenario(text = scenarioNames[0] ?? ''): Promise<Scenario> {
  const name = wordMeant(scenarioNames, text);
  if (!scenarioNames.includes(name)) throw unknown('scenario', name, scenarioNames);
  return loadScenario(name);
}

/** The bank statement that comes with the scenario of that name, as if it were a file. */
export async function statementOfSandbox(scenario: string | undefined): Promise<StatementFile> {
  const { name, text } = camtStatement(await chooseScenario(scenario));
  return {
    name,
    async *blocks() {
      yield Buffer.from(text);
    },
  };
}

function readFaults(given: readonly string[]): Faults {
  const known = faultNames.map(({ name }) => name);
  const texts = given.map((text) => text.replace(/^[^=@]*/, (name) => wordMeant(known, name)));
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
  return new ReconError('usage', `Unknown ${what} ${JSON.stringify(name)}.`, {
    where: `--${what}`,
    hint: [...(question ? [question] : []), 'Run recon sandbox --list to see all.'].join(' '),
  });
}
