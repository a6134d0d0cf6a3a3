import { defineConfig } from 'vitest/config';
import { buildsProgram, cases, common } from '../../vitest.config.ts';

/** What the docs and the formats ask for: many files, long nights, all outputs. */
export default defineConfig({
  test: {
    ...common,
    testTimeout: 120_000,
    globalSetup: buildsProgram,
    include: cases,
    isolate: false,
    reporters: ['default', ['json', { outputFile: '.vitest-cases-results.json' }]],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
