import { defineConfig } from 'vitest/config';
import everyday from '../../vitest.config.ts';

/** What kills processes, fills disks or floods, and more random faults than every day. */
export default defineConfig({
  ...everyday,
  test: {
    ...everyday.test,
    include: ['test/{crash,chaos}/*.test.ts'],
    exclude: [],
    env: { ...everyday.test?.env, CHAOS_SEEDS: '40' },
    reporters: ['default', ['json', { outputFile: '.vitest-crash-results.json' }]],
  },
});
