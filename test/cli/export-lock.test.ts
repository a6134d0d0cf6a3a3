import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildOnce, type Started, start } from '../support/built-program.ts';
import { builtProgram, contentsOf, type Tonight, tonight } from './exports.ts';
import { shopAt } from './shop.ts';

buildOnce();

const timeout = 30_000;

test('of two exports into one folder the second one is refused: 75', { timeout }, async () => {
  // A folder becomes an export with its first day.
  const evening = await tonight([1, 2], builtProgram);
  const out = evening.prepare('out');
  const { first, release } = await held(out, evening);
  const { exitCode, stdout, stderr } = await evening.run(out);
  expect([exitCode, stdout]).toEqual([75, '']);
  expect(stderr).toMatch(
    new RegExp(
      `has been using this folder since \\S+: process ${first.child.pid} on ${hostname()}\\.`,
    ),
  );
  expect(stderr).toContain(`  at:  ${join(out, '.lock')}\n`);
  expect(stderr).toContain('remove this file');
  expect((await evening.run(out, '--verify', '--format', 'json')).stdout).toContain(
    '"isLocked": true',
  );
  release();
  expect(await first.ended).toBe(1);
  expect(contentsOf(out)).toEqual(contentsOf(evening.after));
});

test('the lock of a killed process is taken over', { timeout }, async () => {
  const evening = await tonight([1], builtProgram);
  const out = evening.prepare('out');
  const { first } = await held(out, evening);
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  expect(existsSync(join(out, '.lock'))).toBe(true);
  await evening.shop.becomes(shopAt(1));
  await evening.complete(out);
});

test('of two that find the lock of a killed process, one takes it over', { timeout }, async () => {
  const evening = await tonight([1], builtProgram);
  const { shop, args, env, prepare, after } = evening;
  for (let round = 1; round <= 3; round += 1) {
    const out = prepare('out');
    const { first } = await held(out, evening);
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

test('a process with the number of a dead one is not the one that holds the lock', {
  timeout,
}, async () => {
  const evening = await tonight([1], builtProgram);
  const out = evening.prepare('out');
  const { first } = await held(out, evening);
  first.child.kill('SIGKILL');
  await first.ended;
  const lock = JSON.parse(readFileSync(join(out, '.lock'), 'utf8'));
  writeFileSync(join(out, '.lock'), JSON.stringify({ ...lock, pid: process.pid }));
  await evening.shop.becomes(shopAt(1));
  await evening.complete(out);
});

test('the lock of another machine is left alone: 75, and how to go on', { timeout }, async () => {
  const evening = await tonight([1], builtProgram);
  const out = evening.prepare('out');
  const { first } = await held(out, evening);
  first.child.kill('SIGKILL');
  await first.ended;
  const lock = JSON.parse(readFileSync(join(out, '.lock'), 'utf8'));
  writeFileSync(join(out, '.lock'), JSON.stringify({ ...lock, host: 'web2' }));
  await evening.shop.becomes(shopAt(1));
  const before = contentsOf(out);
  const { exitCode, stdout, stderr } = await evening.run(out);
  expect([exitCode, stdout]).toEqual([75, '']);
  expect(stderr).toContain(`process ${lock.pid} on web2.`);
  expect(stderr).toContain('remove this file');
  expect(contentsOf(out)).toEqual(before);
});

/** A run that holds the folder: the service doesn't answer it until `release`. */
async function held(
  out: string,
  { shop, night, args, env }: Tonight,
): Promise<{ first: Started; release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let first: Started | undefined;
  await new Promise<void>((resolve) => {
    const atRequest = () => {
      resolve();
      return released;
    };
    void shop.becomes(shopAt(night), { atRequest }).then(() => {
      first = start(args(out), { env });
    });
  });
  if (!first) throw new RangeError('no run');
  return { first, release };
}
