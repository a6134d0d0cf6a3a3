import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtProgram, contentsOf, holding, inThisProcess, tonight } from '../cli/exports.ts';
import { shopAt } from '../cli/shop.ts';
import { start } from '../support/built-program.ts';

const timeout = 30_000;

test('the next export takes over the lock of a killed process', { timeout }, async () => {
  const evening = await tonight([1], inThisProcess);
  const out = evening.prepare('out');
  const { first } = await holding(evening, () => start(evening.args(out), { env: evening.env }));
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  expect(existsSync(join(out, '.lock'))).toBe(true);
  await evening.shop.becomes(shopAt(1));
  await evening.complete(out);
});

test('one of two exports takes over the lock of a killed process', { timeout }, async () => {
  const evening = await tonight([1], builtProgram);
  const { shop, args, env, prepare, after } = evening;
  for (let round = 1; round <= 3; round += 1) {
    const out = prepare('out');
    const { first } = await holding(evening, () => start(evening.args(out), { env: evening.env }));
    first.child.kill('SIGKILL');
    await first.ended;
    // Whoever has the lock waits for its first answer until the other has ended.
    let someoneEnded: Promise<unknown> = Promise.resolve();
    await shop.becomes(shopAt(1), { atRequest: async () => void (await someoneEnded) });
    const both = [start(args(out), { env }), start(args(out), { env })];
    someoneEnded = Promise.race(both.map(({ ended }) => ended));
    const codes = await Promise.all(both.map(({ ended }) => ended));
    expect(codes.sort()).toEqual([1, 75]);
    expect(contentsOf(out)).toEqual(contentsOf(after));
  }
});

test('a lock does not belong to another process with the number of a killed one', {
  timeout,
}, async () => {
  const evening = await tonight([1], inThisProcess);
  const out = evening.prepare('out');
  const { first } = await holding(evening, () => start(evening.args(out), { env: evening.env }));
  first.child.kill('SIGKILL');
  await first.ended;
  const lock = JSON.parse(readFileSync(join(out, '.lock'), 'utf8'));
  writeFileSync(join(out, '.lock'), JSON.stringify({ ...lock, pid: process.pid }));
  await evening.shop.becomes(shopAt(1));
  await evening.complete(out);
});
