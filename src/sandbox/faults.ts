import { type ActiveFault, createFault, type FaultSetting } from './fault.ts';
import { listFaults } from './list-faults.ts';
import { answerFaults, requestFaults, tokenFaults } from './request-faults.ts';
import { webhookFaults } from './webhook-faults.ts';

/** How the sandbox is to misbehave: plain data, whatever its order. */
export type Faults = readonly FaultSetting[];

/** From the outermost to the one next to the service. */
const kinds = new Map(
  Object.entries({
    ...answerFaults,
    ...requestFaults,
    ...tokenFaults,
    ...listFaults,
    ...webhookFaults,
  }),
);

/** What `parseFaults` knows, for help: the name, how it is written, what it does. */
export const faultNames: readonly Readonly<Record<'name' | 'usage' | 'about', string>>[] = [
  ...kinds,
].map(([name, { syntax, about }]) => ({
  name,
  usage: name + syntax.replace(/^(?=[^@])/, '='),
  about,
}));

/** Reads texts such as `page-max=30`, `wrapper-2001=first:2@rows` or `repeat`. */
export function parseFaults(texts: readonly string[]): Faults {
  return texts.map((text) => {
    const [, name = '', value = '', where = ''] = /^([^=@]*)=?([^@]*)@?(.*)$/.exec(text) ?? [];
    const kind = kinds.get(name);
    if (kind === undefined) {
      throw new Error(`Unknown fault "${text}". Known: ${[...kinds.keys()].join(', ')}.`);
    }
    const setting = { name, value, where };
    try {
      createFault(kind, setting);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Fault "${text}": ${reason}.`);
    }
    return setting;
  });
}

/** The faults at work, from the outermost to the one next to the service. */
export function createFaults(faults: Faults): readonly ActiveFault[] {
  return [...kinds].flatMap(([name, kind]) =>
    faults.filter((one) => one.name === name).map((setting) => createFault(kind, setting)),
  );
}
