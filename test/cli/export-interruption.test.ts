import { expect, test } from 'vitest';
import { buildOnce, start } from '../support/built-program.ts';
import { builtProgram, expectNothingLeft, expectWholeDays, tonight } from './exports.ts';
import { type Night, shopAt } from './shop.ts';

buildOnce();

const nights: readonly (readonly Night[])[] = [[1], [0, 1, 2]];

test.each(nights.map((some) => [some]))(
  'an interrupted export leaves whole days and nothing else, in a row of nights %j',
  { timeout: 60_000 },
  async (some) => {
    const evening = await tonight(some, builtProgram);
    const { shop, night, env, args, prepare, complete } = evening;
    for (const [at, moment] of [1, 3, 8, 20].entries()) {
      const [signal, exitCode] =
        at % 2 === 0 ? (['SIGINT', 130] as const) : (['SIGTERM', 143] as const);
      const out = prepare('out');
      let interrupt = async () => {};
      await shop.becomes(shopAt(night), {
        atRequest: (count) => (count === moment ? interrupt() : undefined),
      });
      const { child, ended, err } = start(args(out), { env });
      interrupt = async () => {
        child.kill(signal);
        // The answer never comes, so that it is this moment whatever the machine is doing.
        await ended;
      };
      expect([moment, await ended]).toEqual([moment, exitCode]);
      expect(err()).toContain('error: The run was interrupted.\n');
      expectNothingLeft(out);
      expectWholeDays(out, evening);
      await shop.becomes(shopAt(night));
      await complete(out);
    }
  },
);
