import { defineConfig } from 'vitest/config';
import { common } from '../../vitest.config.ts';

/** What the programs that keep books make of journals: hledger, ledger and beancount. */
export default defineConfig({
  test: {
    ...common,
    testTimeout: 120_000,
    include: ['test/books-tools/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.vitest-books-results.json' }]],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
