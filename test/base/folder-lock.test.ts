import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type LockOptions, takeLock } from '../../src/base/folder-lock.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { takingTurns, withoutHardLinks } from './scheduled-files.ts';

vi.mock('node:fs/promises', async (original) => {
  const { scheduled } = await import('./scheduled-files.ts');
  return scheduled(await original());
});

let folder: string;
let dead: Set<number>;
/** Who is at work. One for all runs: each further one would slow down every promise from then on. */
const me = new AsyncLocalStorage<{ pid: number; life: number }>();

beforeEach(async () => {
  folder = await temporaryFolder();
  dead = new Set();
});

function by(pid: number, host = 'web1'): LockOptions {
  return {
    owner: { host, pid, startedAt: `start of ${pid}` },
    isRunning: async (other, startedAt) => startedAt === `start of ${other}` && !dead.has(other),
    clock: new FakeClock(Date.UTC(2026, 2, 6, 6, 15)),
  };
}

const lockFile = () => JSON.parse(readFileSync(join(folder, '.lock'), 'utf8'));

describe('the lock', () => {
  test('names its holder and the time, and is removed when it is released', async () => {
    const release = await takeLock(folder, by(1));
    expect(lockFile()).toEqual({
      host: 'web1',
      pid: 1,
      startedAt: 'start of 1',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      since: '2026-03-06T06:15:00.000Z',
    });
    expect(readdirSync(folder)).toEqual(['.lock']);
    await release();
    await release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of a process that runs is refused, with what to do', async () => {
    await takeLock(folder, by(1));
    await expect(takeLock(folder, by(2))).rejects.toMatchObject({
      failure: 'locked',
      message:
        'Another run has been using this folder since 2026-03-06T06:15:00.000Z: process 1 on web1.',
      where: join(folder, '.lock'),
      hint: expect.stringContaining('remove this file'),
    });
    expect(readdirSync(folder)).toEqual(['.lock']);
  });

  test('of a process on another machine is refused, because the process cannot be seen', async () => {
    await takeLock(folder, by(1, 'web2'));
    dead.add(1);
    await expect(takeLock(folder, by(2))).rejects.toMatchObject({ failure: 'locked' });
    expect(lockFile()).toMatchObject({ host: 'web2' });
  });

  test('of a dead process is taken over', async () => {
    await takeLock(folder, by(1));
    dead.add(1);
    const release = await takeLock(folder, by(2));
    expect(lockFile()).toMatchObject({ pid: 2 });
    expect(readdirSync(folder)).toEqual(['.lock']);
    await release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('whose process id belongs to another process now is taken over', async () => {
    const { owner, ...rest } = by(1);
    await takeLock(folder, { owner: { ...owner, startedAt: 'earlier' }, ...rest });
    await takeLock(folder, by(2));
    expect(lockFile()).toMatchObject({ pid: 2 });
  });

  test.each(['', '{"host":"web1","pid"', '{"host":"web1","pid":1}', '[]'])(
    'with the content %j is refused and left unchanged',
    async (text) => {
      writeFileSync(join(folder, '.lock'), text);
      await expect(takeLock(folder, by(1))).rejects.toMatchObject({
        failure: 'locked',
        where: join(folder, '.lock'),
        hint: expect.stringContaining('remove this file'),
      });
      expect(readFileSync(join(folder, '.lock'), 'utf8')).toBe(text);
      expect(readdirSync(folder)).toEqual(['.lock']);
    },
  );

  test('that is a folder is refused', async () => {
    mkdirSync(join(folder, '.lock'));
    await expect(takeLock(folder, by(1))).rejects.toMatchObject({ failure: 'locked' });
  });

  test('is released only by its holder', async () => {
    const release = await takeLock(folder, by(1));
    dead.add(1);
    await takeLock(folder, by(2));
    await release();
    expect(lockFile()).toMatchObject({ pid: 2 });
  });
});

describe.each([
  { files: 'hard links', using: (work: () => Promise<unknown>) => work() },
  { files: 'no hard links', using: withoutHardLinks },
])('with $files, of many processes at the same time', { timeout: 60_000 }, ({ using }) => {
  const many = Array.from({ length: 30 }, (_, index) => 100 + index);

  test.each([
    { before: 'nobody', holders: [] },
    { before: 'a dead process', holders: [1] },
  ])('one gets it if $before held it', async ({ holders }) => {
    await using(async () => {
      for (const pid of holders) await takeLock(folder, by(pid));
      for (const pid of holders) dead.add(pid);
      const ends = await Promise.allSettled(many.map((pid) => takeLock(folder, by(pid))));
      expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1);
      expect(existsSync(join(folder, '.lock'))).toBe(true);
    });
  });

  const takers = fc.array(
    fc.record({
      end: fc.constantFrom('stays' as const, 'releases' as const, 'dies' as const),
      // How often it uses a file before it dies.
      life: fc.option(fc.nat(25), { nil: Number.POSITIVE_INFINITY, freq: 2 }),
    }),
    { minLength: 2, maxLength: 4 },
  );

  test('at most one holds it, in any order of taking, releasing and dying', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), takers, async (order, all) => {
        folder = await temporaryFolder();
        dead = new Set([1]);
        const next = async () => {
          await order.schedule(Promise.resolve());
          const taker = me.getStore();
          if (!taker) return;
          taker.life -= 1;
          if (taker.life < 0) dead.add(taker.pid);
          if (dead.has(taker.pid)) throw new Error('it is dead');
        };
        const inside = new Set<number>();
        let wasHeld = false;
        const take = async (end: 'stays' | 'releases' | 'dies', pid: number) => {
          const release = await takeLock(folder, by(pid)).catch((error) => {
            if (!dead.has(pid)) expect(error).toMatchObject({ failure: 'locked' });
          });
          if (!release || dead.has(pid)) return;
          wasHeld = true;
          inside.add(pid);
          expect([...inside].filter((one) => !dead.has(one))).toEqual([pid]);
          await order.schedule(Promise.resolve());
          if (end === 'dies') dead.add(pid);
          if (end !== 'releases') return;
          inside.delete(pid);
          await release().catch((error) => {
            if (!dead.has(pid)) throw error;
          });
        };
        await using(async () => {
          await takeLock(folder, by(1));
          const work = () =>
            Promise.all(
              all.map(({ end, life }, index) =>
                me.run({ pid: 100 + index, life }, () => take(end, 100 + index)),
              ),
            );
          await takingTurns(next, () => order.waitFor(work()));
          if (all.every(({ life }) => life === Number.POSITIVE_INFINITY))
            expect(wasHeld).toBe(true);

          for (const index of all.keys()) dead.add(100 + index);
          if (!isUnreadable()) await takeLock(folder, by(2));
        });
      }),
      { numRuns: 60 },
    );
  });

  /** Without hard links a process can die between creating a lock and writing it. */
  const isUnreadable = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('.lock'))
      .some((name) => readFileSync(join(folder, name), 'utf8') === '');
});
