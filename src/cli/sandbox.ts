import { ReconError } from '../base/errors.ts';
import type { NamedFile } from '../base/text-reader.ts';
import { didYouMean, matchingWord } from '../base/texts.ts';
import { camtStatement } from '../sandbox/bank.ts';
import { type FaultKinds, faultNamesOf, parseFaults, sandboxFaults } from '../sandbox/faults.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { Scenario } from '../sandbox/scenario.ts';
import { loadScenario, scenarioNames } from '../sandbox/scenarios.ts';
import { orderFilesIn, sandboxOrdersMapping } from '../sandbox/shop.ts';
import { cannotListen } from './failure.ts';
import type { Flags } from './flags.ts';
import type { Surroundings } from './host.ts';

/** Starts the sandbox with a scenario and faults. Throws ReconError. */
export async function launchSandbox(
  { scenario: name, fault }: Pick<Flags, 'scenario' | 'fault'>,
  { clock, faultKinds }: Pick<Surroundings, 'clock' | 'faultKinds'>,
  place: Parameters<typeof cannotListen>[1] = {},
): Promise<{ readonly sandbox: Sandbox; readonly scenario: Scenario }> {
  const scenario = await chooseScenario(name);
  const faults = readFaults(fault, faultKinds);
  const sandbox = await startSandbox({ scenario, faults, clock, ...place }).catch(
    (error: unknown) => {
      throw cannotListen('The sandbox', place, error);
    },
  );
  return { sandbox, scenario };
}

/** The named scenario, or the default. Throws ReconError. */
export async function chooseScenario(text = scenarioNames[0] ?? ''): Promise<Scenario> {
  const name = matchingWord(scenarioNames, text);
  if (!scenarioNames.includes(name)) throw unknown('scenario', name, scenarioNames);
  return loadScenario(name);
}

/** The bank statement of a scenario, as a file. */
export async function statementOfSandbox(scenario: string | undefined): Promise<NamedFile> {
  return fileOf(camtStatement(await chooseScenario(scenario)));
}

/** The first order file of a scenario, its mapping, and the types of rows. */
export async function ordersOfSandbox(scenario: string | undefined) {
  const [file] = orderFilesIn(await chooseScenario(scenario));
  const files: readonly NamedFile[] = file ? [fileOf(file)] : [];
  const types = { purchases: ['purchase'], refunds: ['refund'], chargebacks: ['chargeback'] };
  return { files, types, mapping: sandboxOrdersMapping };
}

function fileOf({ name, text }: { readonly name: string; readonly text: string }): NamedFile {
  return {
    name,
    async *blocks() {
      yield Buffer.from(text);
    },
  };
}

function readFaults(given: readonly string[] = [], kinds: FaultKinds = sandboxFaults) {
  const known = faultNamesOf(kinds).map(({ name }) => name);
  const texts = given.map((text) => text.replace(/^[^=@]*/, (name) => matchingWord(known, name)));
  for (const text of texts) {
    const name = text.replace(/[=@].*$/, '');
    if (!known.includes(name)) throw unknown('fault', name, known);
  }
  try {
    return parseFaults(texts, kinds);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ReconError('usage', message, { where: '--fault' });
  }
}

function unknown(what: 'scenario' | 'fault', name: string, known: readonly string[]): ReconError {
  const question = didYouMean(name, known);
  const message = `Unknown ${what} ${JSON.stringify(name)}.`;
  const hint = `${question ? `${question} ` : ''}Run recon sandbox --list to see all.`;
  return new ReconError('usage', message, { where: `--${what}`, hint });
}
