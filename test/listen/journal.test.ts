import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecentIds, eventName, type Journal, largestBody } from '../../src/listen/journal.ts';
import { mountSmallDisk } from '../cli/mounts.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { dayMs, keep, march4, openJournal, settlementPayload } from './journals.ts';

/** What lies below a folder, but for folders. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

describe('an event', () => {
  it('is a file as it came, readable only for its owner, when it is acknowledged', async () => {
    const { journal, folder } = await openJournal();
    const text = '{\r\n "amount": 1.10,\n "big": 12345678901234567890 }';
    const name = await keep(journal, text);
    const path = join(folder, 'new', `${name}.json`);
    expect(await readFile(path, 'utf8')).toBe(text);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700);
  });

  it('is named by our time and a hash, not by text of its sender', async () => {
    const { journal } = await openJournal();
    const names = await Promise.all([
      keep(journal, '{"charge_id":"../../evil"}'),
      keep(journal, '{"charge_id":"../../evil"}'),
      keep(journal, settlementPayload('../../evil')),
    ]);
    for (const name of names) {
      expect(name).toMatch(/^20260304T000000\.000Z-(id-)?[0-9a-f]{32}$/);
    }
    // Charges have no id: two that are alike are two events.
    expect(new Set(names).size).toBe(3);
  });

  it('is still there after a restart unless it was answered or set aside', async () => {
    const { journal, folder } = await openJournal();
    const names: string[] = [];
    for (const n of [1, 2, 3, 4]) names.push(await keep(journal, `{"charge_id":"${n}"}`));
    const [first = '', second = '', third = '', fourth = ''] = names;
    expect(await journal.answered(second)).toBe(true);
    expect(await journal.setAside(third, 'It is odd.')).toBe(true);
    const { journal: again } = await openJournal({ folder });
    expect(new Set(await again.unanswered())).toEqual(new Set([first, fourth]));
    expect(await again.read(first)).toMatchObject({
      name: first,
      receivedAt: '2026-03-04T00:00:00.000Z',
      webhook: { hints: [{ kind: 'charge', id: '1' }] },
    });
    expect(await again.read(second)).toBeUndefined();
    expect(await filesIn(join(folder, 'done'))).toEqual([`2026-03-04/${second}.json`]);
    expect(await readFile(join(folder, 'set-aside', `${third}.json`), 'utf8')).toBe(
      '{"charge_id":"3"}',
    );
    expect(await readFile(join(folder, 'set-aside', 'reasons.txt'), 'utf8')).toBe(
      `${third}.json: It is odd.\n`,
    );
  });

  it('is removed if a crash left it half written: it was never acknowledged', async () => {
    const { journal, folder } = await openJournal();
    const name = await keep(journal, '{}');
    await writeFile(join(folder, 'tmp', `${name}.json`), '{"charge');
    const { journal: again } = await openJournal({ folder });
    expect(await filesIn(folder)).toEqual([`new/${name}.json`]);
    expect(await again.unanswered()).toEqual([name]);
  });

  it('names nothing if it was damaged, and other files are left alone', async () => {
    const { journal, folder, troubles } = await openJournal();
    const name = await keep(journal, '{"charge_id":"1"}');
    await writeFile(join(folder, 'new', `${name}.json`), Buffer.from([0xff, 0xfe]));
    await writeFile(join(folder, 'new', 'notes.json'), '{"charge_id":"2"}');
    expect(await journal.unanswered()).toEqual([name]);
    expect((await journal.read(name))?.webhook.hints).toEqual([]);
    expect(troubles).toHaveLength(1);
  });

  it('of another size than a body, or another kind than a file, is not read', async () => {
    const { journal, folder } = await openJournal();
    const name = await keep(journal, '{"charge_id":"1"}');
    const padding = ' '.repeat(largestBody);
    await writeFile(join(folder, 'new', `${name}.json`), `{"charge_id":"1"}${padding}`);
    await symlink('/dev/zero', join(folder, 'new', `${eventName(march4, '')}.json`));
    await mkdir(join(folder, 'new', `${eventName(march4, '')}.json`));
    expect(await journal.unanswered()).toEqual([name]);
    expect((await journal.read(name))?.webhook.hints).toEqual([]);
  });

  it('is kept beside another with its id', async () => {
    const { journal } = await openJournal();
    const settled = JSON.parse(settlementPayload('a'));
    const pending = { ...settled, settlement_status: { status: 'pending_settlement' } };
    const outcomes = [settled, pending, settled].map((payload) =>
      journal.keep(JSON.stringify(payload), () => {}),
    );
    expect(await Promise.all(outcomes)).toEqual(['kept', 'kept', 'known']);
  });

  it('is known by its id, in whichever folder it is', async () => {
    const { journal, folder } = await openJournal();
    const put = (id: string) => keep(journal, settlementPayload(id));
    await journal.answered(await put('a'));
    await journal.setAside(await put('b'), 'odd');
    await put('c');
    const { journal: again } = await openJournal({ folder });
    const outcomes = ['a', 'b', 'c', 'd'].map((id) => again.keep(settlementPayload(id), () => {}));
    expect(await Promise.all(outcomes)).toEqual(['known', 'known', 'known', 'kept']);
  });
});

it('the journal keeps answered events for some days, and set-aside events until a user takes them', async () => {
  let now = march4;
  const { journal, folder } = await openJournal({ now: () => now, keepDays: 2 });
  await journal.setAside(await keep(journal, '{}'), 'odd');
  const days = async () => readdir(join(folder, 'done'));
  for (const wanted of [
    ['2026-03-04'],
    ['2026-03-04', '2026-03-05'],
    ['2026-03-04', '2026-03-05', '2026-03-06'],
    ['2026-03-05', '2026-03-06', '2026-03-07'],
  ]) {
    await journal.answered(await keep(journal, '{}'));
    expect(await days()).toEqual(wanted);
    now += dayMs;
  }
  now += dayMs;
  await openJournal({ folder, now: () => now, keepDays: 2 });
  expect(await days()).toEqual(['2026-03-07']);
  expect(await readdir(join(folder, 'set-aside'))).toHaveLength(2);
});

it('the journal has exactly the unanswered events after any keeps, answers and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom('keep', 'start'), fc.nat(20)), { maxLength: 40 }),
      async (steps) => {
        let { journal, folder } = await openJournal();
        const left: string[] = [];
        for (const step of steps) {
          if (step === 'keep') left.push(await keep(journal, '{}'));
          else if (step === 'start') ({ journal, folder } = await openJournal({ folder }));
          else {
            const [name] = left.splice(Number(step), 1);
            if (name !== undefined) await journal.answered(name);
          }
        }
        expect(await journal.unanswered()).toEqual([...left].sort());
      },
    ),
    { numRuns: 20 },
  );
});

describe('an event that cannot be written', () => {
  it('is refused with one message, and later events are kept', async () => {
    const { journal, folder, troubles } = await openJournal();
    await rm(join(folder, 'tmp'), { recursive: true });
    await writeFile(join(folder, 'tmp'), 'A file stands where the folder should be.');
    await expect(keep(journal, settlementPayload('a'))).rejects.toThrow();
    await expect(keep(journal, settlementPayload('a'))).rejects.toThrow();
    expect(await journal.isWritable()).toBe(false);
    expect(troubles).toHaveLength(1);
    await rm(join(folder, 'tmp'));
    expect(await journal.isWritable()).toBe(true);
    const name = await keep(journal, settlementPayload('a'));
    expect(await filesIn(folder)).toEqual([`new/${name}.json`]);
  });

  it('stays in its place if it cannot be moved, with a message', async () => {
    const { journal, folder, troubles } = await openJournal();
    const name = await keep(journal, '{}');
    await rm(join(folder, 'done'), { recursive: true });
    await writeFile(join(folder, 'done'), 'A file stands where the folder should be.');
    expect([await journal.answered(name), await journal.unanswered()]).toEqual([false, [name]]);
    expect(troubles).toHaveLength(1);
  });

  it.each(['size', 'inodes'] as const)(
    'is refused on a full disk (%s), which has exactly the acknowledged events',
    async (limit) => {
      const folder = join(await temporaryFolder(), 'disk');
      const disk = mountSmallDisk(folder);
      if (!disk) return;
      const { journal } = await openJournal({ folder });
      disk.leave(limit, 6);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) => keep(journal, `{"n":${n}}`)),
      );
      const kept = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(kept.length).toBeGreaterThan(0);
      expect(kept.length).toBeLessThan(40);
      while (await journal.isWritable()) {
        const name = await keep(journal, '{}').catch(() => undefined);
        if (name !== undefined) kept.push(name);
      }
      expect(await journal.unanswered()).toEqual([...kept].sort());
      disk.free();
      expect(await journal.isWritable()).toBe(true);
      await keep(journal, '{}');
    },
  );
});

describe('a payload that comes again', () => {
  const body = settlementPayload('a');
  /** Takes a body twice at the same time, and says when which was acknowledged. */
  const takeTwice = (journal: Journal, steps: string[]) =>
    ['first', 'second'].map(async (which) => {
      const outcome = await journal.keep(body, () => steps.push(`${which} is on the disk`));
      steps.push(`${which} is acknowledged`);
      return outcome;
    });

  it('while the first is written is acknowledged after the first', async () => {
    const { journal } = await openJournal();
    const steps: string[] = [];
    expect(await Promise.all(takeTwice(journal, steps))).toEqual(['kept', 'known']);
    expect(steps[0]).toBe('first is on the disk');
    expect(await journal.keep(body, () => {})).toBe('known');
    expect(await journal.unanswered()).toHaveLength(1);
  });

  it('is refused with the first if that cannot be written, and kept if it comes later', async () => {
    const { journal, folder } = await openJournal();
    await rm(join(folder, 'tmp'), { recursive: true });
    await writeFile(join(folder, 'tmp'), 'A file stands where the folder should be.');
    const steps: string[] = [];
    const outcomes = await Promise.allSettled(takeTwice(journal, steps));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(steps).toEqual([]);
    await rm(join(folder, 'tmp'));
    expect(await journal.keep(body, () => {})).toBe('kept');
  });

  it('is known among recent ones, in memory that does not grow', () => {
    const ids = createRecentIds(1000);
    for (let n = 0; n < 50_000; n += 1) ids.addOf(eventName(0, `id-${n}`));
    for (let n = 49_000; n < 50_000; n += 1) expect(ids.has(`id-${n}`)).toBe(true);
    expect(ids.has('id-0')).toBe(false);
  });
});
