import { expect, test } from 'vitest';
import { expectNothingLeft, expectWholeDays, inThisProcess, tonight } from '../cli/exports.ts';
import { type Night, shopAt } from '../cli/shop.ts';
import { runRecon } from '../support/run-recon.ts';

const nights: readonly (readonly Night[])[] = [[1], [0, 1, 2]];

test.each(nights.map((some) => [some]))(
  'an interrupted export leaves whole days and nothing else, night after night: %j',
  { timeout: 60_000 },
  async (some) => {
    const evening = await tonight(some, inThisProcess);
    const { shop, night, env, args, prepare, complete } = evening;
    for (const [at, moment] of [1, 3, 8, 20].entries()) {
      const [signal, expected] =
        at % 2 === 0 ? (['SIGINT', 130] as const) : (['SIGTERM', 143] as const);
      const out = prepare('out');
      let interrupt = async () => {};
      await shop.becomes(shopAt(night), {
        atRequest: (count) => (count === moment ? interrupt() : undefined),
      });
      const run = runRecon(args(out), {
        env,
        onStart: (signals) => {
          interrupt = async () => {
            signals.emit(signal);
            // The answer never comes, so that it is this moment whatever the machine is doing.
            await run;
          };
        },
      });
      const { exitCode, stderr } = await run;
      expect([moment, exitCode]).toEqual([moment, expected]);
      expect(stderr).toContain('error: The run was interrupted.\n');
      expectNothingLeft(out);
      expectWholeDays(out, evening);
      await shop.becomes(shopAt(night));
      await complete(out);
    }
  },
);
