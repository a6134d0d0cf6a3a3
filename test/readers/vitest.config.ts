import { defineConfig } from 'vitest/config';
import { buildsProgram, common } from '../../vitest.config.ts';

/** What programs that others wrote make of workbooks and pages: LibreOffice and Chromium. */
export default defineConfig({
  test: {
    ...common,
    globalSetup: buildsProgram,
    // LibreOffice starts slowly on a busy machine.
    testTimeout: 120_000,
    include: ['test/readers/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.vitest-readers-results.json' }]],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
