import { expect, test } from 'vitest';
import { closeTwice } from './closing.ts';
import { makeMonths, months } from './months.ts';
import { type CloseJson, jsonOf } from './said.ts';
import { expectLadderOnScreen } from './screen.ts';
import { seeds } from './seeds.ts';

test.each(seeds)(
  'a month that is closed is shown again as it was closed: seed %i',
  async (seed) => {
    const merchant = makeMonths(seed);
    const [march] = months;
    let closed: CloseJson | undefined;
    for await (const { json, shop, evening, truth } of closeTwice(merchant)) {
      if (!closed) {
        closed = json;
        continue;
      }
      const again = ['close', '--month', march.name];
      const run = await shop.run([...again, '--format', 'json']);
      const shown = jsonOf<CloseJson>(run);
      const where = `seed ${seed}, ${march.name} on ${evening}`;
      expect.soft(shown.verdict, where).toBe('closed');
      expect.soft(shown.ladders, where).toEqual(closed.ladders);
      // The last step is the close itself, which has been done since.
      const stepsOf = ({ checklist }: CloseJson) =>
        checklist
          .filter(({ step }) => step !== 'close')
          .map(({ command: _, codes: __, ...one }) => one);
      expect.soft(stepsOf(shown), where).toEqual(stepsOf(closed));
      const hasChanged = Object.values(truth.ladder).some(({ changed }) => changed);
      expect.soft(run.exitCode, where).toBe(hasChanged ? 1 : 0);
      const screen = await shop.run(again, { columns: 80, env: { NO_COLOR: '1' } });
      expectLadderOnScreen(screen.stdout, closed, where);
    }
  },
);
