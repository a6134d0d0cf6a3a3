import { defineConfig } from 'vitest/config';
import { common } from '../../vitest.config.ts';

/** What engines outside of the program make of the tables: a Spark cluster. */
export default defineConfig({
  test: {
    ...common,
    include: ['test/engines/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.vitest-engines-results.json' }]],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
