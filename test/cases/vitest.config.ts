import { defineConfig } from 'vitest/config';
import { buildsProgram, common } from '../../vitest.config.ts';

/** Whole runs of many cases, most of them written from the docs and the formats alone: long nights, all outputs. */
export default defineConfig({
  test: {
    ...common,
    testTimeout: 120_000,
    globalSetup: buildsProgram,
    include: ['test/cases/**/*.test.ts'],
    isolate: false,
    reporters: ['default', ['json', { outputFile: '.vitest-cases-results.json' }]],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
