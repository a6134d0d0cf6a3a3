import { defineConfig } from 'vitest/config';
import { buildsProgram, common } from '../../vitest.config.ts';

/** Processes of each command, what kills them, fills disks, floods, cuts off or damages files, and more random faults. */
export default defineConfig({
  test: {
    ...common,
    globalSetup: buildsProgram,
    include: ['test/{crash,chaos}/*.test.ts'],
    env: { ...common.env, CHAOS_SEEDS: '40' },
    reporters: ['default', ['json', { outputFile: '.vitest-crash-results.json' }]],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
