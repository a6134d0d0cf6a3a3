import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layout } from '../../src/export/layout.ts';
import {
  builtProgram,
  contentsOf,
  expectWholeDays,
  type Tonight,
  tonight,
} from '../cli/exports.ts';
import type { Night } from '../cli/shop.ts';
import { start } from '../support/built-program.ts';

/** How many runs are killed of each kind: more of them find more, and take longer. */
const kills = Number(process.env['RECON_TEST_KILLS'] ?? 8);
/** Runs at the same time. */
const lanes = ['lane-1', 'lane-2'];

const cases: readonly { what: string; nights: readonly Night[]; seed: number }[] = [
  { what: 'a first export', nights: [1], seed: 1 },
  { what: 'an export that replaces days', nights: [0, 1, 2], seed: 2 },
];

test.each(cases)(
  '$what, killed at any moment, leaves whole days, and the next run completes it',
  { timeout: 120_000 + kills * 15_000 },
  async ({ nights, seed }) => {
    const evening = await tonight(nights, builtProgram);
    const durations = await Promise.all(lanes.map((lane) => measure(lane, evening)));
    const random = seeded(seed);
    let killed = 0;
    await Promise.all(
      lanes.map(async (lane) => {
        while (killed < kills) {
          const out = evening.prepare(lane);
          // From the start to the end, and the denser the nearer to the end.
          const moment = Math.max(...durations) * (1 - random() ** 2);
          if (!(await isKilledAfter(moment, out, evening))) continue;
          killed += 1;
          await expectSound(out, evening);
          expectWholeDays(out, evening);
          await evening.complete(out);
        }
      }),
    );
    expect(killed).toBeGreaterThanOrEqual(kills);
  },
);

/** Milliseconds that an undisturbed run takes. */
async function measure(lane: string, { prepare, run }: Tonight): Promise<number> {
  const out = prepare(lane);
  const began = performance.now();
  expect(await run(out)).toMatchObject({ exitCode: 1 });
  return performance.now() - began;
}

/** Kills a run after so many milliseconds. `false`: it was faster. */
async function isKilledAfter(ms: number, out: string, { args, env }: Tonight): Promise<boolean> {
  const { child, ended } = start(args(out), { env });
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const how = await ended;
  clearTimeout(timer);
  return how === 'SIGKILL';
}

/** `--verify` finds no file that isn't as it was written, and writes nothing itself. */
async function expectSound(out: string, { verify }: Tonight): Promise<void> {
  const state = () => [contentsOf(out), existsSync(out) && statSync(out).mtimeMs];
  const before = state();
  // Without its scope it isn't an export yet, and can't hold a day.
  if (existsSync(join(out, layout.scope))) expect((await verify(out)).problems).toEqual([]);
  else expect(Object.keys(contentsOf(out)).filter((path) => !path.startsWith('.'))).toEqual([]);
  expect(state()).toEqual(before);
}

/** Numbers from 0 to below 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
