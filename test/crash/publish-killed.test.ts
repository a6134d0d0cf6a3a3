import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../cli/temporary.ts';
import { fullAfter, killedAfter } from '../export/mortal-files.ts';
import { expectWholeDays, run, tree, type Wish } from '../export/publishing.ts';

vi.mock('node:fs/promises', async (original) => {
  const { mortal } = await import('../export/mortal-files.ts');
  return mortal(await original());
});

const story: readonly Wish[] = [
  { day: '2026-03-05', rows: 'one' },
  { day: '2026-03-05', rows: 'two' },
  { day: '2026-03-05', rows: 'three' },
  { day: '2026-03-05', rows: 'three, renamed', keepsReplaced: false },
  { day: '2026-03-05', rows: 'four', keep: 1 },
  { day: '2026-03-05', rows: 'five', keepsReplaced: false, keep: 0 },
];

/** The versions of a day, wherever they are. */
function versionsOf(folder: string, day: string): number {
  return Object.entries(tree(folder)).filter(
    ([path, text]) =>
      path.includes(day) && path.endsWith('/manifest.json') && text && !path.includes('.part/'),
  ).length;
}

describe('a run that is killed', { timeout: 120_000 }, () => {
  test.each([false, true])(
    'at any change of a file leaves whole days, and the next run ends as undisturbed (tables: %s)',
    async (hasTables) => {
      const folder = await temporaryFolder();
      const [calm, killed] = [join(folder, 'calm'), join(folder, 'killed')];
      let kills = 0;
      for (const one of story) {
        const wish = { ...one, hasTables };
        const before = join(folder, 'before');
        rmSync(before, { recursive: true, force: true });
        mkdirSync(calm, { recursive: true });
        cpSync(calm, before, { recursive: true });
        await run(calm, wish);

        for (let actions = 0; ; actions += 1) {
          rmSync(killed, { recursive: true, force: true });
          cpSync(before, killed, { recursive: true });
          const had = versionsOf(killed, wish.day);
          const wasKilled = await killedAfter(actions, () => run(killed, wish));
          expectWholeDays(killed);
          // A day that was there once is still there, in some version.
          expect(versionsOf(killed, wish.day)).toBeGreaterThanOrEqual(Math.min(had, 1));
          await run(killed, wish);
          expect(tree(killed)).toEqual(tree(calm));
          if (!wasKilled) break;
          kills += 1;
        }
      }
      expect(kills).toBeGreaterThan(200);
      const names = ['2026-03-05', 'export.json', ...(hasTables ? ['lake'] : [])];
      expect(readdirSync(calm).sort()).toEqual(names);
    },
  );

  const wishes = fc.array(
    fc.record({
      day: fc.constantFrom('2026-03-05', '2026-03-06'),
      rows: fc.constantFrom('a', 'b', 'c'),
      keepsReplaced: fc.boolean(),
      keep: fc.option(fc.nat(2), { nil: undefined }),
      hasTables: fc.constant(true),
      kills: fc.array(fc.nat(60), { maxLength: 4 }),
    }),
    { maxLength: 6 },
  );

  test('again and again, even in its recovery, is completed by the next run', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (sequence) => {
        const folder = await temporaryFolder();
        const [calm, killed] = [join(folder, 'calm'), join(folder, 'killed')];
        for (const { kills, ...wish } of sequence) {
          for (const actions of kills) {
            await killedAfter(actions, () => run(killed, wish));
            expectWholeDays(killed);
          }
          await run(killed, wish);
          await run(calm, wish);
          expect(tree(killed)).toEqual(tree(calm));
        }
      }),
      { numRuns: 30 },
    );
  });
});

test('a run on a full disk leaves everything as it was', async () => {
  const folder = await temporaryFolder();
  const [before, full, calm] = ['before', 'full', 'calm'].map((name) => join(folder, name));
  if (!before || !full || !calm) throw new RangeError();
  const [first, second] = story;
  if (!first || !second) throw new RangeError();
  await run(before, first);
  cpSync(before, calm, { recursive: true });
  await run(calm, second);

  let failures = 0;
  for (let actions = 0; ; actions += 1) {
    rmSync(full, { recursive: true, force: true });
    cpSync(before, full, { recursive: true });
    const failure = await fullAfter(actions, () => run(full, second)).catch((error) => error);
    if (!failure) break;
    failures += 1;
    expect(failure).toMatchObject({
      failure: 'output',
      message: expect.stringContaining('No space'),
    });
    expect(tree(full)).toEqual(tree(before));
    await run(full, second);
    expect(tree(full)).toEqual(tree(calm));
  }
  expect(failures).toBeGreaterThan(15);
});
