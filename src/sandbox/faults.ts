import { type ActiveFault, createFault, type FaultSetting } from './fault.ts';
import { listFaults } from './list-faults.ts';
import { answerFaults, requestFaults, tokenFaults } from './request-faults.ts';
import { webhookFaults } from './webhook-faults.ts';

/** How the sandbox is to misbehave: plain data, whatever its order. */
export type Faults = readonly FaultSetting[];

/** From the outermost to the one next to the service. */
const kinds = Object.entries({
  ...answerFaults,
  ...requestFaults,
  ...tokenFaults,
  ...listFaults,
  ...webhookFaults,
}).map(([usage, kind]) => ({ name: usage.replace(/[=@].*/, ''), usage, about: kind.about, kind }));

/** What `parseFaults` knows, for help: the name, how it is written, what it does. */
export const faultNames: readonly Readonly<Record<'name' | 'usage' | 'about', string>>[] = kinds;

/** Reads texts such as `page-max=30`, `wrapper-2001=first:2@rows` or `repeat`. */
export function parseFaults(texts: readonly string[]): Faults {
  return texts.map((text) => {
    const [, name = '', value = '', where = ''] = /^([^=@]*)=?([^@]*)@?(.*)$/.exec(text) ?? [];
    const known = kinds.find((one) => one.name === name);
    if (known === undefined) {
      const names = kinds.map((one) => one.name).join(', ');
      throw new Error(`Unknown fault "${text}". Known: ${names}.`);
    }
    const setting = { name, value, where };
    try {
      createFault(known.usage, known.kind, setting);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Fault "${text}": ${reason}.`);
    }
    return setting;
  });
}

/** The faults at work, from the outermost to the one next to the service. */
export function createFaults(faults: Faults): readonly ActiveFault[] {
  return kinds.flatMap(({ name, usage, kind }) =>
    faults
      .filter((setting) => setting.name === name)
      .map((setting) => createFault(usage, kind, setting)),
  );
}
