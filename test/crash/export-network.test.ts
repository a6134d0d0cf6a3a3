import { describe, expect, test } from 'vitest';
import {
  contentsOf,
  expectNothingLeft,
  expectWholeDays,
  inThisProcess,
  tonight,
} from '../cli/exports.ts';
import { settlementOn, shopAt } from '../cli/shop.ts';

describe('an export', { timeout: 60_000 }, () => {
  test('leaves whole days if the service goes away, and the next one completes them', async () => {
    const evening = await tonight([0, 1, 2], inThisProcess);
    const { shop, prepare, run, complete } = evening;
    for (const moment of [1, 2, 3, 5, 8, 13, 21, 26]) {
      await shop.becomes(shopAt(2), {
        atRequest: (count) => {
          if (count === moment) void shop.close();
        },
      });
      const out = prepare('out');
      const { exitCode, stderr } = await run(out);
      expect([moment, exitCode]).toEqual([moment, 4]);
      expect(stderr).toContain('error: ');
      expectNothingLeft(out);
      expectWholeDays(out, evening);
      await shop.becomes(shopAt(2));
      await complete(out);
    }
  });

  test('leaves a day alone that it cannot read whole, and writes the others', async () => {
    const { shop, prepare, run, complete, before, after } = await tonight([0, 1, 2], inThisProcess);
    // As after an undisturbed run, but for that day.
    const others = Object.entries(contentsOf(after)).filter(
      ([path]) => !path.includes('2026-03-05'),
    );
    const old = Object.entries(contentsOf(before)).filter(([path]) => path.includes('2026-03-05'));
    for (const fault of ['http-500', 'truncated', 'reset', 'html', 'wrapper-2001']) {
      await shop.becomes(shopAt(2), { faults: [`${fault}@${settlementOn(5)}`] });
      const out = prepare('out');
      const { exitCode, stdout, stderr } = await run(out);
      expect([fault, exitCode]).toEqual([fault, 4]);
      expect(stdout).toContain('2026-03-05,incomplete,incomplete,');
      expect(stdout).toContain('2026-03-11,written,balanced,');
      expect(stderr).toContain('2026-03-05 not written: ');
      expect(contentsOf(out)).toEqual(Object.fromEntries([...others, ...old]));
      await shop.becomes(shopAt(2));
      await complete(out);
    }
  });
});
