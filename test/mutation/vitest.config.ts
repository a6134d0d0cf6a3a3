import { defineConfig } from 'vitest/config';

/** The tests that a change to money or to the checks must not get past. */
export default defineConfig({
  test: {
    include: ['test/money/**/*.test.ts', 'test/reconcile/**/*.test.ts'],
    // How often causes are found is a measure over many cases: far too slow for each mutant.
    exclude: ['test/reconcile/explain/power.test.ts'],
    env: { TZ: 'UTC' },
    // Instrumented, and beside others, a test takes several times as long.
    testTimeout: 60_000,
  },
});
