import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { changeKeptCsv } from '../../src/register/kept-csv.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { fullAfter, killedAfter } from '../export/mortal-files.ts';
import { FakeClock } from '../support/fake-clock.ts';

vi.mock('node:fs/promises', async (original) => {
  const { mortal } = await import('../export/mortal-files.ts');
  return mortal(await original());
});

test('a register is either old or new as a whole after a kill or on a full disk', async () => {
  const path = join(await temporaryFolder(), 'accepted.csv');
  const [before, after] = ['id,why\n1,a\n', 'id,why\n1,a\n2,b\n'];
  let runs = 0;
  const add = () => {
    runs += 1;
    const owner = { host: 'web1', pid: runs, startedAt: 'then' };
    const lock = { owner, isRunning: () => false, clock: new FakeClock() };
    return changeKeptCsv(path, lock, ({ records }) => ({
      replaced: records.length === 2 ? [] : [{ removed: [], added: '2,b\r\n' }],
    }));
  };
  const expectNothingLost = async () => {
    expect([before, after]).toContain(readFileSync(path, 'utf8'));
    // Whoever comes next takes the lock over.
    await add();
    expect(readFileSync(path, 'utf8')).toBe(after);
  };
  let kills = 0;
  for (let actions = 0; ; actions += 1) {
    writeFileSync(path, before);
    const wasKilled = await killedAfter(actions, add);
    await expectNothingLost();
    if (!wasKilled) break;
    kills += 1;
    writeFileSync(path, before);
    await fullAfter(actions, () => add().catch(() => {}));
    await expectNothingLost();
  }
  expect(kills).toBeGreaterThan(4);
});
