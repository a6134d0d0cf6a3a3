import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../cli/temporary.ts';
import { fullAfter, killedAfter } from '../export/mortal-files.ts';
import { bookNext } from '../register/book-next.ts';

vi.mock('node:fs/promises', async (original) => {
  const { mortal } = await import('../export/mortal-files.ts');
  return mortal(await original());
});

/** A register with one batch, and the same after a second one. */
async function scene() {
  const folder = await temporaryFolder();
  const [before, now, calm] = ['before', 'now', 'calm'].map((name) => join(folder, name));
  if (!before || !now || !calm) throw new RangeError();
  for (const one of [before, calm]) {
    mkdirSync(join(one, 'out'), { recursive: true });
    await bookNext(join(one, 'booked.csv'), join(one, 'out/1'), { isNew: true });
  }
  await bookNext(join(calm, 'booked.csv'), join(calm, 'out/2'));
  const reset = () => {
    rmSync(now, { recursive: true, force: true });
    cpSync(before, now, { recursive: true });
  };
  const register = (place = now) => readFileSync(join(place, 'booked.csv'), 'utf8');
  const hasFile = () => existsSync(join(now, 'out/2'));
  /** Books the second batch, but never a third one. */
  const book = () => bookNext(join(now, 'booked.csv'), join(now, 'out/2'), { upTo: 2, pid: 2 });
  const expectNeither = () => {
    expect(hasFile()).toBe(false);
    expect(register()).toBe(register(before));
  };
  const expectBoth = () => {
    expect(readFileSync(join(now, 'out/2'), 'utf8')).toBe('batch 2');
    expect(register()).toBe(register(calm));
  };
  return { ...{ now, reset, register, hasFile, book, expectNeither, expectBoth }, before, calm };
}

test('a batch is written once if a run is killed at any change of a file', async () => {
  const { now, reset, register, hasFile, book, before, calm } = await scene();
  const ends = { neither: 0, half: 0, both: 0 };
  for (let actions = 0; ; actions += 1) {
    reset();
    const wasKilled = await killedAfter(actions, book);
    const wasOut = hasFile();
    const wasIn = register() === register(calm);
    if (!wasIn) expect(register()).toBe(register(before));
    ends[wasOut && wasIn ? 'both' : wasOut || wasIn ? 'half' : 'neither'] += 1;
    // Never the other way round: what is booked is out.
    expect(wasIn && !wasOut).toBe(false);
    // The file may be imported, and gone, before the next run: it must not come a second time.
    if (wasOut) rmSync(join(now, 'out/2'));
    // However long that takes: what is left of a batch is needed.
    for (const name of readdirSync(now, { recursive: true })) {
      utimesSync(join(now, String(name)), 0, 0);
    }
    await bookNext(join(now, 'booked.csv'), join(now, 'out/3'), { upTo: 2, pid: 3 });
    expect(register()).toBe(register(calm));
    expect(['out/2', 'out/3'].filter((name) => existsSync(join(now, name)))).toHaveLength(
      wasOut ? 0 : 1,
    );
    if (!wasKilled) break;
  }
  expect(ends.neither).toBeGreaterThan(10);
  expect(ends.half).toBeGreaterThan(0);
  expect(ends.both).toBeGreaterThan(1);
});

test('a run that is killed again while it finishes a batch changes nothing', async () => {
  const { reset, book, expectBoth } = await scene();
  for (let first = 0; ; first += 1) {
    let isOver = false;
    for (let second = 0; ; second += 1) {
      reset();
      isOver = !(await killedAfter(first, book));
      const wasKilled = await killedAfter(second, book);
      await book();
      expectBoth();
      if (!wasKilled) break;
    }
    if (isOver) break;
  }
});

test('a run on a full disk leaves neither file, and no others', async () => {
  const { now, reset, book, expectNeither, expectBoth, before } = await scene();
  let failures = 0;
  for (let actions = 0; ; actions += 1) {
    reset();
    const failure = await fullAfter(actions, book).catch((error: unknown) => error);
    if (!failure) break;
    failures += 1;
    expect(failure).toMatchObject({ failure: 'output' });
    expectNeither();
    const names = (place: string) => readdirSync(place, { recursive: true }).sort();
    expect(names(now)).toEqual(names(before));
    await book();
    expectBoth();
  }
  expect(failures).toBeGreaterThan(5);
});
