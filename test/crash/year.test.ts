import { afterAll, expect, test, vi } from 'vitest';
import { type Figures, liveThrough } from '../nightly/year/year.ts';
import { Random } from '../support/random.ts';

// A night can be killed, and its disk can be full.
vi.mock('node:fs/promises', async (original) => {
  const { mortal } = await import('../export/mortal-files.ts');
  return mortal(await original());
});

// `npm run year` asks for more. The month of seed 3 has nights of thirteen kinds.
const days = Number(process.env['YEAR_DAYS'] ?? 31);
const from = Number(process.env['YEAR_FROM'] ?? 3);
const seeds = Array.from({ length: Number(process.env['YEAR_SEEDS'] ?? 1) }, (_, n) => from + n);
const lived: Figures[] = [];

test.each(seeds)(
  'each event is filed once and reported once: seed %i',
  { timeout: 3_600_000 },
  async (seed) => {
    const began = performance.now();
    const figures = await liveThrough(new Random(seed), days);
    const seconds = Math.round((performance.now() - began) / 1000);
    lived.push({ ...figures, sums: { ...figures.sums, seconds } });
    expect(figures.sums['nights that ran']).toBeGreaterThan(days / 3);
  },
);

afterAll(() => {
  if (process.env['YEAR_DAYS'] === undefined) return;
  for (const part of ['sums', 'nights', 'events'] as const) {
    const total: Record<string, number> = {};
    for (const figures of lived) {
      for (const [name, count] of Object.entries(figures[part])) {
        total[name] = (total[name] ?? 0) + count;
      }
    }
    console.table(total);
  }
});
