import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { expectNothingLeft, expectWholeDays, inThisProcess, tonight } from '../cli/exports.ts';
import { mountSmallDisk } from '../cli/mounts.ts';
import type { Night } from '../cli/shop.ts';

/** Each disk has room for so many pages, or files, more than the one before. */
const step = 3;

interface Case {
  readonly what: string;
  readonly limit: 'size' | 'inodes';
  readonly nights: readonly Night[];
  /** Otherwise it is up to chance which file finds the disk full. */
  readonly isDayByDay: boolean;
}

const cases: readonly Case[] = [
  { what: 'in a first export', limit: 'size', nights: [1], isDayByDay: true },
  { what: 'while days are replaced', limit: 'size', nights: [0, 1, 2], isDayByDay: true },
  {
    what: 'of files, while days are replaced',
    limit: 'inodes',
    nights: [0, 1, 2],
    isDayByDay: true,
  },
  {
    what: 'while several days are read and replaced',
    limit: 'inodes',
    nights: [0, 1, 2],
    isDayByDay: false,
  },
];

test.for(cases)(
  'a full disk leaves whole days, and the next run completes them: $what',
  { timeout: 120_000 },
  async ({ limit, nights, isDayByDay }, context) => {
    const evening = await tonight(nights, inThisProcess);
    const { prepare, run, complete, before } = evening;
    const disk = mountSmallDisk(join(dirname(before), 'disk'));
    if (!disk) return context.skip('no file system can be mounted here');
    const fullAt = new Set<string>();
    for (let room = 1; ; room += step) {
      const out = prepare('disk/out');
      disk.leave(limit, room);
      const { exitCode, stderr } = await run(out, ...(isDayByDay ? ['--concurrency', '1'] : []));
      if (exitCode === 1) break;
      expect([room, exitCode]).toEqual([room, 5]);
      expect(stderr).toContain('error: No space left to write the output.\n');
      expect(stderr).toContain('  try: Free some space, or choose another place.\n');
      fullAt.add(nameOf(/^ {2}at: {2}(.*)$/m.exec(stderr)?.[1] ?? ''));
      expectNothingLeft(out);
      expectWholeDays(out, evening);
      disk.free();
      await complete(out);
    }
    if (!isDayByDay) return;
    const files = ['transactions.csv', 'source.ndjson.gz', 'manifest.json'];
    expect([...fullAt]).toEqual(
      expect.arrayContaining(nights.length > 1 ? [...files, 'intent'] : files),
    );
  },
);

/** What could not be written. */
function nameOf(path: string): string {
  return dirname(path).endsWith('.intents') ? 'intent' : basename(path);
}
