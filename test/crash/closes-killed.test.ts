import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { addClose, readCloses } from '../../src/register/closes-register.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { fullAfter, killedAfter } from '../export/mortal-files.ts';
import { closeOf } from '../register/close-of.ts';
import { FakeClock } from '../support/fake-clock.ts';

vi.mock('node:fs/promises', async (original) => {
  const { mortal } = await import('../export/mortal-files.ts');
  return mortal(await original());
});

/** A register of closes with so many, and what records the next one as a run of its own. */
async function scene(closes: number) {
  const folder = await temporaryFolder();
  const [before, now] = [join(folder, 'before'), join(folder, 'now')];
  mkdirSync(before);
  let runs = 0;
  const recordIn = (place: string, upTo: number) => {
    runs += 1;
    const owner = { host: 'web1', pid: runs, startedAt: 'then' };
    const lock = { owner, isRunning: () => false, clock: new FakeClock() };
    return addClose(join(place, 'closes.csv'), { isNew: false, lock }, (all) => {
      if (all.length === upTo) return undefined;
      return closeOf(all.length + 1);
    });
  };
  for (let at = 0; at < closes; at += 1) await recordIn(before, closes);
  const reset = () => {
    rmSync(now, { recursive: true, force: true });
    cpSync(before, now, { recursive: true });
  };
  const read = async () => (await readCloses(join(now, 'closes.csv')))?.length ?? 0;
  const names = () => readdirSync(now).sort();
  return { now, reset, read, names, record: (upTo = closes + 1) => recordIn(now, upTo) };
}

/** Makes all files of a folder two days old. */
function age(folder: string) {
  const then = Date.now() / 1000 - 2 * 86_400;
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
}

test.each([0, 1, 2])(
  'a close after %i others is recorded whole or not if a run is killed',
  async (closes) => {
    const { now, reset, read, names, record } = await scene(closes);
    const seen = new Set<number>();
    for (let actions = 0; ; actions += 1) {
      reset();
      const wasKilled = await killedAfter(actions, record);
      const found = await read();
      expect([closes, closes + 1]).toContain(found);
      if (wasKilled) seen.add(found);
      age(now);
      // The next run is refused, but sees to what the killed one has left.
      await record(found).catch(() => {});
      expect(names()).toEqual(found === 0 ? [] : ['.closes.csv.last', 'closes.csv']);
      if (found > closes) {
        rmSync(join(now, 'closes.csv'));
        await expect(read()).rejects.toMatchObject({ failure: 'damaged' });
      }
      if (!wasKilled) break;
    }
    expect([...seen].sort()).toEqual([closes, closes + 1]);
  },
);

test('a close on a full disk is recorded whole or not, and leaves no other files', async () => {
  const { reset, read, names, record } = await scene(1);
  let failures = 0;
  for (let actions = 0; ; actions += 1) {
    reset();
    const failure = await fullAfter(actions, record).catch((error: unknown) => error);
    if (!failure) break;
    failures += 1;
    expect(failure).toMatchObject({ failure: 'output' });
    expect([1, 2]).toContain(await read());
    expect(names()).toEqual(['.closes.csv.last', 'closes.csv']);
    await record(2).catch(() => {});
    expect(await read()).toBe(2);
  }
  expect(failures).toBeGreaterThan(3);
});
