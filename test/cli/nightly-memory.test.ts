import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serve } from '../base/http/loopback.ts';
import { off, settlement, since, startNights } from './nights.ts';

describe('a damaged nightly.json', () => {
  const spoilt = '{ "schema": 2, "tellings": 1';

  test('is named and kept aside, and news may have been told before', async () => {
    const { out, run, night } = await startNights([settlement(2, off)]);
    const [path, aside] = [join(out, 'nightly.json'), join(out, 'nightly.json.damaged')];
    const first = await night(3, ...since);
    await writeFile(path, spoilt);
    const second = await night(3);
    expect(second.report.news).toEqual(first.report.news);
    expect(second.report.profiles[0]).toMatchObject({ state_damaged: true });
    expect(await readFile(aside, 'utf8')).toBe(spoilt);
    const third = await night(3);
    expect(third.kinds).toEqual([]);
    expect(third.report.profiles[0]).not.toHaveProperty('state_damaged');
    // Another one does not take its place.
    await writeFile(path, 'x');
    const { stdout } = await run(3, ['--quiet']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'nightly.json is damaged and is kept as nightly.json.damaged.2, so news may have been reported before.',
    );
    expect(await readFile(aside, 'utf8')).toBe(spoilt);
    expect(await readFile(`${aside}.2`, 'utf8')).toBe('x');
  });

  test('is told to the channel even where nothing is new, and stays until that is accepted', async () => {
    const receiver = await serve(({ number }) => ({ status: number < 2 ? 404 : 200 }));
    const { out, run } = await startNights([settlement(2)]);
    const env = { RECON_NOTIFY_URL: receiver.url };
    await run(3, since, { env });
    await writeFile(join(out, 'nightly.json'), spoilt);
    expect((await run(3, [], { env })).exitCode).toBe(5);
    expect(readdirSync(out)).not.toContain('nightly.json.damaged');
    const { exitCode, stdout } = await run(3, [], { env });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('No news. nightly.json is')]);
    expect(receiver.received[1]?.body).toMatchObject({
      text: expect.stringContaining('news may have been reported before'),
      profiles: [{ state_damaged: true }],
    });
    await run(3, [], { env });
    expect(receiver.received).toHaveLength(2);
  });

  test('is nobody else’s file, where no day was published yet', async () => {
    const { out, run } = await startNights([]);
    await run(3, ['--since', '2026-03-03']);
    await writeFile(join(out, 'nightly.json'), spoilt);
    for (const _ of [1, 2]) expect((await run(3, ['--since', '2026-03-03'])).exitCode).toBe(0);
    expect(readdirSync(out).sort()).toEqual([
      'nightly.json',
      'nightly.json.damaged',
      'status.json',
    ]);
  });
});
