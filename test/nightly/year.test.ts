import { expect, test, vi } from 'vitest';
import { liveThrough } from './year/year.ts';

// A night can be killed, and its disk can be full.
vi.mock('node:fs/promises', async (original) => {
  const { mortal } = await import('../export/mortal-files.ts');
  return mortal(await original());
});

// `npm run year` asks for more.
const days = Number(process.env['YEAR_DAYS'] ?? 31);
const from = Number(process.env['YEAR_FROM'] ?? 1);
const seeds = Array.from({ length: Number(process.env['YEAR_SEEDS'] ?? 1) }, (_, n) => from + n);

test.each(seeds)(
  'whatever happens, all is filed once and told once: seed %i',
  { timeout: 900_000 },
  async (seed) => {
    const figures = await liveThrough(seed, days);
    expect(figures.counts['runs']).toBeGreaterThan(days / 4);
    if (process.env['YEAR_DAYS']) console.log(JSON.stringify(figures, null, 1));
  },
);
