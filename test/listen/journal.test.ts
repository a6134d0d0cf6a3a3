import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/temporary.ts';
import { numbersOf, openJournal } from './journals.ts';

const settlement = (payloadId: string) => JSON.stringify({ id: payloadId, settlement_id: 'S' });
const filesIn = async (folder: string, suffix: string) =>
  (await readdir(folder)).filter((name) => name.endsWith(suffix));

describe('an event', () => {
  it('is on the disk when it is acknowledged, as it came, on one line', async () => {
    const { journal, folder } = await openJournal();
    await journal.append('{\r\n "amount": 1.10,\n "big": 12345678901234567890 }');
    const [name = ''] = await filesIn(folder, '.events');
    expect(await readFile(join(folder, name), 'utf8')).toBe(
      '{"event":1,"at":"2026-03-04T00:00:00.000Z","payload":{   "amount": 1.10,  "big": 12345678901234567890 }}\n',
    );
  });

  it('is there at the next start, unless it was answered', async () => {
    const { journal, folder } = await openJournal();
    await Promise.all(['{"n":1}', '{"n":2}', '{"n":3}'].map((text) => journal.append(text)));
    journal.answered(2);
    await journal.close();
    const again = await openJournal({ folder });
    expect(await numbersOf(again.journal.cursor())).toEqual([1, 3]);
    expect(again.journal.unanswered).toBe(2);
    await again.journal.append('{"n":4}');
    expect(await numbersOf(again.journal.cursor())).toEqual([1, 3, 4]);
  });

  it('has a number that is never given again, though all files before it are gone', async () => {
    const { journal, folder } = await openJournal();
    await journal.append('{}');
    journal.answered(1);
    await journal.close();
    await (await openJournal({ folder })).journal.close();
    const { journal: third } = await openJournal({ folder });
    await third.append('{}');
    expect(await numbersOf(third.cursor())).toEqual([2]);
    expect(await filesIn(folder, '.events')).toEqual(['000000000002.events']);
  });

  it('is seen by a cursor that has come to the end', async () => {
    const { journal } = await openJournal();
    const cursor = journal.cursor();
    expect(await cursor.next()).toBeUndefined();
    await journal.append('{"charge_id":"c"}');
    expect((await cursor.next())?.webhook).toMatchObject({ kind: 'charge', chargeId: 'c' });
    expect(await cursor.next()).toBeUndefined();
  });
});

describe('a crash', () => {
  it('in the middle of a line loses nothing else', async () => {
    const { journal, folder } = await openJournal();
    await journal.append('{"n":1}');
    await journal.close();
    await appendFile(join(folder, '000000000001.events'), '{"event":2,"at":"2026');
    await writeFile(join(folder, '000000000001.answered'), '{"answ');
    const again = await openJournal({ folder });
    expect(again.troubles).toEqual([]);
    await again.journal.append('{"n":2}');
    expect(await numbersOf(again.journal.cursor())).toEqual([1, 2]);
    // A mark stands behind what the crash left of another one.
    again.journal.answered(1);
    await again.journal.close();
    expect(await numbersOf((await openJournal({ folder })).journal.cursor())).toEqual([2]);
  });

  it('that leaves damage in the middle of a file costs the damaged lines alone, and is said', async () => {
    const { journal, folder } = await openJournal();
    for (const text of ['{"n":1}', '{"n":2}', '{"n":3}']) await journal.append(text);
    await journal.close();
    const path = join(folder, '000000000001.events');
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace(/\{"event":2.*\n/, '\0\0\0\0\n{"event":900000000,"at":"","payload":{}}\n'),
    );
    const again = await openJournal({ folder });
    expect(await numbersOf(again.journal.cursor())).toEqual([1, 3]);
    expect(again.troubles).toHaveLength(1);
    expect(again.troubles[0]).toContain(path);
  });

  it('at any byte leaves every event before it, and the journal usable', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        async (texts, cut) => {
          const { journal, folder } = await openJournal();
          for (const text of texts) await journal.append(JSON.stringify({ text }));
          await journal.close();
          const path = join(folder, '000000000001.events');
          const whole = await readFile(path);
          const kept = cut % (whole.length + 1);
          await truncate(path, kept);
          const lines = whole.subarray(0, kept).toString().split('\n').length - 1;
          const { journal: again } = await openJournal({ folder });
          await again.append('{}');
          const numbers = Array.from({ length: lines + 1 }, (_, index) => index + 1);
          expect(await numbersOf(again.cursor())).toEqual(numbers);
          await again.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the files', () => {
  it('are parted by size, and gone when all of theirs is answered, whatever the order', async () => {
    const { journal, folder } = await openJournal({ segmentBytes: 200 });
    for (let n = 1; n <= 12; n += 1) await journal.append(settlement(`id-${n}`));
    const names = await filesIn(folder, '.events');
    expect(names.length).toBeGreaterThan(3);
    const stuck = 5;
    for (let n = 12; n >= 1; n -= 1) if (n !== stuck) journal.answered(n);
    await journal.close();
    // The one that is stuck, and the one that is written to.
    expect(await filesIn(folder, '.events')).toHaveLength(2);
    const again = await openJournal({ folder });
    expect(await numbersOf(again.journal.cursor())).toEqual([stuck]);
    for (let n = 1; n <= 12; n += 1) expect(again.journal.recentIds.has(`id-${n}`)).toBe(true);
  });

  it('keep the last ids in two files at most', async () => {
    const { journal, folder } = await openJournal({ segmentBytes: 1, rememberedIds: 4 });
    for (let n = 1; n <= 40; n += 1) {
      await journal.append(settlement(`id-${n}`));
      journal.answered(n);
    }
    await journal.close();
    expect((await filesIn(folder, '.ids')).length).toBeLessThanOrEqual(2);
    const { journal: again } = await openJournal({ folder, rememberedIds: 4 });
    const known = Array.from({ length: 40 }, (_, index) => `id-${index + 1}`).filter((id) =>
      again.recentIds.has(id),
    );
    expect(known.slice(-4)).toEqual(['id-37', 'id-38', 'id-39', 'id-40']);
    expect(known.length).toBeLessThanOrEqual(9);
  });

  it('hold, with what is answered while more comes in, all that is left and nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant('append'), fc.nat(60)), { maxLength: 60 }),
        async (steps) => {
          const folder = await temporaryFolder();
          let { journal } = await openJournal({ folder, segmentBytes: 150 });
          const left = new Set<number>();
          let last = 0;
          for (const step of steps) {
            if (step === 'append') {
              await journal.append('{"charge_id":"c"}');
              last += 1;
              left.add(last);
            } else if (step === 60) {
              await journal.close();
              ({ journal } = await openJournal({ folder, segmentBytes: 150 }));
            } else {
              journal.answered(Number(step));
              left.delete(Number(step));
            }
          }
          expect(await numbersOf(journal.cursor())).toEqual([...left]);
          await journal.close();
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('what cannot be written', () => {
  it('is refused, and said; what comes later is kept', async () => {
    const { journal, folder, troubles } = await openJournal({ segmentBytes: 1 });
    await journal.append('{"n":1}');
    // A folder stands where the next file should be.
    const next = join(folder, '000000000002.events');
    await mkdir(next);
    await expect(journal.append('{"n":2}')).rejects.toThrow();
    expect(await journal.isWritable()).toBe(false);
    expect(troubles.length).toBeGreaterThan(0);
    await rm(next, { recursive: true });
    expect(await journal.isWritable()).toBe(true);
    await journal.append('{"n":3}');
    expect(await numbersOf(journal.cursor())).toEqual([1, 2]);
  });
});
