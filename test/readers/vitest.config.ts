import { defineConfig } from 'vitest/config';
import { buildsProgram, common } from '../../vitest.config.ts';

/** What programs that others wrote make of workbooks and pages: LibreOffice and Chromium. */
export default defineConfig({
  test: {
    ...common,
    globalSetup: buildsProgram,
    include: ['test/readers/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.vitest-readers-results.json' }]],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
