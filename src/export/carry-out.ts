import { join } from 'node:path';
import { flushFolder, moveFolder, removeWhole } from '../base/folders.ts';
import { versionIn } from './listing.ts';
import type { Step } from './plan.ts';

/** Carries out steps, one after the other, in the folder of an export. */
export async function carryOut(folder: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await carryOutStep(folder, step);
}

async function carryOutStep(folder: string, step: Step): Promise<void> {
  switch (step.do) {
    case 'move': {
      const from = join(folder, step.from);
      // Anything else that lies there means that the step was done before.
      if ((await versionIn(from)) === step.version) await moveFolder(from, join(folder, step.to));
      return;
    }
    case 'remove':
      return removeWhole(join(folder, step.path));
    case 'flush':
      return flushFolder(join(folder, step.path));
  }
}
